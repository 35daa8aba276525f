// threads: 1 2
// Static shared data of more than 2 GiB a thread, of which few pages are touched: large objects and small ones, before and
// behind each other, initialised, static, of one unit and of another, in blocks and on one thread only.
#include "check.h"

#define LARGE (1ul << 29) /* elements of 4 bytes: 2 GiB */
shared int before;
shared [LARGE] int blocked[LARGE * THREADS];
shared int small[THREADS];
static shared [] char one[1ul << 28];
shared [1ul << 22] double start[(1ul << 22) * THREADS] = {1.5, 2.5};
shared int behind = 7;
extern shared [] int somewhere[];
extern shared [LARGE] int blocked[LARGE * THREADS];

int main(void) {
    blocked[LARGE * MYTHREAD] = MYTHREAD + 1;
    blocked[LARGE * MYTHREAD + LARGE - 1] = 10 * (MYTHREAD + 1);
    small[MYTHREAD] = 100 + MYTHREAD;
    static shared [1ul << 23] int local[(1ul << 23) * THREADS];
    local[((1ul << 23) * MYTHREAD) + (1ul << 23) - 1] = 5 + MYTHREAD;
    if (MYTHREAD == THREADS - 1) one[(1ul << 28) - 1] = 'z', before = 3, somewhere[2] = 11;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        CHECK(blocked[LARGE * t] == t + 1);
        CHECK(blocked[LARGE * t + LARGE - 1] == 10 * (t + 1));
        CHECK(blocked[LARGE * t + LARGE / 2] == 0);
        CHECK(small[t] == 100 + t);
        CHECK(local[(1ul << 23) * t + (1ul << 23) - 1] == 5 + t);
    }
    CHECK(upc_threadof(&blocked[LARGE * THREADS - 1]) == THREADS - 1);
    CHECK(&blocked[LARGE - 1] - &blocked[0] == LARGE - 1);
    CHECK(one[(1ul << 28) - 1] == 'z' && one[0] == 0);
    CHECK(start[0] == 1.5 && start[1] == 2.5 && start[2] == 0);
    CHECK(before == 3 && behind == 7);
    CHECK(somewhere[2] == 11);
    shared [LARGE] int *p = &blocked[LARGE * MYTHREAD];
    CHECK(*(int *)p == MYTHREAD + 1);
    upc_barrier;
    int sum = 0;
    upc_forall (unsigned long i = LARGE * MYTHREAD; i < LARGE * MYTHREAD + 8; i++; &blocked[i]) sum += blocked[i];
    CHECK(sum == MYTHREAD + 1);
    return 0;
}

shared [] int somewhere[3];
