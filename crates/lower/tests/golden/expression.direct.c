
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak a\n\t.type a,@object\n\t.size a,40\na:\t.zero 40\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak b\n\t.type b,@object\n\t.size b,40\nb:\t.zero 40\n\t.popsection");
# 4 "<input>"

int g(int, int); 
int f(int i) { 
int t = (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) ? (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_b), (long)(i), 4ul))) : (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_b), (long)(i), 4ul)))), 4ul))); 
t = (((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) = t), (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_b), (long)(i), 4ul))) && (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))) || !((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_b), (long)(i + 1), 4ul)))); 
t += g((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))), ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_b), (long)(i), 4ul)))++)) + ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) > (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_b), (long)(i), 4ul)))) + -(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) + ~(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_b), (long)(i), 4ul))); 
return g((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))), 4ul))), (int){(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_b), (long)(i), 4ul)))}) + t;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
