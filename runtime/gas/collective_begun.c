/* Collectives that are begun, and complete by their handles: what each member sends and takes, as a list of steps
 * (schedule.h).
 *
 * A broadcast goes down a binomial tree; a barrier is a dissemination; in the others each member sends to those that need its
 * data, because a step of a list that many wait for would be late where a member computes. collective_begun_reduce.c has
 * reductions, collective_begun_pieces.c those whose pieces have different sizes.
 */
#include "gas/collective_begun.h"

void gas_begun_enter(const char *function) {
    core_gate_check();
    if (core_in_handler()) gas_fatal("%s from %s", function, core_inside());
    gas_lines_forget();
}

/* ---- without data, and from one ---------------------------------------------------------------------------------- */

/* In round k each member tells the member 2^k further that 2^(k+1) have come. */
gas_handle gas_team_barrier_nb(gas_team t) {
    begun_check("gas_team_barrier_nb", t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter("gas_team_barrier_nb");
    fathom_fence();
    if (t->size == 1) return GAS_DONE;
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_BARRIER, -1, 8);
    for (int step = 1; step < t->size; step *= 2) {
        STEP(GAS_STEP_SEND, .rank = begun_around(t, t->rank + step));
        STEP(GAS_STEP_TAKE, .rank = begun_around(t, t->rank - step));
    }
    return gas_schedule_begin(s);
}

/* Of the ranks counted from the root, one takes from the rank without its lowest bit. */
gas_handle gas_broadcast_nb(gas_team t, void *dst, const void *src, size_t n, int root) {
    begun_check("gas_broadcast_nb", t, root);
    GAS_TEAM_CALL(t);
    gas_begun_enter("gas_broadcast_nb");
    int me = begun_around(t, t->rank - root), lowest = me ? me & -me : 1 << 30, first = 1;
    if (t->size == 1 || n == 0) return begun_copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_BROADCAST, root, 8);
    while (first < t->size) first *= 2;
    bool passes_on = me == 0 || (me % 2 == 0 && me + 1 < t->size);
    const char *from = me ? dst : src;
    char *to = dst;
    if (me == 0)
        from = gas_schedule_stays(s, src, n) || !gas_schedule_stays(s, dst, n) ? begun_lasting(s, src, n) : dst;
    else if (passes_on && gas_schedule_is_long(s, n) && !gas_schedule_stays(s, dst, n))
        from = to = gas_schedule_room(s, n);
    if (me == 0)
        begun_copied(dst, src, n);
    else
        STEP(GAS_STEP_TAKE, .rank = begun_around(t, (me & (me - 1)) + root), .to = to, .n = n);
    for (int bit = first; bit; bit >>= 1)
        if (bit < lowest && me + bit < t->size)
            STEP(GAS_STEP_SEND, .rank = begun_around(t, me + bit + root), .from = from, .n = n);
    if (to != dst) STEP(GAS_STEP_COPY, .from = to, .to = dst, .n = n);
    return gas_schedule_begin(s);
}

gas_handle gas_scatter_nb(gas_team t, void *dst, const void *src, size_t n, int root) {
    begun_check("gas_scatter_nb", t, root);
    GAS_TEAM_CALL(t);
    gas_begun_enter("gas_scatter_nb");
    if (t->size == 1 || n == 0) return begun_copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_SCATTER, root, t->size);
    if (t->rank != root) {
        STEP(GAS_STEP_TAKE, .rank = root, .to = dst, .n = n);
        return gas_schedule_begin(s);
    }
    size_t all = n * (size_t)t->size;
    const char *from = src;
    if (gas_schedule_is_long(s, n) && !gas_schedule_stays(s, src, all))
        from = memcpy(gas_schedule_room(s, all), src, all);
    for (int i = 1; i < t->size; i++) {
        int to = begun_around(t, root + i);
        STEP(GAS_STEP_SEND, .rank = to, .from = from + n * (size_t)to, .n = n);
    }
    STEP(GAS_STEP_COPY, .from = from + n * (size_t)root, .to = dst, .n = n); /* last: dst may be src */
    return gas_schedule_begin(s);
}

/* ---- to one, and to all ------------------------------------------------------------------------------------------ */

gas_handle gas_gather_nb(gas_team t, void *dst, const void *src, size_t n, int root) {
    begun_check("gas_gather_nb", t, root);
    GAS_TEAM_CALL(t);
    gas_begun_enter("gas_gather_nb");
    if (t->size == 1 || n == 0) return begun_copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_GATHER, root, t->size);
    if (t->rank != root) {
        STEP(GAS_STEP_SEND, .rank = root, .from = begun_lasting(s, src, n), .n = n);
        return gas_schedule_begin(s);
    }
    begun_copied((char *)dst + n * (size_t)root, src, n); /* first: dst may be src */
    for (int i = 1; i < t->size; i++) {
        int from = begun_around(t, root + i);
        STEP(GAS_STEP_TAKE, .rank = from, .to = (char *)dst + n * (size_t)from, .n = n);
    }
    return gas_schedule_begin(s);
}

gas_handle gas_gather_all_nb(gas_team t, void *dst, const void *src, size_t n) {
    begun_check("gas_gather_all_nb", t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter("gas_gather_all_nb");
    if (t->size == 1 || n == 0) return begun_copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_GATHER_ALL, -1, 2 * t->size);
    char *mine = (char *)dst + n * (size_t)t->rank;
    begun_copied(mine, src, n); /* first: dst may be src */
    const char *from = begun_lasting(s, mine, n);
    for (int i = 1; i < t->size; i++) STEP(GAS_STEP_SEND, .rank = begun_around(t, t->rank + i), .from = from, .n = n);
    for (int i = 1; i < t->size; i++) {
        int rank = begun_around(t, t->rank - i);
        STEP(GAS_STEP_TAKE, .rank = rank, .to = (char *)dst + n * (size_t)rank, .n = n);
    }
    return gas_schedule_begin(s);
}

gas_handle gas_exchange_nb(gas_team t, void *dst, const void *src, size_t n) {
    begun_check("gas_exchange_nb", t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter("gas_exchange_nb");
    if (t->size == 1 || n == 0) return begun_copied(dst, src, n);
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_EXCHANGE, -1, 2 * t->size);
    size_t all = n * (size_t)t->size;
    const char *from = src;
    if (dst == src || (gas_schedule_is_long(s, n) && !gas_schedule_stays(s, src, all)))
        from = memcpy(gas_schedule_room(s, all), src, all);
    begun_copied((char *)dst + n * (size_t)t->rank, from + n * (size_t)t->rank, n);
    for (int i = 1; i < t->size; i++) {
        int to = begun_around(t, t->rank + i);
        STEP(GAS_STEP_SEND, .rank = to, .from = from + n * (size_t)to, .n = n);
    }
    for (int i = 1; i < t->size; i++) {
        int rank = begun_around(t, t->rank - i);
        STEP(GAS_STEP_TAKE, .rank = rank, .to = (char *)dst + n * (size_t)rank, .n = n);
    }
    return gas_schedule_begin(s);
}
