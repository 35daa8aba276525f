// threads: 1 2 3
/* 6.5.1.1p9: strict accesses to objects of every size and kind: integers, floating, long double, complex, pointers, structures
 * that no single instruction moves. */
#include <complex.h>
#include "check.h"

struct odd {
    char c[3];
};
struct large {
    long w[9];
};
enum e { ONE = 1, TWO };

#define EACH(T, name) strict shared T name[THREADS];
EACH(char, c)
EACH(_Bool, b)
EACH(short, s)
EACH(int, i)
EACH(unsigned long, ul)
EACH(long long, ll)
EACH(float, f)
EACH(double, d)
EACH(long double, ld)
EACH(double complex, z)
EACH(enum e, e)
EACH(struct odd, o)
EACH(struct large, g)
strict shared int *strict shared pc[THREADS];
strict shared [4] int *strict shared pb[THREADS];
shared void *strict shared pv[THREADS];
strict shared [4] int target[8 * THREADS];

int main(void) {
    int n = (MYTHREAD + 1) % THREADS;
    c[n] = 'q';
    b[n] = 2;
    s[n] = -300;
    i[n] = 1 << 30;
    ul[n] = ~0ul;
    ll[n] = -1ll << 62;
    f[n] = 0.1f;
    d[n] = 0.1;
    ld[n] = 0.1L;
    z[n] = 1 - I;
    e[n] = TWO;
    o[n] = (struct odd){{1, 2, 3}};
    g[n] = (struct large){{0, 1, 2, 3, 4, 5, 6, 7, 8}};
    pc[n] = &i[n];
    pb[n] = &target[5];
    pv[n] = &target[6];
    upc_barrier;
    int m = MYTHREAD;
    CHECK(c[m] == 'q' && b[m] == 1 && s[m] == -300 && i[m] == 1 << 30 && ul[m] == ~0ul && ll[m] == -1ll << 62);
    CHECK(f[m] == 0.1f && d[m] == 0.1 && ld[m] == 0.1L && z[m] == 1 - I && e[m] == TWO);
    struct odd oo = o[m];
    CHECK(oo.c[0] == 1 && oo.c[1] == 2 && oo.c[2] == 3 && o[m].c[1] == 2);
    struct large gg = g[m];
    for (int k = 0; k < 9; k++) CHECK(gg.w[k] == k && g[m].w[k] == k);
    CHECK(pc[m] == &i[m] && *pc[m] == 1 << 30);
    CHECK(pb[m] == &target[5]);
    CHECK_EQ(1, upc_phaseof(pb[m]));
    CHECK_EQ(2, upc_phaseof(pv[m]));
    CHECK_EQ(1 % THREADS, upc_threadof(pb[m]));
    ld[m] *= 2;
    CHECK(ld[m] == 0.2L);
    pb[m] += 2;
    CHECK_EQ(3, upc_phaseof(pb[m]));
    CHECK(pb[m]++ == &target[7]);
    CHECK_EQ(0, upc_phaseof(pb[m]));
    c[m]++;
    CHECK_EQ('r', c[m]);
    return 0;
}
