
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

void f(int n) {
    int i; 
{ i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi2; i++) (__extension__ ({ int fathom_v3 = i; const fathom_ptr fathom_at4 = (fathom_ptr)&(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); if (fathom_is_near(fathom_at4)) *(int *)fathom_local(fathom_at4) = fathom_v3; else { int fathom_copy5 = fathom_v3; fathom_far_put(fathom_at4, &fathom_copy5, sizeof fathom_copy5); }; fathom_v3; })); else { const long fathom_first6 = fathom_cyclic_first(fathom_lo1, 0l); const long fathom_n8 = fathom_cyclic_count(fathom_first6, fathom_hi2); __attribute__((unused)) int *const fathom_view9 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first6 + 0l, 4ul)); 
#pragma omp simd
for (long fathom_k7 = 0; fathom_k7 < fathom_n8; fathom_k7++) { __attribute__((unused)) int i = (int)(fathom_first6 + fathom_k7 * (long)fathom_threads); 
# 7 "<input>"
(fathom_view9[fathom_k7] = i);} }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
{ const int fathom_nested10 = fathom_forall_depth; int j = 0; for (; j < n; j += 3) if (fathom_mod_threads((long)(j / 2)) == fathom_mythread || fathom_nested10) { (__extension__ ({ __auto_type fathom_r11 = +(1); const fathom_ptr fathom_at12 = (fathom_ptr)&(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(j), 4ul))); const int fathom_near16 = fathom_is_near(fathom_at12); int fathom_copy13; int *fathom_q14 = fathom_open(fathom_near16, fathom_at12, &fathom_copy13, 0, sizeof fathom_copy13); int fathom_v15 = ((*fathom_q14) += fathom_r11); fathom_close(fathom_near16, fathom_at12, fathom_q14, 0, sizeof fathom_copy13); fathom_v15; })); } } 
{ const int fathom_nested17 = fathom_forall_depth; for (i = n; i > 0; i--) if (fathom_mod_threads((long)(i)) == fathom_mythread || fathom_nested17) { (__extension__ ({ int fathom_v18 = 0; const fathom_ptr fathom_at19 = (fathom_ptr)&(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); if (fathom_is_near(fathom_at19)) *(int *)fathom_local(fathom_at19) = fathom_v18; else { int fathom_copy20 = fathom_v18; fathom_far_put(fathom_at19, &fathom_copy20, sizeof fathom_copy20); }; fathom_v18; })); } } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
