/* Reductions, scans and reductions that are dealt out, which are begun (collective_begun.c). They combine in the orders of the
 * calls that block.
 */
#include "gas/calls.h"
#include "gas/collective_begun.h"

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
        own = begun_lasting(s, src, n);
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

static union gas_any_operator arithmetic(const char *function, enum gas_atomic_type type, enum gas_atomic_op op) {
    return (union gas_any_operator){.arithmetic = gas_arithmetic_of(function, type, op)};
}
static union gas_any_operator custom(const char *function, size_t elem_bytes, gas_combiner *combine, void *context) {
    return (union gas_any_operator){.custom = gas_custom_of(function, elem_bytes, combine, context)};
}

static size_t elements(const union gas_any_operator *by, size_t count) {
    size_t n = gas_elements(&by->o, count);
    if (n >= CORE_NO_SIZE) core_no_size(n);
    return n;
}

static gas_handle reduce_by(gas_team t, void *dst, const void *src, size_t count, union gas_any_operator by, int root) {
    size_t n = elements(&by, count);
    if (t->size == 1 || n == 0) return begun_copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, root < 0 ? GAS_CALL_ALL_REDUCE : GAS_CALL_REDUCE, root, 16);
    s->by = by;
    return reduce(s, dst, src, count, root);
}

gas_handle gas_reduce_nb(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                         enum gas_atomic_op op, int root) {
    static const char function[] = "gas_reduce_nb";
    begun_check(function, t, root);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    return reduce_by(t, dst, src, count, arithmetic(function, type, op), root);
}

gas_handle gas_all_reduce_nb(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                             enum gas_atomic_op op) {
    static const char function[] = "gas_all_reduce_nb";
    begun_check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    return reduce_by(t, dst, src, count, arithmetic(function, type, op), -1);
}

gas_handle gas_reduce_with_nb(gas_team t, void *dst, const void *src, size_t count, size_t elem_bytes,
                              gas_combiner *combine, void *context, int root) {
    static const char function[] = "gas_reduce_with_nb";
    begun_check(function, t, root);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    return reduce_by(t, dst, src, count, custom(function, elem_bytes, combine, context), root);
}

gas_handle gas_all_reduce_with_nb(gas_team t, void *dst, const void *src, size_t count, size_t elem_bytes,
                                  gas_combiner *combine, void *context) {
    static const char function[] = "gas_all_reduce_with_nb";
    begun_check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    return reduce_by(t, dst, src, count, custom(function, elem_bytes, combine, context), -1);
}

/* ---- scans ------------------------------------------------------------------------------------------------------- */

/* As gas_far_scan. In an exclusive scan, dst becomes what the members before this one give; this member's value, which they
 * and it give, goes on beside it as long as later members need it. */
static gas_handle scan_by(gas_team t, void *dst, const void *src, size_t count, union gas_any_operator by,
                          bool exclusive) {
    size_t n = elements(&by, count);
    int me = t->rank, value = 0;
    if (me == 0 && !exclusive) begun_copied(dst, src, n);
    if (t->size == 1 || n == 0) return GAS_DONE;
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_SCAN, -1, 16);
    s->by = by;
    for (int step = 1; step < t->size; step *= 2) {
        int from = me - step;
        if (me + step < t->size) give(s, value, me + step);
        if (from < 0) continue;
        if (!exclusive || me + 2 * step < t->size) {
            STEP(GAS_STEP_COMBINE, .rank = from, .his_is_left = true, .again = exclusive, .in = value,
                 .out = value + 1);
            value++;
        }
        if (exclusive)
            STEP(step == 1 ? GAS_STEP_TAKE : GAS_STEP_COMBINE, .rank = from, .his_is_left = true, .from = dst,
                 .to = dst, .in = -1, .out = -1);
    }
    place_values(s, value, exclusive ? NULL : dst, src, n);
    return gas_schedule_begin(s);
}

gas_handle gas_scan_nb(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                       enum gas_atomic_op op, int exclusive) {
    static const char function[] = "gas_scan_nb";
    begun_check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    return scan_by(t, dst, src, count, arithmetic(function, type, op), exclusive);
}

gas_handle gas_scan_with_nb(gas_team t, void *dst, const void *src, size_t count, size_t elem_bytes,
                            gas_combiner *combine, void *context, int exclusive) {
    static const char function[] = "gas_scan_with_nb";
    begun_check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    return scan_by(t, dst, src, count, custom(function, elem_bytes, combine, context), exclusive);
}

/* ---- reductions that are dealt out ------------------------------------------------------------------------------- */

/* Each member gets the contributions to its share, which it then combines in the order of collective.h: of each pair of
 * shares, the left one takes up the right one. `counts`: the elements of each member's share; null: `count` for each. */
static gas_handle reduce_scatter_by(gas_team t, void *dst, const void *src, const size_t *counts, size_t count,
                                    union gas_any_operator by, bool blocks) {
    size_t size = (size_t)t->size, all = 0, start = 0, n = 0, *at = gas_room(2 * size * sizeof *at), *bytes = at + size;
    for (size_t r = 0; r < size; r++) {
        at[r] = all;
        bytes[r] = elements(&by, counts ? counts[r] : count);
        if (r == (size_t)t->rank) start = all, n = bytes[r];
        all += bytes[r];
    }
    const char *own = (const char *)src + start;
    if (size == 1 || all == 0) {
        free(at);
        return begun_copied(dst, own, n);
    }
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_REDUCE_SCATTER, -1, 3 * t->size);
    if (blocks) gas_schedule_blocks(s);
    s->by = by;
    char *shares = gas_schedule_private_room(s, n * size);
#define SHARE(rank) (shares + n * (size_t)(rank))
    begun_copied(SHARE(t->rank), own, n);
    gas_begun_send_pieces(s, src, at, bytes);
    free(at);
    for (int i = 1; i < t->size; i++) {
        int from = begun_around(t, t->rank - i);
        STEP(GAS_STEP_TAKE, .rank = from, .to = SHARE(from), .n = n);
    }
    int width = gas_tree_width(t->size), extra = t->size - width;
    for (int i = 0; n && i < extra; i++) STEP(GAS_STEP_MERGE, .to = SHARE(2 * i), .from = SHARE(2 * i + 1), .n = n);
    for (int w = 1; n && w < width; w *= 2)
        for (int i = 0; i + w < width; i += 2 * w)
            STEP(GAS_STEP_MERGE, .to = SHARE(gas_tree_rank(i, extra)), .from = SHARE(gas_tree_rank(i + w, extra)),
                 .n = n);
#undef SHARE
    STEP(GAS_STEP_COPY, .from = shares, .to = dst, .n = n);
    return gas_schedule_begin(s);
}

gas_handle gas_reduce_scatter_nb(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                                 enum gas_atomic_op op) {
    static const char function[] = "gas_reduce_scatter_nb";
    begun_check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    return reduce_scatter_by(t, dst, src, NULL, count, arithmetic(function, type, op), false);
}

gas_handle gas_reduce_scatter_with_nb(gas_team t, void *dst, const void *src, size_t count, size_t elem_bytes,
                                      gas_combiner *combine, void *context) {
    static const char function[] = "gas_reduce_scatter_with_nb";
    begun_check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    return reduce_scatter_by(t, dst, src, NULL, count, custom(function, elem_bytes, combine, context), false);
}

static gas_handle reduce_scatter_pieces(const char *function, gas_team t, void *dst, const void *src,
                                        const size_t *counts, enum gas_atomic_type type, enum gas_atomic_op op,
                                        bool blocks) {
    begun_check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    if (!counts) gas_fatal("%s: the address of the members' counts is null", function);
    return reduce_scatter_by(t, dst, src, counts, 0, arithmetic(function, type, op), blocks);
}

static gas_handle reduce_scatter_pieces_with(const char *function, gas_team t, void *dst, const void *src,
                                             const size_t *counts, size_t elem_bytes, gas_combiner *combine,
                                             void *context, bool blocks) {
    begun_check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    if (!counts) gas_fatal("%s: the address of the members' counts is null", function);
    return reduce_scatter_by(t, dst, src, counts, 0, custom(function, elem_bytes, combine, context), blocks);
}

gas_handle gas_reduce_scatter_pieces_nb(gas_team t, void *dst, const void *src, const size_t *counts,
                                        enum gas_atomic_type type, enum gas_atomic_op op) {
    return reduce_scatter_pieces("gas_reduce_scatter_pieces_nb", t, dst, src, counts, type, op, false);
}

gas_handle gas_reduce_scatter_pieces_with_nb(gas_team t, void *dst, const void *src, const size_t *counts,
                                             size_t elem_bytes, gas_combiner *combine, void *context) {
    return reduce_scatter_pieces_with("gas_reduce_scatter_pieces_with_nb", t, dst, src, counts, elem_bytes, combine,
                                      context, false);
}

void gas_reduce_scatter_pieces(gas_team t, void *dst, const void *src, const size_t *counts, enum gas_atomic_type type,
                               enum gas_atomic_op op) {
    gas_team_check("gas_reduce_scatter_pieces", t);
    GAS_TEAM_CALL(t);
    gas_call(t, GAS_CALL_REDUCE_SCATTER, -1, 0);
    gas_handle h = reduce_scatter_pieces("gas_reduce_scatter_pieces", t, dst, src, counts, type, op, true);
    gas_wait(&h);
}

void gas_reduce_scatter_pieces_with(gas_team t, void *dst, const void *src, const size_t *counts, size_t elem_bytes,
                                    gas_combiner *combine, void *context) {
    gas_team_check("gas_reduce_scatter_pieces_with", t);
    GAS_TEAM_CALL(t);
    gas_call(t, GAS_CALL_REDUCE_SCATTER, -1, 0);
    gas_handle h = reduce_scatter_pieces_with("gas_reduce_scatter_pieces_with", t, dst, src, counts, elem_bytes,
                                              combine, context, true);
    gas_wait(&h);
}
