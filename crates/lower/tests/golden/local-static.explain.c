
typedef unsigned long size_t;
extern char fathom_at_n__fathom0[] __asm__("n__fathom0") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.local n__fathom0\n\t.type n__fathom0,@object\n\t.size n__fathom0,4\nn__fathom0:\t.zero 4\n\t.popsection");
extern char fathom_at_each__fathom0[] __asm__("each__fathom0") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.local each__fathom0\n\t.type each__fathom0,@object\n\t.size each__fathom0,12\neach__fathom0:\t.zero 12\n\t.popsection");
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=33\011function=count\011construct=update\011strict=false\011text=each[i]\011object=each\011elem_bytes=4\011row=1\011form=row-pointer\011reason=row\011affinity=\011loop_line=6\011block=0\011count=3\011count_per_thread=false", fathom_at_each__fathom0};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=12\011function=count\011construct=update\011strict=false\011text=n\011object=n\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_n__fathom0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 3 "<input>"
int count(void) { 
; 
; 
{ __attribute__((unused)) int *const fathom_row3 = fathom_local(fathom_static(fathom_at_each__fathom0)); struct fathom_run fathom_row3_at0 __attribute__((cleanup(fathom_explain_run))) = {&fathom_site_0, fathom_word(fathom_row3), 0}; 
#pragma omp simd
# 6 "<input>"
for (int i = 0; i < 3; i++) ((*(fathom_row3_at0.n++, &fathom_row3[i]))++); } 
return ((*__extension__ ({ __auto_type fathom_p4 = &(*(int *)fathom_place(fathom_static(fathom_at_n__fathom0))); const fathom_ptr fathom_word5 = fathom_word(& *fathom_p4); fathom_explain_touch(&fathom_site_1, fathom_word5); fathom_p4; }))++);
}
extern char fathom_at_n__fathom1[] __asm__("n__fathom1") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.local n__fathom1\n\t.type n__fathom1,@object\n\t.size n__fathom1,8\nn__fathom1:\t.zero 8\n\t.popsection");
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=9\011column=56\011function=other\011construct=update\011strict=false\011text=n\011object=n\011elem_bytes=8\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_n__fathom1};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 9 "<input>"
int other(void) { ; return ((int)(((*__extension__ ({ __auto_type fathom_p6 = &(*(double *)fathom_place(fathom_static(fathom_at_n__fathom1))); const fathom_ptr fathom_word7 = fathom_word(& *fathom_p6); fathom_explain_touch(&fathom_site_2, fathom_word7); fathom_p6; })) += 1))); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
