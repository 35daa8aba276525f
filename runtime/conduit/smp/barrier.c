/* The barriers of conduit smp: flags where every thread has a core, a counter where they share cores.
 *
 * A few threads have their flags in one cache line: each writes its own word and waits for all words. The line moves from
 * core to core with every write, and who gets it to write has read what the others wrote, which for two threads takes half
 * the time of a line each.
 *
 * More threads: a dissemination barrier. In round k a thread tells the one 2^k further what it has heard, in a line of memory
 * that only these two touch, and which carries the whole message; with two threads that is a pair of flags. Lines are
 * used in turns of two, because a fast thread may be one barrier ahead.
 *
 * Counter: a thread arrives by adding to `count`; the last one resets it and advances `generation`, at which the others
 * look, and wakes those that sleep. What the threads say merges in words for each of two alternating phases, written only
 * by who has something to say; those of a phase are cleared by the last arrival of the next, when nobody can look at
 * them any more.
 */
#include <stdio.h>
#include <stdlib.h>

#include "conduit/queue/queue.h"
#include "conduit/smp/smp.h"

extern const int fathom_mythread;

enum { FEW = 4, ROUNDS = 10, KINDS = 15, HAS_FIRST = 16, HAS_OTHER = 32, PHASE_SHIFT = 8 };
_Static_assert(CONDUIT_MAX_THREADS <= 1 << ROUNDS, "enough rounds");

/* ---- flags ----------------------------------------------------------------------------------------------------- */

struct flag {
    _Alignas(128) uint64_t word; /* phase << PHASE_SHIFT | HAS_... | kinds */
    uint64_t first, other;
};

static struct flag (*flags)[2][ROUNDS]; /* by who reads */
static struct conduit_ballot heard;
static int current; /* round */

static struct row {
    _Alignas(128) uint64_t word[2][FEW]; /* as above; by turns, in one line all the same */
    struct {
        _Alignas(64) uint64_t first, other;
    } said[2][FEW];
} *row;

/* ---- the counter ----------------------------------------------------------------------------------------------- */

struct said {
    _Alignas(64) uint64_t kinds;
    uint64_t first, other;
};

static struct counter {
    _Alignas(64) uint32_t count;
    _Alignas(64) uint32_t generation;
    struct said said[2];
} *counter;

static int threads;
static uint64_t phase;

void smp_barrier_prepare(int count) {
    threads = count;
    if (count <= conduit_cores() && count <= FEW)
        row = conduit_shared(sizeof *row);
    else if (count <= conduit_cores())
        flags = conduit_shared((size_t)count * sizeof *flags);
    else
        counter = conduit_shared(sizeof *counter);
    if (!row && !flags && !counter) {
        fprintf(stderr, "fathom: no memory for the barrier\n");
        exit(1);
    }
}

static void tell(void) {
    if (1 << current >= threads) return;
    int to = fathom_mythread + (1 << current);
    if (to >= threads) to -= threads;
    struct flag *f = &flags[to][phase & 1][current];
    uint64_t word = phase << PHASE_SHIFT | heard.kinds;
    if (heard.first) {
        f->first = heard.first;
        f->other = heard.other;
        word |= HAS_FIRST | (heard.other ? HAS_OTHER : 0);
    }
    __atomic_store_n(&f->word, word, __ATOMIC_RELEASE);
    conduit_ring(to);
}

static void notify_by_flags(const struct conduit_ballot *mine) {
    heard = *mine;
    current = 0;
    tell();
}

static inline bool try_flags(void) {
    for (; 1 << current < threads; tell()) {
        const struct flag *f = &flags[fathom_mythread][phase & 1][current];
        uint64_t word = __atomic_load_n(&f->word, __ATOMIC_ACQUIRE);
        if (word >> PHASE_SHIFT != phase) return false;
        struct conduit_ballot from = {word & KINDS, 0, 0};
        if (word & HAS_FIRST) from.first = f->first;
        if (word & HAS_OTHER) from.other = f->other;
        conduit_ballot_merge(&heard, &from);
        current++;
    }
    return true;
}

static void notify_in_row(const struct conduit_ballot *mine) {
    int turn = phase & 1;
    heard = *mine;
    uint64_t word = phase << PHASE_SHIFT | mine->kinds;
    if (mine->first) {
        row->said[turn][fathom_mythread].first = mine->first;
        row->said[turn][fathom_mythread].other = mine->other;
        word |= HAS_FIRST;
    }
    __atomic_store_n(&row->word[turn][fathom_mythread], word, __ATOMIC_RELEASE);
    bells_ring_all(threads);
}

static inline bool try_row(void) {
    int turn = phase & 1;
    uint64_t kinds = 0;
    for (int t = 0; t < threads; t++) {
        uint64_t word = __atomic_load_n(&row->word[turn][t], __ATOMIC_ACQUIRE);
        if (word >> PHASE_SHIFT != phase) return false;
        kinds |= word;
    }
    heard.kinds = kinds & KINDS;
    if (__builtin_expect(!(kinds & HAS_FIRST), 1)) return true;
    for (int t = 0; t < threads; t++) {
        struct conduit_ballot from = {0, 0, 0};
        if (row->word[turn][t] & HAS_FIRST)
            from = (struct conduit_ballot){0, row->said[turn][t].first, row->said[turn][t].other};
        conduit_ballot_merge(&heard, &from);
    }
    return true;
}

/* Adds a value to what is said: the first one, and one that differs from it. */
static void say(struct said *w, uint64_t value) {
    uint64_t first = __atomic_load_n(&w->first, __ATOMIC_RELAXED);
    if (!first && __atomic_compare_exchange_n(&w->first, &first, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return;
    if ((uint32_t)first != (uint32_t)value) __atomic_store_n(&w->other, value, __ATOMIC_RELAXED);
}

static void notify_by_counter(const struct conduit_ballot *mine) {
    struct said *w = &counter->said[phase & 1];
    if ((__atomic_load_n(&w->kinds, __ATOMIC_RELAXED) & mine->kinds) != mine->kinds)
        __atomic_fetch_or(&w->kinds, mine->kinds, __ATOMIC_RELAXED);
    if (mine->first) say(w, mine->first);
    if (__atomic_add_fetch(&counter->count, 1, __ATOMIC_SEQ_CST) != (uint32_t)threads) return;
    __atomic_store_n(&counter->count, 0, __ATOMIC_RELAXED);
    counter->said[(phase + 1) & 1] = (struct said){0, 0, 0};
    __atomic_store_n(&counter->generation, (uint32_t)phase, __ATOMIC_SEQ_CST);
    bells_ring_all(threads);
}

/* ---- both ------------------------------------------------------------------------------------------------------ */

void smp_barrier_notify(const struct conduit_ballot *mine) {
    phase++;
    if (row)
        notify_in_row(mine);
    else if (flags)
        notify_by_flags(mine);
    else
        notify_by_counter(mine);
}

bool smp_barrier_try(struct conduit_ballot *all) {
    if (row || flags) {
        if (!(row ? try_row() : try_flags())) return false;
        *all = heard;
        return true;
    }
    if ((int32_t)(__atomic_load_n(&counter->generation, __ATOMIC_ACQUIRE) - (uint32_t)phase) < 0) return false;
    const struct said *w = &counter->said[phase & 1];
    *all = (struct conduit_ballot){w->kinds, w->first, w->other};
    return true;
}
