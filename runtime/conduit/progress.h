/* Progress while a thread computes. A second POSIX thread of its process, the *progress thread*, serves what other threads
 * ask of it: puts, gets, atomics, locks, barriers. This header is what a conduit and core share for that; core/progress.c
 * supplies it, and docs/adding-a-conduit.md says what a conduit has to do.
 *
 * Message passing is one engine with one lock: at any time either the thread itself or its progress thread is inside.
 * The lock is biased towards the thread itself, which enters and leaves with plain stores and one load, without a fence
 * and without an atomic instruction. The progress thread pays for that: it announces itself in `owner`, has the kernel
 * run a fence on all processors that run this process (membarrier), and only then looks whether the thread is inside. If
 * so, and not because it waits for the progress thread, it withdraws. Otherwise the engine is its own until it sets it
 * FREE, and then either of them takes it by compare-and-swap; the thread's next entry makes it biased again. So a long
 * computation is interrupted by a fence once, not each time that the progress thread looks. tests/protocols/engine.pml
 * checks this lock exhaustively.
 *
 * On conduits with direct memory nobody needs another thread's help, there is no progress thread, and all this is empty.
 */
#ifndef CONDUIT_PROGRESS_H
#define CONDUIT_PROGRESS_H

#include "conduit/conduit.h"
#include "lang/prelude.h"

enum conduit_owner {
    CONDUIT_THREAD,  /* biased: the thread may enter without asking */
    CONDUIT_FREE,    /* nobody is inside; whoever changes the word is */
    CONDUIT_BESIDE,  /* the progress thread is inside */
    CONDUIT_AWAITED, /* the same, and the thread waits until it has left */
    CONDUIT_ASLEEP   /* the same, asleep */
};

extern struct conduit_engine {
    /* Written by the thread itself. */
    _Alignas(64) bool inside; /* or waiting to get in */
    bool resting;             /* asleep in the conduit, which wakes it for every message */
    bool fences;              /* the kernel has no membarrier: entering takes a fence */
    uint32_t polls;
    uint32_t seen; /* of `served` */
    /* Written by both. */
    _Alignas(64) uint32_t owner; /* enum conduit_owner */
    uint32_t served;             /* messages that the progress thread has taken */
} conduit_engine;
extern __thread bool conduit_beside; /* the calling POSIX thread is the progress thread */

void conduit_wait_to_enter(void);

static inline bool conduit_is_beside(void) {
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    return conduit_beside;
#else
    return false;
#endif
}

/* Enters the engine, unless the caller is inside already; the result is for conduit_leave. Every function of a conduit
 * that touches what messages, transfers or barriers are made of is between these two. */
static inline bool conduit_enter(void) {
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    struct conduit_engine *e = &conduit_engine;
    if (conduit_beside || e->inside) return false;
    __atomic_store_n(&e->inside, true, __ATOMIC_RELAXED);
    if (__builtin_expect(e->fences, 0))
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    else
        __atomic_signal_fence(__ATOMIC_SEQ_CST); /* the progress thread's membarrier does the rest */
    if (__builtin_expect(__atomic_load_n(&e->owner, __ATOMIC_ACQUIRE) != CONDUIT_THREAD, 0)) conduit_wait_to_enter();
    return true;
#else
    return false;
#endif
}

static inline void conduit_leave(bool entered) {
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    if (entered) __atomic_store_n(&conduit_engine.inside, false, __ATOMIC_RELEASE);
#else
    (void)entered;
#endif
}

/* The progress thread is inside, and the thread itself wants to be: leave after the message that you are at, or the next. */
static inline bool conduit_is_wanted(void) { return __atomic_load_n(&conduit_engine.inside, __ATOMIC_RELAXED); }

/* In conduit_poll, inside: this thread polls by itself. Returns 1 if the progress thread has taken messages since the
 * last call: what the caller waits for may have come with them. */
static inline int conduit_polled(void) {
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    struct conduit_engine *e = &conduit_engine;
    if (conduit_beside) return 0;
    __atomic_store_n(&e->polls, e->polls + 1, __ATOMIC_RELAXED);
    if (__builtin_expect(e->seen == e->served, 1)) return 0;
    e->seen = e->served;
    return 1;
#else
    return 0;
#endif
}

/* Around a sleep from which every message wakes this thread: the progress thread leaves messages alone meanwhile. False: do
 * not sleep, the progress thread has taken messages since the last poll. */
static inline bool conduit_rest_begin(void) {
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    struct conduit_engine *e = &conduit_engine;
    if (conduit_beside) return true;
    bool entered = conduit_enter(), may_rest = e->seen == e->served;
    __atomic_store_n(&e->resting, may_rest, __ATOMIC_RELAXED);
    conduit_leave(entered);
    return may_rest;
#else
    return true;
#endif
}

static inline void conduit_rest_end(void) {
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    if (!conduit_beside) __atomic_store_n(&conduit_engine.resting, false, __ATOMIC_RELEASE);
#endif
}

/* Supplied by core, for conduits that cannot leave a message where it is. In the progress thread conduit_deliver keeps a
 * copy of what only the thread itself may handle; conduit_poll delivers the copies first, and nothing newer while there
 * are some: *replies_only is set if requests are left. Requests are kept up to a limit; beyond it the progress thread is
 * to take replies only. */
int conduit_deliver_kept(bool *replies_only);
bool conduit_kept_enough(void);
/* For a conduit without a progress thread that has the thread's own process serve others while it computes: delivers the
 * message as the progress thread would. Not inside the engine. */
void conduit_deliver_beside(const struct conduit_message *m);
/* May the message be delivered here? False in the progress thread if it is the thread's own business. */
bool conduit_may_deliver(const struct conduit_message *m);

#endif
