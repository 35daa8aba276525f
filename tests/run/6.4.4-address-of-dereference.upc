// threads: 1 2 4
/* C 6.5.3.2 on pointers-to-shared: &*p is p and &p[i] is p + i; neither accesses anything, so that p may point past the
 * end or be null. Addresses of addresses: pointers to private pointers-to-shared are ordinary. */
#include "check.h"

shared [3] int a[6 * THREADS];
shared int x;
shared int *px = &x;

static void advance(shared [3] int **p, int n) { *p += n; }
static void set(shared int **pp) { **pp = 31; }

int main(void) {
    shared [3] int *p = a + 6 * THREADS;
    CHECK(&*p == p);
    CHECK(&p[-1] == p - 1);
    CHECK(&a[6 * THREADS] == p);
    shared [3] int *null = NULL;
    CHECK(&*null == NULL);
    p = a;
    for (int i = 0; i < 6 * THREADS; i += 2) {
        CHECK(p == &a[i]);
        advance(&p, 2);
    }
    shared [3] int **pp = &p;
    CHECK(**&pp == p);
    *pp = &a[4];
    CHECK(*pp - a == 4);
    (*pp)++;
    CHECK(p == &a[5]);
    if (MYTHREAD == THREADS - 1) set(&px);
    upc_barrier;
    CHECK_EQ(31, x);
    CHECK_EQ(31, *px);
    CHECK_EQ(31, *&*&*px);
    CHECK_EQ(31, (*&x));
    return 0;
}
