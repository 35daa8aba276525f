
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01139\011f\011write\0110\011a[i]\011a\0111\0114\011100*T\0111\011address, load/store\011at the ends of a block, where neighbours are on another thread\011\011\0117", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01139\011f\011write\0110\011a[i]\011a\0111\0114\011100*T\0111\011C array\011iterations are THREADS apart: their elements are neighbours on one thread\011\011\0117", fathom_at_a};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0118\01150\011f\011update\0110\011a[j]\011a\0111\0114\011100*T\0111\011address, load/store\011the upc_forall does not count i by one with an affinity of i + c or &x[i + c]\011\011\0118", fathom_at_a};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0119\01139\011f\011write\0110\011a[i]\011a\0111\0114\011100*T\0111\011address, load/store\011the upc_forall does not count i by one with an affinity of i + c or &x[i + c]\011\011\0119", fathom_at_a};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 5 "<input>"
void f(int n) {
    int i; 
{ struct fathom_tally fathom_tally1_at0 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_0, 0, fathom_site_0.left}; { i = 0; const long fathom_lo3 = (long)i; const long fathom_hi4 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi4; i++) ((*__extension__ ({ __auto_type fathom_p5 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_tally(&fathom_tally1_at0, fathom_word6); fathom_p5; })) = i); else { const long fathom_first7 = fathom_cyclic_first(fathom_lo3, 0l); const long fathom_n9 = fathom_cyclic_count(fathom_first7, fathom_hi4); __attribute__((unused)) int *const fathom_view10 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first7 + 0l, 4ul)); struct fathom_run fathom_view10_at1 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_1, fathom_word(fathom_view10), 0}; 
#pragma omp simd
for (long fathom_k8 = 0; fathom_k8 < fathom_n9; fathom_k8++) { __attribute__((unused)) int i = (int)(fathom_first7 + fathom_k8 * (long)fathom_threads); 
# 7 "<input>"
((*(fathom_view10_at1.n++, &fathom_view10[fathom_k8])) = i);} }  i = (int)(fathom_hi4 > fathom_lo3 ? fathom_hi4 : fathom_lo3); } } 
{ struct fathom_tally fathom_tally11_at2 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_2, 0, fathom_site_2.left}; { const int fathom_nested13 = fathom_forall_depth; int j = 0; for (; j < n; j += 3) if (fathom_mod_threads((long)(j / 2)) == fathom_mythread || fathom_nested13) { ((*__extension__ ({ __auto_type fathom_p14 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(j), 4ul))); const fathom_ptr fathom_word15 = fathom_word(& *fathom_p14); fathom_explain_tally(&fathom_tally11_at2, fathom_word15); fathom_p14; })) += 1); } } } 
{ struct fathom_tally fathom_tally16_at3 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_3, 0, fathom_site_3.left}; { const int fathom_nested18 = fathom_forall_depth; for (i = n; i > 0; i--) if (fathom_mod_threads((long)(i)) == fathom_mythread || fathom_nested18) { ((*__extension__ ({ __auto_type fathom_p19 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word20 = fathom_word(& *fathom_p19); fathom_explain_tally(&fathom_tally16_at3, fathom_word20); fathom_p19; })) = 0); } } } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
