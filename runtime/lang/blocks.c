/* What generated code calls between long blocks of a upc_forall, and at their ends (forall.h). */
#include "prelude.h"

void fathom_blocks_begin(struct fathom_ranges *r, long lo, long hi, long shift, const struct fathom_blocking *b,
                         int may_be_fast) {
    fathom_ranges_init(r, lo, hi, shift, b->block, b->left, b->right, may_be_fast);
}

int fathom_blocks_next(struct fathom_ranges *r) { return fathom_ranges_next(r); }

fathom_ptr fathom_array_elem(const struct fathom_array *a, long i) {
    return fathom_block_elem(fathom_static(a->symbol), i, a->block, a->size);
}
