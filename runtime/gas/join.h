/* Elements of a slot, copied one after the other from the threads' blocks: for loops in strips (strip.c) over short
 * blocks. */
#ifndef GAS_JOIN_H
#define GAS_JOIN_H
#include "gas/slot.h"

/* No element: a table that is fetched as a whole may begin before element 0. */
#define GAS_JOIN_NONE LONG_MIN

struct gas_join {
    char *bytes; /* the room of what is joined */
    size_t size;
    /* The next piece, if it begins with element `next`; GAS_JOIN_NONE: not known. Its first blocks are at row[0], row[1], … */
    long next, left; /* `left`: elements from that one on in its block */
    long piece, rows;
    size_t block; /* bytes */
    bool is_even; /* whole rows and nothing else */
    uintptr_t *row;
};

/* How many elements are joined at a time: whole rows, so that each piece begins at the same place of a block as the one
 * before. Pieces are short: the loop reads them from the first-level cache, and the processor joins one while it still
 * computes with the one before. */
long gas_join_piece(const struct fathom_slot *t);

/* Elements begin to begin + n - 1, one after the other, of which the first is at p. Offset 0 of a thread's segment
 * would be at land[thread]. A caller that wants elements from begin + step on next need not know their place, if
 * step is j->piece; when something lands before, it sets j->next to GAS_JOIN_NONE. */
const void *gas_join(struct gas_join *j, const struct fathom_slot *t, const uintptr_t *land, struct gas_slot_place p,
                     long begin, long n, long step);
/* The next piece, as even as the one before. */
const void *gas_join_next(struct gas_join *j);
#endif
