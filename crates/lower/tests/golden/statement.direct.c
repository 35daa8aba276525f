
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak a\n\t.type a,@object\n\t.size a,40\na:\t.zero 40\n\t.popsection");
# 4 "<input>"

int f(int i) { 
switch ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))) { 
case 1: ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) = 2); break;
    case 2 ... 4: goto out; 
default: ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))--);
    } 
if ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) > 3) return (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))); else { __attribute__((unused)) int *const fathom_row1 = fathom_local(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)); while ((*fathom_row1) < 3) ((*fathom_row1)++); } 
{ __attribute__((unused)) int *const fathom_row2 = fathom_local(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)); __attribute__((unused)) int *const fathom_row3 = fathom_local(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i + 1), 4ul)); do { ((*fathom_row2) = (*fathom_row3)); } while ((*fathom_row2)); } 
{ __attribute__((unused)) int *const fathom_row4 = fathom_local(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)); __attribute__((unused)) int *const fathom_row5 = fathom_local(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i + 1), 4ul)); __attribute__((unused)) int *const fathom_row6 = fathom_local(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(0), 4ul)); { int k = (*fathom_row4);for (; k < (*fathom_row5); k += (*fathom_row6)) ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(k), 4ul))) = k); } } 
out: 
return __extension__ ({ int t = (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))); ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) = 0); t; });
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
