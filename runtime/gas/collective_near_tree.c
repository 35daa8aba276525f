/* Near collectives of small data, or of many members, in trees: where each member would load from all others, it loads
 * from NEAR_FAN - 1 at each of few levels, whose lines come together. Reductions combine in the same order as
 * everywhere (collective.h), because NEAR_FAN is a power of two: a group of NEAR_FAN leaves is a subtree.
 */
#define FATHOM_COPY_TELLS
#include "gas/near.h"

/* Each member tells the next NEAR_FAN - 1 members, then those NEAR_FAN further, ...: after k rounds a member has heard,
 * through others, from the NEAR_FAN^k before it (dissemination: Hensgen et al. 1988). */
void near_tree_barrier(gas_team t) {
    uint64_t first = t->round + 1;
    for (int step = 1; step < t->size; step *= NEAR_FAN) {
        t->round++;
        near_publish(t, near_own_slot(t));
        for (int i = 1; i < NEAR_FAN && i * step < t->size; i++) near_ring(t, near_next(t, i * step));
        for (int i = 1; i < NEAR_FAN && i * step < t->size; i++) near_slot_of(t, near_next(t, -i * step));
        near_end_round(t);
    }
    near_all_have_begun(t, first);
}

/* ---- broadcast --------------------------------------------------------------------------------------------------- */

/* Members in the order from the root: the children of the i-th are the NEAR_FAN from the (i * NEAR_FAN + 1)-th on. The
 * data is passed on from this member's destination, if others can reach that, otherwise from its stage: so only its
 * children read a member's memory. */
void near_tree_broadcast(gas_team t, void *dst, const void *src, size_t n, int root, bool keep) {
    int me = gas_rank_around(t->rank - root, t->size);
    int first = NEAR_FAN * me + 1, end = gas_fewer(first + NEAR_FAN, t->size);
    int parent = me ? gas_rank_around((me - 1) / NEAR_FAN + root, t->size) : -1;
    char *to = dst;
    bool is_short = n <= NEAR_SHORT;
    /* The memory that the children read. */
    const char *from = me ? dst : src;
    struct near_move m = {.n = n, .parts = 1};
    bool is_direct = !is_short && near_stays(from, &m, keep), waits = keep && is_direct && first < end;
    for (size_t done = 0, length; done < n; done += length) {
        length = gas_least(n - done, is_short ? n : NEAR_STAGE_BYTES);
        t->round++;
        if (me) {
            const struct near_slot *s = near_slot_of(t, parent);
            fathom_copy_near(to + done, is_short ? s->data : (const char *)s->at, length);
        }
        if (first < end) {
            struct near_slot *s = near_own_slot(t);
            if (is_short) {
                memcpy(s->data, from, n);
            } else if (is_direct) {
                s->at = (uint64_t)(from + done);
            } else {
                char *stage = n <= NEAR_PIECE_BYTES ? near_piece(t) : near_stage(t);
                memcpy(stage, from + done, length);
                s->at = (uint64_t)stage;
            }
            near_publish(t, s);
            for (int i = first; i < end; i++) near_ring(t, gas_rank_around(i + root, t->size));
        }
        near_end_round(t);
        if (me && !is_short) near_ring(t, parent);
    }
    if (!me && dst != src) fathom_copy_near(dst, src, n); /* while the others read */
    for (int i = first; waits && i < end; i++) near_wait_for(t, gas_rank_around(i + root, t->size), t->round);
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

/* Posts a value of up to NEAR_PIECE_BYTES in this round, for some members. */
static struct near_slot *post_value(gas_team t, const void *value, size_t n) {
    struct near_slot *s = near_own_slot(t);
    if (n <= NEAR_SHORT) {
        s->at = 0;
        memcpy(s->data, value, n);
    } else {
        char *piece = near_piece(t);
        memcpy(piece, value, n);
        s->at = (uint64_t)piece;
    }
    near_publish(t, s);
    return s;
}
static const void *value_of(gas_team t, int rank) {
    const struct near_slot *s = near_slot_of(t, rank);
    return s->at ? (const void *)s->at : s->data;
}

static const void *combination(const struct gas_operator *o, const void *const *in, int width, size_t from, size_t n,
                               void *room) {
    if (width == 1) return (const char *)*in + from;
    _Alignas(16) char other[NEAR_BLOCK_BYTES];
    const void *left = combination(o, in, width / 2, from, n, room);
    gas_combine(o, room, left, combination(o, in + width / 2, width / 2, from, n, other), n / o->elem);
    return room;
}

void near_combine(const struct gas_operator *o, void *dst, const void *const *in, int width, size_t n) {
    for (size_t from = 0; from < n; from += NEAR_BLOCK_BYTES) {
        size_t length = gas_least(n - from, NEAR_BLOCK_BYTES);
        _Alignas(16) char sum[NEAR_BLOCK_BYTES];
        const void *result = combination(o, in, width, from, length, sum);
        if (result != (char *)dst + from) memcpy((char *)dst + from, result, length);
    }
}

/* One level of the tree: groups of `width` leaves, `unit` apart. For all (root -1) each member of a group learns the
 * others' values and combines them; for one, the first of the group does. */
static void combine_group(gas_team t, char *value, size_t n, const struct gas_operator *o, int leaf, int unit,
                          int width, bool for_all) {
    int extra = t->size - gas_tree_width(t->size), place = leaf / unit % width, first = leaf - place * unit;
    const void *in[NEAR_FAN];
    if (for_all || place) {
        post_value(t, value, n);
        for (int i = 0; i < (for_all ? width : 1); i++)
            if (i != place) near_ring(t, gas_tree_rank(first + i * unit, extra));
    }
    if (!for_all && place) return;
    for (int i = 0; i < width; i++) in[i] = i == place ? value : value_of(t, gas_tree_rank(first + i * unit, extra));
    near_combine(o, value, in, width, n);
}

/* From one member to another, in a round of its own. */
static void hand_over(gas_team t, char *value, size_t n, int from, int to) {
    if (t->rank == from) {
        post_value(t, value, n);
        near_ring(t, to);
    } else if (t->rank == to) {
        memcpy(value, value_of(t, from), n);
    }
}

static void reduce_piece(gas_team t, char *value, size_t n, const struct gas_operator *o, int root) {
    int width = gas_tree_width(t->size), extra = t->size - width, me = t->rank, leaf = gas_tree_leaf(me, extra);
    if (extra) {
        t->round++;
        if (leaf < 0) {
            post_value(t, value, n);
            near_ring(t, me - 1);
        } else if (me < 2 * extra) {
            gas_combine(o, value, value, value_of(t, me + 1), n / o->elem);
        }
        near_end_round(t);
    }
    for (int unit = 1; unit < width; unit *= NEAR_FAN) {
        t->round++;
        if (leaf >= 0 && (root < 0 || leaf % unit == 0))
            combine_group(t, value, n, o, leaf, unit, gas_fewer(NEAR_FAN, width / unit), root < 0);
        near_end_round(t);
    }
    if (root < 0 ? extra == 0 : root == 0) return;
    t->round++;
    if (root > 0)
        hand_over(t, value, n, 0, root);
    else if (me < 2 * extra)
        hand_over(t, value, n, me & ~1, me | 1);
    near_end_round(t);
}

void near_tree_reduce(gas_team t, void *dst, const void *src, size_t n, const struct gas_operator *o, int root) {
    _Alignas(64) char value[NEAR_PIECE_BYTES];
    uint64_t first = t->round + 1;
    for (size_t done = 0, length; done < n; done += length) {
        length = gas_least(n - done, NEAR_PIECE_BYTES);
        memcpy(value, (const char *)src + done, length);
        reduce_piece(t, value, length, o, root);
        if (root < 0) near_all_have_begun(t, first);
        if (root < 0 || root == t->rank) memcpy((char *)dst + done, value, length);
    }
}

/* In round k every member has the combination of the 2^k ranks that end with its own, and puts that of the 2^k before those
 * in front of it. An exclusive scan does the same with those that end before its own. */
void near_tree_scan(gas_team t, void *dst, const void *src, size_t n, const struct gas_operator *o, bool exclusive) {
    _Alignas(64) char value[NEAR_PIECE_BYTES], before[NEAR_PIECE_BYTES];
    for (size_t done = 0, length; done < n; done += length) {
        length = gas_least(n - done, NEAR_PIECE_BYTES);
        memcpy(value, (const char *)src + done, length);
        for (int step = 1; step < t->size; step *= 2) {
            t->round++;
            if (t->rank + step < t->size) {
                post_value(t, value, length);
                near_ring(t, t->rank + step);
            }
            if (t->rank >= step) {
                const void *his = value_of(t, t->rank - step);
                if (exclusive && step == 1)
                    memcpy(before, his, length);
                else if (exclusive)
                    gas_combine(o, before, his, before, length / o->elem);
                gas_combine(o, value, his, value, length / o->elem);
            }
            near_end_round(t);
        }
        if (!exclusive || t->rank) memcpy((char *)dst + done, exclusive ? before : value, length);
    }
}
