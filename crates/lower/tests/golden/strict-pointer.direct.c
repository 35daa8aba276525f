
typedef unsigned long size_t;
extern char fathom_at_p[] __asm__("p") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak p\n\t.type p,@object\n\t.size p,8\np:\t.zero 8\n\t.popsection");
# 4 "<input>"

fathom_ptr q ; 
int get(void) { return __extension__ ({ int *fathom_at2 = &(*(int *)fathom_place((*(fathom_ptr *)fathom_place(fathom_static(fathom_at_p))))); fathom_strict_begin(); int fathom_v1; __atomic_load(fathom_at2, &fathom_v1, 5); fathom_v1; }) + (*(int *)fathom_place(q)); } 
void set(fathom_ptr to) { ((*(fathom_ptr *)fathom_place(fathom_static(fathom_at_p))) = to); (__extension__ ({ int fathom_v3 = 1; int *fathom_at4 = (int *)&(*(int *)fathom_place(to)); __atomic_store(fathom_at4, &fathom_v3, 5); fathom_fence_after_atomic(); fathom_v3; })); (__extension__ ({ int fathom_v5 = (*(int *)fathom_place(q)); int *fathom_at6 = (int *)&(*(int *)fathom_place((*(fathom_ptr *)fathom_place(fathom_static(fathom_at_p))))); __atomic_store(fathom_at6, &fathom_v5, 5); fathom_fence_after_atomic(); fathom_v5; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
