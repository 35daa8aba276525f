
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
struct flags { unsigned a : 3, b : 7; int : 0; signed c : 5; };
extern char fathom_at_f[] __asm__("f") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak f\n\t.type f,@object\n\t.size f,8\nf:\t.zero 8\n\t.popsection");
# 4 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=5\011column=25\011function=get\011construct=read\011strict=false\011text=f[t].a\011object=f\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_f};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=5\011column=34\011function=get\011construct=read\011strict=false\011text=f[t].c\011object=f\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_f};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 5 "<input>"
int get(int t) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(struct flags *)fathom_place(fathom_threads_on(fathom_static(fathom_at_f), (long)(t)))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })).a + (*__extension__ ({ __auto_type fathom_p3 = &(*(struct flags *)fathom_place(fathom_threads_on(fathom_static(fathom_at_f), (long)(t)))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })).c; }
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=25\011function=set\011construct=write\011strict=false\011text=f[t].b\011object=f\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_f};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=37\011function=set\011construct=update\011strict=false\011text=f[t].c\011object=f\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_f};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=6\011column=57\011function=set\011construct=update\011strict=false\011text=f[t].a\011object=f\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_f};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
# 6 "<input>"
int set(int t, int v) { ((*__extension__ ({ __auto_type fathom_p5 = &(*(struct flags *)fathom_place(fathom_threads_on(fathom_static(fathom_at_f), (long)(t)))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })).b = v); ((*__extension__ ({ __auto_type fathom_p7 = &(*(struct flags *)fathom_place(fathom_threads_on(fathom_static(fathom_at_f), (long)(t)))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_3, fathom_word8); fathom_p7; })).c += 2); return ((*__extension__ ({ __auto_type fathom_p9 = &(*(struct flags *)fathom_place(fathom_threads_on(fathom_static(fathom_at_f), (long)(t)))); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_touch(&fathom_site_4, fathom_word10); fathom_p9; })).a++); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
