
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
# 4 "<input>"

fathom_ptr p ; fathom_ptr q[2] ; fathom_ptr *r ; 
int f(void) { 
int a = (*(int *)fathom_place(fathom_static(fathom_at_x))), b[2] = {(*(int *)fathom_place(fathom_static(fathom_at_x))), (*(int *)fathom_place(fathom_static(fathom_at_x))) + 1}, *l = &a, c = *l + (*(int *)fathom_place(fathom_static(fathom_at_x))); 
fathom_ptr s  = p; fathom_ptr t  = q[1]; 
return a + b[c] + (*(int *)fathom_place(s)) + (*(int *)fathom_place(t)) + (*(int *)fathom_place(*r));
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
