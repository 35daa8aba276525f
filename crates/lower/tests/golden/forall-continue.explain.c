
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=46\011function=f\011construct=write\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=7\011block=1\011count=100\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=8\011column=37\011function=f\011construct=update\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=no-forall\011affinity=\011loop_line=8\011block=1\011count=100\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=10\011column=13\011function=f\011construct=read\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=block-ends\011affinity=\011loop_line=9\011block=1\011count=100\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=11\011column=43\011function=f\011construct=update\011strict=false\011text=a[j]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=block-ends\011affinity=\011loop_line=11\011block=1\011count=100\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=10\011column=13\011function=f\011construct=read\011strict=false\011text=a[i]\011object=a\011elem_bytes=4\011row=1\011form=array\011reason=cyclic-iterations\011affinity=\011loop_line=9\011block=1\011count=100\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=11\011column=43\011function=f\011construct=update\011strict=false\011text=a[j]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=other-layout\011affinity=\011loop_line=11\011block=1\011count=100\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
# 5 "<input>"
int f(int n) {
    int i, j; 
{ struct fathom_tally fathom_tally1_at0 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_0, 0, fathom_site_0.left}; { for (i = 0; i < n; i++) ((*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_tally(&fathom_tally1_at0, fathom_word4); fathom_p3; })) = 1); } } 
{ struct fathom_tally fathom_tally5_at1 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_1, 0, fathom_site_1.left}; { for (i = 0; i < n; i++) ((*__extension__ ({ __auto_type fathom_p7 = &(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_tally(&fathom_tally5_at1, fathom_word8); fathom_p7; })) += 2); } } 
{ struct fathom_tally fathom_tally9_at2 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_2, 0, fathom_site_2.left}; struct fathom_tally fathom_tally9_at3 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_3, 0, fathom_site_3.left}; struct fathom_tally fathom_tally9_at5 __attribute__((cleanup(fathom_explain_tallied))) = {&fathom_site_5, 0, fathom_site_5.left}; { i = 0; const long fathom_lo11 = (long)i; const long fathom_hi12 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi12; i++) { { 
if ((*__extension__ ({ __auto_type fathom_p13 = &(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))); const fathom_ptr fathom_word14 = fathom_word(& *fathom_p13); fathom_explain_tally(&fathom_tally9_at2, fathom_word14); fathom_p13; })) < 0) continue; 
{ for (j = 0; j < 3; j++) ((*__extension__ ({ __auto_type fathom_p16 = &(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(j), 4ul))); const fathom_ptr fathom_word17 = fathom_word(& *fathom_p16); fathom_explain_tally(&fathom_tally9_at3, fathom_word17); fathom_p16; })) += i); } 
} } else { const long fathom_first18 = fathom_cyclic_first(fathom_lo11, 0l); const long fathom_n20 = fathom_cyclic_count(fathom_first18, fathom_hi12); __attribute__((unused)) int *const fathom_view21 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first18 + 0l, 4ul)); struct fathom_run fathom_view21_at4 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_4, fathom_word(fathom_view21), 0}; for (long fathom_k19 = 0; fathom_k19 < fathom_n20; fathom_k19++) { __attribute__((unused)) int i = (int)(fathom_first18 + fathom_k19 * (long)fathom_threads); 
# 9 "<input>"
{ 
if ((*(fathom_view21_at4.n++, &fathom_view21[fathom_k19])) < 0) continue; 
{ for (j = 0; j < 3; j++) ((*__extension__ ({ __auto_type fathom_p23 = &(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(j), 4ul))); const fathom_ptr fathom_word24 = fathom_word(& *fathom_p23); fathom_explain_tally(&fathom_tally9_at5, fathom_word24); fathom_p23; })) += i); } 
}} }  i = (int)(fathom_hi12 > fathom_lo11 ? fathom_hi12 : fathom_lo11); } } 
return i;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
