// threads: 1 2 4
/* setjmp/longjmp out of functions that access shared memory, and signal handlers that write volatile and shared objects: each thread has
 * its own. */
#include <setjmp.h>
#include <signal.h>
#include "check.h"

shared int visits[THREADS];
static jmp_buf back;
static volatile sig_atomic_t caught;

static void dive(int depth) {
    visits[MYTHREAD]++;
    if (depth == 0) longjmp(back, visits[MYTHREAD]);
    dive(depth - 1);
}
static void handler(int n) {
    caught = n;
    visits[MYTHREAD] = 100;
}

int main(void) {
    volatile int rounds = 0;
    int r = setjmp(back);
    if (r == 0) dive(MYTHREAD + 2);
    CHECK_EQ((MYTHREAD + 3) * (rounds + 1), r);
    if (++rounds < 3) dive(MYTHREAD + 2);
    CHECK_EQ(3, rounds);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) CHECK_EQ(3 * (t + 3), visits[t]);
    upc_barrier;
    if (MYTHREAD % 2 == 0) {
        signal(SIGUSR1, handler);
        raise(SIGUSR1);
        CHECK_EQ(SIGUSR1, caught);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) CHECK_EQ(t % 2 ? 3 * (t + 3) : 100, visits[t]);
    return 0;
}
