// threads: 1 2 3 4
/* 6.6.1p5: upc_fence is a null strict access: relaxed writes before it are complete before a relaxed write after it; here data, fence,
 * flag against flag, fence, data, over a ring. */
#include <sched.h>
#include "check.h"

#define ROUNDS 2000
shared int data[THREADS];
shared int more[THREADS];
strict shared int flag[THREADS];

int main(void) {
    int next = (MYTHREAD + 1) % THREADS;
    for (int r = 1; r <= ROUNDS / THREADS; r++) {
        data[next] = r;
        more[next] = -r;
        upc_fence;
        flag[next] = r;
        unsigned spins = 0;
        while (flag[MYTHREAD] != r)
            if (++spins % 64 == 0) sched_yield();
        upc_fence;
        CHECK_EQ(r, data[MYTHREAD]);
        CHECK_EQ(-r, more[MYTHREAD]);
        upc_barrier;
    }
    upc_fence;
    { upc_fence; upc_fence; }
    if (THREADS) upc_fence;
    return 0;
}
