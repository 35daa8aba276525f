// threads: 1 2 3 4
/* Pointers-to-shared as parameters (also declared as arrays), results, through function pointers, variadic functions, recursion,
 * restrict and const qualifiers, K&R definitions, tables of functions. */
#include <stdarg.h>
#include "check.h"

#define N (12 * THREADS)
shared [4] int a[12 * THREADS];
shared [4] int b[12 * THREADS];
shared int c[12 * THREADS];

static shared [4] int *at(shared [4] int *p, int i) { return p + i; }
static shared [4] int *as_array(shared [4] int p[], int i) { return &p[i]; }
static int old_style(p, q, n) shared [4] int *p; shared int *q; int n; { return p[n] + q[n]; }
static void copy(shared [4] int *restrict to, const shared [4] int *restrict from, int n) {
    for (int i = 0; i < n; i++) to[i] = from[i];
}
static long sum(int count, ...) {
    va_list ap;
    long s = 0;
    va_start(ap, count);
    for (int i = 0; i < count; i++) {
        shared [4] int *p = va_arg(ap, shared [4] int *);
        shared int *q = va_arg(ap, shared int *);
        s += *p * 1000 + *q;
    }
    va_end(ap);
    return s;
}
static int recursive(shared [4] int *p, shared [4] int *end) { return p == end ? 0 : *p + recursive(p + 1, end); }
typedef shared [4] int *(*mover)(shared [4] int *, int);
typedef int (*reducer)(shared [4] int *, shared [4] int *);
static int apply(mover m, shared [4] int *p, int i, reducer r, shared [4] int *end) { return r(m(p, i), end); }
static shared void *identity(shared void *p) { return p; }
struct both {
    shared [4] int *p;
    shared int *q;
    int n;
};
static struct both pack(shared [4] int *p, shared int *q) {
    struct both r = {p + 1, q + 1, 2};
    return r;
}
static int unpack(struct both x) { return *x.p * x.n + *x.q; }
static mover choose(int k) { return k ? at : as_array; }
static inline shared int *bump(shared int **p) { return (*p)++; }

int main(void) {
    int n = N;
    if (MYTHREAD == 0)
        for (int i = 0; i < n; i++) a[i] = i, c[i] = 2 * i;
    upc_barrier;
    for (int i = 0; i < n; i++) {
        CHECK(at(a, i) == &a[i]);
        CHECK_EQ(i % 4, upc_phaseof(at(a, i)));
        CHECK_EQ(i, *as_array(a, i));
        CHECK_EQ(3 * i, old_style(a, c, i));
        CHECK_EQ(i, *choose(i % 2)(a, i));
        CHECK_EQ(i, *(*choose(1))(at(a, 0), i));
        CHECK((shared [4] int *)identity(&a[i]) == &a[i]);
    }
    CHECK_EQ(1002 + 5010 + 11022, sum(3, &a[1], &c[1], at(a, 5), c + 5, a + 11, &c[11]));
    CHECK_EQ(n * (n - 1) / 2, recursive(a, a + n));
    CHECK_EQ(n * (n - 1) / 2 - 3, apply(at, a, 3, recursive, &a[n]));
    CHECK_EQ(8 * 2 + 2 * 9, unpack(pack(&a[7], &c[8])));
    CHECK(pack(a, c).p == &a[1]);
    CHECK_EQ(10, pack(&a[9], c).p[0]);
    shared int *q = c;
    CHECK(bump(&q) == c && bump(&q) == c + 1 && q == c + 2);
    mover table[] = {at, as_array, choose(0)};
    for (int k = 0; k < 3; k++) CHECK_EQ(k + 4, *table[k](a, k + 4));
    upc_barrier;
    if (MYTHREAD == THREADS - 1) copy(b, a, n);
    upc_barrier;
    for (int i = 0; i < n; i++) CHECK_EQ(i, b[i]);
    upc_barrier;
    if (MYTHREAD == 0) *at(b, 3) = -3, at(b, 4)[1]--, ++*as_array(b, 6);
    upc_barrier;
    CHECK(b[3] == -3 && b[5] == 4 && b[6] == 7);
    return 0;
}
