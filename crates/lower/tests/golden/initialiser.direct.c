
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
# 10 "<input>"
int get(void) { ; return (*(int *)fathom_place(fathom_static(fathom_at_x))) + (*(int *)fathom_place(p)) + (*(int *)fathom_place(q)) + (*(int *)fathom_place(fathom_static(fathom_at_inner__fathom0))); } 
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
