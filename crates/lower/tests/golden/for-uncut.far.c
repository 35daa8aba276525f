
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,64\na:\t.zero 64\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,64\nb:\t.zero 64\n\t.popsection");
# 3 "<input>"

int f(int n) {
    int i, sum = 0;
    void shrink(void) { n--; } 
for (i = 0; i < n; i++) { 
sum += __extension__ ({ int fathom_copy2; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul)))), &fathom_copy2, sizeof fathom_copy2); });
        shrink();
    } 
for (i = 0; i < 16; ) { unsigned long fathom_n4 = (unsigned long)(16) - (unsigned long)i - 1; const fathom_pptr fathom_view7_at = fathom_block_at(fathom_static(fathom_at_b), (long)i + 0l, 16ul, 4ul); fathom_n4 = fathom_in_block(fathom_n4, fathom_view7_at, 16ul); const fathom_pptr fathom_view8_at = fathom_block_at(fathom_static(fathom_at_a), (long)i + 0l, 16ul, 4ul); fathom_n4 = fathom_in_block(fathom_n4, fathom_view8_at, 16ul); fathom_n4++; const fathom_ptr fathom_view7_word = fathom_view7_at.addr; __attribute__((unused)) const int fathom_view7_near = fathom_is_near(fathom_view7_word); __attribute__((unused)) int *const fathom_view7 = fathom_place_if(fathom_view7_near, fathom_view7_word); const fathom_ptr fathom_view8_word = fathom_view8_at.addr; __attribute__((unused)) const int fathom_view8_near = fathom_is_near(fathom_view8_word); __attribute__((unused)) int *const fathom_view8 = fathom_place_if(fathom_view8_near, fathom_view8_word); unsigned long fathom_k5 = 0; for (; fathom_k5 < fathom_n4; fathom_k5++, i++) { {
        static int before; 
(__extension__ ({ int fathom_v9 = before; const fathom_ptr fathom_at10 = fathom_word_if(fathom_view7_near, &fathom_view7[fathom_k5]); fathom_write(fathom_view7_near, fathom_at10, &fathom_v9, sizeof fathom_v9); fathom_v9; })); 
before = __extension__ ({ int fathom_copy12; *(int *)fathom_open(fathom_view8_near, fathom_word_if(fathom_view8_near, &fathom_view8[fathom_k5]), &fathom_copy12, 0, sizeof fathom_copy12); });
    } } if (fathom_k5 < fathom_n4) break;  } 
for (i = 0; i < 16; i++)
#pragma omp atomic
        sum += __extension__ ({ int fathom_copy15; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul)))), &fathom_copy15, sizeof fathom_copy15); });
    return sum;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
