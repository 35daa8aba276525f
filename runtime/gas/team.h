/* Teams, and the two ways in which their members talk: through shared memory where all members are near each other
 * (collective_near.c), else by streams of messages (collective_far.c).
 */
#ifndef GAS_TEAM_H
#define GAS_TEAM_H

#include <stdlib.h>

#include "gas/sync.h"

struct gas_stream;
struct gas_area;

struct gas_team {
    uint64_t id; /* the same on all members, and on no other team that any two of them are both in; world: 0 */
    int rank, size;
    const int *threads; /* by rank */
    bool is_near;

    /* near: */
    struct gas_area **areas; /* by rank */
    uint64_t round;          /* how many have been begun; the same on all members */
    uint64_t all_done;       /* a round that every member is known to have done */

    /* else: */
    struct gas_stream **streams; /* by rank, found at first use */
};

/* For a member that waits for `rank` and sees nothing come: ends the job if that one has terminated. */
void gas_team_look_up(const struct gas_team *t, int rank, unsigned round);

/* Bytes that each thread's static shared data has for the world team's area; the size of any team's area. */
#define GAS_AREA_BYTES 67648
void gas_area_start(struct gas_area *a);

/* The collectives, without synchronisation but what the data needs, and for buffers that are no longer this thread's
 * to change when they return (keep: until all members are done with them). */
void gas_near_barrier(gas_team t);
/* A barrier after which only rank 0 looks at the areas, and nobody else when it returns there. */
void gas_near_close(gas_team t);
void gas_near_broadcast(gas_team t, void *dst, const void *src, size_t n, int root, bool keep);
void gas_near_scatter(gas_team t, void *dst, const void *src, size_t n, int root, bool keep);
void gas_near_gather(gas_team t, void *dst, const void *src, size_t n, int root, bool keep);
void gas_near_gather_all(gas_team t, void *dst, const void *src, size_t n, bool keep);
void gas_near_exchange(gas_team t, void *dst, const void *src, size_t n, bool keep);
void gas_near_reduce(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                     enum gas_atomic_op op, int root, bool keep); /* root -1: all */
void gas_near_scan(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                   enum gas_atomic_op op, bool exclusive, bool keep);

void gas_far_barrier(gas_team t);
void gas_far_broadcast(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_far_scatter(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_far_gather(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_far_gather_all(gas_team t, void *dst, const void *src, size_t n);
void gas_far_exchange(gas_team t, void *dst, const void *src, size_t n);
void gas_far_reduce(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                    enum gas_atomic_op op, int root); /* root -1: all */
void gas_far_scan(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                  enum gas_atomic_op op, bool exclusive);

/* What serves between far threads where the tuning table says so: little data in rounds (collective_rounds.c), long data by
 * shares (collective_shares.c). */
void gas_rounds_scatter(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_rounds_gather(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_rounds_gather_all(gas_team t, void *dst, const void *src, size_t n);
void gas_rounds_exchange(gas_team t, void *dst, const void *src, size_t n);
void gas_shares_broadcast(gas_team t, void *dst, const void *src, size_t n, int root);
void gas_shares_reduce(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                       enum gas_atomic_op op, int root); /* root -1: all */

/* What collectives between far threads are written with. */
static inline int gas_rank_around(int rank, int size) { return rank < 0 ? rank + size : rank >= size ? rank - size : rank; }
static inline void *gas_room(size_t n) {
    void *p = malloc(n ? n : 1);
    if (!p) core_fatal("no memory for a collective operation");
    return p;
}

/* Bytes of a member's share of n: whole lines. */
static inline size_t gas_share(gas_team t, size_t n) {
    size_t size = (size_t)t->size;
    return ((n + size - 1) / size + 63) & ~(size_t)63;
}

/* ---- streams (stream.c) ---------------------------------------------------------------------------------------- */

/* Sends n bytes to one member and receives m from another, at the same time; a rank of -1: does not. What is received
 * is what that member sends next on this team to this one; sizes must agree. Returns when src may change. */
void gas_stream_move(gas_team t, int to, const void *src, size_t n, int from, void *dst, size_t m);
static inline void gas_stream_send(gas_team t, int to, const void *src, size_t n) {
    gas_stream_move(t, to, src, n, -1, NULL, 0);
}
static inline void gas_stream_receive(gas_team t, int from, void *dst, size_t n) {
    gas_stream_move(t, -1, NULL, 0, from, dst, n);
}
/* Forgets the team's streams. */
void gas_stream_close(gas_team t);

/* ---- arithmetic (combine.c) ------------------------------------------------------------------------------------ */

/* dst[i] = a[i] op b[i]; dst may be either. */
void gas_combine(void *dst, const void *a, const void *b, size_t count, enum gas_atomic_type type,
                 enum gas_atomic_op op);
void gas_combine_check(const char *function, enum gas_atomic_type type, enum gas_atomic_op op);

/* In which order values are combined depends on the number of members only: the first 2e of them (e is what their number
 * exceeds a power of two by) in pairs, which leaves that power of two; and these as a balanced tree. */
static inline int gas_tree_width(int size) { return 1 << (31 - __builtin_clz((unsigned)size)); }
/* The rank that speaks for a leaf of that tree, if the first 2 * extra are in pairs; the leaf of a rank, -1: its partner's. */
static inline int gas_tree_rank(int leaf, int extra) { return leaf < extra ? 2 * leaf : leaf + extra; }
static inline int gas_tree_leaf(int rank, int extra) {
    return rank >= 2 * extra ? rank - extra : rank & 1 ? -1 : rank / 2;
}

#endif
