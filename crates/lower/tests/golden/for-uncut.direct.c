
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
sum += (*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul)));
        shrink();
    } 
for (i = 0; i < 16; ) { unsigned long fathom_n1 = (unsigned long)(16) - (unsigned long)i - 1; const fathom_pptr fathom_view4_at = fathom_block_at(fathom_static(fathom_at_b), (long)i + 0l, 16ul, 4ul); fathom_n1 = fathom_in_block(fathom_n1, fathom_view4_at, 16ul); const fathom_pptr fathom_view5_at = fathom_block_at(fathom_static(fathom_at_a), (long)i + 0l, 16ul, 4ul); fathom_n1 = fathom_in_block(fathom_n1, fathom_view5_at, 16ul); fathom_n1++; __attribute__((unused)) int *const fathom_view4 = fathom_local(fathom_view4_at.addr); __attribute__((unused)) int *const fathom_view5 = fathom_local(fathom_view5_at.addr); unsigned long fathom_k2 = 0; for (; fathom_k2 < fathom_n1; fathom_k2++, i++) { {
        static int before; 
(fathom_view4[fathom_k2] = before); 
before = fathom_view5[fathom_k2];
    } } if (fathom_k2 < fathom_n1) break;  } 
for (i = 0; i < 16; i++)
#pragma omp atomic
        sum += (*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 16ul, 4ul)));
    return sum;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
