
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

int f(int n) {
    int i, j; 
{ for (i = 0; i < n; i++) ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) = 1); } 
{ for (i = 0; i < n; i++) ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) += 2); } 
{ i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi2; i++) { { 
if ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) < 0) continue; 
{ for (j = 0; j < 3; j++) ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(j), 4ul))) += i); } 
} } else { const long fathom_first3 = fathom_cyclic_first(fathom_lo1, 0l); const long fathom_n5 = fathom_cyclic_count(fathom_first3, fathom_hi2); __attribute__((unused)) int *const fathom_view6 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first3 + 0l, 4ul)); for (long fathom_k4 = 0; fathom_k4 < fathom_n5; fathom_k4++) { __attribute__((unused)) int i = (int)(fathom_first3 + fathom_k4 * (long)fathom_threads); 
# 9 "<input>"
{ 
if (fathom_view6[fathom_k4] < 0) continue; 
{ for (j = 0; j < 3; j++) ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(j), 4ul))) += i); } 
}} }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
return i;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
