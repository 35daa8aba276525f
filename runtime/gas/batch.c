/* Batches of updates at computed places (lang/batch.h). A loop that tests each place mispredicts half of its branches where half of a table
 * is near; and what it does for a far element fills the processor's window, so that near misses do not overlap. */
#include "gas/batch.h"

#include <limits.h>

#include "gas/outbox.h"
#include "gas/transfer.h"
#include "gas/update.h"

long fathom_batch_first = LONG_MAX;

#ifdef FATHOM_CONDUIT_DISTRIBUTED
/* Without a branch: which places are near is seldom foreseen. */
static void sort(struct fathom_batch *s, struct gas_batch *to) {
    size_t near = 0, far = 0;
    for (unsigned i = 0; i < s->n; i++) {
        fathom_ptr p = s->at[i];
        uint64_t offset = p - fathom_near_base;
        bool is_near = offset < fathom_near_bytes;
        to->offsets[near] = offset;
        near += is_near;
        s->at[far] = p;
        far += !is_near;
    }
    to->near = near;
    to->far = far;
}

/* Were places computed from what is among the near objects, or between them? */
static bool meets(const struct fathom_batch *s, const struct gas_batch *b, size_t bytes) {
    uintptr_t base = (uintptr_t)gas_batch_base(), low = UINTPTR_MAX, high = 0;
    bool is_shared = false;
    for (unsigned k = 0; k < s->reads; k++) {
        if (s->read[k].from >= s->read[k].to) return true; /* an unsigned subscript went through 0: they do not go up */
        is_shared |= (uintptr_t)s->read[k].from < base + fathom_near_bytes && (uintptr_t)s->read[k].to > base;
    }
    if (!is_shared || b->near == 0) return false;
    for (size_t i = 0; i < b->near; i++) {
        if (b->offsets[i] < low) low = b->offsets[i];
        if (b->offsets[i] > high) high = b->offsets[i];
    }
    for (unsigned k = 0; k < s->reads; k++)
        if ((uintptr_t)s->read[k].from < base + high + bytes && (uintptr_t)s->read[k].to > base + low) return true;
    return false;
}

bool gas_batch_sort(struct fathom_batch *s, struct gas_batch *sorted, size_t bytes) {
    sort(s, sorted);
    return !meets(s, sorted, bytes);
}

int fathom_batch_update(struct fathom_batch *s, enum fathom_update_object object, enum fathom_update_op op,
                        unsigned long operand) {
    unsigned kind = gas_update_kind(object, op), unused = 64 - 8 * (unsigned)gas_update_operand_bytes(kind);
    operand = operand << unused >> unused;
    struct gas_batch b;
    if (!gas_batch_sort(s, &b, gas_update_bytes(kind))) return 0;
    gas_update_at(gas_batch_base(), b.offsets, b.near, kind, &operand);
    for (size_t i = 0; i < b.far; i++) {
        if (gas_updates_are_on && gas_far_is_simple()) i += gas_outbox_again_all(s->at + i, b.far - i, kind, operand);
        if (i < b.far) fathom_far_update(s->at[i], object, op, operand);
    }
    return 1;
}
#endif
