
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak x\n\t.type x,@object\n\t.size x,8\nx:\t.zero 8\n\t.popsection");
# 3 "<input>"

extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,80\na:\t.zero 80\n\t.popsection");
# 4 "<input>"

struct s { volatile int v; int w : 3; };
extern char fathom_at_q[] __asm__("q") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak q\n\t.type q,@object\n\t.size q,8\nq:\t.zero 8\n\t.popsection");
# 6 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=8\011column=7\011function=f\011construct=update\011strict=false\011text=x\011object=x\011elem_bytes=8\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=9\011column=5\011function=f\011construct=write\011strict=false\011text=a[i]\011object=a\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1\011count=10\011count_per_thread=true", fathom_at_a};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=10\011column=5\011function=f\011construct=write\011strict=false\011text=q.v\011object=q\011elem_bytes=8\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_q};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=11\011column=13\011function=f\011construct=read\011strict=false\011text=*p\011object=p\011elem_bytes=4\011row=0\011form=subscript\011reason=one-thread\011affinity=\011loop_line=11\011block=0", 0};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=12\011column=12\011function=f\011construct=read\011strict=false\011text=q.v\011object=q\011elem_bytes=8\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_q};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=12\011column=18\011function=f\011construct=read\011strict=false\011text=q.w\011object=q\011elem_bytes=8\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_q};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
# 7 "<input>"
int f(fathom_ptr p, int i) { 
(++(*__extension__ ({ __auto_type fathom_p1 = &(*(volatile long *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; }))); 
((*__extension__ ({ __auto_type fathom_p3 = &(*(volatile double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 8ul))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })) = 1); 
((*__extension__ ({ __auto_type fathom_p5 = &(*(struct s *)fathom_place(fathom_static(fathom_at_q))).v; const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })) = 1); 
{ struct fathom_walk fathom_walk8_at3 __attribute__((cleanup(fathom_explain_walk_end))) = {&fathom_site_3, 0ul, fathom_site_3.left, fathom_site_3.left, 0, 0}; while (!((*__extension__ ({ __auto_type fathom_p9 = &(*(volatile int *)fathom_place(p)); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_walk(&fathom_walk8_at3, fathom_word10, 0); fathom_p9; })))) { fathom_turn(); {} } } 
return (*__extension__ ({ __auto_type fathom_p11 = &(*(struct s *)fathom_place(fathom_static(fathom_at_q))).v; const fathom_ptr fathom_word12 = fathom_word(& *fathom_p11); fathom_explain_touch(&fathom_site_4, fathom_word12); fathom_p11; })) + (*__extension__ ({ __auto_type fathom_p13 = &(*(struct s *)fathom_place(fathom_static(fathom_at_q))); const fathom_ptr fathom_word14 = fathom_word(& *fathom_p13); fathom_explain_touch(&fathom_site_5, fathom_word14); fathom_p13; })).w;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
