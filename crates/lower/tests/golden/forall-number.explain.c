
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=39\011function=f\011construct=write\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=block-ends\011affinity=\011loop_line=7\011block=1\011count=100\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=39\011function=f\011construct=write\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=array\011reason=cyclic-iterations\011affinity=\011loop_line=7\011block=1\011count=100\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=8\011column=50\011function=f\011construct=update\011strict=false\011text=a[j]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=not-counting\011affinity=\011loop_line=8\011block=1\011count=100\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=9\011column=39\011function=f\011construct=write\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=not-counting\011affinity=\011loop_line=9\011block=1\011count=100\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 5 "<input>"
void f(int n) {
    int i; 
{ struct fathom_tally fathom_tally1_at0 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_0, 0, fathom_site_0.left}; { i = 0; const long fathom_lo3 = (long)i; const long fathom_hi4 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi4; i++) { ((*__extension__ ({ __auto_type fathom_p5 = &(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_tally(&fathom_tally1_at0, fathom_word6); fathom_p5; })) = i); } else { const long fathom_first7 = fathom_cyclic_first(fathom_lo3, 0l); const long fathom_n9 = fathom_cyclic_count(fathom_first7, fathom_hi4); __attribute__((unused)) int *const fathom_view10 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first7 + 0l, 4ul)); struct fathom_run fathom_view10_at1 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_1, fathom_word(fathom_view10), 0}; 
#pragma omp simd
for (long fathom_k8 = 0; fathom_k8 < fathom_n9; fathom_k8++) { __attribute__((unused)) int i = (int)(fathom_first7 + fathom_k8 * (long)fathom_threads); 
# 7 "<input>"
((*(fathom_view10_at1.n++, &fathom_view10[fathom_k8])) = i);} }  i = (int)(fathom_hi4 > fathom_lo3 ? fathom_hi4 : fathom_lo3); } } 
{ struct fathom_tally fathom_tally11_at2 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_2, 0, fathom_site_2.left}; { const int fathom_nested13 = fathom_forall_depth; int j = 0; for (; j < n; j += 3) if (fathom_mod_threads((long)(j / 2)) == fathom_mythread || fathom_nested13) { ((*__extension__ ({ __auto_type fathom_p14 = &(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(j), 4ul))); const fathom_ptr fathom_word15 = fathom_word(& *fathom_p14); fathom_explain_tally(&fathom_tally11_at2, fathom_word15); fathom_p14; })) += 1); } } } 
{ struct fathom_tally fathom_tally16_at3 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_3, 0, fathom_site_3.left}; { const int fathom_nested18 = fathom_forall_depth; for (i = n; i > 0; i--) if (fathom_mod_threads((long)(i)) == fathom_mythread || fathom_nested18) { ((*__extension__ ({ __auto_type fathom_p19 = &(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word20 = fathom_word(& *fathom_p19); fathom_explain_tally(&fathom_tally16_at3, fathom_word20); fathom_p19; })) = 0); } } } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
