/* Collectives of near members that move data: broadcast, scatter, gather, gather-all, exchange; and their barrier.
 *
 * A buffer in a segment is read, or written, in place: a slot says where. Data of other buffers goes through the
 * stages, piece by piece; a stage is filled for the next round while the last is read.
 */
#define FATHOM_COPY_TELLS
#include "gas/near.h"

enum { FEW = 16 }; /* members of a barrier in which each looks at all others */

void gas_near_barrier(gas_team t) {
    if (t->size > FEW) {
        near_tree_barrier(t);
        return;
    }
    t->round++;
    near_publish_to_all(t, near_own_slot(t));
    for (int i = 1; i < t->size; i++) near_slot_of(t, near_next(t, i));
    near_all_have_begun(t, t->round);
    near_end_round(t);
}

void gas_near_close(gas_team t) {
    gas_near_barrier(t);
    if (t->rank == 0) near_wait_for_all(t, t->round);
}

/* ---- from one ---------------------------------------------------------------------------------------------------- */

static void take_from_root(gas_team t, const struct near_move *m, const void *context) {
    (void)context;
    char *dst = (char *)m->dst + m->from;
    const char *src = near_posted(t, m, m->root, m->parts == 1 ? 0 : t->rank);
    if (m->help == 0) {
        fathom_copy_near(dst, src, m->length);
        return;
    }
    bool accepts = near_is_shared(dst, m->length);
    struct near_slot *s = near_own_slot(t);
    s->at = accepts ? (uint64_t)dst : 0;
    near_publish(t, s);
    near_ring(t, m->root);
    fathom_copy_near(dst, src, accepts ? m->length - m->help : m->length);
    if (accepts) near_wait_for(t, m->root, t->round);
}

/* A processor copies from another's cache at the speed at which the lines travel, one after the other. So a root that
 * would only wait until the others have read its buffer writes the end of it to them meanwhile: two transfers at
 * once. */
static void help(gas_team t, const struct near_move *m, const void *context) {
    (void)context;
    size_t from = m->length - m->help;
    for (int i = 1; i < t->size; i++) {
        char *dst = (char *)near_slot_of(t, near_next(t, i))->at;
        if (dst) fathom_copy_near(dst + from, m->src + from, m->help);
    }
}

void gas_near_broadcast(gas_team t, void *dst, const void *src, size_t n, int root, bool keep) {
    bool is_root = t->rank == root;
    enum core_mechanism way = gas_way(t, CORE_BROADCAST, n);
    struct near_move m = {.root = root, .src = src, .n = n, .parts = 1, .dst = dst};
    if (is_root && !near_is_short(&m) && dst != src && !near_is_shared(src, n) && near_is_shared(dst, n)) {
        memcpy(dst, src, n); /* necessary in any case; afterwards the result is shared */
        m.src = src = dst;
    }
    if (way == CORE_TREE) {
        gas_took(t, CORE_BROADCAST, n, CORE_TREE);
        near_tree_broadcast(t, dst, src, n, root, keep);
        return;
    }
    m.is_direct = is_root && near_stays(src, &m, keep);
    bool may_help = way == CORE_HELP && conduit_near.count <= conduit_cores();
    if (m.is_direct && keep && may_help && !near_is_short(&m)) m.help = n / (size_t)t->size & ~(size_t)63;
    near_run(t, &m, is_root, !is_root ? take_from_root : m.help ? help : NULL, NULL);
    if (n) gas_took(t, CORE_BROADCAST, n, m.help ? CORE_HELP : CORE_READ);
    if (is_root && dst != src) fathom_copy_near(dst, src, n); /* while the others read */
    if (keep) near_wait_for_readers(t, &m);
}

void gas_near_scatter(gas_team t, void *dst, const void *src, size_t n, int root, bool keep) {
    bool is_root = t->rank == root;
    size_t parts = (size_t)t->size;
    struct near_move m = {.root = root, .src = src, .n = n, .parts = parts, .dst = dst};
    m.is_direct = is_root && dst != src && near_stays(src, &m, keep);
    near_run(t, &m, is_root, is_root ? NULL : take_from_root, NULL);
    if (is_root) memmove(dst, (const char *)src + n * (size_t)root, n);
    if (keep) near_wait_for_readers(t, &m);
}

/* ---- to one ------------------------------------------------------------------------------------------------------ */

/* From every member, beginning with the next one, so that not all read from the same member at once. */
static void take_from_all(gas_team t, const struct near_move *m, const void *context) {
    (void)context;
    for (int i = 1; i < t->size; i++) {
        int r = near_next(t, i);
        fathom_copy_near((char *)m->dst + (size_t)r * m->n + m->from, near_posted(t, m, r, m->parts == 1 ? 0 : t->rank),
                         m->length);
    }
}

/* The root says where, if the others can reach that place, and all write at the same time. False: they cannot. */
static bool gather_by_writing(gas_team t, char *dst, const void *src, size_t n, int root) {
    t->round++;
    bool is_root = t->rank == root;
    char *to = dst;
    if (is_root) {
        memmove(dst + n * (size_t)root, src, n); /* first: src may be the beginning of dst */
        if (!near_is_shared(dst, n * (size_t)t->size)) to = NULL;
        struct near_slot *s = near_own_slot(t);
        s->at = (uint64_t)to;
        near_publish_to_all(t, s);
    } else {
        to = (char *)near_slot_of(t, root)->at;
    }
    if (to && !is_root) fathom_copy_near(to + n * (size_t)t->rank, src, n);
    near_end_round(t);
    if (!is_root) near_ring(t, root);
    if (to && is_root) near_wait_for_all(t, t->round);
    return to;
}

void gas_near_gather(gas_team t, void *dst, const void *src, size_t n, int root, bool keep) {
    bool is_root = t->rank == root;
    struct near_move m = {.root = -1, .src = src, .n = n, .parts = 1, .dst = dst};
    size_t all = n * (size_t)t->size;
    if (!near_is_short(&m) && gas_way(t, CORE_NEAR_GATHER, all) == CORE_WRITE &&
        gather_by_writing(t, dst, src, n, root)) {
        gas_took(t, CORE_NEAR_GATHER, all, CORE_WRITE);
        return;
    }
    gas_took(t, CORE_NEAR_GATHER, all, CORE_READ);
    if (is_root) memmove((char *)dst + n * (size_t)root, src, n);
    m.is_direct = !is_root && near_stays(src, &m, keep);
    near_run(t, &m, !is_root, is_root ? take_from_all : NULL, NULL);
    if (keep) near_wait_for_readers(t, &m);
}

/* ---- to all ------------------------------------------------------------------------------------------------------ */

/* The first round of a gather-all or an exchange, in which all see how much of every source can be read at once: if it
 * is all, that round is the only one. `m` is the data to move; `to` is where others may write to, or null. Returns how
 * they have moved the data. */
static enum core_mechanism move_at_once(gas_team t, struct near_move *m, enum core_mechanism way, char *to) {
    struct near_move whole = *m;
    whole.length = m->is_direct ? m->n : near_piece_of(m);
    t->round++;
    near_own_slot(t)->to = (uint64_t)to;
    near_post(t, &whole);
    bool is_whole = true, is_open = true;
    for (int i = 0; i < t->size; i++) {
        const struct near_slot *s = near_slot_of(t, near_next(t, i));
        is_whole &= s->length == m->n;
        is_open &= s->to != 0;
    }
    near_all_have_begun(t, t->round);
    bool writes = way == CORE_WRITE && is_whole && is_open;
    m->length = is_whole ? m->n : near_piece_of(m);
    if (!writes) {
        take_from_all(t, m, NULL);
    } else {
        for (int i = 1; i < t->size; i++) {
            int r = near_next(t, i);
            char *there = (char *)near_slot_of(t, r)->to + m->n * (size_t)t->rank;
            fathom_copy_near(there, m->src + (m->parts == 1 ? 0 : m->n * (size_t)r), m->n);
        }
    }
    near_end_round(t);
    near_ring_all(t);
    if (writes) near_wait_for_all(t, t->round);
    m->from = m->length;
    return writes ? CORE_WRITE : is_whole ? CORE_READ : CORE_PIECES;
}

static void move_to_all(gas_team t, struct near_move *m, enum core_collective which, char *to, bool keep) {
    size_t all = m->n * (size_t)t->size;
    enum core_mechanism way = gas_way(t, which, all), took = CORE_READ;
    if (!near_is_short(m)) took = way == CORE_PIECES ? CORE_PIECES : move_at_once(t, m, way, to);
    near_run(t, m, true, take_from_all, NULL); /* the rest, or all of it if the data is short */
    if (m->n) {
        near_all_have_begun(t, t->round);
        gas_took(t, which, all, took);
    }
    if (keep) near_wait_for_readers(t, m);
}

void gas_near_gather_all(gas_team t, void *dst, const void *src, size_t n, bool keep) {
    char *mine = (char *)dst + n * (size_t)t->rank;
    if (mine != src) memmove(mine, src, n); /* dst may be src, whose bytes those of another may replace */
    struct near_move m = {.root = -1, .src = mine, .n = n, .parts = 1, .dst = dst};
    if (dst != src && near_stays(src, &m, keep)) {
        m.src = src;
        m.is_direct = true;
    } else {
        m.is_direct = near_stays(mine, &m, keep);
    }
    move_to_all(t, &m, CORE_NEAR_GATHER_ALL, near_is_shared(dst, n * (size_t)t->size) ? dst : NULL, keep);
}

void gas_near_exchange(gas_team t, void *dst, const void *src, size_t n, bool keep) {
    size_t parts = (size_t)t->size;
    struct near_move m = {.root = -1, .src = src, .n = n, .parts = parts, .dst = dst};
    m.is_direct = dst != src && near_stays(src, &m, keep);
    if (dst != src) memcpy((char *)dst + n * (size_t)t->rank, (const char *)src + n * (size_t)t->rank, n);
    /* In place, piece by piece: a round writes the part that it has posted. */
    bool is_open = dst != src && near_is_shared(dst, n * parts);
    move_to_all(t, &m, CORE_NEAR_EXCHANGE, is_open ? dst : NULL, keep);
}
