/* Gets of many elements of one size, each from a place of its own, sorted by the threads that have them: for loops that gather
 * (gather.c) and for the library's indexed gets (pieces.c). */
#ifndef GAS_SORTED_H
#define GAS_SORTED_H

#include "gas/handle.h"

/* Objects of 2^shift bytes around one another have numbers of 4 bytes: the first one's is GAS_PLACE_BIAS. `base` is the offset of number
 * 0. What has no such number, because it is too far away or at another alignment, gets a larger one: bits that are shifted out
 * become the highest ones. */
#define GAS_PLACE_BIAS ((uint64_t)1 << 31)
static inline uint64_t gas_place_base(uint64_t first, unsigned shift) { return first - (GAS_PLACE_BIAS << shift); }
static inline uint64_t gas_place_of(uint64_t base, uint64_t offset, unsigned shift) {
    uint64_t bytes = offset - base;
    return bytes >> shift | bytes << (-shift & 63);
}

/* Where element k goes: to list[k], or, if there is no list, to bytes + k * size. */
struct gas_sorted_to {
    char *bytes;
    void *const *list;
};

/* Begins to fetch n elements of `size` bytes, fewer than 2^32, behind all writes of this thread to the threads that have them; near
 * ones are copied before it returns. Places that are null are left out. `t` waits for the others; the lists may change meanwhile.
 * Returns how many places are not null. Inside the gate. */
size_t gas_sorted_get(struct gas_transfer *t, struct gas_sorted_to to, const fathom_ptr *places, size_t size, size_t n);

void gas_sorted_start(void);

/* A piece of far memory, and where it goes. */
struct gas_piece {
    fathom_ptr from;
    char *to;
    size_t bytes;
};
/* A list of these. */
struct gas_pieces {
    struct gas_piece *list;
    size_t count, room;
};
void gas_pieces_add(struct gas_pieces *pieces, fathom_ptr from, char *to, size_t bytes);
/* Begins to fetch n pieces of any sizes; many small ones of a thread travel in one message (pieces.c). Inside the gate. */
void gas_pieces_get(struct gas_transfer *t, const struct gas_piece *piece, size_t n);

#endif
