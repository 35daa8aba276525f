// threads: 1 2 3 4 8
/* 5.1.2p2, 3.3.1, 3.3.2: `shared int x` is one object that every thread accesses; `int y` is one object for each
 * thread, whatever its storage duration, and no thread sees another's. */
#include "check.h"

shared int x;
int y = 5;
static int z;
shared int witness[THREADS];

static int *counter(void) {
    static int calls;
    calls += MYTHREAD + 1;
    return &calls;
}

int main(void) {
    int on_stack = MYTHREAD;
    int *on_heap = malloc(sizeof *on_heap);
    *on_heap = 100 + MYTHREAD;
    y += MYTHREAD;
    z -= MYTHREAD;
    if (MYTHREAD == THREADS - 1) x = 77;
    upc_barrier;
    CHECK_EQ(77, x);
    CHECK_EQ(5 + MYTHREAD, y);
    CHECK_EQ(-MYTHREAD, z);
    CHECK_EQ(MYTHREAD, on_stack);
    CHECK_EQ(100 + MYTHREAD, *on_heap);
    for (int i = 1; i <= 3; i++) CHECK_EQ(i * (MYTHREAD + 1), *counter());
    witness[MYTHREAD] = y;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) CHECK_EQ(5 + t, witness[t]);
    free(on_heap);
    return 0;
}
