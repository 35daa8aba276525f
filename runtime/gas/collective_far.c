/* Collectives of teams whose members are not all near each other, over streams of messages.
 *
 * Trees where one has what all want, or all have what one wants; rounds of pairs where all want something of all. Every
 * step sends to one and receives from one at the same time, and steps come in an order in which somebody can always go
 * on, so that limited streams do not stand in each other's way. Long data goes in pieces, of which one is passed on
 * while the next is under way.
 */
#include <stdlib.h>
#include <string.h>

#include "gas/team.h"

enum { PIECE = 65536, SMALL = 32768 };

static void *room(size_t n) {
    void *p = malloc(n ? n : 1);
    if (!p) core_fatal("no memory for a collective operation");
    return p;
}

static void *at(void *p, size_t offset) { return (char *)p + offset; }
static const void *at_c(const void *p, size_t offset) { return (const char *)p + offset; }
static size_t least(size_t a, size_t b) { return a < b ? a : b; }
static int around(int rank, int size) { return rank < 0 ? rank + size : rank >= size ? rank - size : rank; }

static void send(gas_team t, int to, const void *src, size_t n) { gas_stream_move(t, to, src, n, -1, NULL, 0); }
static void receive(gas_team t, int from, void *dst, size_t n) { gas_stream_move(t, -1, NULL, 0, from, dst, n); }

/* In round k everybody tells the one 2^k further that 2^(k+1) have come. */
void gas_far_barrier(gas_team t) {
    for (int step = 1; step < t->size; step *= 2) {
        char mine = 0, his;
        gas_stream_move(t, around(t->rank + step, t->size), &mine, 1, around(t->rank - step, t->size), &his, 1);
    }
}

/* A binomial tree: of the ranks counted from the root, one receives from the rank without its lowest bit. */
void gas_far_broadcast(gas_team t, void *dst, const void *src, size_t n, int root) {
    int me = around(t->rank - root, t->size);
    if (me == 0 && dst != src) memcpy(dst, src, n);
    int lowest = me ? me & -me : 1 << 30;
    for (size_t done = 0; done < n;) {
        size_t piece = least(n - done, PIECE);
        if (me) receive(t, around((me & (me - 1)) + root, t->size), at(dst, done), piece);
        int first = 1;
        while (first < t->size) first *= 2;
        for (int bit = first; bit; bit >>= 1)
            if (bit < lowest && me + bit < t->size) send(t, around(me + bit + root, t->size), at(dst, done), piece);
        done += piece;
    }
}

void gas_far_scatter(gas_team t, void *dst, const void *src, size_t n, int root) {
    if (t->rank != root) {
        receive(t, root, dst, n);
        return;
    }
    for (int i = 1; i < t->size; i++) {
        int to = around(root + i, t->size);
        send(t, to, at_c(src, n * (size_t)to), n);
    }
    memmove(dst, at_c(src, n * (size_t)root), n); /* last: dst may be src */
}

void gas_far_gather(gas_team t, void *dst, const void *src, size_t n, int root) {
    if (t->rank != root) {
        send(t, root, src, n);
        return;
    }
    memmove(at(dst, n * (size_t)root), src, n); /* first: dst may be src */
    for (int i = 1; i < t->size; i++) {
        int from = around(root + i, t->size);
        receive(t, from, at(dst, n * (size_t)from), n);
    }
}

/* Little data: in round k everybody has that of 2^k ranks from its own on, and gets that of as many more. */
static void gather_all_doubling(gas_team t, void *dst, const void *src, size_t n) {
    size_t size = (size_t)t->size;
    char *all = room(n * size);
    memcpy(all, src, n);
    for (int have = 1; have < t->size;) {
        int more = have < t->size - have ? have : t->size - have;
        gas_stream_move(t, around(t->rank - have, t->size), all, n * (size_t)more, around(t->rank + have, t->size),
                        all + n * (size_t)have, n * (size_t)more);
        have += more;
    }
    size_t upper = size - (size_t)t->rank; /* ranks from this one to the last */
    memcpy(at(dst, n * (size_t)t->rank), all, n * upper);
    memcpy(dst, all + n * upper, n * (size_t)t->rank);
    free(all);
}

void gas_far_gather_all(gas_team t, void *dst, const void *src, size_t n) {
    if (n * (size_t)t->size <= SMALL) {
        gather_all_doubling(t, dst, src, n);
        return;
    }
    memmove(at(dst, n * (size_t)t->rank), src, n);
    int next = around(t->rank + 1, t->size), former = around(t->rank - 1, t->size);
    for (int i = 0; i + 1 < t->size; i++) { /* a ring: everybody passes on what it got last */
        int pass = around(t->rank - i, t->size), get = around(t->rank - i - 1, t->size);
        gas_stream_move(t, next, at(dst, n * (size_t)pass), n, former, at(dst, n * (size_t)get), n);
    }
}

void gas_far_exchange(gas_team t, void *dst, const void *src, size_t n) {
    void *copy = NULL;
    if (dst == src) {
        copy = room(n * (size_t)t->size);
        memcpy(copy, src, n * (size_t)t->size);
        src = copy;
    }
    memcpy(at(dst, n * (size_t)t->rank), at_c(src, n * (size_t)t->rank), n);
    for (int i = 1; i < t->size; i++) {
        int to = around(t->rank + i, t->size), from = around(t->rank - i, t->size);
        gas_stream_move(t, to, at_c(src, n * (size_t)to), n, from, at(dst, n * (size_t)from), n);
    }
    free(copy);
}

/* ---- reductions ------------------------------------------------------------------------------------------------ */

struct sum {
    char *value, *his;
    size_t n, elem;
    enum gas_atomic_type type;
    enum gas_atomic_op op;
};

/* value = value op the other's, or the other way round; the other's comes from `from`, and to whom `to` goes value. */
static void meet(gas_team t, struct sum *s, int to, int from, bool his_is_left) {
    for (size_t done = 0; done < s->n;) {
        size_t piece = least(s->n - done, PIECE);
        char *mine = s->value + done;
        gas_stream_move(t, to, mine, piece, from, s->his, piece);
        gas_combine(mine, his_is_left ? s->his : mine, his_is_left ? mine : s->his, piece / s->elem, s->type, s->op);
        done += piece;
    }
}

/* The tree of team.h. After the pairs at its lower edge, `leaf` is this member's place among those that are left; -1 if
 * its partner speaks for it. For all: at every level two meet, and both have the result. For one: the right one tells
 * the left one. */
void gas_far_reduce(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                    enum gas_atomic_op op, int root) {
    size_t elem = gas_atomic_bytes(type), n = count * elem;
    bool has_result = root < 0 || root == t->rank;
    struct sum s = {has_result ? dst : room(n), room(least(n, PIECE)), n, elem, type, op};
    if (s.value != src) memcpy(s.value, src, n);
    int width = gas_tree_width(t->size), extra = t->size - width, me = t->rank;
    int leaf = me < 2 * extra ? (me & 1 ? -1 : me / 2) : me - extra;
#define RANK_OF(l) ((l) < extra ? 2 * (l) : (l) + extra)
    if (leaf < 0)
        send(t, me - 1, s.value, n);
    else if (me < 2 * extra)
        meet(t, &s, -1, me + 1, false);
    for (int bit = 1; leaf >= 0 && bit < width; bit *= 2) {
        int other = RANK_OF(leaf ^ bit);
        if (root < 0) {
            meet(t, &s, other, other, leaf & bit);
        } else if (leaf & bit) {
            send(t, other, s.value, n);
            break;
        } else {
            meet(t, &s, -1, other, false);
        }
    }
    if (root < 0) { /* to those that others have spoken for */
        if (leaf < 0)
            receive(t, me - 1, s.value, n);
        else if (me < 2 * extra)
            send(t, me + 1, s.value, n);
    } else if (root != 0) { /* rank 0 is the tree's root */
        if (me == 0) send(t, root, s.value, n);
        if (me == root) receive(t, 0, s.value, n);
    }
    if (!has_result) free(s.value);
    free(s.his);
}

/* In round k everybody has the combination of the 2^k ranks that end with its own, and puts that of the 2^k before those
 * in front of it. */
void gas_far_scan(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                  enum gas_atomic_op op, bool exclusive) {
    size_t elem = gas_atomic_bytes(type), n = count * elem;
    char *value = room(n), *his = room(n);
    memcpy(value, src, n);
    for (int step = 1; step < t->size; step *= 2) {
        int to = t->rank + step < t->size ? t->rank + step : -1, from = t->rank - step;
        if (from < 0) from = -1;
        gas_stream_move(t, to, value, n, from, his, n);
        if (from >= 0) gas_combine(value, his, value, count, type, op);
    }
    if (!exclusive)
        memcpy(dst, value, n);
    else
        gas_stream_move(t, t->rank + 1 < t->size ? t->rank + 1 : -1, value, n, t->rank - 1, dst, n);
    free(value);
    free(his);
}
