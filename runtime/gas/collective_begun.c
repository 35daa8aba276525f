/* Collectives that are begun, and complete by their handles: what each member sends and takes, as a list of steps
 * (schedule.h).
 *
 * A broadcast goes down a binomial tree; reductions combine in the order of collective.h's tree, so that results are those
 * of the calls that block, bit by bit; a barrier is a dissemination; in the others each member sends to those that need its
 * data, because a step of a list that many wait for would be late where a member computes.
 */
#include <string.h>

#include "gas/lines.h"
#include "gas/schedule.h"

#define STEP(...) gas_schedule_add(s, (struct gas_step){__VA_ARGS__})

static void check(const char *function, gas_team t, int root) {
    if (!t) gas_fatal("%s: null team", function);
    if (root < 0 || root >= t->size) gas_fatal("%s: root %d of a team of %d", function, root, t->size);
}

/* Inside the gate: another POSIX thread may be in a handler now. */
static void enter(const char *function) {
    if (core_in_handler())
        gas_fatal("%s from a handler: a handler may reply, and make no other call that communicates", function);
    gas_lines_forget();
}

static int around(gas_team t, int rank) { return gas_rank_around(rank, t->size); }

/* The same data where others may read it as long as the list lasts, if it is long. */
static const char *lasting(struct gas_schedule *s, const void *p, size_t n) {
    if (!gas_schedule_is_long(s, n) || gas_schedule_stays(s, p, n)) return p;
    return memcpy(gas_schedule_room(s, n), p, n);
}

static gas_handle copied(void *dst, const void *src, size_t n) {
    if (dst != src && n) memmove(dst, src, n);
    return GAS_DONE;
}

/* ---- without data, and from one ---------------------------------------------------------------------------------- */

/* In round k each member tells the member 2^k further that 2^(k+1) have come. */
gas_handle gas_team_barrier_nb(gas_team t) {
    check("gas_team_barrier_nb", t, 0);
    GAS_TEAM_CALL(t);
    enter("gas_team_barrier_nb");
    fathom_fence();
    if (t->size == 1) return GAS_DONE;
    struct gas_schedule *s = gas_schedule_new(t, GAS_SCHEDULE_BARRIER, 8);
    for (int step = 1; step < t->size; step *= 2) {
        STEP(GAS_STEP_SEND, .rank = around(t, t->rank + step));
        STEP(GAS_STEP_TAKE, .rank = around(t, t->rank - step));
    }
    return gas_schedule_begin(s);
}

/* Of the ranks counted from the root, one takes from the rank without its lowest bit. */
gas_handle gas_broadcast_nb(gas_team t, void *dst, const void *src, size_t n, int root) {
    check("gas_broadcast_nb", t, root);
    GAS_TEAM_CALL(t);
    enter("gas_broadcast_nb");
    int me = around(t, t->rank - root), lowest = me ? me & -me : 1 << 30, first = 1;
    if (t->size == 1 || n == 0) return copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, GAS_SCHEDULE_BROADCAST, 8);
    while (first < t->size) first *= 2;
    bool passes_on = me == 0 || (me % 2 == 0 && me + 1 < t->size);
    const char *from = me ? dst : src;
    char *to = dst;
    if (me == 0)
        from = gas_schedule_stays(s, src, n) || !gas_schedule_stays(s, dst, n) ? lasting(s, src, n) : dst;
    else if (passes_on && gas_schedule_is_long(s, n) && !gas_schedule_stays(s, dst, n))
        from = to = gas_schedule_room(s, n);
    if (me == 0)
        copied(dst, src, n);
    else
        STEP(GAS_STEP_TAKE, .rank = around(t, (me & (me - 1)) + root), .to = to, .n = n);
    for (int bit = first; bit; bit >>= 1)
        if (bit < lowest && me + bit < t->size)
            STEP(GAS_STEP_SEND, .rank = around(t, me + bit + root), .from = from, .n = n);
    if (to != dst) STEP(GAS_STEP_COPY, .from = to, .to = dst, .n = n);
    return gas_schedule_begin(s);
}

gas_handle gas_scatter_nb(gas_team t, void *dst, const void *src, size_t n, int root) {
    check("gas_scatter_nb", t, root);
    GAS_TEAM_CALL(t);
    enter("gas_scatter_nb");
    if (t->size == 1 || n == 0) return copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, GAS_SCHEDULE_SCATTER, t->size);
    if (t->rank != root) {
        STEP(GAS_STEP_TAKE, .rank = root, .to = dst, .n = n);
        return gas_schedule_begin(s);
    }
    size_t all = n * (size_t)t->size;
    const char *from = src;
    if (gas_schedule_is_long(s, n) && !gas_schedule_stays(s, src, all))
        from = memcpy(gas_schedule_room(s, all), src, all);
    for (int i = 1; i < t->size; i++) {
        int to = around(t, root + i);
        STEP(GAS_STEP_SEND, .rank = to, .from = from + n * (size_t)to, .n = n);
    }
    STEP(GAS_STEP_COPY, .from = from + n * (size_t)root, .to = dst, .n = n); /* last: dst may be src */
    return gas_schedule_begin(s);
}

/* ---- to one, and to all ------------------------------------------------------------------------------------------ */

gas_handle gas_gather_nb(gas_team t, void *dst, const void *src, size_t n, int root) {
    check("gas_gather_nb", t, root);
    GAS_TEAM_CALL(t);
    enter("gas_gather_nb");
    if (t->size == 1 || n == 0) return copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, GAS_SCHEDULE_GATHER, t->size);
    if (t->rank != root) {
        STEP(GAS_STEP_SEND, .rank = root, .from = lasting(s, src, n), .n = n);
        return gas_schedule_begin(s);
    }
    copied((char *)dst + n * (size_t)root, src, n); /* first: dst may be src */
    for (int i = 1; i < t->size; i++) {
        int from = around(t, root + i);
        STEP(GAS_STEP_TAKE, .rank = from, .to = (char *)dst + n * (size_t)from, .n = n);
    }
    return gas_schedule_begin(s);
}

gas_handle gas_gather_all_nb(gas_team t, void *dst, const void *src, size_t n) {
    check("gas_gather_all_nb", t, 0);
    GAS_TEAM_CALL(t);
    enter("gas_gather_all_nb");
    if (t->size == 1 || n == 0) return copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, GAS_SCHEDULE_GATHER_ALL, 2 * t->size);
    char *mine = (char *)dst + n * (size_t)t->rank;
    copied(mine, src, n); /* first: dst may be src */
    const char *from = lasting(s, mine, n);
    for (int i = 1; i < t->size; i++) STEP(GAS_STEP_SEND, .rank = around(t, t->rank + i), .from = from, .n = n);
    for (int i = 1; i < t->size; i++) {
        int rank = around(t, t->rank - i);
        STEP(GAS_STEP_TAKE, .rank = rank, .to = (char *)dst + n * (size_t)rank, .n = n);
    }
    return gas_schedule_begin(s);
}

gas_handle gas_exchange_nb(gas_team t, void *dst, const void *src, size_t n) {
    check("gas_exchange_nb", t, 0);
    GAS_TEAM_CALL(t);
    enter("gas_exchange_nb");
    if (t->size == 1 || n == 0) return copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, GAS_SCHEDULE_EXCHANGE, 2 * t->size);
    size_t all = n * (size_t)t->size;
    const char *from = src;
    if (dst == src || (gas_schedule_is_long(s, n) && !gas_schedule_stays(s, src, all)))
        from = memcpy(gas_schedule_room(s, all), src, all);
    copied((char *)dst + n * (size_t)t->rank, from + n * (size_t)t->rank, n);
    for (int i = 1; i < t->size; i++) {
        int to = around(t, t->rank + i);
        STEP(GAS_STEP_SEND, .rank = to, .from = from + n * (size_t)to, .n = n);
    }
    for (int i = 1; i < t->size; i++) {
        int rank = around(t, t->rank - i);
        STEP(GAS_STEP_TAKE, .rank = rank, .to = (char *)dst + n * (size_t)rank, .n = n);
    }
    return gas_schedule_begin(s);
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

/* This member's value changes with each member that it meets: value 0 is its own data, value k what it is after k
 * meetings. Where they are is decided when their number is known. -1: no value. */
static void meet(struct gas_schedule *s, int *value, int to, int from, bool his_is_left) {
    if (to >= 0) STEP(GAS_STEP_SEND, .rank = to, .in = *value, .out = -1);
    STEP(GAS_STEP_COMBINE, .rank = from, .his_is_left = his_is_left, .in = *value, .out = *value + 1);
    ++*value;
}
static void give(struct gas_schedule *s, int value, int to) { STEP(GAS_STEP_SEND, .rank = to, .in = value, .out = -1); }

/* Steps alternate between two places: what one of them holds has been read by the time that it is written again, or the
 * step waits; the member that it waits for is a step further behind, so no circle is waited for. The last value goes to dst.
 * Value 0 lies apart from dst if the only meeting writes there: both members would wait until the other has read. */
static void place_values(struct gas_schedule *s, int last, void *dst, const void *src, size_t n) {
    bool sends_own = false;
    for (int i = 0; i < s->count; i++) sends_own |= s->steps[i].kind == GAS_STEP_SEND && s->steps[i].in == 0;
    const char *own = src;
    if (sends_own && gas_schedule_is_long(s, n)) {
        own = lasting(s, src, n);
        if (own == dst && last == 1) own = memcpy(gas_schedule_room(s, n), src, n);
    }
    char *places[2] = {NULL, NULL};
    for (int i = 0; i < s->count; i++) {
        struct gas_step *step = &s->steps[i];
        step->n = n;
        if (step->in >= 0) step->from = step->in == 0 ? own : step->in == last && dst ? dst : places[step->in % 2];
        if (step->out < 0) continue;
        char **to = &places[step->out % 2];
        if (!*to && (step->out < last || !dst)) *to = gas_schedule_room(s, n);
        step->to = step->out == last && dst ? dst : *to;
    }
}

/* As gas_far_reduce: the pairs at the tree's lower edge, then its levels. */
static gas_handle reduce(struct gas_schedule *s, void *dst, const void *src, size_t count, int root) {
    gas_team t = s->team;
    size_t n = count * s->by.o.elem;
    int width = gas_tree_width(t->size), extra = t->size - width, me = t->rank, value = 0;
    int leaf = gas_tree_leaf(me, extra), speaker = root < 0 || gas_tree_leaf(root, extra) >= 0 ? root : root - 1;
    if (leaf < 0)
        give(s, value, me - 1);
    else if (me < 2 * extra)
        meet(s, &value, -1, me + 1, false);
    for (int bit = 1, goal = speaker < 0 ? 0 : gas_tree_leaf(speaker, extra); leaf >= 0 && bit < width; bit *= 2) {
        if (root < 0) {
            int other = gas_tree_rank(leaf ^ bit, extra);
            meet(s, &value, other, other, leaf & bit);
            continue;
        }
        int other = gas_tree_rank(gas_tree_holder(leaf ^ bit, bit, goal), extra);
        if (gas_tree_holder(leaf, 2 * bit, goal) != leaf) {
            give(s, value, other);
            break;
        }
        meet(s, &value, -1, other, leaf & bit);
    }
    /* To the members that others have represented. */
    bool takes_result = root < 0 ? leaf < 0 : root != speaker && me == root;
    if (root < 0 && leaf >= 0 && me < 2 * extra) give(s, value, me + 1);
    if (root >= 0 && root != speaker && me == speaker) give(s, value, root);
    place_values(s, value, !takes_result && (root < 0 || root == me) ? dst : NULL, src, n);
    if (takes_result) STEP(GAS_STEP_TAKE, .rank = root < 0 ? me - 1 : speaker, .to = dst, .n = n);
    return gas_schedule_begin(s);
}

static gas_handle reduce_by(gas_team t, void *dst, const void *src, size_t count, const struct gas_arithmetic *a,
                            const struct gas_custom *c, int root) {
    size_t n = count * (a ? a->operator.elem : c->operator.elem);
    if (t->size == 1 || n == 0) return copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, root < 0 ? GAS_SCHEDULE_ALL_REDUCE : GAS_SCHEDULE_REDUCE, 16);
    if (a)
        s->by.arithmetic = *a;
    else
        s->by.custom = *c;
    return reduce(s, dst, src, count, root);
}

gas_handle gas_reduce_nb(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                         enum gas_atomic_op op, int root) {
    check("gas_reduce_nb", t, root);
    GAS_TEAM_CALL(t);
    enter("gas_reduce_nb");
    struct gas_arithmetic a = gas_arithmetic_of("gas_reduce_nb", type, op);
    return reduce_by(t, dst, src, count, &a, NULL, root);
}

gas_handle gas_all_reduce_nb(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                             enum gas_atomic_op op) {
    check("gas_all_reduce_nb", t, 0);
    GAS_TEAM_CALL(t);
    enter("gas_all_reduce_nb");
    struct gas_arithmetic a = gas_arithmetic_of("gas_all_reduce_nb", type, op);
    return reduce_by(t, dst, src, count, &a, NULL, -1);
}

gas_handle gas_reduce_with_nb(gas_team t, void *dst, const void *src, size_t count, size_t elem_bytes,
                              gas_combiner *combine, void *context, int root) {
    check("gas_reduce_with_nb", t, root);
    GAS_TEAM_CALL(t);
    enter("gas_reduce_with_nb");
    struct gas_custom c = gas_custom_of("gas_reduce_with_nb", elem_bytes, combine, context);
    return reduce_by(t, dst, src, count, NULL, &c, root);
}

gas_handle gas_all_reduce_with_nb(gas_team t, void *dst, const void *src, size_t count, size_t elem_bytes,
                                  gas_combiner *combine, void *context) {
    check("gas_all_reduce_with_nb", t, 0);
    GAS_TEAM_CALL(t);
    enter("gas_all_reduce_with_nb");
    struct gas_custom c = gas_custom_of("gas_all_reduce_with_nb", elem_bytes, combine, context);
    return reduce_by(t, dst, src, count, NULL, &c, -1);
}
