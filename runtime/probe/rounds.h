/* Operations that the threads of a team perform together, again and again: barriers, contended locks, parallel loops.
 *
 * Thread 0 of the team decides how many operations the next round has, so that a sample is long enough to be timed, and tells the
 * others; all begin after a barrier. A thread that waits beside more threads than processors lets the others run.
 */
#pragma once
#include "probe/probe.h"

/* Samples rounds: body(argument, n) performs n operations, and is called on all threads of the team with the same n; a sample is the
 * time that the team's first thread takes for one. nothing(argument, n), if it is not NULL, is what the others need not be there for:
 * its time is subtracted. The first thread of the team must be thread 0. Facts: `operations` and
 * `overhead_ns` as sample()'s, and `processors` of this computer.
 */
void sample_rounds(const struct request *request, struct reply *reply, gas_team team,
                   void (*body)(void *argument, long n), void (*nothing)(void *argument, long n), void *argument);

/* Processors that the prober was started with. */
int processors_here(void);
/* Have the near threads no processor each? Then none may be bound to one, as no program binds them: see place_crowd. */
bool is_crowded(void);
void place_crowd(void);

/* Keeps the processor busy: n dependent additions, a cycle each, without touching memory. */
void work(long additions);
/* How many additions take so long, and how long so many take. */
long work_of_ns(double ns);
double ns_of_work(long additions);

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}
