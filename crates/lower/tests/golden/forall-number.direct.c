
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

void f(int n) {
    int i; 
{ i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi2; i++) { ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) = i); } else { const long fathom_first3 = fathom_cyclic_first(fathom_lo1, 0l); const long fathom_n5 = fathom_cyclic_count(fathom_first3, fathom_hi2); __attribute__((unused)) int *const fathom_view6 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first3 + 0l, 4ul)); 
#pragma omp simd
for (long fathom_k4 = 0; fathom_k4 < fathom_n5; fathom_k4++) { __attribute__((unused)) int i = (int)(fathom_first3 + fathom_k4 * (long)fathom_threads); 
# 7 "<input>"
(fathom_view6[fathom_k4] = i);} }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
{ const int fathom_nested7 = fathom_forall_depth; int j = 0; for (; j < n; j += 3) if (fathom_mod_threads((long)(j / 2)) == fathom_mythread || fathom_nested7) { ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(j), 4ul))) += 1); } } 
{ const int fathom_nested8 = fathom_forall_depth; for (i = n; i > 0; i--) if (fathom_mod_threads((long)(i)) == fathom_mythread || fathom_nested8) { ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) = 0); } } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
