// threads: 1 2 3 4 8
/* 5.1.2.2p2: shared data that a thread allocated, statically or dynamically, is not freed before the program ends: the
 * thread that leaves main first leaves its data to the others. (The implicit barrier at its end keeps nobody waiting.) */
#include <sched.h>
#include "check.h"

shared [4] int given[4 * THREADS];
shared [] int *shared heap[THREADS];
strict shared int leaving;

int main(void) {
    heap[MYTHREAD] = (shared [] int *)upc_alloc(100 * sizeof(int));
    for (int i = 0; i < 100; i++) heap[MYTHREAD][i] = 1000 * MYTHREAD + i;
    for (int i = 0; i < 4; i++) given[4 * MYTHREAD + i] = MYTHREAD * 4 + i;
    upc_barrier;
    if (MYTHREAD == 0) {
        leaving = 1;
        return 0;
    }
    while (!leaving) sched_yield();
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 4; i++) CHECK_EQ(i, given[i]);
        for (int i = 0; i < 100; i++) CHECK_EQ(i, heap[0][i]);
    }
    return 0;
}
