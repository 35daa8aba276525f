/* Where the object ends to which a pointer-to-shared leads: the allocation in which its place is. What is computed from a pointer stays in its object (C17 6.5.6 p8),
 * so loops whose pointers lead into different allocations write nothing that they read. */
#ifndef GAS_EXTENT_H
#define GAS_EXTENT_H

#include "gas/gas_internal.h"

struct gas_extent {
    long thread;    /* the one that has the allocation, or -1: all have a part, at the same offsets */
    long low, high; /* offsets in segments: the first, and the one behind the last */
};

/* false: it is not known, because the place is in no allocation, or among too many of them. All static objects are one extent. Asks another thread the
 * first time. */
bool gas_extent_of(fathom_ptr p, struct gas_extent *e);

/* An allocation is given back: what a thread has noted of it, or, with -1, what all have, is dropped when this returns. */
void gas_extent_drop(fathom_ptr p, bool all_have, int thread);

void gas_extent_start(void);

/* By heap.c, from the headers, which may be near another thread: it notes that this one knows, and has it told when the allocation is given back. */
bool gas_heap_extent_there(fathom_ptr p, struct gas_extent *e);

#endif
