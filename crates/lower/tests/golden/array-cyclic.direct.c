
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak a\n\t.type a,@object\n\t.size a,40\na:\t.zero 40\n\t.popsection");
# 4 "<input>"

int get(int i) { return (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))); } 
void put(int i, int v) { ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) = v); } 
void shift(int i) { ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i + 1), 4ul))) = (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))); ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))++); ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(2 * i - 1), 4ul))) -= (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(0), 4ul)))); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
