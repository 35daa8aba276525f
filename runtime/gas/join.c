/* Joins the elements of short blocks; join.h has the interface.
 *
 * A row is one block of each thread. A thread's blocks lie one after the other, so those of all rows are copied in one
 * loop, to places a row apart. Where blocks have 8 bytes, those of two threads are copied two rows at a time.
 */
#include "gas/join.h"

#include <string.h>

#include "gas/transfer.h"

enum {
    PIECE = 128,    /* elements at least: about as many iterations as a processor has begun and not ended, */
    PIECE_ROWS = 8, /* and rows, */
    PIECE_TIMES = 4 /* and so many times the elements that two pieces have in common */
};

static long most(long a, long b) { return a > b ? a : b; }

long gas_join_piece(const struct fathom_slot *t) {
    long row = fathom_threads * t->block, least = most(most(PIECE, PIECE_ROWS * row), PIECE_TIMES * t->extra);
    return (least + row - 1) / row * row;
}

/* Finds the blocks of the row that begins with element `begin`, as far as they begin in the n elements from there. */
static void find(struct gas_join *j, const struct fathom_slot *t, const uintptr_t *land, long begin, long n) {
    if (!j->row) j->row = core_table((size_t)fathom_threads, sizeof *j->row);
    for (long k = 0; k < fathom_threads && k * t->block < n; k++) {
        struct gas_slot_place p = gas_slot_place(t, begin + k * t->block);
        j->row[k] = land[p.thread] + (uintptr_t)p.offset;
    }
}

static inline void move(uintptr_t to, uintptr_t from, size_t n) { memcpy((void *)to, (const void *)from, n); }

typedef uint64_t pair_of_words __attribute__((vector_size(16), aligned(8)));

static inline pair_of_words load_pair(uintptr_t from) {
    pair_of_words x;
    memcpy(&x, (const void *)from, sizeof x);
    return x;
}

/* Element by element GCC makes twice as many instructions of these. */
#ifdef __clang__
static inline pair_of_words firsts(pair_of_words x, pair_of_words y) { return __builtin_shufflevector(x, y, 0, 2); }
static inline pair_of_words seconds(pair_of_words x, pair_of_words y) { return __builtin_shufflevector(x, y, 1, 3); }
#else
static inline pair_of_words firsts(pair_of_words x, pair_of_words y) {
    return __builtin_shuffle(x, y, (pair_of_words){0, 2});
}
static inline pair_of_words seconds(pair_of_words x, pair_of_words y) {
    return __builtin_shuffle(x, y, (pair_of_words){1, 3});
}
#endif

/* Words of two threads: the first of each one after the other, and so on. */
static void join_pairs(uintptr_t to, uintptr_t a, uintptr_t b, size_t row, long rows) {
    for (; rows >= 2; rows -= 2, a += 16, b += 16, to += 2 * row) {
        pair_of_words x = load_pair(a), y = load_pair(b);
        pair_of_words first = firsts(x, y), second = seconds(x, y);
        memcpy((void *)to, &first, sizeof first);
        memcpy((void *)(to + row), &second, sizeof second);
    }
    if (rows) move(to, a, 8), move(to + 8, b, 8);
}

static inline void spread(uintptr_t to, uintptr_t from, size_t block, size_t row, long rows) {
    for (; rows > 0; rows--, to += row, from += block) move(to, from, block);
}

/* Blocks that lie one after the other, to places a row apart. */
static void spread_blocks(uintptr_t to, uintptr_t from, size_t block, size_t row, long rows) {
    switch (block) {
    case 1: spread(to, from, 1, row, rows); break;
    case 2: spread(to, from, 2, row, rows); break;
    case 4: spread(to, from, 4, row, rows); break;
    case 8: spread(to, from, 8, row, rows); break;
    case 16: spread(to, from, 16, row, rows); break;
    default: spread(to, from, block, row, rows);
    }
}

/* Whole rows. Of the first block of the first one, `skip` bytes are left out. */
static void join_rows(const struct gas_join *j, uintptr_t to, size_t skip, size_t block, long rows) {
    long k = 0;
    size_t row = (size_t)fathom_threads * block;
    if (skip) {
        move(to + skip, j->row[0] + skip, block - skip);
        spread_blocks(to + row, j->row[0] + block, block, row, rows - 1);
        k = 1;
    }
    if (block == 8)
        for (; k + 1 < fathom_threads; k += 2) join_pairs(to + (size_t)k * 8, j->row[k], j->row[k + 1], row, rows);
    for (; k < fathom_threads; k++) spread_blocks(to + (size_t)k * block, j->row[k], block, row, rows);
}

/* The next piece begins behind the rows of this one. */
static inline const void *step_on(struct gas_join *j, long next) {
    size_t bytes = (size_t)j->rows * j->block;
    for (long k = 0; k < fathom_threads; k++) j->row[k] += bytes;
    j->next = next;
    return j->bytes;
}

const void *gas_join(struct gas_join *j, const struct fathom_slot *t, const uintptr_t *land, struct gas_slot_place p,
                     long begin, long n, long step) {
    size_t size = (size_t)t->size, block = (size_t)t->block * size;
    size_t wanted = (size_t)n * size;
    if (wanted > j->size) j->bytes = gas_strip_aligned(j->bytes, j->size = wanted + wanted / 2);
    long skip = t->block - p.left, row = fathom_threads * t->block, all = skip + n;
    if (begin != j->next) {
        find(j, t, land, begin - skip, all);
        j->piece = gas_join_piece(t);
        j->rows = j->piece / row;
    }
    long rows = step == j->piece ? j->rows : 0, rest = all - rows * row;
    if (rest >= row) {
        rows += rest / row;
        rest = all - rows * row;
    }
    uintptr_t to = (uintptr_t)j->bytes - (size_t)skip * size;
    if (rows) join_rows(j, to, (size_t)skip * size, block, rows);
    /* The row that is not whole. */
    size_t left_out = rows ? 0 : (size_t)skip * size;
    to += (size_t)(rows * row) * size;
    for (long k = 0; k * t->block < rest; k++, to += block, left_out = 0) {
        size_t bytes = (size_t)(rest - k * t->block < t->block ? rest - k * t->block : t->block) * size;
        move(to + left_out, j->row[k] + (size_t)rows * block + left_out, bytes - left_out);
    }
    j->next = GAS_JOIN_NONE;
    j->is_even = false;
    if (step != j->piece) return j->bytes;
    j->block = block;
    j->left = p.left;
    j->is_even = skip == 0 && n == step;
    return step_on(j, begin + step);
}

const void *gas_join_next(struct gas_join *j) {
    join_rows(j, (uintptr_t)j->bytes, 0, j->block, j->rows);
    return step_on(j, j->next + j->piece);
}
