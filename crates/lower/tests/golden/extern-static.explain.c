
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
# 3 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.local b\n\t.type b,@object\n\t.size b,4\nb:\t.zero 4\n\t.popsection");
# 4 "<input>"

extern fathom_ptr c ; 
extern char fathom_at_late[] __asm__("late") __attribute__((visibility("hidden")));
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=46\011function=f\011construct=read\011strict=false\011text=a[0]\011object=a\011elem_bytes=4\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=53\011function=f\011construct=read\011strict=false\011text=b[1]\011object=b\011elem_bytes=4\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_b};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=6\011column=65\011function=f\011construct=read\011strict=false\011text=c[2]\011object=c\011elem_bytes=8\011row=0\011form=subscript\011reason=one-thread\011affinity=\011loop_line=0\011block=0", 0};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=72\011function=f\011construct=read\011strict=false\011text=late\011object=late\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_late};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 6 "<input>"
int f(void) { ; return (*__extension__ ({ __auto_type fathom_p1 = &(*(int *)fathom_place(fathom_threads_on(fathom_static(fathom_at_a), (long)(0)))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })) + (*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(fathom_threads_on(fathom_static(fathom_at_b), (long)(1)))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })) + ((int)(*__extension__ ({ __auto_type fathom_p5 = &((double *)fathom_place(c))[2]; const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; }))) + (*__extension__ ({ __auto_type fathom_p7 = &(*(int *)fathom_place(fathom_static(fathom_at_late))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_3, fathom_word8); fathom_p7; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
