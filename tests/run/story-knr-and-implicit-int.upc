// threads: 1 2 4
/* C as it was written before 1989, with shared objects in it: definitions with declaration lists, implicit int, functions used
 * before they are declared, parameters in another order than their declarations, register, empty parameter lists. */
#include "check.h"

shared a[4 * THREADS];
static shared [2] b[4 * THREADS];
counter;
static hidden = 3;
const four = 4;

add(x, y) { return x + y; }

static long mixed(p, c, f, n, q)
    double f;
    shared int *p;
    register int n;
    char c;
    shared [2] int *q;
{
    return p[n] + c + (long)f + q[n];
}

shared int *find(p, n, key) shared int *p;
{
    register i;
    for (i = 0; i < n; i++)
        if (p[i] == key) return p + i;
    return 0;
}

apply(f, v) int (*f)(); { return f(v, 1); }

narrow(c, s, f) char c; short s; float f; { return sizeof c + sizeof s + sizeof f + c + s + (int)f; }

main(argc, argv) char **argv;
{
    auto i;
    unsigned const u = 7;
    for (i = MYTHREAD; i < 4 * THREADS; i += THREADS) a[i] = b[i] = i * i;
    upc_barrier;
    CHECK_EQ(7, add(3, four));
    CHECK_EQ(0, counter);
    CHECK_EQ(3, hidden);
    CHECK_EQ(9 + 65 + 2 + 9, mixed(a, 'A', 2.5, 3, b));
    CHECK(find(a, 4 * THREADS, 9) == &a[3]);
    CHECK(find(a, 4 * THREADS, -1) == 0);
    CHECK_EQ(6, apply(add, 5));
    CHECK_EQ(1 + 2 + 4 + 1 + 2 + 3, narrow(1, 2, 3.5));
    CHECK_EQ(7, u);
    CHECK_EQ(9, later(a, 3));
    CHECK(argc > 0 && argv[0] != 0);
    return 0;
}

later(p, i) shared int *p; { return p[i]; }
