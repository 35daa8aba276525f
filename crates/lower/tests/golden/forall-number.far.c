
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

void f(int n) {
    int i; 
{ i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi2; i++) { (__extension__ ({ int fathom_v3 = i; const fathom_ptr fathom_at4 = fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))); fathom_write(fathom_is_near(fathom_at4), fathom_at4, &fathom_v3, sizeof fathom_v3); fathom_v3; })); } else { const long fathom_first5 = fathom_cyclic_first(fathom_lo1, 0l); const long fathom_n7 = fathom_cyclic_count(fathom_first5, fathom_hi2); __attribute__((unused)) int *const fathom_view8 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first5 + 0l, 4ul)); 
#pragma omp simd
for (long fathom_k6 = 0; fathom_k6 < fathom_n7; fathom_k6++) { __attribute__((unused)) int i = (int)(fathom_first5 + fathom_k6 * (long)fathom_threads); 
# 7 "<input>"
(fathom_view8[fathom_k6] = i);} }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
{ const int fathom_nested9 = fathom_forall_depth; int j = 0; for (; j < n; j += 3) if (fathom_mod_threads((long)(j / 2)) == fathom_mythread || fathom_nested9) { (__extension__ ({ __auto_type fathom_r10 = +(1); const fathom_ptr fathom_at11 = fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(j), 4ul)))); const int fathom_near15 = fathom_is_near(fathom_at11); int fathom_copy12; int *fathom_q13 = fathom_open(fathom_near15, fathom_at11, &fathom_copy12, 0, sizeof fathom_copy12); int fathom_v14 = ((*fathom_q13) += fathom_r10); fathom_close(fathom_near15, fathom_at11, fathom_q13, 0, sizeof fathom_copy12); fathom_v14; })); } } 
{ const int fathom_nested16 = fathom_forall_depth; for (i = n; i > 0; i--) if (fathom_mod_threads((long)(i)) == fathom_mythread || fathom_nested16) { (__extension__ ({ int fathom_v17 = 0; const fathom_ptr fathom_at18 = fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))); fathom_write(fathom_is_near(fathom_at18), fathom_at18, &fathom_v17, sizeof fathom_v17); fathom_v17; })); } } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
