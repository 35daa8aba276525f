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

/* Puts p at this block. */
static void at_block(struct fathom_pieces *p, long number, long lo, long hi, const struct fathom_cut *c) {
    long row = fathom_div_threads(number), thread = number - row * FATHOM_T, last = FATHOM_T - 1;
    long first = (row - number) * p->block;
    p->number = number;
    p->start = number * p->block - c->offset;
    p->at = p->start > lo ? p->start : lo;
    p->end = p->start + p->block < hi ? p->start + p->block : hi;
    p->in[0].thread = (unsigned long)(thread == 0 ? last : thread - 1) << FATHOM_SEG_BITS;
    p->in[0].first = thread == 0 ? first : first + p->block;
    p->in[1].thread = (unsigned long)thread << FATHOM_SEG_BITS;
    p->in[1].first = first;
    p->in[2].thread = (unsigned long)(thread == last ? 0 : thread + 1) << FATHOM_SEG_BITS;
    p->in[2].first = thread == last ? first : first - p->block;
}

static void begin(struct fathom_pieces *p, long lo, long hi, const struct fathom_cut *c) {
    long number = fathom_floordiv(lo + c->offset, c->block);
    /* A loop that is not controlling (6.6.2 p10) runs every iteration on every thread. */
    int all = fathom_forall_depth != 0, alone = FATHOM_T == 1;
    p->begun = 1;
    p->block = c->block;
    p->step = all ? 1 : FATHOM_T;
    /* One thread's blocks follow each other in memory: no view leaves its own. */
    p->left = alone ? 0 : c->left;
    p->right = alone ? 0 : c->right;
    if (!all) number += fathom_mod_threads((long)fathom_mythread - fathom_mod_threads(number) + FATHOM_T);
    at_block(p, number, lo, hi, c);
}

long fathom_next_piece(struct fathom_pieces *p, long lo, long hi, const struct fathom_cut *c) {
    if (__builtin_expect(!p->begun, 0))
        begin(p, lo, hi, c);
    else if (p->at >= p->end)
        at_block(p, p->number + p->step, lo, hi, c);
    long from = p->from = p->at, to = p->end, block = p->block, offset = c->offset;
    if (from >= to) return 0;
    const struct fathom_cut_view *v = c->view, *end = v + c->views;
    void **view = p->view;
    long inner = p->start + p->left, outer = p->start + block - p->right;
    if (from >= inner && from < outer) {
        /* Every view stays in the iteration's own block. */
        unsigned long thread = p->in[1].thread;
        to = outer < to ? outer : to;
        for (long index = p->in[1].first + from; v < end; v++)
            *view++ = fathom_local(fathom_static(v->symbol) + thread + (unsigned long)(index + v->offset) * v->size);
        p->at = to;
        return to - from;
    }
    for (; v < end; v++) {
        /* In the block before the iteration's own one, in that, or in the one after it; and the iteration that leaves
         * it. */
        long begins = p->start - (v->offset - offset);
        int which = (from >= begins) + (from >= begins + block);
        long leaves = begins + which * block;
        to = leaves < to ? leaves : to;
        unsigned long index = (unsigned long)(p->in[which].first + from + v->offset);
        *view++ = fathom_local(fathom_static(v->symbol) + p->in[which].thread + index * v->size);
    }
    p->at = to;
    return to - from;
}
