// threads: 1 2 4
/* Every access to a volatile object is made as the program says it (C11 6.7.3 p7), without fences and without `strict`: also in a loop
 * that waits, and where a signal handler changes the object. */
#include "check.h"
#include <signal.h>
#include <stdlib.h>

volatile shared int flags[THREADS];
shared volatile long sum[THREADS];
volatile shared [] int *volatile here;
struct part {
    volatile int count;
    int other;
};
shared struct part parts[THREADS];

static void ring(int signal) {
    (void)signal;
    flags[MYTHREAD] = 1;
    parts[MYTHREAD].count = 1;
}

int main(void) {
    for (int i = 0; i < 1000; i++) ++sum[MYTHREAD];
    CHECK_EQ(1000, sum[MYTHREAD]);
    signal(SIGUSR1, ring);
    here = (volatile shared [] int *)&flags[MYTHREAD];
    raise(SIGUSR1);
    while (!*here) {}
    while (!parts[MYTHREAD].count) {}
    upc_barrier;
    /* One after the other writes into its neighbour's. */
    flags[MYTHREAD] = 0;
    upc_barrier;
    const int next = (MYTHREAD + 1) % THREADS;
    if (MYTHREAD == 0) flags[next] = 2;
    while (flags[MYTHREAD] != 2) upc_poll();
    if (MYTHREAD != 0) flags[next] = 2;
    upc_barrier;
    return 0;
}
