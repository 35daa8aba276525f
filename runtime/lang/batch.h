/* Updates of computed places by one operand, `t[list[i]] += 1;`, of many iterations together, for generated code: their places are
 * collected, and then the near ones are updated in one loop and the far ones gathered in another. The runtime's part is gas/batch.c.
 * Included by the prelude. */
#ifndef FATHOM_BATCH_H
#define FATHOM_BATCH_H

#include "update.h"

/* Iterations at a time, and private objects that their places are computed from. */
enum { FATHOM_BATCH = 512, FATHOM_BATCH_READS = 8 };
/* Iterations before the first batch, so that short loops do without; the largest long if owners do not compute updates (FATHOM_COMM), or
 * no thread is far. */
extern long fathom_batch_first;

struct fathom_batch {
    unsigned n, reads;
    fathom_ptr at[FATHOM_BATCH];
    struct {
        const volatile char *from, *to;
    } read[FATHOM_BATCH_READS];
};

/* The iteration behind the batch that begins with `from`, in a loop that ends before `end`. A negative counter may be compared as an
 * unsigned one: then there is none. */
FATHOM_INLINE long fathom_batch_to(long from, long end) {
    if (from < 0 || end <= from) return from;
    return end - from > FATHOM_BATCH ? from + FATHOM_BATCH : end;
}

/* Private memory that places or operand were computed from. */
FATHOM_INLINE void fathom_batch_read(struct fathom_batch *s, const volatile char *from, const volatile char *to) {
    s->read[s->reads].from = from;
    s->read[s->reads++].to = to;
}

/* Updates the objects at all places, of which there are some, in their order. 0: nothing was done, because an update changes what later places were computed from, or
 * because this is no operation of that kind; the iterations are to be made one by one. */
int fathom_batch_update(struct fathom_batch *s, enum fathom_update_object object, enum fathom_update_op op,
                        unsigned long operand);
/* The same by upc_atomic_relaxed (lang/atomic.c). */
int fathom_batch_atomic(struct fathom_batch *s, fathom_ptr domain, int op, const void *operand);

FATHOM_INLINE int fathom_batch_update_float(struct fathom_batch *s, enum fathom_update_op op, float operand) {
    unsigned int bits;
    __builtin_memcpy(&bits, &operand, sizeof bits);
    return fathom_batch_update(s, FATHOM_UPDATE_F32, op, bits);
}
FATHOM_INLINE int fathom_batch_update_double(struct fathom_batch *s, enum fathom_update_object object,
                                             enum fathom_update_op op, double operand) {
    unsigned long bits;
    __builtin_memcpy(&bits, &operand, sizeof bits);
    return fathom_batch_update(s, object, op, bits);
}

#endif
