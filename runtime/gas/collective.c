/* The collectives of gas.h: arguments, synchronisation, and how members reach each other (collective.h).
 *
 * By its nature a collective here gives MYSYNC: no thread reads or writes a buffer before its owner has entered; and
 * when a call returns, this thread's result is there. A program may ask for more or less: ALLSYNC is a barrier on that
 * side; and without MYSYNC or ALLSYNC at the end, others may still read this thread's buffer where it is, so that no
 * member waits for them.
 */
#include "gas/calls.h"
#include "gas/collective.h"

#include "gas/lines.h"

#include <string.h>

enum { OUT_FLAGS = GAS_OUT_NOSYNC | GAS_OUT_MYSYNC | GAS_OUT_ALLSYNC };

static void check(const char *function, gas_team t, int root) {
    gas_team_check(function, t);
    if (root >= t->size) gas_fatal("%s: root %d of a team of %d", function, root, t->size);
}

static void check_root(const char *function, gas_team t, int root) {
    check(function, t, root);
    if (root < 0) gas_fatal("%s: root %d of a team of %d", function, root, t->size);
}

void gas_inside_barrier(gas_team t) {
    if (t->id == 0) {
        gas_barrier();
        return;
    }
    fathom_fence();
    if (t->size == 1) return;
    (t->is_near ? gas_near_barrier : gas_far_barrier)(t);
}

void gas_team_barrier(gas_team t) {
    check("gas_team_barrier", t, 0);
    GAS_TEAM_CALL(t);
    if (t->id != 0) gas_call(t, GAS_CALL_BARRIER, -1, 0); /* that of all threads has a count of its own */
    gas_inside_barrier(t);
}

static inline void enter(gas_team t, unsigned sync) {
    gas_lines_forget(); /* nothing is kept while it runs, so this is for its end, too */
    if (sync & GAS_IN_ALLSYNC) gas_inside_barrier(t);
}

static inline void leave(gas_team t, unsigned sync) {
    if (sync & GAS_OUT_ALLSYNC) gas_inside_barrier(t);
}

/* Must a call wait until others have read this thread's buffer? A barrier waits for that anyway. */
static inline bool keeps(unsigned sync) {
    unsigned out = sync & OUT_FLAGS;
    return out == 0 || out == GAS_OUT_MYSYNC;
}

static inline bool is_symmetric(gas_team t, unsigned sync) {
    return (sync & GAS_SYMMETRIC) && t->is_near && t->size > 1;
}

/* What gas_broadcast does and gas_inside_broadcast, and so on: a call more would be a tenth of a short collective. */
#define INSIDE inline __attribute__((always_inline))

static void copy(void *dst, const void *src, size_t n) {
    if (dst != src) memcpy(dst, src, n);
}

/* Where there are no bytes, addresses may be null, and memcpy may not be given those. */
static INSIDE void without_null(void **dst, const void **src, size_t n) {
    static char nothing;
    if (__builtin_expect(n == 0, 0)) *dst = &nothing, *src = &nothing;
}

static INSIDE void broadcast(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    without_null(&dst, &src, n);
    if (is_symmetric(t, sync) && gas_symmetric_broadcast(t, dst, src, n, root, sync)) return;
    enter(t, sync);
    if (t->size == 1)
        copy(dst, src, n);
    else if (t->is_near)
        gas_near_broadcast(t, dst, src, n, root, keeps(sync));
    else
        gas_far_broadcast(t, dst, src, n, root);
    leave(t, sync);
}

void gas_inside_broadcast(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    broadcast(t, dst, src, n, root, sync);
}

void gas_broadcast(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    check_root("gas_broadcast", t, root);
    GAS_TEAM_CALL(t);
    gas_call(t, GAS_CALL_BROADCAST, root, n);
    broadcast(t, dst, src, n, root, sync);
}

static INSIDE void scatter(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    without_null(&dst, &src, n);
    if (is_symmetric(t, sync) && gas_symmetric_scatter(t, dst, src, n, root, sync)) return;
    enter(t, sync);
    if (t->size == 1)
        copy(dst, src, n);
    else if (t->is_near)
        gas_near_scatter(t, dst, src, n, root, keeps(sync));
    else
        gas_far_scatter(t, dst, src, n, root);
    leave(t, sync);
}

void gas_inside_scatter(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    scatter(t, dst, src, n, root, sync);
}

void gas_scatter(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    check_root("gas_scatter", t, root);
    GAS_TEAM_CALL(t);
    gas_call(t, GAS_CALL_SCATTER, root, n);
    scatter(t, dst, src, n, root, sync);
}

static INSIDE void gather(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    without_null(&dst, &src, n);
    if (is_symmetric(t, sync) && gas_symmetric_gather(t, dst, src, n, root, sync)) return;
    enter(t, sync);
    if (t->size == 1)
        copy(dst, src, n);
    else if (t->is_near)
        gas_near_gather(t, dst, src, n, root, keeps(sync));
    else
        gas_far_gather(t, dst, src, n, root);
    leave(t, sync);
}

void gas_inside_gather(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    gather(t, dst, src, n, root, sync);
}

void gas_gather(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    check_root("gas_gather", t, root);
    GAS_TEAM_CALL(t);
    gas_call(t, GAS_CALL_GATHER, root, n);
    gather(t, dst, src, n, root, sync);
}

static INSIDE void gather_all(gas_team t, void *dst, const void *src, size_t n, unsigned sync) {
    without_null(&dst, &src, n);
    if (is_symmetric(t, sync) && gas_symmetric_gather_all(t, dst, src, n, sync)) return;
    enter(t, sync);
    if (t->size == 1)
        copy(dst, src, n);
    else if (t->is_near)
        gas_near_gather_all(t, dst, src, n, keeps(sync));
    else
        gas_far_gather_all(t, dst, src, n);
    leave(t, sync);
}

void gas_inside_gather_all(gas_team t, void *dst, const void *src, size_t n, unsigned sync) {
    gather_all(t, dst, src, n, sync);
}

void gas_gather_all(gas_team t, void *dst, const void *src, size_t n, unsigned sync) {
    check("gas_gather_all", t, 0);
    GAS_TEAM_CALL(t);
    gas_call(t, GAS_CALL_GATHER_ALL, -1, n);
    gather_all(t, dst, src, n, sync);
}

static INSIDE void exchange(gas_team t, void *dst, const void *src, size_t n, unsigned sync) {
    without_null(&dst, &src, n);
    if (is_symmetric(t, sync) && gas_symmetric_exchange(t, dst, src, n, sync)) return;
    enter(t, sync);
    if (t->size == 1)
        copy(dst, src, n);
    else if (t->is_near)
        gas_near_exchange(t, dst, src, n, keeps(sync));
    else
        gas_far_exchange(t, dst, src, n);
    leave(t, sync);
}

void gas_inside_exchange(gas_team t, void *dst, const void *src, size_t n, unsigned sync) {
    exchange(t, dst, src, n, sync);
}

void gas_exchange(gas_team t, void *dst, const void *src, size_t n, unsigned sync) {
    check("gas_exchange", t, 0);
    GAS_TEAM_CALL(t);
    gas_call(t, GAS_CALL_EXCHANGE, -1, n);
    exchange(t, dst, src, n, sync);
}

void gas_reduce_by(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, int root,
                   unsigned sync) {
    gas_call(t, root < 0 ? GAS_CALL_ALL_REDUCE : GAS_CALL_REDUCE, root, gas_elements(o, count));
    without_null(&dst, &src, count);
    enter(t, sync);
    if (t->size == 1)
        copy(dst, src, count * o->elem);
    else if (t->is_near)
        gas_near_reduce(t, dst, src, count, o, root, keeps(sync));
    else
        gas_far_reduce(t, dst, src, count, o, root);
    leave(t, sync);
}

void gas_reduce(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type, enum gas_atomic_op op,
                int root, unsigned sync) {
    check_root("gas_reduce", t, root);
    GAS_TEAM_CALL(t);
    struct gas_arithmetic a = gas_arithmetic_of("gas_reduce", type, op);
    gas_reduce_by(t, dst, src, count, &a.operator, root, sync);
}

void gas_all_reduce(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                    enum gas_atomic_op op, unsigned sync) {
    check("gas_all_reduce", t, 0);
    GAS_TEAM_CALL(t);
    struct gas_arithmetic a = gas_arithmetic_of("gas_all_reduce", type, op);
    gas_reduce_by(t, dst, src, count, &a.operator, - 1, sync);
}

void gas_scan_by(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, bool exclusive,
                 unsigned sync) {
    gas_call(t, GAS_CALL_SCAN, -1, gas_elements(o, count));
    without_null(&dst, &src, count);
    enter(t, sync);
    if (t->size == 1) {
        if (!exclusive) copy(dst, src, count * o->elem);
    } else if (t->is_near) {
        gas_near_scan(t, dst, src, count, o, exclusive, keeps(sync));
    } else {
        gas_far_scan(t, dst, src, count, o, exclusive);
    }
    leave(t, sync);
}

void gas_scan(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type, enum gas_atomic_op op,
              int exclusive, unsigned sync) {
    check("gas_scan", t, 0);
    GAS_TEAM_CALL(t);
    struct gas_arithmetic a = gas_arithmetic_of("gas_scan", type, op);
    gas_scan_by(t, dst, src, count, &a.operator, exclusive, sync);
}

/* ---- by functions of the program --------------------------------------------------------------------------------- */

void gas_reduce_with(gas_team t, void *dst, const void *src, size_t count, size_t elem_bytes, gas_combiner *combine,
                     void *context, int root, unsigned sync) {
    check_root("gas_reduce_with", t, root);
    GAS_TEAM_CALL(t);
    struct gas_custom c = gas_custom_of("gas_reduce_with", elem_bytes, combine, context);
    gas_reduce_by(t, dst, src, count, &c.operator, root, sync);
}

void gas_all_reduce_with(gas_team t, void *dst, const void *src, size_t count, size_t elem_bytes, gas_combiner *combine,
                         void *context, unsigned sync) {
    check("gas_all_reduce_with", t, 0);
    GAS_TEAM_CALL(t);
    struct gas_custom c = gas_custom_of("gas_all_reduce_with", elem_bytes, combine, context);
    gas_reduce_by(t, dst, src, count, &c.operator, - 1, sync);
}

void gas_scan_with(gas_team t, void *dst, const void *src, size_t count, size_t elem_bytes, gas_combiner *combine,
                   void *context, int exclusive, unsigned sync) {
    check("gas_scan_with", t, 0);
    GAS_TEAM_CALL(t);
    struct gas_custom c = gas_custom_of("gas_scan_with", elem_bytes, combine, context);
    gas_scan_by(t, dst, src, count, &c.operator, exclusive, sync);
}
