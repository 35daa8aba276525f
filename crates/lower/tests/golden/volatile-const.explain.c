
typedef unsigned long size_t;
extern char fathom_at_limit[] __asm__("limit") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.globl limit\n\t.type limit,@object\n\t.size limit,4\nlimit:\t.zero 4\n\t.popsection");
# 3 "<input>"

extern char fathom_at_tick[] __asm__("tick") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak tick\n\t.type tick,@object\n\t.size tick,4\ntick:\t.zero 4\n\t.popsection");
# 4 "<input>"

fathom_ptr p ; 
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=39\011function=f\011construct=update\011strict=false\011text=tick\011object=tick\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_tick};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=54\011function=f\011construct=read\011strict=false\011text=limit\011object=limit\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_limit};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=62\011function=f\011construct=read\011strict=false\011text=*p\011object=p\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", 0};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=67\011function=f\011construct=read\011strict=false\011text=*q\011object=q\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", 0};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 6 "<input>"
int f(fathom_ptr q) { ((*__extension__ ({ __auto_type fathom_p2 = &(*(volatile int *)fathom_place(fathom_static(fathom_at_tick))); const fathom_ptr fathom_word3 = fathom_word(& *fathom_p2); fathom_explain_touch(&fathom_site_0, fathom_word3); fathom_p2; }))++); return (*__extension__ ({ __auto_type fathom_p4 = &(*(int *)fathom_place(fathom_static(fathom_at_limit))); const fathom_ptr fathom_word5 = fathom_word(& *fathom_p4); fathom_explain_touch(&fathom_site_1, fathom_word5); fathom_p4; })) + (*__extension__ ({ __auto_type fathom_p6 = &(*(int *)fathom_place(p)); const fathom_ptr fathom_word7 = fathom_word(& *fathom_p6); fathom_explain_touch(&fathom_site_2, fathom_word7); fathom_p6; })) + (*__extension__ ({ __auto_type fathom_p8 = &(*(volatile int *)fathom_place(q)); const fathom_ptr fathom_word9 = fathom_word(& *fathom_p8); fathom_explain_touch(&fathom_site_3, fathom_word9); fathom_p8; })); } 
static void fathom_unit_init(void) {
if (fathom_mythread == 0) { int fathom_init1 = 
# 3 "<input>"
3; fathom_memput(fathom_static(fathom_at_limit), &fathom_init1, sizeof fathom_init1); } 
}
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", fathom_unit_init, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
