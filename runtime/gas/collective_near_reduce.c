/* Reductions and scans of near members. A member that needs a result reads all inputs; or each member calculates a
 * slice of it for all; or, for small data of many members, they form a tree (collective_near_tree.c). All combine in
 * the same order (collective.h).
 */
#include "gas/near.h"

/* The data that all have posted, in elements [from, from + count) of the piece. */
struct inputs {
    const char **in; /* by rank */
    const struct gas_operator *o;
    int extra; /* see gas_tree_width */
    size_t from, count;
};

static struct inputs inputs_of(gas_team t, const struct gas_operator *o) {
    return (struct inputs){.in = near_scratch(t, sizeof(char *)), .o = o, .extra = t->size - gas_tree_width(t->size)};
}

static const void *input(const struct inputs *x, int rank) { return x->in[rank] + x->from; }

static void combine(const struct inputs *x, void *dst, const void *a, const void *b) {
    gas_combine(x->o, dst, a, b, x->count);
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
    _Alignas(16) char other[NEAR_BLOCK_BYTES];
    const void *left = subtree(x, first, width / 2, room);
    combine(x, room, left, subtree(x, first + width / 2, width / 2, other));
    return room;
}

/* Combines bytes [from, end) of all inputs; the first goes to dst. */
static void sum_up(gas_team t, struct inputs *x, char *dst, size_t from, size_t end) {
    x->from = from;
    if (t->size == 2) {
        x->count = (end - from) / x->o->elem;
        combine(x, dst, input(x, 0), input(x, 1));
        return;
    }
    for (; x->from < end; x->from += NEAR_BLOCK_BYTES) {
        size_t bytes = gas_least(end - x->from, NEAR_BLOCK_BYTES);
        _Alignas(16) char sum[NEAR_BLOCK_BYTES];
        x->count = bytes / x->o->elem;
        memcpy(dst + (x->from - from), subtree(x, 0, gas_tree_width(t->size), sum), bytes);
    }
}

static void take_sum(gas_team t, const struct near_move *m, const void *o) {
    struct inputs x = inputs_of(t, o);
    for (int r = 0; r < t->size; r++) x.in[r] = near_posted(t, m, r, 0);
    sum_up(t, &x, (char *)m->dst + m->from, 0, m->length);
}

/* ---- slices ------------------------------------------------------------------------------------------------------ */

/* The places of a member's buffers, or 0 if not all can reach them. */
struct buffers {
    const char *src;
    char *dst;
};

/* All buffers can be reached: each member reads its slice of all inputs where they are. For all: it puts the slice into
 * its own result, from which the others fetch it. For one: it puts the slice into that one's result. A result may be
 * its member's input: the others read only the slices of it that they replace, or have replaced before they say so. */
static void reduce_slices(gas_team t, struct inputs *x, const struct buffers *of, size_t n, int root) {
    size_t start = gas_share_start(t, t->rank, n), end = gas_share_start(t, t->rank + 1, n);
    char *own = of[t->rank].dst;
    if (start < end) sum_up(t, x, (root < 0 ? own : of[root].dst) + start, start, end);
    near_end_round(t);
    t->round++;
    near_publish_to_all(t, near_own_slot(t));
    for (int i = 1; i < t->size && (root < 0 || root == t->rank); i++) {
        int r = near_next(t, i);
        near_slot_of(t, r);
        size_t from = gas_share_start(t, r, n);
        if (root < 0) fathom_copy_near(own + from, of[r].dst + from, gas_share_start(t, r + 1, n) - from);
    }
    near_end_round(t);
    near_ring_all(t);
}

/* Not all can reach the inputs or the results: they go over the stages, first all inputs, then all slices. */
static void reduce_slices_staged(gas_team t, struct inputs *x, void *dst, const void *src, size_t n, int root) {
    _Alignas(64) char slice[NEAR_STAGE_BYTES / 2 + 64];
    for (size_t from = 0; from < n; from += NEAR_STAGE_BYTES) {
        struct near_move m = {.root = -1, .n = n, .parts = 1, .src = src, .from = from};
        m.length = gas_least(n - from, NEAR_STAGE_BYTES);
        size_t start = gas_share_start(t, t->rank, m.length), end = gas_share_start(t, t->rank + 1, m.length);
        t->round++;
        near_post(t, &m);
        for (int r = 0; r < t->size; r++) x->in[r] = near_posted(t, &m, r, 0);
        if (start < end) sum_up(t, x, slice, start, end);
        near_end_round(t);
        near_ring_all(t);
        t->round++;
        struct near_move part = {.root = -1, .n = n, .parts = 1, .src = slice, .length = end - start};
        near_post(t, &part);
        if (root < 0 || root == t->rank) {
            char *to = (char *)dst + from;
            memcpy(to + start, slice, end - start);
            for (int i = 1; i < t->size; i++) {
                int r = near_next(t, i);
                size_t first = gas_share_start(t, r, m.length);
                memcpy(to + first, near_posted(t, &part, r, 0), gas_share_start(t, r + 1, m.length) - first);
            }
        }
        near_end_round(t);
        near_ring_all(t);
    }
}

static void reduce_by_slices(gas_team t, void *dst, const void *src, size_t n, const struct gas_operator *o, int root,
                             bool keep) {
    bool takes = root < 0 || root == t->rank;
    struct buffers mine = {near_is_shared(src, n) ? src : NULL, takes && near_is_shared(dst, n) ? dst : NULL};
    t->round++;
    struct near_slot *s = near_own_slot(t);
    s->at = 0;
    memcpy(s->data, &mine, sizeof mine);
    near_publish_to_all(t, s);
    bool all_reach = true;
    struct buffers *of = gas_room((size_t)t->size * sizeof *of);
    struct inputs x = inputs_of(t, o);
    for (int r = 0; r < t->size; r++) {
        of[r] = mine;
        if (r != t->rank) memcpy(&of[r], near_slot_of(t, r)->data, sizeof of[r]);
        all_reach &= of[r].src && (of[r].dst || (root >= 0 && root != r));
        x.in[r] = of[r].src;
    }
    near_all_have_begun(t, t->round);
    if (all_reach) {
        reduce_slices(t, &x, of, n, root);
        if (keep) near_wait_for_all(t, t->round);
    } else {
        near_end_round(t);
        reduce_slices_staged(t, &x, dst, src, n, root);
    }
    free(of);
}

/* ---- the calls --------------------------------------------------------------------------------------------------- */

void gas_near_reduce(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, int root,
                     bool keep) {
    bool takes = root < 0 || root == t->rank, posts = root < 0 || root != t->rank;
    size_t n = count * o->elem;
    if (n == 0) return;
    enum core_collective which = root < 0 ? CORE_ALL_REDUCE : CORE_REDUCE;
    enum core_mechanism way = gas_way(t, which, n);
    struct near_move m = {.root = -1, .src = src, .n = n, .parts = 1, .dst = dst};
    if (way == CORE_SLICES && near_is_short(&m)) way = CORE_WHOLE;
    gas_took(t, which, n, way);
    if (way == CORE_TREE) {
        near_tree_reduce(t, dst, src, n, o, root);
    } else if (way == CORE_SLICES) {
        reduce_by_slices(t, dst, src, n, o, root, keep);
    } else {
        m.is_direct = posts && (dst != src || !takes) && near_stays(src, &m, keep);
        near_run(t, &m, posts, takes ? take_sum : NULL, o);
        if (root < 0) near_all_have_begun(t, t->round);
        if (keep) near_wait_for_readers(t, &m);
    }
}

/* The combination of the members up to `rank` after k rounds of doubling, as near_tree_scan and gas_far_scan have it. */
static const void *prefix(const struct inputs *x, int rank, int width, void *room) {
    if (width == 1) return input(x, rank);
    int left = rank - width / 2;
    if (left < 0) return prefix(x, rank, width / 2, room);
    _Alignas(16) char other[NEAR_BLOCK_BYTES];
    const void *right = prefix(x, rank, width / 2, other);
    combine(x, room, prefix(x, left, width / 2, room), right);
    return room;
}

/* The same of the members before `rank`; null if there are none. */
static const void *prefix_before(const struct inputs *x, int rank, int width, void *room) {
    if (width == 1) return NULL;
    int left = rank - width / 2;
    if (left < 0) return prefix_before(x, rank, width / 2, room);
    _Alignas(16) char other[NEAR_BLOCK_BYTES];
    const void *right = prefix_before(x, rank, width / 2, other);
    if (!right) return prefix(x, left, width / 2, room);
    combine(x, room, prefix(x, left, width / 2, room), right);
    return room;
}

struct scan {
    const struct gas_operator *o;
    bool exclusive;
};

static void take_prefix(gas_team t, const struct near_move *m, const void *context) {
    const struct scan *how = context;
    int last = how->exclusive ? t->rank - 1 : t->rank;
    if (last < 0) return;
    struct inputs x = inputs_of(t, how->o);
    for (int r = 0; r <= last; r++) x.in[r] = near_posted(t, m, r, 0);
    int width = 1;
    while (width < t->size) width *= 2;
    for (x.from = 0; x.from < m->length; x.from += NEAR_BLOCK_BYTES) {
        size_t bytes = gas_least(m->length - x.from, NEAR_BLOCK_BYTES);
        _Alignas(16) char sum[NEAR_BLOCK_BYTES];
        x.count = bytes / x.o->elem;
        const void *result = how->exclusive ? prefix_before(&x, t->rank, width, sum) : prefix(&x, last, width, sum);
        memcpy((char *)m->dst + m->from + x.from, result, bytes);
    }
}

void gas_near_scan(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, bool exclusive,
                   bool keep) {
    size_t n = count * o->elem;
    if (n == 0) return;
    enum core_mechanism way = gas_way(t, CORE_SCAN, n);
    gas_took(t, CORE_SCAN, n, way);
    if (way == CORE_DOUBLING) {
        near_tree_scan(t, dst, src, n, o, exclusive);
        return;
    }
    struct scan how = {o, exclusive};
    struct near_move m = {.root = -1, .src = src, .n = n, .parts = 1, .dst = dst};
    m.is_direct = dst != src && near_stays(src, &m, keep);
    near_run(t, &m, true, take_prefix, &how);
    if (keep) near_wait_for_readers(t, &m);
}
