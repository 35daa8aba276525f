
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,800\na:\t.zero 800\n\t.popsection");
# 4 "<input>"

double get(int i) { return (*(double (*)[100])fathom_place(fathom_static(fathom_at_a)))[i]; } 
double walk(fathom_ptr p, int n) {
    double s = 0; 
while (n-- > 0) s += (*(double *)fathom_place(__extension__ ({ fathom_ptr fathom_old1 = p; p = fathom_flat_add(fathom_old1, 1l, 8ul); fathom_old1; })));
    return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
