
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,2048\na:\t.zero 2048\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,2048\nb:\t.zero 2048\n\t.popsection");
# 3 "<input>"

void f(int n) {
    int i, j; 
{ i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi2; i++) { 
{ __attribute__((unused)) double *const fathom_row3 = fathom_local(fathom_block_elem(fathom_static(fathom_at_a), (long)(i) * (16l), 16ul, 8ul)); __attribute__((unused)) double *const fathom_row4 = fathom_local(fathom_block_elem(fathom_static(fathom_at_b), (long)(i) * (16l), 16ul, 8ul)); 
#pragma omp simd
# 7 "<input>"
for (j = 0; j < 16; j++) (fathom_row3[j] = 2 * fathom_row4[j]); } } else { const long fathom_first5 = fathom_cyclic_first(fathom_lo1, 0l); const long fathom_n7 = fathom_cyclic_count(fathom_first5, fathom_hi2); for (long fathom_k6 = 0; fathom_k6 < fathom_n7; fathom_k6++) { __attribute__((unused)) int i = (int)(fathom_first5 + fathom_k6 * (long)fathom_threads); { __attribute__((unused)) double *const fathom_row8 = fathom_local(fathom_block_elem(fathom_static(fathom_at_a), (long)(i) * (16l), 16ul, 8ul)); __attribute__((unused)) double *const fathom_row9 = fathom_local(fathom_block_elem(fathom_static(fathom_at_b), (long)(i) * (16l), 16ul, 8ul)); 
#pragma omp simd
# 7 "<input>"
for (j = 0; j < 16; j++) (fathom_row8[j] = 2 * fathom_row9[j]); }} }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
