/* Work sharing: which iterations of a upc_forall this thread runs (UPC 1.3, 6.6.2).
 *
 * The compiler turns a loop `for (i = lo; i < hi; i++)` whose affinity is block-cyclic in i into ranges: iteration i
 * belongs to block (i + shift) / block, and block b to thread b mod THREADS. Inside a range that is `fast`, every
 * element that the body reaches at a constant distance from i is in the same block, so the body uses C pointers; the
 * other ranges (a block's ends, or everything where pointers are not aligned with each other) run the general body.
 */
#ifndef FATHOM_FORALL_H
#define FATHOM_FORALL_H

struct fathom_ranges {
    long lo, hi, shift, block;
    /* How far before and after its own index an iteration reaches. */
    long left, right;
    /* The next block of this thread, in iterations / block. */
    long next;
    int may_be_fast, stage;
    /* Fast part of the current block, and its end. */
    long fast_lo, fast_hi, end;
    /* The range: iterations from .. to - 1, general or fast; of a fast one, the block's number, and what to add to an
     * iteration's index for its place in this thread's part of an array without lead. */
    long from, to, number, base;
    int fast;
};

/* upc_threadof: 0 for null (7.2.3.1 p3). */
FATHOM_INLINE long fathom_affinity(fathom_ptr p) { return p ? fathom_thread_of(p) : 0; }

/* The remainder that is not negative. */
FATHOM_INLINE long fathom_mod_threads(long x) { return x - fathom_div_threads(x) * FATHOM_T; }
FATHOM_INLINE long fathom_mod_threads_unsigned(unsigned long x) { return (long)(x % (unsigned long)FATHOM_T); }

/* The first iteration at or after `lo` that is this thread's when (i + shift) mod THREADS owns i. */
FATHOM_INLINE long fathom_cyclic_first(long lo, long shift) {
    return lo + fathom_mod_threads((long)fathom_mythread - fathom_mod_threads(lo + shift) + FATHOM_T);
}
/* How many iterations from `first` on, THREADS apart, come before `hi`. */
FATHOM_INLINE long fathom_cyclic_count(long first, long hi) {
    return first < hi ? fathom_div_threads(hi - first + FATHOM_T - 1) : 0;
}

/* Elements between the pointer's notional origin (thread 0, phase 0) and its target. */
FATHOM_INLINE long fathom_block_lead(fathom_pptr p, unsigned long block) {
    return fathom_thread_of(p.addr) * (long)block + (long)p.phase;
}
FATHOM_INLINE fathom_ptr fathom_block_origin(fathom_pptr p, unsigned long size) {
    return fathom_make(0, fathom_offset_of(p.addr)) - p.phase * size;
}

FATHOM_INLINE void fathom_ranges_init(struct fathom_ranges *r, long lo, long hi, long shift, long block, long left,
                                      long right, int may_be_fast) {
    r->lo = lo;
    r->hi = hi;
    r->shift = shift;
    r->block = block;
    r->left = left;
    r->right = right;
    r->may_be_fast = may_be_fast;
    r->stage = 0;
    /* Set before they are read in any case; the C compiler cannot see that, and would warn in the user's program. */
    r->next = r->fast_lo = r->fast_hi = r->end = r->number = r->base = 0;
    if (fathom_forall_depth) {
        r->stage = 3; /* not controlling (6.6.2 p10): every thread runs every iteration */
        return;
    }
    long b = fathom_floordiv(lo + shift, block);
    r->next = b + fathom_mod_threads((long)fathom_mythread - fathom_mod_threads(b) + FATHOM_T);
}

FATHOM_INLINE int fathom_ranges_next(struct fathom_ranges *r) {
    for (;;) {
        switch (r->stage) {
        case 0: {
            long start = r->next * r->block - r->shift;
            if (start >= r->hi) return 0;
            long from = start > r->lo ? start : r->lo;
            r->end = start + r->block < r->hi ? start + r->block : r->hi;
            r->number = r->next;
            r->base = (fathom_div_threads(r->number) - r->number) * r->block;
            r->next += FATHOM_T;
            r->fast_lo = start + r->left > from ? start + r->left : from;
            r->fast_hi = start + r->block - r->right < r->end ? start + r->block - r->right : r->end;
            r->from = from;
            if (!r->may_be_fast || r->fast_lo >= r->fast_hi) {
                r->to = r->end;
                r->fast = 0;
                return 1;
            }
            r->stage = 1;
            if (from < r->fast_lo) {
                r->to = r->fast_lo;
                r->fast = 0;
                return 1;
            }
            break;
        }
        case 1:
            r->stage = r->fast_hi < r->end ? 2 : 0;
            r->from = r->fast_lo;
            r->to = r->fast_hi;
            r->fast = 1;
            return 1;
        case 2:
            r->stage = 0;
            r->from = r->fast_hi;
            r->to = r->end;
            r->fast = 0;
            return 1;
        case 3:
            r->stage = 4;
            r->from = r->lo;
            r->to = r->hi;
            r->fast = 0;
            return 1;
        default: return 0;
        }
    }
}

/* What to subscript with the loop's own index in a fast range: `origin` names thread 0's first element, `lead` is how
 * many elements before index 0 that is. */
FATHOM_INLINE void *fathom_block_view(fathom_ptr origin, const struct fathom_ranges *r, long lead, unsigned long size) {
    return fathom_local(fathom_threads_on(origin, fathom_mythread) + (unsigned long)(r->base + lead) * size);
}

/* Where a loop with a large unsigned counter ends: it has iterations only if its bound is as large as its beginning. */
FATHOM_INLINE long fathom_behind_large(long lo, long hi) { return lo < 0 && hi >= 0 ? lo : hi; }
FATHOM_INLINE unsigned long fathom_fewer(unsigned long a, unsigned long b) { return a < b ? a : b; }
/* A C loop is cut into runs: at most `more` iterations follow one whose element is at p, and stay in p's block. */
FATHOM_INLINE unsigned long fathom_in_block(unsigned long more, fathom_pptr p, unsigned long block) {
    return fathom_fewer(more, block - 1 - p.phase);
}

/* The same out of line (lang/blocks.c), where blocks are so long that what happens between them hardly counts: a program of
 * many loops is smaller, and its compiler is faster. */
struct fathom_blocking {
    long block, left, right;
};
void fathom_blocks_begin(struct fathom_ranges *r, long lo, long hi, long shift, const struct fathom_blocking *b,
                         int may_be_fast);
int fathom_blocks_next(struct fathom_ranges *r);

/* A loop that is cut into pieces (lang/blocks.c). A piece is a run of iterations of which every view's elements stay in
 * one block: the ends of a block, where a view reaches into a neighbour, are pieces of their own, and the same body
 * serves them with C pointers that lead to where those elements are. All memory must be within reach. */
#define FATHOM_PIECE_VIEWS 12
struct fathom_cut {
    /* Iteration i has the affinity of element i + offset of arrays distributed in these blocks, and views reach this
     * far before and after that element. */
    long block, offset, left, right;
    int views;
    /* View k serves element i + offset of this array; `size` is the size of what its index counts. */
    struct fathom_cut_view {
        const void *symbol;
        long offset;
        unsigned long size;
    } view[FATHOM_PIECE_VIEWS];
};
struct fathom_pieces {
    char begun; /* 0 before the first call */
    /* Where the views' elements of the piece's first iteration are, and that iteration. These come first: short
     * offsets. */
    void *view[FATHOM_PIECE_VIEWS];
    long from;
    /* The next iteration; the current block's number, first iteration and end. Blocks have `block` elements, views
     * leave them at `left` and `right` iterations from their ends, and the next one is `step` blocks on. */
    long at, number, start, end, block, left, right, step;
    /* In the block before, in this one and in the one after it: the thread's part of an array, and what to add to an
     * element's index for its place there. */
    struct {
        unsigned long thread;
        long first;
    } in[3];
};
/* How many iterations the next piece has; 0 if there is none. */
long fathom_next_piece(struct fathom_pieces *p, long lo, long hi, const struct fathom_cut *c);
/* A block has three pieces where neighbours are read, and a loop few blocks: the code between pieces is to be small. */
FATHOM_INLINE int fathom_is_piece(long n) { return (int)__builtin_expect_with_probability(n > 0, 1, 0.3); }

/* A static shared array, for code that seldom runs. */
struct fathom_array {
    const void *symbol;
    unsigned long block, size;
};
/* Its element i. */
__attribute__((cold, pure)) fathom_ptr fathom_array_elem(const struct fathom_array *a, long i);

#endif
