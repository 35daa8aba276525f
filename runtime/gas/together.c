/* Calls of upc_memget of a group (lang/together.h): from far memory they are one transfer, which the end of the group waits for. Two calls
 * are under way at once only if nothing could tell in which order they are made. */
#include "gas/transfer.h"

bool gas_together_is_on;

#ifdef FATHOM_CONDUIT_DISTRIBUTED
#include "lang/together.h"

static bool overlap(const struct fathom_extent *e, unsigned count, const volatile void *at, size_t n) {
    uintptr_t from = (uintptr_t)at;
    for (unsigned i = 0; i < count; i++) {
        uintptr_t begin = (uintptr_t)e[i].at;
        if (begin < from + n && from < begin + e[i].n) return true;
    }
    return false;
}

void fathom_together_wait(struct fathom_together *t) {
    if (!t->transfer) return;
    CORE_GATE;
    gas_transfer_end(t->transfer);
    t->transfer = NULL;
    t->count = 0;
}

void fathom_together_read(struct fathom_together *t, const struct fathom_extent *read, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (overlap(t->into, t->count, read[i].at, read[i].n)) fathom_together_wait(t);
}

void fathom_together_begin_get(struct fathom_together *t, void *dst, fathom_ptr src, unsigned long n) {
    bool is_near = fathom_is_near(src);
    if (n == 0) return;
    if (overlap(t->into, t->count, dst, n) || (is_near && overlap(t->into, t->count, fathom_local(src), n)))
        fathom_together_wait(t);
    if (is_near) {
        fathom_copy_near(dst, fathom_local(src), n);
        return;
    }
    /* What the group reads is written before it goes on. */
    if (!gas_together_is_on || overlap(t->named, t->names, dst, n)) {
        fathom_far_get(dst, src, n);
        return;
    }
    CORE_GATE;
    if (t->count == FATHOM_TOGETHER_MOST) fathom_together_wait(t);
    if (!t->transfer) t->transfer = gas_transfer_new();
    gas_transfer_get(t->transfer, dst, src, n);
    t->into[t->count++] = (struct fathom_extent){dst, n};
}
#endif
