/* What generated code calls between long blocks of a upc_forall, and at their ends (forall.h). */
#include "prelude.h"
#include <limits.h>

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
    long row = fathom_div_threads(number);
    p->number = number;
    p->thread = number - row * FATHOM_T;
    p->first = (row - number) * p->block;
    p->start = number * p->block - c->offset;
    p->at = p->start > lo ? p->start : lo;
    p->end = p->start + p->block < hi ? p->start + p->block : hi;
}

static void begin(struct fathom_pieces *p, long lo, long hi, const struct fathom_cut *c) {
    p->begun = 1;
    p->block = c->block;
    p->step = FATHOM_T;
    long number = fathom_floordiv(lo + c->offset, c->block);
    if (FATHOM_T == 1) {
        /* All blocks are one. The loop runs in its middle. */
        p->block = LONG_MAX / 4;
        at_block(p, 0, lo, hi, c);
        p->start = lo - p->block / 2;
        p->at = lo;
        p->end = hi;
    } else if (fathom_forall_depth) {
        p->step = 1; /* not controlling (6.6.2 p10): every thread runs every iteration */
        at_block(p, number, lo, hi, c);
    } else {
        at_block(p, number + fathom_mod_threads((long)fathom_mythread - fathom_mod_threads(number) + FATHOM_T), lo, hi,
                 c);
    }
}

long fathom_next_piece(struct fathom_pieces *p, long lo, long hi, const struct fathom_cut *c) {
    if (!p->begun)
        begin(p, lo, hi, c);
    else if (p->at >= p->end)
        at_block(p, p->number + p->step, lo, hi, c);
    p->from = p->at;
    if (p->from >= p->end) return 0;

    /* Where this block's elements are, and the neighbours'. */
    long row = p->block, back = FATHOM_T - 1, to = p->end;
    int is_first = p->thread == 0, is_last = p->thread == back;
    const struct {
        long thread, first;
    } before = {is_first ? back : p->thread - 1, is_first ? p->first : p->first + row},
      after = {is_last ? 0 : p->thread + 1, is_last ? p->first : p->first - row};
    for (int k = 0; k < c->views; k++) {
        const struct fathom_cut_view *v = &c->view[k];
        long reach = v->offset - c->offset, place = p->from - p->start + reach;
        long thread = p->thread, first = p->first, end = p->start - reach;
        if (place < 0) {
            thread = before.thread;
            first = before.first;
        } else if (place < p->block) {
            end += p->block;
        } else {
            thread = after.thread;
            first = after.first;
            end = p->end;
        }
        if (end < to) to = end;
        fathom_ptr part = fathom_threads_on(fathom_static(v->symbol), thread);
        p->view[k] = fathom_local(part + (unsigned long)(first + p->from + v->offset) * v->size);
    }
    p->at = to;
    return to - p->from;
}
