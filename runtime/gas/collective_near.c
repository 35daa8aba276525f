/* Collectives of teams whose members are near each other, through shared memory.
 *
 * Every member has an area: a ring of slots, each one cache line with the number of a round and what the member has to
 * say in it; how many rounds it has done; and a stage for what is neither short enough for a slot nor in shared memory
 * anyway. A collective is one or more rounds, the same number on all members. In a round some members post and some
 * read what others have posted: who waits, waits for the number in the slot that it wants to read, so that flag and
 * data come in one line, and nobody waits for anybody else. A slot is used again when all have done the round that it was
 * used for, which needs to be asked once in as many rounds as there are slots.
 *
 * A buffer in a segment is read where it is: the slot says where. Others go over the stage, piece by piece, filled for
 * the next round while the last is read.
 */
#include <string.h>

#include "core/tuning.h"
#include "gas/team.h"

enum { SLOTS = 32, SHORT = 48, STAGES = 4, STAGE_BYTES = 16384, BLOCK_BYTES = 1024, CHECK_ROUNDS = 64 };

struct slot {
    _Alignas(64) uint64_t round;
    uint64_t at; /* where the data is; 0: here */
    union {
        char data[SHORT];
        struct {
            size_t stride; /* between the parts for the members */
            size_t length; /* of what can be read of each */
            size_t help;   /* how much of that, at the end, the member writes itself to whom says where */
        };
    };
};
_Static_assert(sizeof(struct slot) == 64, "a slot is a cache line");

struct gas_area {
    struct slot slots[SLOTS];
    _Alignas(64) uint64_t done; /* rounds */
    _Alignas(64) char stage[STAGES][STAGE_BYTES];
};
_Static_assert(sizeof(struct gas_area) == GAS_AREA_BYTES, "as team.c reserves");

void gas_area_start(struct gas_area *a) { memset(a, 0, offsetof(struct gas_area, stage)); }

/* ---- rounds ---------------------------------------------------------------------------------------------------- */

/* Waits until the member has done `round`; returns how many it has done. */
static uint64_t wait_for(gas_team t, int rank, uint64_t round) {
    uint64_t done;
    for (unsigned turn = 0; (done = __atomic_load_n(&t->areas[rank]->done, __ATOMIC_ACQUIRE)) < round;) {
        core_wait(&turn);
        gas_team_look_up(t, rank, turn);
    }
    return done;
}

/* Waits until all members have done `round`. */
static void wait_for_all(gas_team t, uint64_t round) {
    uint64_t least = UINT64_MAX;
    for (int r = 0; r < t->size; r++) {
        uint64_t done = r == t->rank ? UINT64_MAX : wait_for(t, r, round);
        if (done < least) least = done;
    }
    t->all_done = least;
}

static inline struct slot *own_slot(gas_team t) {
    if (__builtin_expect(t->round - t->all_done > SLOTS, 0)) wait_for_all(t, t->round - SLOTS);
    return &t->areas[t->rank]->slots[t->round % SLOTS];
}

/* For those that rest because they wait for this member. */
static inline void ring_all(gas_team t) {
    for (int r = 0; r < t->size; r++)
        if (r != t->rank) conduit_ring(t->threads[r]);
}

/* Says that this member's slot of the current round can be read. */
static inline void publish(gas_team t, struct slot *s) {
    __atomic_store_n(&s->round, t->round, __ATOMIC_RELEASE);
    ring_all(t);
}

static inline const struct slot *slot_of(gas_team t, int rank) {
    const struct slot *s = &t->areas[rank]->slots[t->round % SLOTS];
    for (unsigned turn = 0; __atomic_load_n(&s->round, __ATOMIC_ACQUIRE) != t->round;) {
        core_wait(&turn);
        if (__builtin_expect(turn % CHECK_ROUNDS == CHECK_ROUNDS - 1, 0)) gas_team_look_up(t, rank, turn);
    }
    return s;
}

static inline void end_round(gas_team t) {
    __atomic_store_n(&t->areas[t->rank]->done, t->round, __ATOMIC_RELEASE);
}

/* ---- long collectives ------------------------------------------------------------------------------------------ */

/* `parts` pieces of n bytes each at src, of which those from `from` on to `from + length` in each piece are moved in
 * the current round. Where one member has what all others read, it says how much that is, and a buffer that is read
 * where it is takes one round; else all must know it beforehand. */
struct move {
    int root; /* who alone posts, or -1 */
    const char *src;
    size_t n, parts, from, length;
    bool is_direct; /* src is in a segment and stays as it is until all have read it */
    size_t help;    /* see struct slot; broadcast only */
    void *dst;
};

/* Does the memory lie in a segment that all members can read? */
static bool is_shared(const void *p, size_t n) {
    fathom_ptr at = (fathom_ptr)p;
    long thread = fathom_thread_of(at);
    return thread >= conduit_near.first && thread < conduit_near.first + conduit_near.count &&
           fathom_offset_of(at) + n <= core_memory.segment_bytes;
}

static bool is_short(const struct move *m) { return m->n * m->parts <= SHORT; }

/* How much of each part a round moves. */
static size_t piece_of(const struct move *m) {
    if (is_short(m)) return m->n;
    size_t piece = STAGE_BYTES / m->parts & ~(size_t)15;
    return piece < m->n ? piece : m->n;
}

static void post(gas_team t, const struct move *m) {
    struct slot *s = own_slot(t);
    if (is_short(m)) {
        s->at = 0;
        memcpy(s->data, m->src, m->n * m->parts);
    } else if (m->is_direct) {
        s->at = (uint64_t)m->src + m->from;
        s->stride = m->n;
        s->length = m->length;
        s->help = m->help;
    } else {
        if (t->round - t->all_done > STAGES) wait_for_all(t, t->round - STAGES);
        char *stage = t->areas[t->rank]->stage[t->round % STAGES];
        for (size_t p = 0; p < m->parts; p++) memcpy(stage + p * m->length, m->src + p * m->n + m->from, m->length);
        s->at = (uint64_t)stage;
        s->stride = s->length = m->length;
        s->help = 0;
    }
    publish(t, s);
}

/* What a member has posted in this round for `part`. */
static const void *posted(gas_team t, const struct move *m, int rank, int part) {
    if (rank == t->rank) return m->src + (size_t)part * m->n + m->from;
    const struct slot *s = slot_of(t, rank);
    if (is_short(m)) return s->data + (size_t)part * m->n;
    return (const char *)s->at + (size_t)part * s->stride;
}

/* Calls `take` in every round, for which `posts` says who posts. */
typedef void take_fn(gas_team t, const struct move *m, const void *context);

static void run(gas_team t, struct move *m, bool posts, take_fn *take, const void *context) {
    if (m->n == 0) return;
    size_t piece = m->root >= 0 && m->is_direct ? m->n : piece_of(m);
    for (m->from = 0; m->from < m->n; m->from += m->length) {
        m->length = m->n - m->from < piece ? m->n - m->from : piece;
        t->round++;
        if (m->root >= 0 && !posts && !is_short(m)) m->length = slot_of(t, m->root)->length;
        if (posts) post(t, m);
        if (take) take(t, m, context);
        end_round(t);
        if (!is_short(m)) ring_all(t); /* who wants its buffer or its stage back */
    }
}

/* Waits until nobody reads this member's buffer any more. */
static void wait_for_readers(gas_team t, const struct move *m) {
    if (m->is_direct && !is_short(m) && t->all_done < t->round) wait_for_all(t, t->round);
}

void gas_near_barrier(gas_team t) {
    t->round++;
    publish(t, own_slot(t));
    for (int r = 0; r < t->size; r++)
        if (r != t->rank) slot_of(t, r);
    end_round(t);
}

void gas_near_close(gas_team t) {
    gas_near_barrier(t);
    if (t->rank == 0) wait_for_all(t, t->round);
}

/* ---- moving data ----------------------------------------------------------------------------------------------- */

static void take_from_root(gas_team t, const struct move *m, const void *context) {
    (void)context;
    char *dst = (char *)m->dst + m->from;
    const char *src = posted(t, m, m->root, m->parts == 1 ? 0 : t->rank);
    size_t help = is_short(m) ? 0 : slot_of(t, m->root)->help;
    if (help == 0) {
        memcpy(dst, src, m->length);
        return;
    }
    bool accepts = is_shared(dst, m->length);
    struct slot *s = own_slot(t);
    s->at = accepts ? (uint64_t)dst : 0;
    publish(t, s);
    memcpy(dst, src, accepts ? m->length - help : m->length);
    if (accepts) wait_for(t, m->root, t->round);
}

/* A processor copies from another's cache at the speed of their lines' way, one after the other. So a root that would
 * only wait until the others have read its buffer writes the end of it to them meanwhile: two ways at once. */
static void help(gas_team t, const struct move *m, const void *context) {
    (void)context;
    size_t from = m->length - m->help;
    for (int i = 1; i < t->size; i++) {
        int r = t->rank + i < t->size ? t->rank + i : t->rank + i - t->size;
        char *dst = (char *)slot_of(t, r)->at;
        if (dst) memcpy(dst + from, m->src + from, m->help);
    }
}

void gas_near_broadcast(gas_team t, void *dst, const void *src, size_t n, int root, bool keep) {
    bool is_root = t->rank == root;
    struct move m = {.root = root, .src = src, .n = n, .parts = 1, .dst = dst};
    m.is_direct = is_root && is_shared(src, n);
    if (is_root && !m.is_direct && dst != src && is_shared(dst, n)) {
        memcpy(dst, src, n); /* which must be done anyway; then it is shared */
        m.src = src = dst;
        m.is_direct = true;
    }
    if (m.is_direct && keep && !is_short(&m) && core_collective_way(CORE_BROADCAST, t->size, n) == CORE_HELP &&
        conduit_near.count <= conduit_cores())
        m.help = n / (size_t)t->size & ~(size_t)63;
    run(t, &m, is_root, !is_root ? take_from_root : m.help ? help : NULL, NULL);
    if (is_root && dst != src) memcpy(dst, src, n); /* while the others read */
    if (keep) wait_for_readers(t, &m);
}

void gas_near_scatter(gas_team t, void *dst, const void *src, size_t n, int root, bool keep) {
    bool is_root = t->rank == root;
    size_t parts = (size_t)t->size;
    struct move m = {.root = root, .src = src, .n = n, .parts = parts, .dst = dst};
    m.is_direct = is_root && dst != src && is_shared(src, n * parts);
    run(t, &m, is_root, is_root ? NULL : take_from_root, NULL);
    if (is_root) memmove(dst, (const char *)src + n * (size_t)root, n);
    if (keep) wait_for_readers(t, &m);
}

/* From every member, beginning with the next one, so that not all read from one at once. */
static void take_from_all(gas_team t, const struct move *m, const void *context) {
    (void)context;
    for (int i = 1; i < t->size; i++) {
        int r = t->rank + i < t->size ? t->rank + i : t->rank + i - t->size;
        memcpy((char *)m->dst + (size_t)r * m->n + m->from, posted(t, m, r, m->parts == 1 ? 0 : t->rank), m->length);
    }
}

void gas_near_gather(gas_team t, void *dst, const void *src, size_t n, int root, bool keep) {
    bool is_root = t->rank == root;
    if (is_root) memmove((char *)dst + n * (size_t)root, src, n);
    struct move m = {.root = -1, .src = src, .n = n, .parts = 1, .is_direct = !is_root && is_shared(src, n), .dst = dst};
    run(t, &m, !is_root, is_root ? take_from_all : NULL, NULL);
    if (keep) wait_for_readers(t, &m);
}

void gas_near_gather_all(gas_team t, void *dst, const void *src, size_t n, bool keep) {
    char *mine = (char *)dst + n * (size_t)t->rank;
    if (mine != src) memmove(mine, src, n); /* dst may be src, whose bytes another's may replace */
    struct move m = {.root = -1, .src = mine, .n = n, .parts = 1, .dst = dst};
    if (dst != src && is_shared(src, n)) {
        m.src = src;
        m.is_direct = true;
    } else {
        m.is_direct = is_shared(mine, n);
    }
    run(t, &m, true, take_from_all, NULL);
    if (keep) wait_for_readers(t, &m);
}

void gas_near_exchange(gas_team t, void *dst, const void *src, size_t n, bool keep) {
    size_t parts = (size_t)t->size;
    struct move m = {.root = -1, .src = src, .n = n, .parts = parts, .dst = dst};
    m.is_direct = dst != src && is_shared(src, n * parts);
    if (dst != src) memcpy((char *)dst + n * (size_t)t->rank, (const char *)src + n * (size_t)t->rank, n);
    /* In place, piece by piece: what a round writes is what it has posted. */
    run(t, &m, true, take_from_all, NULL);
    if (keep) wait_for_readers(t, &m);
}

/* ---- reductions ------------------------------------------------------------------------------------------------ */

struct reduction {
    enum gas_atomic_type type;
    enum gas_atomic_op op;
    bool exclusive;
};

/* What all have posted, in elements [from, from + count) of the piece. */
struct inputs {
    const char *in[CONDUIT_MAX_THREADS];
    const struct reduction *how;
    int extra; /* see gas_tree_width */
    size_t from, count, elem;
};

static const void *input(const struct inputs *x, int rank) { return x->in[rank] + x->from; }

static void combine(const struct inputs *x, void *dst, const void *a, const void *b) {
    gas_combine(dst, a, b, x->count, x->how->type, x->how->op);
}

/* The leaf of the tree is two members, or one. */
static const void *leaf(const struct inputs *x, int l, void *room) {
    if (l >= x->extra) return input(x, l + x->extra);
    combine(x, room, input(x, 2 * l), input(x, 2 * l + 1));
    return room;
}

/* The combination of leaves [first, first + width), in `room` or where it is. */
static const void *subtree(const struct inputs *x, int first, int width, void *room) {
    if (width == 1) return leaf(x, first, room);
    _Alignas(16) char other[BLOCK_BYTES];
    const void *left = subtree(x, first, width / 2, room);
    combine(x, room, left, subtree(x, first + width / 2, width / 2, other));
    return room;
}

/* All inputs of a round. */
static void collect(gas_team t, const struct move *m, const struct reduction *how, struct inputs *x, int last) {
    x->how = how;
    x->elem = gas_atomic_bytes(how->type);
    x->extra = t->size - gas_tree_width(t->size);
    for (int r = 0; r <= last; r++) x->in[r] = posted(t, m, r, 0);
}

/* Combines bytes [from, end) of all inputs; the first goes to dst. */
static void sum_up(gas_team t, struct inputs *x, char *dst, size_t from, size_t end) {
    x->from = from;
    if (t->size == 2) {
        x->count = (end - from) / x->elem;
        combine(x, dst, input(x, 0), input(x, 1));
        return;
    }
    for (; x->from < end; x->from += BLOCK_BYTES) {
        size_t bytes = end - x->from < BLOCK_BYTES ? end - x->from : BLOCK_BYTES;
        _Alignas(16) char sum[BLOCK_BYTES];
        x->count = bytes / x->elem;
        memcpy(dst + (x->from - from), subtree(x, 0, gas_tree_width(t->size), sum), bytes);
    }
}

static void take_sum(gas_team t, const struct move *m, const void *how) {
    struct inputs x;
    collect(t, m, how, &x, t->size - 1);
    sum_up(t, &x, (char *)m->dst + m->from, 0, m->length);
}

/* The slices of n bytes that members calculate: whole lines, so that no two write to one. */
static size_t slice_start(gas_team t, int rank, size_t n) {
    size_t start = gas_share(t, n) * (size_t)rank;
    return start < n ? start : n;
}

/* What a member has said about its buffers: where they are, or 0 if not all can reach them. */
struct buffers {
    char *src, *dst;
};

/* Everybody's buffers can be reached: each reads its slice of all inputs where they are. For all: puts it into its own
 * result, from where the others fetch it. For one: puts it into that one's. A result may be its member's input: the others
 * read of it the slices that they replace, or have replaced before they say so. */
static void reduce_slices(gas_team t, struct inputs *x, const struct buffers *of, size_t n, int root) {
    size_t start = slice_start(t, t->rank, n), end = slice_start(t, t->rank + 1, n);
    char *own = of[t->rank].dst;
    if (start < end) sum_up(t, x, (root < 0 ? own : of[root].dst) + start, start, end);
    end_round(t);
    t->round++;
    publish(t, own_slot(t));
    for (int i = 1; i < t->size && (root < 0 || root == t->rank); i++) {
        int r = t->rank + i < t->size ? t->rank + i : t->rank + i - t->size;
        slot_of(t, r);
        size_t from = slice_start(t, r, n);
        if (root < 0) memcpy(own + from, of[r].dst + from, slice_start(t, r + 1, n) - from);
    }
    end_round(t);
    ring_all(t);
}

/* Inputs or results that not all can reach: over the stages, first everybody's input, then everybody's slice. */
static void reduce_slices_staged(gas_team t, struct inputs *x, void *dst, const void *src, size_t n, int root) {
    _Alignas(64) char slice[STAGE_BYTES / 2 + 64];
    for (size_t from = 0; from < n; from += STAGE_BYTES) {
        struct move m = {.root = -1, .n = n, .parts = 1, .src = src, .from = from};
        m.length = n - from < STAGE_BYTES ? n - from : STAGE_BYTES;
        size_t start = slice_start(t, t->rank, m.length), end = slice_start(t, t->rank + 1, m.length);
        t->round++;
        post(t, &m);
        for (int r = 0; r < t->size; r++) x->in[r] = posted(t, &m, r, 0);
        if (start < end) sum_up(t, x, slice, start, end);
        end_round(t);
        ring_all(t);
        t->round++;
        struct move part = {.root = -1, .n = n, .parts = 1, .src = slice, .length = end - start};
        post(t, &part);
        if (root < 0 || root == t->rank) {
            char *to = (char *)dst + from;
            memcpy(to + start, slice, end - start);
            for (int i = 1; i < t->size; i++) {
                int r = t->rank + i < t->size ? t->rank + i : t->rank + i - t->size;
                size_t first = slice_start(t, r, m.length);
                memcpy(to + first, posted(t, &part, r, 0), slice_start(t, r + 1, m.length) - first);
            }
        }
        end_round(t);
        ring_all(t);
    }
}

static void reduce_by_slices(gas_team t, void *dst, const void *src, size_t n, const struct reduction *how, int root,
                             bool keep) {
    struct inputs x = {.how = how, .elem = gas_atomic_bytes(how->type), .extra = t->size - gas_tree_width(t->size)};
    bool takes = root < 0 || root == t->rank;
    struct buffers of[CONDUIT_MAX_THREADS];
    of[t->rank].src = is_shared(src, n) ? (char *)(uintptr_t)src : NULL;
    of[t->rank].dst = takes && is_shared(dst, n) ? dst : NULL;
    t->round++;
    struct slot *s = own_slot(t);
    s->at = 0;
    memcpy(s->data, &of[t->rank], sizeof of[0]);
    publish(t, s);
    bool all_reach = true;
    for (int r = 0; r < t->size; r++) {
        if (r != t->rank) memcpy(&of[r], slot_of(t, r)->data, sizeof of[0]);
        all_reach &= of[r].src && (of[r].dst || (root >= 0 && root != r));
        x.in[r] = of[r].src;
    }
    if (all_reach) {
        reduce_slices(t, &x, of, n, root);
        if (keep) wait_for_all(t, t->round);
    } else {
        end_round(t);
        reduce_slices_staged(t, &x, dst, src, n, root);
    }
}

void gas_near_reduce(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                     enum gas_atomic_op op, int root, bool keep) {
    struct reduction how = {type, op, false};
    bool takes = root < 0 || root == t->rank, posts = root < 0 || root != t->rank;
    size_t n = count * gas_atomic_bytes(type);
    struct move m = {.root = -1, .src = src, .n = n, .parts = 1, .dst = dst};
    if (!is_short(&m) && core_collective_way(root < 0 ? CORE_ALL_REDUCE : CORE_REDUCE, t->size, n) == CORE_SLICES) {
        reduce_by_slices(t, dst, src, n, &how, root, keep);
        return;
    }
    m.is_direct = posts && (dst != src || !takes) && is_shared(src, n);
    run(t, &m, posts, takes ? take_sum : NULL, &how);
    if (keep) wait_for_readers(t, &m);
}

/* The combination of the members up to `rank` after k rounds of doubling, as collective_far.c has it. */
static const void *prefix(const struct inputs *x, int rank, int width, void *room) {
    if (width == 1) return input(x, rank);
    int left = rank - width / 2;
    if (left < 0) return prefix(x, rank, width / 2, room);
    _Alignas(16) char other[BLOCK_BYTES];
    const void *right = prefix(x, rank, width / 2, other);
    combine(x, room, prefix(x, left, width / 2, room), right);
    return room;
}

static void take_prefix(gas_team t, const struct move *m, const void *context) {
    const struct reduction *how = context;
    int last = how->exclusive ? t->rank - 1 : t->rank;
    if (last < 0) return;
    struct inputs x;
    collect(t, m, how, &x, last);
    int width = 1;
    while (width < t->size) width *= 2;
    for (x.from = 0; x.from < m->length; x.from += BLOCK_BYTES) {
        size_t bytes = m->length - x.from < BLOCK_BYTES ? m->length - x.from : BLOCK_BYTES;
        _Alignas(16) char sum[BLOCK_BYTES];
        x.count = bytes / x.elem;
        memcpy((char *)m->dst + m->from + x.from, prefix(&x, last, width, sum), bytes);
    }
}

void gas_near_scan(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                   enum gas_atomic_op op, bool exclusive, bool keep) {
    struct reduction how = {type, op, exclusive};
    size_t n = count * gas_atomic_bytes(type);
    struct move m = {.root = -1, .src = src, .n = n, .parts = 1, .dst = dst};
    m.is_direct = dst != src && is_shared(src, n);
    run(t, &m, true, take_prefix, &how);
    if (keep) wait_for_readers(t, &m);
}
