
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
extern char fathom_at_y[] __asm__("y") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak y\n\t.type y,@object\n\t.size y,4\ny:\t.zero 4\n\t.popsection");
# 4 "<input>"


static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=17\011function=all\011construct=write\011strict=true\011text=x\011object=x\011elem_bytes=4\011row=0\011form=strict\011reason=strict\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=31\011function=all\011construct=read\011strict=true\011text=y\011object=y\011elem_bytes=4\011row=0\011form=strict\011reason=strict\011affinity=\011loop_line=0\011block=1", fathom_at_y};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 6 "<input>"
int all(void) { (__extension__ ({ int fathom_v3 = 1; const fathom_ptr fathom_at4 = fathom_word(&(*__extension__ ({ __auto_type fathom_p1 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; }))); fathom_strict_write(1, fathom_at4, &fathom_v3, sizeof fathom_v3); fathom_v3; })); return __extension__ ({ const fathom_ptr fathom_at7 = fathom_word(&(*__extension__ ({ __auto_type fathom_p5 = &(*(int *)fathom_place(fathom_static(fathom_at_y))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_1, fathom_word6); fathom_p5; }))); int fathom_v9; fathom_strict_read(1, fathom_at7, &fathom_v9, sizeof fathom_v9); fathom_v9; }); } 

static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=9\011column=5\011function=some\011construct=write\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=12\011column=9\011function=some\011construct=write\011strict=true\011text=x\011object=x\011elem_bytes=4\011row=0\011form=strict\011reason=strict\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=13\011column=13\011function=some\011construct=read\011strict=true\011text=x\011object=x\011elem_bytes=4\011row=0\011form=strict\011reason=strict\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=13\011column=9\011function=some\011construct=write\011strict=true\011text=y\011object=y\011elem_bytes=4\011row=0\011form=strict\011reason=strict\011affinity=\011loop_line=0\011block=1", fathom_at_y};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
static struct fathom_site fathom_site_6 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=15\011column=12\011function=some\011construct=read\011strict=false\011text=y\011object=y\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_y};
static struct fathom_site *const fathom_site_6_at __attribute__((section("fathom_sites"), used)) = &fathom_site_6;
# 8 "<input>"
int some(void) { 
((*__extension__ ({ __auto_type fathom_p10 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word11 = fathom_word(& *fathom_p10); fathom_explain_touch(&fathom_site_2, fathom_word11); fathom_p10; })) = 2); 
{ 

(__extension__ ({ int fathom_v14 = 3; const fathom_ptr fathom_at15 = fathom_word(&(*__extension__ ({ __auto_type fathom_p12 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word13 = fathom_word(& *fathom_p12); fathom_explain_touch(&fathom_site_3, fathom_word13); fathom_p12; }))); fathom_strict_write(1, fathom_at15, &fathom_v14, sizeof fathom_v14); fathom_v14; })); 
(__extension__ ({ int fathom_v23 = __extension__ ({ const fathom_ptr fathom_at18 = fathom_word(&(*__extension__ ({ __auto_type fathom_p16 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word17 = fathom_word(& *fathom_p16); fathom_explain_touch(&fathom_site_4, fathom_word17); fathom_p16; }))); int fathom_v20; fathom_strict_read(1, fathom_at18, &fathom_v20, sizeof fathom_v20); fathom_v20; }); const fathom_ptr fathom_at24 = fathom_word(&(*__extension__ ({ __auto_type fathom_p21 = &(*(int *)fathom_place(fathom_static(fathom_at_y))); const fathom_ptr fathom_word22 = fathom_word(& *fathom_p21); fathom_explain_touch(&fathom_site_5, fathom_word22); fathom_p21; }))); fathom_strict_write(1, fathom_at24, &fathom_v23, sizeof fathom_v23); fathom_v23; }));
    } 
return (*__extension__ ({ __auto_type fathom_p25 = &(*(int *)fathom_place(fathom_static(fathom_at_y))); const fathom_ptr fathom_word26 = fathom_word(& *fathom_p25); fathom_explain_touch(&fathom_site_6, fathom_word26); fathom_p25; }));
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
