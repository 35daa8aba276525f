
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
enum { N = 32 };
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,8192\na:\t.zero 8192\n\t.popsection");
extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak c\n\t.type c,@object\n\t.size c,8192\nc:\t.zero 8192\n\t.popsection");
# 4 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,8192\nb:\t.zero 8192\n\t.popsection");
# 5 "<input>"

void multiply(int n) { 
for (int i = 0; i < n; i++) 
{ const fathom_ptr fathom_row1_word = fathom_block_elem(fathom_static(fathom_at_a), (long)(

i) * (32l), 32ul, 8ul); __attribute__((unused)) const int fathom_row1_near = fathom_is_near(fathom_row1_word); __attribute__((unused)) double *const fathom_row1 = fathom_place_if(fathom_row1_near, fathom_row1_word); const fathom_ptr fathom_row2_word = fathom_block_elem(fathom_static(fathom_at_c), (long)(
i) * (32l), 32ul, 8ul); __attribute__((unused)) const int fathom_row2_near = fathom_is_near(fathom_row2_word); __attribute__((unused)) double *const fathom_row2 = fathom_place_if(fathom_row2_near, fathom_row2_word); 
# 8 "<input>"
for (int j = 0; j < N; j++) {
            double s = 0; 
if (__builtin_expect(fathom_row1_near, 1)) { for (int k = 0; k < N; k++) s += fathom_row1[k] * __extension__ ({ double fathom_copy4; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(k) * (32l * (long)fathom_threads) + (long)(j), 32ul, 8ul)))), &fathom_copy4, sizeof fathom_copy4); }); } else { for (int k = 0; k < N; k++) s += __extension__ ({ double fathom_copy7; *(double *)fathom_open(fathom_row1_near, fathom_word_if(fathom_row1_near, &fathom_row1[k]), &fathom_copy7, 0, sizeof fathom_copy7); }) * __extension__ ({ double fathom_copy10; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(k) * (32l * (long)fathom_threads) + (long)(j), 32ul, 8ul)))), &fathom_copy10, sizeof fathom_copy10); }); } 
(__extension__ ({ double fathom_v12 = s; const fathom_ptr fathom_at13 = fathom_word_if(fathom_row2_near, &fathom_row2[j]); fathom_write(fathom_row2_near, fathom_at13, &fathom_v12, sizeof fathom_v12); fathom_v12; }));
        } } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
