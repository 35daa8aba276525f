
typedef unsigned long size_t;
/* Phased pointers of several block sizes. */
fathom_ptr a ; 
fathom_pptr b ; 
fathom_ptr c ; 
fathom_pptr d ; 
void step(int n) { __extension__ ({ fathom_ptr fathom_old1 = a; a = fathom_cyclic_add(fathom_old1, 1l, 4ul); fathom_old1; }); (b = fathom_block_add(b, (long)(n), 3ul, 4ul)); __extension__ ({ fathom_ptr fathom_old2 = c; c = fathom_flat_add(fathom_old2, -1l, 4ul); fathom_old2; }); (d = fathom_block_add(d, -((long)(n)), 4ul, 2ul)); } 
long distance(fathom_pptr to) { return fathom_block_diff(to, b, 3ul, 4ul); } 
int look(int n) { return (*(int *)fathom_place(fathom_cyclic_add(a, (long)(n), 4ul))) + (*(int *)fathom_place(fathom_word_of(fathom_block_add(b, (long)(-n), 3ul, 4ul)))) + (*(int *)fathom_place(fathom_flat_add(c, (long)(n), 4ul))) + (*(short *)fathom_place(fathom_word_of(__extension__ ({ fathom_pptr fathom_old3 = d; d = fathom_block_add(fathom_old3, 1l, 4ul, 2ul); fathom_old3; })))); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
