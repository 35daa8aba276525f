
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
# 4 "<input>"

fathom_ptr p ; fathom_ptr q[2] ; fathom_ptr *r ; 
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=13\011function=f\011construct=read\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=24\011function=f\011construct=read\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=27\011function=f\011construct=read\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=53\011function=f\011construct=read\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=9\011column=23\011function=f\011construct=read\011strict=false\011text=*s\011object=s\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", 0};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=9\011column=28\011function=f\011construct=read\011strict=false\011text=*t\011object=t\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", 0};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
static struct fathom_site fathom_site_6 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=9\011column=33\011function=f\011construct=read\011strict=false\011text=**r\011object=r\011elem_bytes=8\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_6_at __attribute__((section("fathom_sites"), used)) = &fathom_site_6;
# 6 "<input>"
int f(void) { 
int a = (*__extension__ ({ __auto_type fathom_p1 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })), b[2] = {(*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })), (*__extension__ ({ __auto_type fathom_p5 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })) + 1}, *l = &a, c = *l + (*__extension__ ({ __auto_type fathom_p7 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_3, fathom_word8); fathom_p7; })); 
fathom_ptr s  = p; fathom_ptr t  = q[1]; 
return a + b[c] + (*__extension__ ({ __auto_type fathom_p9 = &(*(int *)fathom_place(s)); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_touch(&fathom_site_4, fathom_word10); fathom_p9; })) + (*__extension__ ({ __auto_type fathom_p11 = &(*(int *)fathom_place(t)); const fathom_ptr fathom_word12 = fathom_word(& *fathom_p11); fathom_explain_touch(&fathom_site_5, fathom_word12); fathom_p11; })) + (*__extension__ ({ __auto_type fathom_p13 = &(*(int *)fathom_place(*r)); const fathom_ptr fathom_word14 = fathom_word(& *fathom_p13); fathom_explain_touch(&fathom_site_6, fathom_word14); fathom_p13; }));
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
