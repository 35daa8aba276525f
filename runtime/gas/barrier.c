/* Barriers, over the core's: the program's (split into notify and wait, with values) and the runtime's own.
 *
 * At a barrier the threads exchange ballots. A ballot says which kind of barrier each is at, the first value given, and
 * one that differs from it. If the kinds are not all the same, the threads are in different collectives.
 */
#include <stdio.h>

#include "core/tuning.h"
#include "gas/gas_internal.h"
#include "gas/lines.h"
#include "gas/team.h"

enum { PROGRAM = 1, RUNTIME = 2 };

/* A value in a ballot: 0, or GIVEN | thread << 32 | value. */
#define GIVEN (1ull << 63)

static bool notified;         /* the program is between notify and wait */
static bool runtime_notified; /* gas_barrier_notify without its wait */
static bool is_noted;         /* it has been tried in vain */

static int value_of(uint64_t word) { return (int)(uint32_t)word; }
static int giver_of(uint64_t word) { return (int)((word & ~GIVEN) >> 32); }

static void begin(const char *what) {
    if (__builtin_expect(notified | runtime_notified, 0))
        gas_fatal("%s between %s", what,
                  notified ? "upc_notify and upc_wait" : "gas_barrier_notify and gas_barrier_wait");
}

static void notify_program(bool has_value, int value) {
    struct conduit_ballot mine = {PROGRAM, 0, 0};
    if (has_value) mine.first = GIVEN | (uint64_t)fathom_mythread << 32 | (uint32_t)value;
    core_barrier_notify(&mine);
}

/* Rule 1 and rule 2 of 6.6.1 p6. If no notify has a value, neither is checked. */
static inline __attribute__((always_inline)) void check(const struct conduit_ballot *all, bool has_value, int value) {
    if (__builtin_expect(all->kinds != PROGRAM && all->kinds != RUNTIME, 0))
        gas_fatal(
            "the threads are in different collectives: some at a upc_barrier or upc_notify, others in a collective "
            "function of the library");
    if (__builtin_expect(!all->first, 1)) return;
    if (all->other)
        gas_fatal("barrier values differ: thread %d notifies with %d, thread %d with %d", giver_of(all->first),
                  value_of(all->first), giver_of(all->other), value_of(all->other));
    if (has_value && value != value_of(all->first))
        gas_fatal("barrier values differ: upc_wait has %d, but thread %d notified with %d", value, giver_of(all->first),
                  value_of(all->first));
}

void gas_program_notify(bool has_value, int value) {
    GAS_TEAM_CALL(gas_world());
    begin("upc_notify (or upc_barrier)");
    fathom_fence(); /* a null strict access (6.6.1 p5), because other accesses may come before the wait */
    notify_program(has_value, value);
    notified = true;
}

void gas_program_wait(bool has_value, int value) {
    GAS_TEAM_CALL(gas_world());
    if (__builtin_expect(!notified, 0)) gas_fatal("upc_wait without a upc_notify before it");
    struct conduit_ballot all;
    core_barrier_wait(&all);
    notified = false;
    fathom_fence(); /* between the two there may have been shared accesses */
    check(&all, has_value, value);
}

void gas_program_barrier(bool has_value, int value) {
    GAS_TEAM_CALL(gas_world());
    begin("upc_barrier");
    fathom_settle(); /* every thread's writes are before its news, and all news before any thread goes on */
    notify_program(has_value, value);
    struct conduit_ballot all;
    core_barrier_wait(&all);
    check(&all, has_value, value);
}

void gas_barrier_notify(void) {
    GAS_TEAM_CALL(gas_world());
    begin("a collective function");
    fathom_fence();
    core_barrier_notify(&(struct conduit_ballot){RUNTIME, 0, 0});
    runtime_notified = true;
}

static void leave(void) {
    if (is_noted) core_barrier_left();
    is_noted = false;
}

int gas_barrier_try(void) {
    GAS_TEAM_CALL(gas_world());
    struct conduit_ballot all;
    if (!runtime_notified) gas_fatal("gas_barrier_try without a gas_barrier_notify before it");
    if (!core_barrier_try(&all)) {
        core_barrier_tried();
        is_noted = true;
        gas_poll();
        return 0;
    }
    leave();
    gas_lines_forget();
    runtime_notified = false;
    check(&all, false, 0);
    return 1;
}

void gas_barrier_wait(void) {
    GAS_TEAM_CALL(gas_world());
    if (!runtime_notified) gas_fatal("gas_barrier_wait without a gas_barrier_notify before it");
    gas_lines_forget();
    struct conduit_ballot all;
    core_barrier_wait(&all);
    leave();
    runtime_notified = false;
    check(&all, false, 0);
}

static inline void barrier(void) {
    begin("a collective function");
    fathom_settle();
    core_barrier_notify(&(struct conduit_ballot){RUNTIME, 0, 0});
    struct conduit_ballot all;
    core_barrier_wait(&all);
    check(&all, false, 0);
}

static __attribute__((noinline)) void barrier_inside(void) {
    GAS_TEAM_CALL(gas_world());
    barrier();
}

void gas_barrier(void) {
    if (__builtin_expect(core_gate_is_on, 0))
        barrier_inside();
    else
        barrier();
}

void gas_first_barrier(void) {
    fathom_settle();
    struct conduit_ballot mine = {RUNTIME, GIVEN | (uint64_t)fathom_mythread << 32 | core_tuning_word(), 0}, all;
    core_barrier_notify(&mine);
    core_barrier_wait(&all);
    if (all.other && fathom_mythread == 0)
        fprintf(stderr,
                "fathom: the tuning tables of threads %d and %d differ in choices that both must share: the "
                "built-in defaults are used for collectives and atomics; give all computers of a job the same table\n",
                giver_of(all.first), giver_of(all.other));
    core_tuning_settle(!all.other);
}
