/* What a conduit gives to the layers above: memory that all threads share, the threads themselves, their end, and
 * sleeping on a word. A conduit includes this header and the prelude, and nothing else of ours.
 *
 * Order of a start: conduit_segments and conduit_shared in the first process, then conduit_spawn, which returns once in
 * every thread. From then on everything may be called by every thread.
 */
#ifndef CONDUIT_H
#define CONDUIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONDUIT_MAX_THREADS 768 /* where the address space of x86-64 ends: (256 + 768) * 2^37 = 2^47 */

/* ---- start ----------------------------------------------------------------------------------------------------- */

/* Maps a zeroed segment of `bytes` for each thread at fathom_make(t, 0). `bytes` is a multiple of 2 MiB. With `huge`,
 * only pages that the administrator has set aside (hugetlbfs) will do. Returns 0, or the errno of what failed, with
 * its name in *what; nothing is left mapped then. */
int conduit_segments(int threads, size_t bytes, bool huge, const char **what);
/* Zeroed memory outside the segments that all threads will share; null if there is none. */
void *conduit_shared(size_t bytes);
/* Makes the threads. Returns each thread's number in it; does not return in the supervisor. */
int conduit_spawn(int threads);

/* What the supervisor, or a thread that the job's end has reached, calls in the layers above. */
struct conduit_hooks {
    /* Saves buffered output; called in a signal handler. */
    void (*ending)(void);
    /* A thread was ended by a signal (outside the program's control). */
    void (*killed)(int thread, int signal);
};
extern struct conduit_hooks conduit_hooks;

/* ---- end ------------------------------------------------------------------------------------------------------- */

/* This thread has terminated normally: returns when all have. */
void conduit_done(void);
/* Has `thread` terminated? */
bool conduit_is_done(int thread);
/* How many have terminated. */
int conduit_done_count(void);
/* Decides that the job ends now, with `status`; the first caller wins (true). The caller then leaves its process, and
 * the conduit sees to the others. */
bool conduit_end(int status);
bool conduit_is_ending(void);
/* Is the calling process one of the job's threads (and not a child that a thread has forked)? */
bool conduit_is_thread(void);

/* ---- waiting --------------------------------------------------------------------------------------------------- */

/* Sleeps while *word == old, at most `ms` milliseconds, until woken with a mask that shares a bit with `mask`. */
void conduit_sleep(const uint32_t *word, uint32_t old, uint32_t mask, int ms);
void conduit_wake(const uint32_t *word, int count, uint32_t mask);
/* Processors that this job may use. */
int conduit_cores(void);

static inline void conduit_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

#endif
