
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
# 4 "<input>"

static __attribute__((__unused__)) inline int plain(int y); 
static __attribute__((__unused__)) inline int plain(int y) { return y; } 
static __attribute__((__unused__)) inline fathom_ptr place(fathom_ptr p) { return fathom_cyclic_add(p, (long)(1), 4ul); } 
__extension__ static __attribute__((__unused__)) inline int reads(void) { return (*(int *)fathom_place(fathom_static(fathom_at_x))); } 
static __attribute__((__unused__)) inline int first(int) ; inline int second(int) ; 
static __attribute__((__unused__)) inline int first(int y) { return second(y); }
inline int second(int y) { return y; }
int second(int); 
extern inline int external(int y) { return y + (*(int *)fathom_place(fathom_static(fathom_at_x))); }
static inline int local(int y) { return y; } 
int f(void) { 
int plain(int); 
return plain(1) + (*(int *)fathom_place(place(fathom_static(fathom_at_x)))) + reads() + first(1) + local(1);
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
