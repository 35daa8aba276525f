
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
# 4 "<input>"

extern char fathom_at_d[] __asm__("d") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak d\n\t.type d,@object\n\t.size d,8\nd:\t.zero 8\n\t.popsection");
# 5 "<input>"

int read(void) { return (*(int *)fathom_place(fathom_static(fathom_at_x))); } 
void write(int v) { ((*(int *)fathom_place(fathom_static(fathom_at_x))) = v); } 
double update(void) { ((*(int *)fathom_place(fathom_static(fathom_at_x))) += 3); ((*(double *)fathom_place(fathom_static(fathom_at_d))) *= (*(int *)fathom_place(fathom_static(fathom_at_x)))); return ((*(double *)fathom_place(fathom_static(fathom_at_d)))++) - (--(*(int *)fathom_place(fathom_static(fathom_at_x)))); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
