
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_flag[] __asm__("flag") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak flag\n\t.type flag,@object\n\t.size flag,4\nflag:\t.zero 4\n\t.popsection");
# 4 "<input>"

extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak a\n\t.type a,@object\n\t.size a,16\na:\t.zero 16\n\t.popsection");
# 5 "<input>"

extern char fathom_at_data[] __asm__("data") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak data\n\t.type data,@object\n\t.size data,4\ndata:\t.zero 4\n\t.popsection");
# 6 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=20\011function=send\011construct=write\011strict=false\011text=data\011object=data\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_data};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=7\011column=30\011function=send\011construct=write\011strict=true\011text=flag\011object=flag\011elem_bytes=4\011row=0\011form=strict\011reason=strict\011affinity=\011loop_line=0\011block=1", fathom_at_flag};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 7 "<input>"
void send(int v) { ((*__extension__ ({ __auto_type fathom_p1 = &(*(int *)fathom_place(fathom_static(fathom_at_data))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })) = v); (__extension__ ({ int fathom_v5 = 1; const fathom_ptr fathom_at6 = fathom_word(&(*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(fathom_static(fathom_at_flag))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; }))); fathom_strict_write(1, fathom_at6, &fathom_v5, sizeof fathom_v5); fathom_v5; })); }
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=8\011column=29\011function=receive\011construct=read\011strict=true\011text=flag\011object=flag\011elem_bytes=4\011row=0\011form=strict\011reason=strict\011affinity=\011loop_line=8\011block=1", fathom_at_flag};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=8\011column=52\011function=receive\011construct=read\011strict=false\011text=data\011object=data\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_data};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 8 "<input>"
int receive(void) { while (!(__extension__ ({ const fathom_ptr fathom_at11 = fathom_word(&(*__extension__ ({ __auto_type fathom_p9 = &(*(int *)fathom_place(fathom_static(fathom_at_flag))); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_touch(&fathom_site_2, fathom_word10); fathom_p9; }))); int fathom_v13; fathom_strict_read(1, fathom_at11, &fathom_v13, sizeof fathom_v13); fathom_v13; }))) continue; return (*__extension__ ({ __auto_type fathom_p14 = &(*(int *)fathom_place(fathom_static(fathom_at_data))); const fathom_ptr fathom_word15 = fathom_word(& *fathom_p14); fathom_explain_touch(&fathom_site_3, fathom_word15); fathom_p14; })); }
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=9\011column=22\011function=update\011construct=update\011strict=true\011text=a[i]\011object=a\011elem_bytes=8\011row=1\011form=strict\011reason=strict\011affinity=\011loop_line=0\011block=1\011count=2\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=9\011column=38\011function=update\011construct=read\011strict=true\011text=flag\011object=flag\011elem_bytes=4\011row=0\011form=strict\011reason=strict\011affinity=\011loop_line=0\011block=1", fathom_at_flag};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
static struct fathom_site fathom_site_6 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=9\011column=30\011function=update\011construct=update\011strict=true\011text=a[i]\011object=a\011elem_bytes=8\011row=1\011form=strict\011reason=strict\011affinity=\011loop_line=0\011block=1\011count=2\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_6_at __attribute__((section("fathom_sites"), used)) = &fathom_site_6;
# 9 "<input>"
void update(int i) { (__extension__ ({ const fathom_ptr fathom_at18 = fathom_word(&(*__extension__ ({ __auto_type fathom_p16 = &(*(long *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 8ul))); const fathom_ptr fathom_word17 = fathom_word(& *fathom_p16); fathom_explain_touch(&fathom_site_4, fathom_word17); fathom_p16; }))); const int fathom_near22 = 1; long fathom_copy19; long *fathom_q20 = fathom_strict_open(fathom_near22, fathom_at18, &fathom_copy19, 0, sizeof fathom_copy19); long fathom_v21 = (*fathom_q20)++; fathom_strict_close(fathom_near22, fathom_at18, fathom_q20, 0, sizeof fathom_copy19); fathom_v21; })); (__extension__ ({ __auto_type fathom_r30 = +(__extension__ ({ const fathom_ptr fathom_at25 = fathom_word(&(*__extension__ ({ __auto_type fathom_p23 = &(*(int *)fathom_place(fathom_static(fathom_at_flag))); const fathom_ptr fathom_word24 = fathom_word(& *fathom_p23); fathom_explain_touch(&fathom_site_5, fathom_word24); fathom_p23; }))); int fathom_v27; fathom_strict_read(1, fathom_at25, &fathom_v27, sizeof fathom_v27); fathom_v27; })); const fathom_ptr fathom_at31 = fathom_word(&(*__extension__ ({ __auto_type fathom_p28 = &(*(long *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 8ul))); const fathom_ptr fathom_word29 = fathom_word(& *fathom_p28); fathom_explain_touch(&fathom_site_6, fathom_word29); fathom_p28; }))); const int fathom_near35 = 1; long fathom_copy32; long *fathom_q33 = fathom_strict_open(fathom_near35, fathom_at31, &fathom_copy32, 0, sizeof fathom_copy32); long fathom_v34 = ((*fathom_q33) += fathom_r30); fathom_strict_close(fathom_near35, fathom_at31, fathom_q33, 0, sizeof fathom_copy32); fathom_v34; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
