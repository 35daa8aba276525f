/* The inside of the collectives: the operators of reductions, and the ways of moving data among a team's members. Near
 * members share memory (near.h); the others communicate through streams (stream.c); and where all members know the
 * places of all buffers, near members need not communicate at all (collective_symmetric.c). collective.c chooses among
 * the three.
 */
#ifndef GAS_COLLECTIVE_H
#define GAS_COLLECTIVE_H

#include "core/tuning.h"
#include "gas/team.h"

/* ---- operators (combine.c) --------------------------------------------------------------------------------------- */

/* Combines values element by element. An operator is associative; it need not be commutative: a is always the
 * contribution of lower ranks. dst may be a or b. Values have `elem` bytes: a power of two, so that pieces hold whole
 * values. */
enum { GAS_MOST_ELEMENT = 64 };
struct gas_operator {
    size_t elem;
    void (*combine)(const struct gas_operator *o, void *dst, const void *a, const void *b, size_t count);
};

/* One of gas.h's operators on one of its types. */
struct gas_arithmetic {
    struct gas_operator operator;
    enum gas_atomic_type type;
    enum gas_atomic_op op;
};
/* Ends the job if there is no such operator. */
struct gas_arithmetic gas_arithmetic_of(const char *function, enum gas_atomic_type type, enum gas_atomic_op op);

/* An operator of the program. */
struct gas_custom {
    struct gas_operator operator;
    gas_combiner *combine;
    void *context;
};
/* Ends the job if elements of this size cannot be combined. */
struct gas_custom gas_custom_of(const char *function, size_t elem_bytes, gas_combiner *combine, void *context);

static inline void gas_combine(const struct gas_operator *o, void *dst, const void *a, const void *b, size_t count) {
    o->combine(o, dst, a, b, count);
}

/* The bytes of `count` elements; CORE_NO_SIZE if that is more than a number holds. */
static inline size_t gas_elements(const struct gas_operator *o, size_t count) {
    size_t n;
    return __builtin_mul_overflow(count, o->elem, &n) ? CORE_NO_SIZE : n;
}

/* gas_reduce, gas_all_reduce (root -1) and gas_scan by any operator. */
void gas_reduce_by(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, int root,
                   unsigned sync);
void gas_scan_by(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, bool exclusive,
                 unsigned sync);

/* The order in which values are combined depends only on the team's size n, so that a result does not depend on the
 * way. Let e = n - 2^floor(log2 n). The first 2e ranks are combined in pairs. This leaves 2^floor(log2 n) values, the
 * leaves of a balanced binary tree. */
static inline int gas_tree_width(int size) { return 1 << (31 - __builtin_clz((unsigned)size)); }
/* The rank that holds a leaf's value, where e (`extra`) pairs come first; and the leaf that a rank holds, -1 if its
 * partner holds it. */
static inline int gas_tree_rank(int leaf, int extra) { return leaf < extra ? 2 * leaf : leaf + extra; }
static inline int gas_tree_leaf(int rank, int extra) {
    return rank >= 2 * extra ? rank - extra : rank & 1 ? -1 : rank / 2;
}
/* The leaf that holds the sum of the 2^k = `bit` leaves about `leaf`: the first of them, or `goal` where it is one. */
static inline int gas_tree_holder(int leaf, int bit, int goal) {
    int first = leaf & ~(bit - 1);
    return (goal & ~(bit - 1)) == first ? goal : first;
}

/* ---- ways -------------------------------------------------------------------------------------------------------- */

/* The mechanism that a team of this size takes for n bytes, as the tuning table counts them; and the report to
 * --explain that it was taken. */
static inline enum core_mechanism gas_way(gas_team t, enum core_collective which, size_t n) {
    return core_collective_way(which, t->size, n);
}
static inline void gas_took(gas_team t, enum core_collective which, size_t n, enum core_mechanism way) {
    core_took(&core_tuning.agreed.collective[which][core_team_class((size_t)t->size)], (size_t)t->size, 0, n, way);
}

/* Those of gas.h for use inside other collective calls: the caller has checked and recorded its own (calls.h). */
void gas_inside_barrier(gas_team t);
void gas_inside_broadcast(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync);
void gas_inside_scatter(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync);
void gas_inside_gather(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync);
void gas_inside_gather_all(gas_team t, void *dst, const void *src, size_t n, unsigned sync);
void gas_inside_exchange(gas_team t, void *dst, const void *src, size_t n, unsigned sync);

/* For teams whose members are all near. There is no synchronisation beyond that of the data itself; with `keep`, a call
 * returns only when no member reads this member's buffers any more. */
void gas_near_barrier(gas_team t);
/* A barrier after which only rank 0 reads the areas; when it returns on rank 0, no other member reads them. */
void gas_near_close(gas_team t);
void gas_near_broadcast(gas_team t, void *dst, const void *src, size_t n, int root, bool keep);
void gas_near_scatter(gas_team t, void *dst, const void *src, size_t n, int root, bool keep);
void gas_near_gather(gas_team t, void *dst, const void *src, size_t n, int root, bool keep);
void gas_near_gather_all(gas_team t, void *dst, const void *src, size_t n, bool keep);
void gas_near_exchange(gas_team t, void *dst, const void *src, size_t n, bool keep);
void gas_near_reduce(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, int root,
                     bool keep); /* root -1: all */
void gas_near_scan(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, bool exclusive,
                   bool keep);

/* For teams whose members are all near, with GAS_SYMMETRIC: data is moved where it lies, between the barriers that
 * `sync` asks for. Returns false, having done nothing, where the members must communicate after all. */
bool gas_symmetric_broadcast(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync);
bool gas_symmetric_scatter(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync);
bool gas_symmetric_gather(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync);
bool gas_symmetric_gather_all(gas_team t, void *dst, const void *src, size_t n, unsigned sync);
bool gas_symmetric_exchange(gas_team t, void *dst, const void *src, size_t n, unsigned sync);

/* For teams whose members are not all near. A buffer is free again when a call returns. */
void gas_far_barrier(gas_team t);
void gas_far_broadcast(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_far_scatter(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_far_gather(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_far_gather_all(gas_team t, void *dst, const void *src, size_t n);
void gas_far_exchange(gas_team t, void *dst, const void *src, size_t n);
void gas_far_reduce(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, int root);
void gas_far_scan(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, bool exclusive);

/* The alternatives where the tuning table asks for them: small data in rounds (collective_rounds.c), long data by
 * shares (collective_shares.c). */
void gas_rounds_scatter(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_rounds_gather(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_rounds_gather_all(gas_team t, void *dst, const void *src, size_t n);
void gas_rounds_exchange(gas_team t, void *dst, const void *src, size_t n);
void gas_shares_broadcast(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_shares_reduce(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, int root);

static inline int gas_rank_around(int rank, int size) {
    return rank < 0 ? rank + size : rank >= size ? rank - size : rank;
}
static inline void *gas_room(size_t n) {
    void *p = malloc(n ? n : 1);
    if (!p) core_fatal("no memory for a collective operation");
    return p;
}
static inline size_t gas_least(size_t a, size_t b) { return a < b ? a : b; }
static inline int gas_fewer(int a, int b) { return a < b ? a : b; } /* members */

/* Bytes of a member's share of n: whole lines. */
static inline size_t gas_share(gas_team t, size_t n) {
    size_t size = (size_t)t->size;
    return ((n + size - 1) / size + 63) & ~(size_t)63;
}
/* Where the share of a rank begins. */
static inline size_t gas_share_start(gas_team t, int rank, size_t n) {
    return gas_least(gas_share(t, n) * (size_t)rank, n);
}

#endif
