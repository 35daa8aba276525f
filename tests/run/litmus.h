/* What the litmus tests of the memory model (5.1.2.3, appendix B) share.
 *
 * A test is a few accesses on each of 2, 3 or 4 threads and an outcome that the model forbids. It runs ITERATIONS times, each time on
 * variables of its own, in batches: all threads clear the variables, pass a barrier, and run through the batch. Before each
 * iteration a thread waits a little for the others of its group, so that they really race, but only a little: when there are more
 * threads than cores, most iterations are one after the other, and all still end soon. Raise ITERATIONS to hunt.
 */
#ifndef LITMUS_H
#define LITMUS_H

#include "check.h"

#ifdef FAR_THREADS /* where accesses are messages */
#undef ITERATIONS
#define ITERATIONS 2000
#endif
#ifndef ITERATIONS
#define ITERATIONS 200000
#endif
#define BATCH 2000
#define BATCHES (ITERATIONS / BATCH)
/* Variable i of a batch, for the group that starts at thread `first`, on the group's thread `on`. */
#define AT(i, on) ((i) * THREADS + group + (on))

static int group, role, group_size, patience = 500;
strict shared int litmus_progress[THREADS];

/* The calling thread's place: groups of n consecutive threads; what is left over looks on (role -1). */
static __attribute__((unused)) void litmus_begin(int n) {
    group_size = n;
    group = MYTHREAD / n * n;
    role = group + n <= THREADS ? MYTHREAD - group : -1;
    if (THREADS > 2) patience = 100;
}

static __attribute__((unused)) void litmus_meet(int i) {
    int waits = 0;
    litmus_progress[MYTHREAD] = i + 1;
    for (int t = group; t < group + group_size; t++)
        while (litmus_progress[t] < i + 1 && ++waits < patience) continue;
    /* Who arrives last leaves first, by the time that a cache line takes to travel: shift the threads against one another, by
     * all amounts around that time, so that some iterations coincide to the nanosecond. */
    for (volatile int k = role == 0 ? i % 61 : i / 61 % 61; k > 0; k--) continue;
}

static __attribute__((unused)) void litmus_batch(void) {
    upc_barrier;
    litmus_progress[MYTHREAD] = 0;
    upc_barrier;
}

#endif
