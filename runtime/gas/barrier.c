/* Barriers: the program's (split in notify and wait, with values) and the runtime's own, on one counter.
 *
 * A thread arrives by adding to `count`; the last one resets it and advances `generation`, on which the others spin
 * briefly and then sleep. The runtime's barriers add in the upper half of `count`: if a barrier's arrivals are not
 * all of one kind, the threads are in different collectives, and the last one to arrive says so. Values (6.6.1 p6)
 * meet in a word for each of two alternating phases, which is written only by programs that give values; the word of
 * a phase is cleared by the last arrival of the next, when nobody can look at it any more.
 *
 * Whoever sleeps looks up now and then whether a thread has terminated that should still arrive: that barrier would
 * never complete, and the job ends with a message instead of hanging.
 */
#include <sched.h>

#include "gas/gas_internal.h"

#define RUNTIME_ARRIVAL (1ull << 32)
#define ASLEEP 1u /* in `generation`: somebody sleeps on it; the number itself counts in steps of 2 */
#define LOOK_UP_MS 50
#define SPINS 2000 /* a pause takes 40 to 140 cycles: some ten switches of context */
#define YIELDS 10

/* A value word: 0, or GIVEN | thread << 32 | value. */
#define GIVEN (1ull << 63)

struct barrier {
    _Alignas(64) uint64_t count;
    _Alignas(64) uint32_t generation;
    _Alignas(64) uint64_t value[2];  /* the first value given in the phase */
    uint64_t other[2];               /* one that differs from it */
    struct {
        _Alignas(64) uint32_t phase; /* notified by this thread so far */
    } arrived[];
};

static struct barrier *b;
static uint32_t phase;  /* of this thread: number of notifies */
static bool notified;   /* between notify and wait */
static unsigned spins;

void gas_barrier_prepare(void) {
    b = core_shared(sizeof *b + (size_t)fathom_threads * sizeof b->arrived[0]);
    spins = fathom_threads <= conduit_cores() ? SPINS : 20;
}

unsigned gas_spins(void) { return spins; }

static int value_of(uint64_t word) { return (int)(uint32_t)word; }
static int giver_of(uint64_t word) { return (int)((word & ~GIVEN) >> 32); }

static void give(int value) {
    uint64_t mine = GIVEN | (uint64_t)fathom_mythread << 32 | (uint32_t)value, first = 0;
    uint64_t *word = &b->value[phase & 1];
    first = __atomic_load_n(word, __ATOMIC_RELAXED);
    if (!first && __atomic_compare_exchange_n(word, &first, mine, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
    if (value_of(first) != value) __atomic_store_n(&b->other[phase & 1], mine, __ATOMIC_RELAXED);
}

/* All have arrived: makes the phase complete. */
static void release(void) {
    __atomic_store_n(&b->count, 0, __ATOMIC_RELAXED);
    uint32_t next = (phase + 1) & 1;
    if (b->value[next]) b->value[next] = 0;
    if (b->other[next]) b->other[next] = 0;
    if (__atomic_exchange_n(&b->generation, phase << 1, __ATOMIC_SEQ_CST) & ASLEEP)
        conduit_wake(&b->generation, fathom_threads, ~0u);
}

static void arrive(uint64_t kind) {
    b->arrived[fathom_mythread].phase = phase;
    uint64_t n = __atomic_add_fetch(&b->count, kind, __ATOMIC_SEQ_CST);
    if ((uint32_t)n + (uint32_t)(n >> 32) != (uint32_t)fathom_threads) return;
    if (__builtin_expect((uint32_t)n != 0 && n >> 32 != 0, 0))
        gas_fatal("the threads are in different collectives: %u at a upc_barrier or upc_notify, %u in a collective "
                  "function of the library",
                  (unsigned)n, (unsigned)(n >> 32));
    release();
}

/* Has the phase that this thread has notified completed? */
static bool complete(uint32_t generation) { return (int32_t)((generation >> 1 << 1) - (phase << 1)) >= 0; }

static void look_for_deadlock(void) {
    if (!conduit_done_count()) return;
    for (int t = 0; t < fathom_threads; t++)
        if (conduit_is_done(t) && (int32_t)(__atomic_load_n(&b->arrived[t].phase, __ATOMIC_SEQ_CST) - phase) < 0)
            gas_fatal("waits at a barrier, but thread %d has already terminated: it would wait for ever", t);
}

static void await(void) {
    uint32_t g;
    for (unsigned i = 0; i < spins; i++) {
        if (complete(__atomic_load_n(&b->generation, __ATOMIC_ACQUIRE))) return;
        conduit_pause();
    }
    /* With more threads than cores, those that are to arrive want this one's: a few switches are cheaper than
     * sleeping. */
    for (int i = 0; i < YIELDS && spins < SPINS; i++) {
        sched_yield();
        if (complete(__atomic_load_n(&b->generation, __ATOMIC_ACQUIRE))) return;
    }
    while (!complete(g = __atomic_load_n(&b->generation, __ATOMIC_SEQ_CST))) {
        if (!(g & ASLEEP) && !__atomic_compare_exchange_n(&b->generation, &g, g | ASLEEP, false, __ATOMIC_SEQ_CST,
                                                          __ATOMIC_SEQ_CST))
            continue;
        conduit_sleep(&b->generation, g | ASLEEP, ~0u, LOOK_UP_MS);
        look_for_deadlock();
    }
}

/* After a phase is complete: rule 1 and rule 2 of 6.6.1 p6. Without a value on any notify neither is checked. */
static void check_values(bool has_value, int value) {
    uint64_t first = __atomic_load_n(&b->value[phase & 1], __ATOMIC_RELAXED);
    if (__builtin_expect(!first, 1)) return;
    uint64_t other = __atomic_load_n(&b->other[phase & 1], __ATOMIC_RELAXED);
    if (other)
        gas_fatal("barrier values differ: thread %d notifies with %d, thread %d with %d", giver_of(first),
                  value_of(first), giver_of(other), value_of(other));
    if (has_value && value != value_of(first))
        gas_fatal("barrier values differ: upc_wait has %d, but thread %d notified with %d", value, giver_of(first),
                  value_of(first));
}

static void begin(const char *what) {
    if (__builtin_expect(notified, 0)) gas_fatal("%s between upc_notify and upc_wait", what);
    phase++;
}

void gas_program_notify(bool has_value, int value) {
    begin("upc_notify (or upc_barrier)");
    notified = true;
    if (has_value) give(value);
    arrive(1);
}

void gas_program_wait(bool has_value, int value) {
    if (__builtin_expect(!notified, 0)) gas_fatal("upc_wait without a upc_notify before it");
    notified = false;
    await();
    fathom_fence(); /* between the two there may have been shared accesses */
    check_values(has_value, value);
}

void gas_program_barrier(bool has_value, int value) {
    begin("upc_barrier");
    if (has_value) give(value);
    arrive(1);
    await();
    check_values(has_value, value);
}

void gas_barrier(void) {
    begin("a collective function");
    arrive(RUNTIME_ARRIVAL);
    await();
}
