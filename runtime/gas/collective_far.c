/* Collectives of teams whose members are not all near each other, over streams of messages.
 *
 * There are trees where one member has the data that all need, or all have data that one needs, and rounds of pairs
 * where all need data from all. Every step sends to one member and receives from one at the same time. Steps come in an
 * order in which some member can always go on, so that limited streams do not block each other. Long data goes in
 * pieces; one piece is passed on while the next is under way. Where the tuning table asks for it, another way serves:
 * collective_rounds.c and collective_shares.c.
 */
#include "gas/collective.h"

#include <string.h>

enum { PIECE = 65536 };

static void *at(void *p, size_t offset) { return (char *)p + offset; }
static const void *at_c(const void *p, size_t offset) { return (const char *)p + offset; }
/* The way for n bytes, which is reported to --explain. */
static enum core_mechanism way(enum core_collective which, gas_team t, size_t n) {
    enum core_mechanism way = gas_way(t, which, n);
    gas_took(t, which, n, way);
    return way;
}

/* In round k each member tells the member 2^k further that 2^(k+1) have come. */
void gas_far_barrier(gas_team t) {
    for (int step = 1; step < t->size; step *= 2) {
        char mine = 0, his;
        gas_stream_move(t, gas_rank_around(t->rank + step, t->size), &mine, 1, gas_rank_around(t->rank - step, t->size),
                        &his, 1);
    }
}

/* A binomial tree: of the ranks counted from the root, one receives from the rank without its lowest bit. */
void gas_far_broadcast(gas_team t, void *dst, const void *src, size_t n, int root) {
    if (way(CORE_FAR_BROADCAST, t, n) == CORE_SPREAD) {
        gas_shares_broadcast(t, dst, src, n, root);
        return;
    }
    int me = gas_rank_around(t->rank - root, t->size);
    if (me == 0 && dst != src) memcpy(dst, src, n);
    int lowest = me ? me & -me : 1 << 30;
    for (size_t done = 0; done < n;) {
        size_t piece = gas_least(n - done, PIECE);
        if (me) gas_stream_receive(t, gas_rank_around((me & (me - 1)) + root, t->size), at(dst, done), piece);
        int first = 1;
        while (first < t->size) first *= 2;
        for (int bit = first; bit; bit >>= 1)
            if (bit < lowest && me + bit < t->size)
                gas_stream_send(t, gas_rank_around(me + bit + root, t->size), at(dst, done), piece);
        done += piece;
    }
}

void gas_far_scatter(gas_team t, void *dst, const void *src, size_t n, int root) {
    if (way(CORE_FAR_SCATTER, t, n * (size_t)t->size) == CORE_TREE) {
        gas_rounds_scatter(t, dst, src, n, root);
        return;
    }
    if (t->rank != root) {
        gas_stream_receive(t, root, dst, n);
        return;
    }
    for (int i = 1; i < t->size; i++) {
        int to = gas_rank_around(root + i, t->size);
        gas_stream_send(t, to, at_c(src, n * (size_t)to), n);
    }
    memmove(dst, at_c(src, n * (size_t)root), n); /* last: dst may be src */
}

void gas_far_gather(gas_team t, void *dst, const void *src, size_t n, int root) {
    if (way(CORE_FAR_GATHER, t, n * (size_t)t->size) == CORE_TREE) {
        gas_rounds_gather(t, dst, src, n, root);
        return;
    }
    if (t->rank != root) {
        gas_stream_send(t, root, src, n);
        return;
    }
    memmove(at(dst, n * (size_t)root), src, n); /* first: dst may be src */
    for (int i = 1; i < t->size; i++) {
        int from = gas_rank_around(root + i, t->size);
        gas_stream_receive(t, from, at(dst, n * (size_t)from), n);
    }
}

void gas_far_gather_all(gas_team t, void *dst, const void *src, size_t n) {
    if (way(CORE_FAR_GATHER_ALL, t, n * (size_t)t->size) == CORE_DOUBLING) {
        gas_rounds_gather_all(t, dst, src, n);
        return;
    }
    memmove(at(dst, n * (size_t)t->rank), src, n);
    int next = gas_rank_around(t->rank + 1, t->size), former = gas_rank_around(t->rank - 1, t->size);
    for (int i = 0; i + 1 < t->size; i++) { /* a ring: each member passes on the data that it received last */
        int pass = gas_rank_around(t->rank - i, t->size), get = gas_rank_around(t->rank - i - 1, t->size);
        gas_stream_move(t, next, at(dst, n * (size_t)pass), n, former, at(dst, n * (size_t)get), n);
    }
}

void gas_far_exchange(gas_team t, void *dst, const void *src, size_t n) {
    if (way(CORE_FAR_EXCHANGE, t, n * (size_t)t->size) == CORE_DOUBLING) {
        gas_rounds_exchange(t, dst, src, n);
        return;
    }
    void *copy = NULL;
    if (dst == src) {
        copy = gas_room(n * (size_t)t->size);
        memcpy(copy, src, n * (size_t)t->size);
        src = copy;
    }
    memcpy(at(dst, n * (size_t)t->rank), at_c(src, n * (size_t)t->rank), n);
    for (int i = 1; i < t->size; i++) {
        int to = gas_rank_around(t->rank + i, t->size), from = gas_rank_around(t->rank - i, t->size);
        gas_stream_move(t, to, at_c(src, n * (size_t)to), n, from, at(dst, n * (size_t)from), n);
    }
    free(copy);
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

struct sum {
    char *value, *his;
    size_t n;
    const struct gas_operator *o;
};

/* value = value op the other's, or the other way round; the other's comes from `from`, and value goes to `to`. */
static void meet(gas_team t, struct sum *s, int to, int from, bool his_is_left) {
    for (size_t done = 0; done < s->n;) {
        size_t piece = gas_least(s->n - done, PIECE);
        char *mine = s->value + done;
        gas_stream_move(t, to, mine, piece, from, s->his, piece);
        gas_combine(s->o, mine, his_is_left ? s->his : mine, his_is_left ? mine : s->his, piece / s->o->elem);
        done += piece;
    }
}

/* For a member that meets this one: in the same pieces, because both sides of a stream must give the same sizes. */
static void give(gas_team t, const struct sum *s, int to) {
    for (size_t done = 0; done < s->n; done += PIECE)
        gas_stream_send(t, to, s->value + done, gas_least(s->n - done, PIECE));
}

/* The tree of collective.h. After the pairs at its lower edge, `leaf` is this member's place among those that are left;
 * -1 if its partner represents it. For all: at every level two meet, and both have the result. For one: at every level
 * one of two sends to the other; the root, or its representative, never sends. */
void gas_far_reduce(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, int root) {
    size_t n = count * o->elem;
    if (way(root < 0 ? CORE_FAR_ALL_REDUCE : CORE_FAR_REDUCE, t, n) == CORE_SLICES) {
        gas_shares_reduce(t, dst, src, count, o, root);
        return;
    }
    bool has_result = root < 0 || root == t->rank;
    struct sum s = {has_result ? dst : gas_room(n), gas_room(gas_least(n, PIECE)), n, o};
    if (s.value != src) memcpy(s.value, src, n);
    int width = gas_tree_width(t->size), extra = t->size - width, me = t->rank;
    int leaf = gas_tree_leaf(me, extra), speaker = root < 0 || gas_tree_leaf(root, extra) >= 0 ? root : root - 1;
    if (leaf < 0)
        give(t, &s, me - 1);
    else if (me < 2 * extra)
        meet(t, &s, -1, me + 1, false);
    for (int bit = 1, goal = speaker < 0 ? 0 : gas_tree_leaf(speaker, extra); leaf >= 0 && bit < width; bit *= 2) {
        if (root < 0) {
            int other = gas_tree_rank(leaf ^ bit, extra);
            meet(t, &s, other, other, leaf & bit);
            continue;
        }
        int other = gas_tree_rank(gas_tree_holder(leaf ^ bit, bit, goal), extra);
        if (gas_tree_holder(leaf, 2 * bit, goal) != leaf) {
            give(t, &s, other);
            break;
        }
        meet(t, &s, -1, other, leaf & bit);
    }
    if (root < 0) { /* to the members that others have represented */
        if (leaf < 0)
            gas_stream_receive(t, me - 1, s.value, n);
        else if (me < 2 * extra)
            gas_stream_send(t, me + 1, s.value, n);
    } else if (root != speaker) {
        if (me == speaker) gas_stream_send(t, root, s.value, n);
        if (me == root) gas_stream_receive(t, speaker, s.value, n);
    }
    if (!has_result) free(s.value);
    free(s.his);
}

/* In round k each member has the combination of the 2^k ranks that end with its own, and puts that of the 2^k before
 * those in front of it. An exclusive scan does the same with those that end before its own. */
void gas_far_scan(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, bool exclusive) {
    size_t n = count * o->elem;
    char *value = gas_room(n), *his = gas_room(n);
    memcpy(value, src, n); /* dst may be src */
    for (int step = 1; step < t->size; step *= 2) {
        int to = t->rank + step < t->size ? t->rank + step : -1, from = t->rank - step;
        if (from < 0) from = -1;
        gas_stream_move(t, to, value, n, from, his, n);
        if (from < 0) continue;
        if (exclusive && step == 1)
            memcpy(dst, his, n);
        else if (exclusive)
            gas_combine(o, dst, his, dst, count);
        gas_combine(o, value, his, value, count);
    }
    if (!exclusive) memcpy(dst, value, n);
    free(value);
    free(his);
}
