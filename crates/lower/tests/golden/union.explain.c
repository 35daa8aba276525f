
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
union value { int i; float f; char c[8]; };
extern char fathom_at_v[] __asm__("v") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak v\n\t.type v,@object\n\t.size v,8\nv:\t.zero 8\n\t.popsection");
# 4 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=5\011column=20\011function=get\011construct=write\011strict=false\011text=v[t].i\011object=v\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_v};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=5\011column=39\011function=get\011construct=read\011strict=false\011text=v[t].f\011object=v\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_v};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "file=<input>\011line=5\011column=48\011function=get\011construct=read\011strict=false\011text=v[t].c[3]\011object=v\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=1\011count_per_thread=true", fathom_at_v};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 5 "<input>"
float get(int t) { ((*__extension__ ({ __auto_type fathom_p1 = &(*(union value *)fathom_place(fathom_threads_on(fathom_static(fathom_at_v), (long)(t)))).i; const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })) = 1); return (*__extension__ ({ __auto_type fathom_p3 = &(*(union value *)fathom_place(fathom_threads_on(fathom_static(fathom_at_v), (long)(t)))).f; const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })) + (*__extension__ ({ __auto_type fathom_p5 = &(*(union value *)fathom_place(fathom_threads_on(fathom_static(fathom_at_v), (long)(t)))).c[3]; const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
