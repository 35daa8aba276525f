/* Rounds: how near members of a team communicate, for the files collective_near*.c.
 *
 * Every member has an area. It holds a ring of slots, each one cache line with the number of a round and the member's
 * message for it; the number of rounds that the member has done; which calls it has made (calls.h); and stages for data that is neither short enough for a
 * slot nor in shared memory. A collective is one or more rounds, the same number on all members. In a round some
 * members post and some read the others' posts: a reader waits for the number in the slot that it reads, so that flag
 * and data come in one line, and no member waits for any other. A slot is used again when all have done the round that
 * it was used for. This must be checked once in as many rounds as there are slots, and not at all after a collective in
 * which every member has heard from every other.
 *
 * No member waits for ever: the member that is furthest behind has everything that it waits for, because a member posts
 * before it waits, or waits only for its parent in a tree.
 */
#ifndef GAS_NEAR_H
#define GAS_NEAR_H

#include <string.h>

#include "gas/calls.h"
#include "gas/collective.h"

enum {
    NEAR_SLOTS = 32,
    NEAR_SHORT = 48, /* bytes in a slot */
    NEAR_STAGE_BYTES = 16384,
    NEAR_PIECE_BYTES = 2048, /* the part of a stage that belongs to each slot */
    NEAR_BLOCK_BYTES = 1024, /* combined at once */
    NEAR_FAN = 8,            /* of trees: lines that are loaded together */
};

struct near_slot {
    _Alignas(64) uint64_t round;
    uint64_t at; /* where the data is; 0: here */
    union {
        char data[NEAR_SHORT];
        struct {
            size_t stride; /* between the parts for different members */
            size_t length; /* number of bytes that can be read in each part */
            size_t help;   /* bytes at the end of `length` that the member writes itself, to members that say where */
            uint64_t to;   /* where others may write to; 0: nowhere */
        };
    };
};
_Static_assert(sizeof(struct near_slot) == 64, "a slot is a cache line");

struct gas_area {
    struct near_slot slots[NEAR_SLOTS];
    _Alignas(64) uint64_t done; /* rounds */
    _Alignas(64) struct gas_calls calls;
    _Alignas(64) char stage[GAS_STAGES][NEAR_STAGE_BYTES];
};
_Static_assert(sizeof(struct gas_area) == GAS_AREA_BYTES, "as team.c reserves");
_Static_assert((int)NEAR_SLOTS *NEAR_PIECE_BYTES == (int)GAS_STAGES * NEAR_STAGE_BYTES, "pieces are parts of stages");

/* ---- slots ------------------------------------------------------------------------------------------------------- */

/* Waits until the member has done `round`; returns how many it has done. */
uint64_t near_wait_for(gas_team t, int rank, uint64_t round);
void near_wait_for_all(gas_team t, uint64_t round);
/* Waits until the member has posted in the current round. */
const struct near_slot *near_wait_for_slot(gas_team t, int rank);

static inline int near_next(gas_team t, int i) { return gas_rank_around(t->rank + i, t->size); }

static inline struct near_slot *near_own_slot(gas_team t) {
    if (__builtin_expect(t->round - t->all_done > NEAR_SLOTS, 0)) near_wait_for_all(t, t->round - NEAR_SLOTS);
    return &t->areas[t->rank]->slots[t->round % NEAR_SLOTS];
}

/* Wakes members that sleep because they wait for this member. */
static inline void near_ring(gas_team t, int rank) { conduit_ring(gas_team_member(t, rank)); }
static inline void near_ring_all(gas_team t) {
    for (int r = 0; r < t->size; r++)
        if (r != t->rank) near_ring(t, r);
}

/* Publishes this member's slot of the current round; members that may be waiting for it must then be rung. */
static inline void near_publish(gas_team t, struct near_slot *s) {
    __atomic_store_n(&s->round, t->round, __ATOMIC_RELEASE);
}
static inline void near_publish_to_all(gas_team t, struct near_slot *s) {
    near_publish(t, s);
    near_ring_all(t);
}

static inline const struct near_slot *near_slot_of(gas_team t, int rank) {
    const struct near_slot *s = &t->areas[rank]->slots[t->round % NEAR_SLOTS];
    if (__builtin_expect(__atomic_load_n(&s->round, __ATOMIC_ACQUIRE) == t->round, 1)) return s;
    return near_wait_for_slot(t, rank);
}

static inline void near_end_round(gas_team t) {
    __atomic_store_n(&t->areas[t->rank]->done, t->round, __ATOMIC_RELEASE);
}
/* All members have been heard from in `round`: so they have done the rounds before it. */
static inline void near_all_have_begun(gas_team t, uint64_t round) {
    if (t->all_done < round - 1) t->all_done = round - 1;
}

/* Room for `bytes` from each member, the same memory at every call: for use until the end of a collective. */
void *near_scratch(gas_team t, size_t bytes);
enum { NEAR_SCRATCH = 16 };

/* ---- stages ------------------------------------------------------------------------------------------------------ */

/* A whole stage of this member, for the current round. */
static inline char *near_stage(gas_team t) {
    int k = (int)(t->round % GAS_STAGES);
    if (t->staged[k] > t->all_done) near_wait_for_all(t, t->staged[k]);
    t->staged[k] = t->filled[k] = t->round;
    return t->areas[t->rank]->stage[k];
}

/* The piece beside this member's slot of the current round, which must have been requested before. */
static inline char *near_piece(gas_team t) {
    int slot = (int)(t->round % NEAR_SLOTS), k = slot / (NEAR_SLOTS / GAS_STAGES);
    if (t->filled[k] > t->all_done) near_wait_for_all(t, t->filled[k]);
    t->staged[k] = t->round;
    return t->areas[t->rank]->stage[0] + (size_t)slot * NEAR_PIECE_BYTES;
}

/* Does the memory lie in a segment that all members can read? */
static inline bool near_is_shared(const void *p, size_t n) {
    return fathom_is_shared(p) && fathom_offset_of(fathom_word(p)) + n <= core_memory.segment_bytes;
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

/* `parts` pieces of n bytes each at src; the current round moves bytes `from` to `from + length` of each piece. Where
 * one member has the data that all others read, its slot says how much that is, and a buffer that is read in place
 * takes one round; otherwise all must know the amount beforehand. */
struct near_move {
    int root; /* the only member that posts, or -1 */
    const char *src;
    size_t n, parts, from, length;
    bool is_direct; /* src is in a segment and stays as it is until all have read it */
    size_t help;    /* see struct near_slot; broadcast only */
    void *dst;
};
static inline bool near_is_short(const struct near_move *m) { return m->n * m->parts <= NEAR_SHORT; }
/* Are the `parts` of a source read where they lie? If the owner would have to wait for the readers (`keep`), and they
 * do not each have a processor, a copy of a small source is faster: with four threads on two processors it takes a
 * third of the time. */
static inline bool near_stays(const void *src, const struct near_move *m, bool keep) {
    size_t bytes = m->n * m->parts;
    bool is_little = bytes <= NEAR_PIECE_BYTES && conduit_near.count > conduit_cores();
    return !(keep && is_little) && near_is_shared(src, bytes);
}

void near_post(gas_team t, const struct near_move *m);
/* The data that a member has posted in this round for `part`. */
const void *near_posted(gas_team t, const struct near_move *m, int rank, int part);
/* The number of bytes of each part that a round moves. */
size_t near_piece_of(const struct near_move *m);

/* Calls `take` in every round from m->from on; `posts` says which members post. */
typedef void near_take(gas_team t, const struct near_move *m, const void *context);
void near_run(gas_team t, struct near_move *m, bool posts, near_take *take, const void *context);
/* Waits until no member reads this member's buffer any more. */
void near_wait_for_readers(gas_team t, const struct near_move *m);

/* ---- many members (collective_near_tree.c) ----------------------------------------------------------------------- */

void near_tree_barrier(gas_team t);
void near_tree_broadcast(gas_team t, void *dst, const void *src, size_t n, int root, bool keep);
void near_tree_reduce(gas_team t, void *dst, const void *src, size_t n, const struct gas_operator *o, int root);
void near_tree_scan(gas_team t, void *dst, const void *src, size_t n, const struct gas_operator *o, bool exclusive);

/* Combines n bytes of `width` (a power of two) inputs in the order of a balanced tree, in blocks; the result goes to
 * dst, which may be one of the inputs. */
void near_combine(const struct gas_operator *o, void *dst, const void *const *in, int width, size_t n);

#endif
