/* Waiting for another thread: serves messages, spins, then yields, then sleeps. Every wait for a UPC thread goes
 * through here (a wait for room in a conduit sleeps as conduit.h says; mutex.c is for the runtime's own short
 * sections).
 *
 * Whether spinning pays depends on the computer. Where each thread has a processor, spinning saves falling asleep and
 * being woken. Where they have not, the awaited thread may need this thread's processor. And where other programs use
 * the processors, spinning does harm: a thread that spins or yields uses up its share of the processor's time, and has
 * none left when it could go on; a thread that has slept gets the processor at once. So after a spin in vain the thread
 * asks whether another program wanted the processor meanwhile: the kernel took it away (involuntary switches), or a
 * yield returned only after another's time slice. If so, the next waits sleep at once, more and more of them as long as
 * the answer stays the same; each time these are over, spinning has another chance. A spin that succeeds asks nothing
 * and costs nothing.
 *
 * The thread that changes the awaited condition ends the sleep: by a message, conduit_ring or conduit_wake. Sleeps end
 * by themselves as well, after a part of the time that has been waited already (for conditions that others may change
 * without waking anyone, after at most a millisecond): so a change that no thread rings for is still found, late by a
 * part of the whole wait. Only in near barriers and at the end of a job do sleeps last LOOK_UP_MS: there many threads
 * sleep at once, and falling asleep interrupts them all.
 *
 * When all other threads have terminated, no message will come any more, and the job ends with a report instead of
 * hanging. There are two exceptions. A program's own loops may wait for a signal handler, a POSIX thread, a file. And a
 * thread may wait for an answer: a thread that has terminated still answers, however long that takes on a busy
 * computer; only a thread whose process has ended does not.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include "core/core.h"
#include "core/tuning.h"
#include "lang/prelude.h"

enum {
    FEW_SPINS = 20,
    YIELD_US = 100,
    AWAY_US = 1000,         /* a yield that takes this long has given another a time slice */
    SWITCHES_EVERY_MS = 20, /* involuntary ones; rarer ones are the kernel's own business */
    MOST_ASLEEP = 1024,     /* waits in a row that do not try to spin */
    FIRST_NAP_US = 50,
    PART = 8, /* a nap lasts this part of the time waited */
    UNRUNG_NAP_US = 1000,
    LOOK_UP_MS = 100, /* the longest nap, and how often a caller looks whether the others are still there */
    DEADLOCK_MS = 1000
};
#define SLOW (1u << 31) /* in a round: spinning is over */

static unsigned tuned_spins = FEW_SPINS; /* what pays on a computer of the job's own */
static unsigned spins = FEW_SPINS;       /* the number that pays now */
static unsigned asleep, last_asleep;     /* waits that are not to spin: still, and when that was last decided */

/* The current wait, once it has spun in vain. */
static struct {
    int64_t since, looked_up; /* nanoseconds */
    bool yields;
} slow;

void core_wait_tuned(void) {
    tuned_spins = core_overrides.wait                           ? 0
                  : conduit_threads_here() <= core_processors() ? (unsigned)core_tuning.spins
                                                                : FEW_SPINS;
    spins = tuned_spins;
    asleep = last_asleep = 0;
}

unsigned core_spins(void) { return tuned_spins; }

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* ---- does spinning pay? ------------------------------------------------------------------------------------------ */

static void sleep_at_once(void) {
    last_asleep = last_asleep == 0 ? 4 : last_asleep < MOST_ASLEEP ? 2 * last_asleep : MOST_ASLEEP;
    asleep = last_asleep;
    if (spins > FEW_SPINS) spins = FEW_SPINS;
    slow.yields = false;
}

/* Has the kernel often taken the processor away since this was asked last? */
static bool is_wanted(int64_t now) {
    static int64_t asked;
    static long switches;
    struct rusage used;
    if (getrusage(RUSAGE_THREAD, &used) != 0) return false;
    bool often = asked && (used.ru_nivcsw - switches) * (int64_t)(SWITCHES_EVERY_MS * 1000000) > now - asked;
    asked = now;
    switches = used.ru_nivcsw;
    return often;
}

static void begin_slow(int64_t now) {
    slow.since = slow.looked_up = now;
    slow.yields = !asleep;
    if (asleep) {
        if (--asleep == 0) spins = tuned_spins;
    } else if (tuned_spins > FEW_SPINS && is_wanted(now)) {
        sleep_at_once();
    }
}

static void yield(int64_t now) {
    sched_yield();
    int64_t after = now_ns();
    if (after - now > AWAY_US * 1000) {
        sleep_at_once();
    } else if (after - slow.since > YIELD_US * 1000) {
        slow.yields = false;
        last_asleep /= 2;
    }
}

void core_wait_in_handler(void) {
    if (core_is_combining()) core_fatal("waits for another thread inside %s", core_inside());
    core_fatal(
        "waits for another thread inside a handler, where nothing can arrive: a handler may reply, and make no other "
        "call that waits");
}

/* ---- is there still somebody to wait for? ------------------------------------------------------------------------ */

enum awaited { DEED, ANSWER, OWN_AFFAIR };

/* The effects of what the others did before they terminated may still be on the way: for a while. */
static void look_for_deadlock(int64_t now, enum awaited what) {
    static int64_t alone; /* since when */
    if (core_is_leaving() || conduit_is_ending() || (what == ANSWER && conduit_lost() < 0)) return;
    if (core_done_count() < fathom_threads - 1 || fathom_threads == 1)
        alone = 0;
    else if (!alone || alone < slow.since)
        alone = now;
    else if (now - alone > DEADLOCK_MS * 1000000ll)
        core_fatal("waits for another thread, but all others have terminated: it would wait forever");
}

static bool look_up(int64_t now, enum awaited what) {
    if (now - slow.looked_up < LOOK_UP_MS * 1000000ll) return false;
    slow.looked_up = now;
    if (what != OWN_AFFAIR) look_for_deadlock(now, what);
    return true;
}

void (*core_let_go)(void) = core_before_start;

/* ---- one turn, where several POSIX threads of the process may wait (gate.h) --------------------------------------- */

/* A wait of the calling POSIX thread that has spun in vain. */
static __thread struct {
    int64_t since, looked_up; /* nanoseconds */
    bool yields;
    uint32_t epoch;
} own;

/* Threads may outnumber processors: so it spins little. */
static void turn_slowly(unsigned *round, const uint32_t *word, uint32_t old, int shortest_us, int longest_us) {
    int64_t now = now_ns();
    if (*round <= SLOW) {
        own.yields = *round <= CORE_DROWSY;
        *round = SLOW + 1;
        own.since = own.looked_up = now;
        own.epoch = 0;
    }
    if (own.yields) {
        unsigned entered = core_gate_open();
        sched_yield();
        core_gate_close(entered);
        own.yields = now_ns() - own.since <= YIELD_US * 1000;
        return;
    }
    int64_t us = (now - own.since) / 1000 / PART;
    core_gate_sleep(&own.epoch, word, old, us < shortest_us ? shortest_us : us > longest_us ? longest_us : (int)us);
}

/* That all others have terminated says nothing here: another POSIX thread of this process may do what this one waits for. */
static __attribute__((noinline)) bool turn_among_pthreads(unsigned *round, const uint32_t *word, uint32_t old,
                                                          int shortest_us, int longest_us) {
    if (*round < FEW_SPINS && core_gate_is_busy()) {
        ++*round;
        conduit_pause();
        return false;
    }
    CORE_GATE;
    if (core_in_handler()) core_wait_in_handler();
    if (core_poll()) {
        *round = 0;
    } else if ((*round)++ < FEW_SPINS) {
        conduit_pause();
    } else {
        turn_slowly(round, word, old, shortest_us, longest_us);
        int64_t now = now_ns();
        if (now - own.looked_up < LOOK_UP_MS * 1000000ll) return false;
        own.looked_up = now;
        return true;
    }
    core_gate_let_in();
    return false;
}

/* ---- one turn ---------------------------------------------------------------------------------------------------- */

static int nap_us(int64_t now, int shortest_us, int longest_us) {
    int64_t us = (now - slow.since) / 1000 / PART;
    return us < shortest_us ? shortest_us : us > longest_us ? longest_us : (int)us;
}

/* The beginning of a turn; false: it is over. */
static inline bool goes_on(unsigned *round) {
    if (core_poll()) {
        *round = 0;
        return false;
    }
    unsigned r = (*round)++;
    if (__builtin_expect(r < spins, 1)) {
        conduit_pause();
        return false;
    }
    return true;
}

/* The end of the spinning, and the yields; false: it was one. */
static bool is_to_sleep(unsigned *round, int64_t now) {
    if (*round <= SLOW) {
        bool at_once = *round > CORE_DROWSY;
        *round = SLOW + 1;
        core_gate_check();
        if (core_in_handler()) core_wait_in_handler();
        begin_slow(now);
        if (at_once) slow.yields = false;
    }
    if (slow.yields) yield(now);
    return !slow.yields;
}

/* Sleeps once, on a word or (null) on nothing but the bell. */
static inline bool turn(unsigned *round, const uint32_t *word, uint32_t old, uint32_t mask, int shortest_us,
                        int longest_us, enum awaited what) {
    if (__builtin_expect(conduit_has_pthreads, 0))
        return turn_among_pthreads(round, word, old, shortest_us, longest_us);
    if (__builtin_expect(core_is_holding, 0) && what != ANSWER) core_let_go();
    if (!goes_on(round)) return false;
    if (core_overrides.wait) {
        if (core_in_handler()) core_wait_in_handler();
        core_overrides.wait(longest_us <= UNRUNG_NAP_US ? longest_us : 0);
        return false;
    }
    int64_t now = now_ns();
    if (!is_to_sleep(round, now)) return false;
    if (word)
        conduit_sleep(word, old, mask, longest_us / 1000);
    else
        conduit_rest(nap_us(now, shortest_us, longest_us));
    return look_up(now, what);
}

enum { FIRST = FIRST_NAP_US, LONG = LOOK_UP_MS * 1000, UNRUNG = UNRUNG_NAP_US };

bool core_wait(unsigned *round) { return turn(round, NULL, 0, 0, FIRST, LONG, DEED); }
bool core_wait_answer(unsigned *round) { return turn(round, NULL, 0, 0, FIRST, LONG, ANSWER); }
bool core_wait_rung(unsigned *round) {
    return turn(round, NULL, 0, 0, conduit_near.count == fathom_threads ? LONG : FIRST, LONG, DEED);
}
bool core_wait_unrung(unsigned *round) { return turn(round, NULL, 0, 0, FIRST, UNRUNG, DEED); }
void core_pause(unsigned *round) { turn(round, NULL, 0, 0, FIRST, UNRUNG, OWN_AFFAIR); }

bool core_wait_word(unsigned *round, const uint32_t *word, uint32_t old, uint32_t mask) {
    return turn(round, word, old, mask, LONG, LONG, DEED);
}
bool core_wait_word_unrung(unsigned *round, const uint32_t *word, uint32_t old, uint32_t mask) {
    return turn(round, word, old, mask, UNRUNG, UNRUNG, DEED);
}

/* ---- programs that wait by looking ------------------------------------------------------------------------------- */

unsigned fathom_looks;

/* A yield takes some hundred nanoseconds even where nobody wants the processor: so it is rarer where each thread has one. */
#define SELDOM (16 * FATHOM_LOOKS)

void fathom_looked_often(unsigned looks) {
    if (core_overrides.wait) return;
    if (conduit_threads_here() > core_processors() || looks % SELDOM == 0) sched_yield();
}
