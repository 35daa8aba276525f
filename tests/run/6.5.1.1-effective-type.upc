// threads: 1 2 3 4
/* 6.5.1.1p15: the effective type of A[0] of `shared [10] int A[]` is int: A[0], *(int *)&A[0] and *(shared [] int *)&A[0] are the
 * same object, and writes through one are seen by the others at once, in the same thread. */
#include "check.h"

shared [10] int a[10 * THREADS];
shared double d[3 * THREADS];

int main(void) {
    int first = 10 * MYTHREAD;
    for (int k = 0; k < 10; k++) {
        shared [10] int *p1 = &a[first + k];
        int *p2 = (int *)&a[first + k];
        shared [] int *p3 = (shared [] int *)&a[first + k];
        shared int *p4 = (shared int *)&a[first + k];
        unsigned *p5 = (unsigned *)&a[first + k];
        *p1 = 1;
        CHECK(*p2 == 1 && *p3 == 1 && *p4 == 1 && *p5 == 1);
        *p2 = 2;
        CHECK(*p1 == 2 && *p3 == 2 && *p4 == 2 && *p5 == 2);
        *p3 += 1;
        CHECK(*p1 == 3 && *p2 == 3 && *p4 == 3 && *p5 == 3);
        ++*p4;
        CHECK(*p1 == 4 && *p2 == 4 && *p3 == 4 && *p5 == 4);
        *p5 = 7;
        CHECK(*p1 == 7 && *p2 == 7 && *p3 == 7 && a[first + k] == 7);
    }
    /* In a loop that a compiler would like to keep in registers. */
    double *local = (double *)&d[MYTHREAD];
    double sum = 0;
    for (int i = 0; i < 1000; i++) {
        d[MYTHREAD] += 1;
        sum += *local;
        *local += 1;
        sum -= d[MYTHREAD];
    }
    CHECK(d[MYTHREAD] == 2000);
    CHECK(sum == -1000);
    return 0;
}
