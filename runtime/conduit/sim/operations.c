/* The overrides: each moves its data, and records what it did. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "conduit/launch/launch.h"
#include "conduit/progress.h"
#include "conduit/sim/sim.h"
#include "conduit/work.h"
#include "gas.h"
#include "lang/prelude.h"

/* The next put or get takes effect in the order of time, when it arrives. */
static bool is_ordered;
static uint64_t last_id;
static bool has_begun;          /* operations, since the last wait */
static uint32_t notified, seen; /* barriers: that this thread has notified; that were complete when it last looked */

static int thread_of(uint64_t p) { return (int)fathom_thread_of(p); }

/* Returns when the operation has arrived at its target; the thread goes on in time when it is complete. */
static void arrive(enum sim_record what, uint64_t p, size_t n) {
    is_ordered = false;
    uint64_t *args = sim_self->args;
    args[0] = what;
    args[1] = (uint64_t)thread_of(p);
    args[2] = n;
    args[3] = fathom_offset_of(p);
    sim_stop(SIM_ARRIVAL);
}

static void record(enum sim_record what, uint64_t p, size_t n, uint64_t id) {
    sim_record(what, thread_of(p), n, fathom_offset_of(p), id, NULL, 0);
}

static void put(uint64_t dst, const void *src, size_t n) {
    if (is_ordered)
        arrive(SIM_PUT, dst, n);
    else
        record(SIM_PUT, dst, n, 0);
    sim_write(dst, src, n);
}

static void get(void *dst, uint64_t src, size_t n) {
    if (is_ordered)
        arrive(SIM_GET, src, n);
    else
        record(SIM_GET, src, n, 0);
    sim_read(dst, src, n);
}

static void put_relaxed(uint64_t dst, const void *src, size_t n) {
    if (is_ordered)
        arrive(SIM_PUT, dst, n);
    else
        record(SIM_PUT_RELAXED, dst, n, 0);
    sim_write(dst, src, n);
}

static struct conduit_op *begin(enum sim_record what, uint64_t p, size_t n) {
    has_begun = true;
    record(what, p, n, ++last_id);
    return (struct conduit_op *)(uintptr_t)(last_id << 1); /* neither null nor CONDUIT_NOTED */
}

static struct conduit_op *put_begin(uint64_t dst, const void *src, size_t n) {
    sim_write(dst, src, n);
    return begin(SIM_PUT_BEGIN, dst, n);
}

static struct conduit_op *get_begin(void *dst, uint64_t src, size_t n) {
    sim_read_later(dst, src, n);
    return begin(SIM_GET_BEGIN, src, n);
}

static bool op_test(struct conduit_op *op) {
    uint64_t id = (uintptr_t)op >> 1;
    sim_fetch();
    if (conduit_is_awaited) {
        sim_record(SIM_AWAIT, sim_me, 0, 0, id, NULL, 0);
        return true;
    }
    sim_self->args[0] = id;
    sim_stop(SIM_TEST);
    return sim_self->answer != 0;
}

static void settle(void) {
    sim_fetch();
    sim_record(SIM_SETTLE, sim_me, 0, 0, 0, NULL, 0);
}

static void in_order(bool is_strict) {
    if (conduit_engine.inside || conduit_beside) return;
    sim_stop(SIM_ORDER);
    is_ordered = is_strict;
}

static void note(enum conduit_note what, uint64_t at, size_t bytes) {
    if (!conduit_beside) record(SIM_NOTE, at, bytes, what);
}

static void started_in_c(void) { sim_walks = true; }

/* What the runtime does at the job's end has no place in the program. */
static void end_program(void) { fathom_here = NULL; }

static void notify(const struct conduit_ballot *mine) {
    if (notified++ == 0) atexit(end_program); /* after the runtime's own, and so before them */
    sim_self->notified = notified;
    sim_record(SIM_NOTIFY, sim_me, 0, 0, 0, &(struct sim_part){mine, sizeof *mine}, 1);
}

/* A thread that asks in a loop has to stop. */
static bool try(struct conduit_ballot *all) {
    static unsigned asked;
    if (sim_self->barriers != notified && !conduit_engine.inside && sim_asks_again(&asked)) {
        sim_stop(SIM_ORDER);
        sim_asks_again(&asked);
    }
    seen = sim_self->barriers;
    if (seen != notified) return false;
    *all = sim_self->ballot;
    return true;
}

/* Not if there is news since the caller looked: a poll may have stopped and brought it. Nor if the caller goes on by
 * itself: a copy from one thread to another begins an operation each time that it is asked. */
void sim_wait(int us) {
    bool goes_on = has_begun || conduit_engine.seen != conduit_engine.served || sim_self->barriers != seen;
    has_begun = false;
    if (goes_on) return;
    if (launch_is_ending()) { /* the supervisor will end this process: nothing else is to happen on the machine */
        poll(NULL, 0, 1);
        return;
    }
    sim_self->args[0] = (uint64_t)us * 1000000;
    sim_stop(SIM_WAIT);
}

const struct conduit_overrides sim_overrides = {.declare = sim_declare,
                                                .note = note,
                                                .started_in_c = started_in_c,
                                                .stack_unit = 1 << 18,
                                                .barrier_notify = notify,
                                                .barrier_try = try,
                                                .put = put,
                                                .get = get,
                                                .put_begin = put_begin,
                                                .get_begin = get_begin,
                                                .op_test = op_test,
                                                .put_relaxed = put_relaxed,
                                                .settle = settle,
                                                .in_order = in_order,
                                                .wait = sim_wait,
                                                .keeps_pages = true,
                                                .now_ns = sim_now_ns};
