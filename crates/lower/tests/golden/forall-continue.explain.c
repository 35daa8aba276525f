
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01146\011f\011write\0110\011a[i]\011a\0111\0114\011100*T\0111\011address, load/store\011not in a upc_forall: whose element it is shows at run time only\011\011\0117", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0118\01137\011f\011update\0110\011a[i]\011a\0111\0114\011100*T\0111\011address, load/store\011not in a upc_forall: whose element it is shows at run time only\011\011\0118", fathom_at_a};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\01110\01113\011f\011read\0110\011a[i]\011a\0111\0114\011100*T\0111\011address, load/store\011at the ends of a block, where neighbours are on another thread\011\011\0119", fathom_at_a};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\01111\01143\011f\011update\0110\011a[j]\011a\0111\0114\011100*T\0111\011address, load/store\011at the ends of a block, where neighbours are on another thread\011\011\01111", fathom_at_a};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\01110\01113\011f\011read\0110\011a[i]\011a\0111\0114\011100*T\0111\011C array\011iterations are THREADS apart: their elements are neighbours on one thread\011\011\0119", fathom_at_a};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\01111\01143\011f\011update\0110\011a[j]\011a\0111\0114\011100*T\0111\011address, load/store\011the subscript is not i + c of an array laid out as the affinity's\011\011\01111", fathom_at_a};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
# 5 "<input>"
int f(int n) {
    int i, j; 
{ struct fathom_tally fathom_tally1_at0 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_0, 0, fathom_site_0.left}; { for (i = 0; i < n; i++) ((*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_tally(&fathom_tally1_at0, fathom_word4); fathom_p3; })) = 1); } } 
{ struct fathom_tally fathom_tally5_at1 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_1, 0, fathom_site_1.left}; { for (i = 0; i < n; i++) ((*__extension__ ({ __auto_type fathom_p7 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_tally(&fathom_tally5_at1, fathom_word8); fathom_p7; })) += 2); } } 
{ struct fathom_tally fathom_tally9_at2 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_2, 0, fathom_site_2.left}; struct fathom_tally fathom_tally9_at3 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_3, 0, fathom_site_3.left}; struct fathom_tally fathom_tally9_at5 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_5, 0, fathom_site_5.left}; { i = 0; const long fathom_lo11 = (long)i; const long fathom_hi12 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi12; i++) { 
if ((*__extension__ ({ __auto_type fathom_p13 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word14 = fathom_word(& *fathom_p13); fathom_explain_tally(&fathom_tally9_at2, fathom_word14); fathom_p13; })) < 0) continue; 
{ for (j = 0; j < 3; j++) ((*__extension__ ({ __auto_type fathom_p16 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(j), 4ul))); const fathom_ptr fathom_word17 = fathom_word(& *fathom_p16); fathom_explain_tally(&fathom_tally9_at3, fathom_word17); fathom_p16; })) += i); } 
} else { const long fathom_first18 = fathom_cyclic_first(fathom_lo11, 0l); const long fathom_n20 = fathom_cyclic_count(fathom_first18, fathom_hi12); __attribute__((unused)) int *const fathom_view21 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first18 + 0l, 4ul)); struct fathom_run fathom_view21_at4 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_4, fathom_word(fathom_view21), 0}; for (long fathom_k19 = 0; fathom_k19 < fathom_n20; fathom_k19++) { __attribute__((unused)) int i = (int)(fathom_first18 + fathom_k19 * (long)fathom_threads); 
# 9 "<input>"
{ 
if ((*(fathom_view21_at4.n++, &fathom_view21[fathom_k19])) < 0) continue; 
{ for (j = 0; j < 3; j++) ((*__extension__ ({ __auto_type fathom_p23 = &(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(j), 4ul))); const fathom_ptr fathom_word24 = fathom_word(& *fathom_p23); fathom_explain_tally(&fathom_tally9_at5, fathom_word24); fathom_p23; })) += i); } 
}} }  i = (int)(fathom_hi12 > fathom_lo11 ? fathom_hi12 : fathom_lo11); } } 
return i;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
