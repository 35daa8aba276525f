/* Where the elements of a slot are, for the loops in strips (lang/strip.h). */
#ifndef GAS_SLOT_H
#define GAS_SLOT_H
#include <limits.h>

#include "gas/gas_internal.h"
#include "lang/strip.h"

struct gas_slot_place {
    long thread, offset;
    long left; /* elements from this one on in its block */
};

static inline struct gas_slot_place gas_slot_place(const struct fathom_slot *t, long element) {
    long n = t->first + element;
    if (t->block == 0) return (struct gas_slot_place){t->thread, t->base + n * t->size, LONG_MAX};
    long b = fathom_floordiv(n, t->block), in = n - b * t->block;
    long q = fathom_div_threads(t->thread + b);
    long thread = t->thread + b - q * fathom_threads, offset = t->base + (q * t->block + in) * t->size;
    return (struct gas_slot_place){thread, offset, t->block - in};
}

static inline bool gas_is_near_thread(long thread) { return fathom_is_near(fathom_make(thread, 0)); }
#endif
