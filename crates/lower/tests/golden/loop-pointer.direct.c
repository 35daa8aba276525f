
typedef unsigned long size_t;
/* Pointers that walk, in loops of all kinds. */
int sum(fathom_ptr p, fathom_ptr q, int n) {
    int s = 0; 
for (int i = 0; i < n; i++) s += (*(int *)fathom_place(fathom_cyclic_add(p, (long)(i), 4ul))) + ((int *)fathom_place(q))[i]; 
while (n--) s += (*(int *)fathom_place(__extension__ ({ fathom_ptr fathom_old1 = p; p = fathom_cyclic_add(fathom_old1, 1l, 4ul); fathom_old1; }))); 
do s -= (*(int *)fathom_place(__extension__ ({ fathom_ptr fathom_old2 = q; q = fathom_flat_add(fathom_old2, -1l, 4ul); fathom_old2; }))); while (s > 0);
    return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
