
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

int f(fathom_ptr p, int i) { 
(++(*(volatile long *)fathom_place(fathom_static(fathom_at_x)))); 
((*(volatile double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 8ul))) = 1); 
((*(struct s *)fathom_place(fathom_static(fathom_at_q))).v = 1); 
while (!((*(volatile int *)fathom_place(p)))) { fathom_turn(); {} } 
return (*(struct s *)fathom_place(fathom_static(fathom_at_q))).v + (*(struct s *)fathom_place(fathom_static(fathom_at_q))).w;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
