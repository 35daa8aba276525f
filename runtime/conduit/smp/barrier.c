/* The barrier of conduit smp: a counter and a generation.
 *
 * A thread arrives by adding to `count`; the last one resets it and advances `generation`, at which the others look. What
 * the threads say merges in words for each of two alternating phases, written only by who has something to say; those of
 * a phase are cleared by the last arrival of the next, when nobody can look at them any more.
 */
#include <stdio.h>
#include <stdlib.h>

#include "conduit/smp/smp.h"

struct phase_words {
    _Alignas(64) uint64_t kinds;
    uint64_t first, other;
};

static struct barrier {
    _Alignas(64) uint32_t count;
    _Alignas(64) uint32_t generation;
    struct phase_words said[2];
    int threads;
} *b;
static uint32_t phase;

void smp_barrier_prepare(int threads) {
    b = conduit_shared(sizeof *b);
    if (!b) {
        fprintf(stderr, "fathom: no memory for the barrier\n");
        exit(1);
    }
    b->threads = threads;
}

/* Adds `value` to the words: the first one said, and one that differs from it. */
static void say(struct phase_words *w, uint64_t value) {
    uint64_t first = __atomic_load_n(&w->first, __ATOMIC_RELAXED);
    if (!first && __atomic_compare_exchange_n(&w->first, &first, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return;
    if ((uint32_t)first != (uint32_t)value) __atomic_store_n(&w->other, value, __ATOMIC_RELAXED);
}

void smp_barrier_notify(const struct conduit_ballot *mine) {
    phase++;
    struct phase_words *w = &b->said[phase & 1];
    if ((__atomic_load_n(&w->kinds, __ATOMIC_RELAXED) & mine->kinds) != mine->kinds)
        __atomic_fetch_or(&w->kinds, mine->kinds, __ATOMIC_RELAXED);
    if (mine->first) say(w, mine->first);
    if (__atomic_add_fetch(&b->count, 1, __ATOMIC_SEQ_CST) != (uint32_t)b->threads) return;
    __atomic_store_n(&b->count, 0, __ATOMIC_RELAXED);
    b->said[(phase + 1) & 1] = (struct phase_words){0, 0, 0};
    __atomic_store_n(&b->generation, phase, __ATOMIC_SEQ_CST);
}

bool smp_barrier_try(struct conduit_ballot *all) {
    if ((int32_t)(__atomic_load_n(&b->generation, __ATOMIC_ACQUIRE) - phase) < 0) return false;
    struct phase_words *w = &b->said[phase & 1];
    *all = (struct conduit_ballot){w->kinds, w->first, w->other};
    return true;
}
