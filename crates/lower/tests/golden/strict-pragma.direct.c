
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
extern char fathom_at_y[] __asm__("y") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak y\n\t.type y,@object\n\t.size y,4\ny:\t.zero 4\n\t.popsection");
# 4 "<input>"


int all(void) { (__extension__ ({ int fathom_v1 = 1; int *fathom_at2 = (int *)&(*(int *)fathom_place(fathom_static(fathom_at_x))); __atomic_store(fathom_at2, &fathom_v1, 5); fathom_fence_after_atomic(); fathom_v1; })); return __extension__ ({ int *fathom_at4 = &(*(int *)fathom_place(fathom_static(fathom_at_y))); fathom_strict_begin(); int fathom_v3; __atomic_load(fathom_at4, &fathom_v3, 5); fathom_v3; }); } 

int some(void) { 
((*(int *)fathom_place(fathom_static(fathom_at_x))) = 2); 
{ 

(__extension__ ({ int fathom_v5 = 3; int *fathom_at6 = (int *)&(*(int *)fathom_place(fathom_static(fathom_at_x))); __atomic_store(fathom_at6, &fathom_v5, 5); fathom_fence_after_atomic(); fathom_v5; })); 
(__extension__ ({ int fathom_v9 = __extension__ ({ int *fathom_at8 = &(*(int *)fathom_place(fathom_static(fathom_at_x))); fathom_strict_begin(); int fathom_v7; __atomic_load(fathom_at8, &fathom_v7, 5); fathom_v7; }); int *fathom_at10 = (int *)&(*(int *)fathom_place(fathom_static(fathom_at_y))); __atomic_store(fathom_at10, &fathom_v9, 5); fathom_fence_after_atomic(); fathom_v9; }));
    } 
return (*(int *)fathom_place(fathom_static(fathom_at_y)));
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
