
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
# 4 "<input>"

extern char fathom_at_d[] __asm__("d") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak d\n\t.type d,@object\n\t.size d,8\nd:\t.zero 8\n\t.popsection");
# 5 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=25\011function=read\011construct=read\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
# 6 "<input>"
int read(void) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })); }
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=21\011function=write\011construct=write\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 7 "<input>"
void write(int v) { ((*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })) = v); }
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=8\011column=23\011function=update\011construct=update\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=8\011column=36\011function=update\011construct=read\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=8\011column=31\011function=update\011construct=update\011strict=false\011text=d\011object=d\011elem_bytes=8\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_d};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=8\011column=46\011function=update\011construct=update\011strict=false\011text=d\011object=d\011elem_bytes=8\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_d};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
static struct fathom_site fathom_site_6 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=8\011column=54\011function=update\011construct=update\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_6_at __attribute__((section("fathom_sites"), used)) = &fathom_site_6;
# 8 "<input>"
double update(void) { ((*__extension__ ({ __auto_type fathom_p5 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })) += 3); ((*__extension__ ({ __auto_type fathom_p9 = &(*(double *)fathom_place(fathom_static(fathom_at_d))); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_touch(&fathom_site_4, fathom_word10); fathom_p9; })) *= (*__extension__ ({ __auto_type fathom_p7 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_3, fathom_word8); fathom_p7; }))); return ((*__extension__ ({ __auto_type fathom_p11 = &(*(double *)fathom_place(fathom_static(fathom_at_d))); const fathom_ptr fathom_word12 = fathom_word(& *fathom_p11); fathom_explain_touch(&fathom_site_5, fathom_word12); fathom_p11; }))++) - (--(*__extension__ ({ __auto_type fathom_p13 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word14 = fathom_word(& *fathom_p13); fathom_explain_touch(&fathom_site_6, fathom_word14); fathom_p13; }))); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
