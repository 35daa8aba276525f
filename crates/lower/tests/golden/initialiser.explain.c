
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.globl x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
# 4 "<input>"

extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.globl a\n\t.type a,@object\n\t.size a,16\na:\t.zero 16\n\t.popsection");
# 5 "<input>"

struct s { int i; char name[4]; };
extern char fathom_at_s[] __asm__("s") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.globl s\n\t.type s,@object\n\t.size s,8\ns:\t.zero 8\n\t.popsection");
# 7 "<input>"

fathom_ptr p ; 
fathom_ptr q ; 
extern char fathom_at_inner__fathom0[] __asm__("inner__fathom0") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.local inner__fathom0\n\t.type inner__fathom0,@object\n\t.size inner__fathom0,4\ninner__fathom0:\t.zero 4\n\t.popsection");
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=10\011column=53\011function=get\011construct=read\011strict=false\011text=x\011object=x\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_x};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=10\011column=57\011function=get\011construct=read\011strict=false\011text=*p\011object=p\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=10\011column=62\011function=get\011construct=read\011strict=false\011text=*q\011object=q\011elem_bytes=4\011row=0\011form=subscript\011reason=one-thread\011affinity=\011loop_line=0\011block=0", 0};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=10\011column=67\011function=get\011construct=read\011strict=false\011text=inner\011object=inner\011elem_bytes=4\011row=0\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=1", fathom_at_inner__fathom0};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 10 "<input>"
int get(void) { ; return (*__extension__ ({ __auto_type fathom_p5 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_0, fathom_word6); fathom_p5; })) + (*__extension__ ({ __auto_type fathom_p7 = &(*(int *)fathom_place(p)); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_1, fathom_word8); fathom_p7; })) + (*__extension__ ({ __auto_type fathom_p9 = &(*(int *)fathom_place(q)); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_touch(&fathom_site_2, fathom_word10); fathom_p9; })) + (*__extension__ ({ __auto_type fathom_p11 = &(*(int *)fathom_place(fathom_static(fathom_at_inner__fathom0))); const fathom_ptr fathom_word12 = fathom_word(& *fathom_p11); fathom_explain_touch(&fathom_site_3, fathom_word12); fathom_p11; })); } 
static void fathom_unit_init(void) {
if (fathom_mythread == 0) { int fathom_init1 = 
# 4 "<input>"
7; fathom_memput(fathom_static(fathom_at_x), &fathom_init1, sizeof fathom_init1); } 
{ static const int fathom_init2[4] = {1, 2, [3] = 4}; fathom_init_array(fathom_static(fathom_at_a), fathom_init2, sizeof fathom_init2 / (sizeof fathom_init2), sizeof fathom_init2 / 4ul, sizeof fathom_init2 / (4ul), 0ul, 4ul, "a"); } 
if (fathom_mythread == 0) { struct s fathom_init3 = 
{3, "abc"}; fathom_memput(fathom_static(fathom_at_s), &fathom_init3, sizeof fathom_init3); } 
p = fathom_static(fathom_at_x); 
q = fathom_flat_add(fathom_static(fathom_at_a), (long)(2), 4ul); 
if (fathom_mythread == 0) { int fathom_init4 = 5; fathom_memput(fathom_static(fathom_at_inner__fathom0), &fathom_init4, sizeof fathom_init4); } 
}
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", fathom_unit_init, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
