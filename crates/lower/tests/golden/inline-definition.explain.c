
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
# 4 "<input>"

static __attribute__((__unused__)) inline int plain(int y); 
static __attribute__((__unused__)) inline int plain(int y) { return y; } 
static __attribute__((__unused__)) inline fathom_ptr place(fathom_ptr p) { return fathom_cyclic_add(p, (long)(1), 4ul); }
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=8\011column=47\011function=reads\011construct=read\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
# 8 "<input>"
__extension__ static __attribute__((__unused__)) inline int reads(void) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })); } 
static __attribute__((__unused__)) inline int first(int) ; inline int second(int) ; 
static __attribute__((__unused__)) inline int first(int y) { return second(y); }
inline int second(int y) { return y; }
int second(int);
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=13\011column=48\011function=external\011construct=read\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
# 13 "<input>"
extern inline int external(int y) { return y + (*__extension__ ({ __auto_type fathom_p3 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })); }
static inline int local(int y) { return y; }
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=17\011column=23\011function=f\011construct=read\011strict=false\011text=*place(&x)\011object=\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 15 "<input>"
int f(void) { 
int plain(int); 
return plain(1) + (*__extension__ ({ __auto_type fathom_p5 = &(*(int *)fathom_place(place(fathom_static(fathom_at_x)))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })) + reads() + first(1) + local(1);
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
