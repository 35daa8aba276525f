/* Collectives of far threads in which each member first gets, or calculates, a share, and then the shares are brought
 * together. They serve long data, which then crosses each thread's link about twice, instead of once for every level of
 * a tree (van de Geijn 1994; Rabenseifner 2004). Reductions combine in the order of collective.h's tree, so that the
 * result is the same.
 */
#include "gas/collective.h"

#include <string.h>

enum { PIECE = 65536 };

/* ---- broadcast --------------------------------------------------------------------------------------------------- */

/* Ranks are counted from the root: the i-th gets the i-th share and passes it on, together with those that come after
 * it. The root already has the data that comes to it. */
void gas_shares_broadcast(gas_team t, void *dst, const void *src, size_t n, int root) {
    int me = gas_rank_around(t->rank - root, t->size), last = t->size - 1;
    int next = me == last ? -1 : gas_rank_around(t->rank + 1, t->size);
    int former = me == 0 ? -1 : gas_rank_around(t->rank - 1, t->size);
    char *to = dst;
    if (me == 0 && dst != src) memcpy(dst, src, n);
#define SHARE(i) to + gas_share_start(t, i, n), gas_share_start(t, (i) + 1, n) - gas_share_start(t, i, n)
    if (me)
        gas_stream_receive(t, root, SHARE(me));
    else
        for (int i = 1; i <= last; i++) gas_stream_send(t, gas_rank_around(root + i, t->size), SHARE(i));
    for (int i = 0; i < last; i++) {
        int pass = gas_rank_around(me - i, t->size), get = gas_rank_around(me - i - 1, t->size);
        gas_stream_move(t, next, SHARE(pass), former, SHARE(get));
    }
#undef SHARE
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

struct elements {
    size_t from, end;
};
static struct elements half(struct elements whole, bool is_upper) {
    size_t middle = whole.from + (whole.end - whole.from) / 2;
    return is_upper ? (struct elements){middle, whole.end} : (struct elements){whole.from, middle};
}
static size_t count_of(struct elements e) { return e.end - e.from; }

struct sum {
    char *value, *his;
    const struct gas_operator *o;
};

/* Sends some elements and receives others from the same member, which does the same the other way round: the elements
 * `get` are combined with this member's, or replace them. Piece by piece; a rank of -1: nothing goes in that
 * direction. */
static void swap(gas_team t, struct sum *s, int to, struct elements give, int from, struct elements get, bool combines,
                 bool his_is_left) {
    size_t elem = s->o->elem, piece = PIECE / elem;
    size_t out = to < 0 ? 0 : count_of(give), in = from < 0 ? 0 : count_of(get);
    for (size_t done = 0; done < out || done < in; done += piece) {
        size_t n = done < out ? gas_least(out - done, piece) : 0, m = done < in ? gas_least(in - done, piece) : 0;
        char *mine = s->value + (get.from + done) * elem;
        gas_stream_move(t, n ? to : -1, s->value + (give.from + done) * elem, n * elem, m ? from : -1,
                        combines ? s->his : mine, m * elem);
        if (combines && m) gas_combine(s->o, mine, his_is_left ? s->his : mine, his_is_left ? mine : s->his, m);
    }
}

void gas_shares_reduce(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o, int root) {
    enum { MOST_LEVELS = 32 };
    size_t n = count * o->elem;
    bool has_result = root < 0 || root == t->rank;
    struct sum s = {has_result ? dst : gas_room(n), gas_room(gas_least(n, PIECE)), o};
    if (s.value != src) memcpy(s.value, src, n);
    int width = gas_tree_width(t->size), extra = t->size - width, me = t->rank, leaf = gas_tree_leaf(me, extra);
    struct elements all = {0, count}, own[MOST_LEVELS] = {all};
    /* The pairs at the lower edge of the tree: one member represents both. */
    if (leaf < 0)
        swap(t, &s, me - 1, all, -1, all, false, false);
    else if (me < 2 * extra)
        swap(t, &s, -1, all, me + 1, all, true, false);
    /* At each level the two members that meet have the same elements: each keeps half of them. */
    int level = 0;
    for (int bit = 1; leaf >= 0 && bit < width; bit *= 2, level++) {
        int other = gas_tree_rank(leaf ^ bit, extra);
        bool is_right = leaf & bit;
        own[level + 1] = half(own[level], is_right);
        swap(t, &s, other, half(own[level], !is_right), other, own[level + 1], true, is_right);
    }
    /* And back: for all, both send to each other; for one, the right one sends to the left one. */
    for (int bit = width / 2; leaf >= 0 && bit; bit /= 2, level--) {
        int other = gas_tree_rank(leaf ^ bit, extra);
        bool is_right = leaf & bit;
        if (root < 0)
            swap(t, &s, other, own[level], other, half(own[level - 1], !is_right), false, false);
        else if (is_right)
            swap(t, &s, other, own[level], -1, all, false, false);
        else
            swap(t, &s, -1, all, other, half(own[level - 1], true), false, false);
        if (root >= 0 && is_right) break;
    }
    if (root < 0) { /* to the members that others have represented */
        if (leaf < 0)
            swap(t, &s, -1, all, me - 1, all, false, false);
        else if (me < 2 * extra)
            swap(t, &s, me + 1, all, -1, all, false, false);
    } else if (root != 0) { /* rank 0 is the tree's root */
        if (me == 0) swap(t, &s, root, all, -1, all, false, false);
        if (me == root) swap(t, &s, -1, all, 0, all, false, false);
    }
    if (!has_result) free(s.value);
    free(s.his);
}
