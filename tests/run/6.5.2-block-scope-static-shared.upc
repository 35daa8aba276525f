// threads: 1 2 3 4
/* 6.5.2p11: automatic objects cannot be shared, but static ones of block scope can: one object for the program, whatever
 * the number of calls, of its own beside objects of the same name in other scopes. */
#include "check.h"

shared [2] int a[2 * THREADS];

static int count(int by) {
    static shared int calls[THREADS];
    calls[MYTHREAD] += by;
    return calls[MYTHREAD];
}
static int recurse(int n) {
    static strict shared int depth[THREADS];
    if (n == 0) return depth[MYTHREAD];
    depth[MYTHREAD]++;
    int r = recurse(n - 1);
    depth[MYTHREAD]--;
    return r;
}
static shared int *which(int n) {
    if (n) {
        static shared int x = 5;
        return &x;
    } else {
        static shared int x = 6;
        return &x;
    }
}
static shared [3] double *array(void) {
    static shared [3] double a[6 * THREADS];
    return a;
}

int main(void) {
    for (int i = 1; i <= 4; i++) CHECK_EQ(i * (MYTHREAD + 1), count(MYTHREAD + 1));
    CHECK_EQ(7, recurse(7));
    CHECK_EQ(0, recurse(0));
    CHECK(which(0) != which(1));
    CHECK_EQ(5, *which(1));
    CHECK_EQ(6, *which(0));
    CHECK((shared void *)array() != (shared void *)a);
    array()[3 * MYTHREAD + 1] = MYTHREAD;
    a[2 * MYTHREAD] = -1;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        CHECK(array()[3 * t + 1] == t);
        CHECK_EQ(t, upc_threadof(array() + 3 * t + 2));
        static shared int t_of_loop; /* shadows nothing, initialised once */
        CHECK_EQ(0, t_of_loop);
    }
    return 0;
}
