
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,8192\na:\t.zero 8192\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,8192\nb:\t.zero 8192\n\t.popsection");
extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak c\n\t.type c,@object\n\t.size c,8192\nc:\t.zero 8192\n\t.popsection");
# 3 "<input>"

double s, k; 
void f(int n) {
    int i; 
{ i = 1; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n - 1); const long fathom_lead18 = 0; struct fathom_ranges fathom_ranges17; fathom_ranges_init(&fathom_ranges17, fathom_lo1, fathom_hi2, 0l + fathom_lead18, 1024l, 1l, 1l, 1 && 0 == fathom_lead18 && 0 == fathom_lead18 && 0 == fathom_lead18); while (fathom_ranges_next(&fathom_ranges17)) { const int fathom_from23 = (int)fathom_ranges17.from, fathom_to22 = (int)fathom_ranges17.to; if (__builtin_expect(fathom_ranges17.fast, 1)) { __attribute__((unused)) double *const fathom_view19 = fathom_block_view(fathom_static(fathom_at_a), &fathom_ranges17, fathom_lead18, 8ul); __attribute__((unused)) double *const fathom_view20 = fathom_block_view(fathom_static(fathom_at_b), &fathom_ranges17, fathom_lead18, 8ul); __attribute__((unused)) double *const fathom_view21 = fathom_block_view(fathom_static(fathom_at_c), &fathom_ranges17, fathom_lead18, 8ul); 
#pragma omp simd
for (i = fathom_from23; i < fathom_to22; i++) 
# 7 "<input>"
(fathom_view19[i] = fathom_view20[i] * k + s * fathom_view21[i] + fathom_view20[i - 1] + fathom_view20[i + 1]); } else for (i = fathom_from23; i < fathom_to22; i++) (__extension__ ({ double fathom_v15 = __extension__ ({ double fathom_copy4; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 1024ul, 8ul)))), &fathom_copy4, sizeof fathom_copy4); }) * k + s * __extension__ ({ double fathom_copy7; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 1024ul, 8ul)))), &fathom_copy7, sizeof fathom_copy7); }) + __extension__ ({ double fathom_copy10; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i - 1), 1024ul, 8ul)))), &fathom_copy10, sizeof fathom_copy10); }) + __extension__ ({ double fathom_copy13; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i + 1), 1024ul, 8ul)))), &fathom_copy13, sizeof fathom_copy13); }); const fathom_ptr fathom_at16 = fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 1024ul, 8ul)))); fathom_write(fathom_is_near(fathom_at16), fathom_at16, &fathom_v15, sizeof fathom_v15); fathom_v15; })); }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
