/* Gets of many elements of one size, each from a place of its own, sorted by the threads that have them: for loops that gather
 * (gather.c) and for the library's indexed gets (pieces.c). */
#ifndef GAS_SORTED_H
#define GAS_SORTED_H

#include "gas/handle.h"

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

#endif
