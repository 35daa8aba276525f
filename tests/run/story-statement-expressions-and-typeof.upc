// threads: 1 2 4
/* GNU C in UPC: statement expressions with shared accesses, typeof of shared objects and of expressions of them, __auto_type, ?: without
 * a middle, case ranges, labels as values, nested conditional lvalues. */
#include "check.h"

shared [3] int a[12 * THREADS];
shared double d[THREADS];
static __typeof__(a) same_layout; /* shared [3] int[12 * THREADS] */
static typeof(d[0]) one_more;     /* shared double */
shared struct s {
    int i;
    char c;
} rec[THREADS];

#define MAX(x, y)                 \
    ({                            \
        __typeof__((x) + 0) _x = (x), _y = (y); \
        _x > _y ? _x : _y;        \
    })
#define SWAP(p, q)                \
    ({                            \
        typeof(p) _p = (p);       \
        typeof(q) _q = (q);       \
        typeof(*_p + 0) _t = *_p; \
        *_p = *_q;                \
        *_q = _t;                 \
        _p;                       \
    })

int main(void) {
    int me = MYTHREAD, base = 12 * me;
    for (int i = 0; i < 12; i++) a[base + i] = base + i, same_layout[base + i] = -(base + i);
    upc_barrier;
    int n = (me + 1) % THREADS, other = 12 * n;
    CHECK_EQ(other + 5, MAX(a[other + 5], a[other + 3]));
    CHECK_EQ(other + 3, MAX(-a[other + 5], a[other + 3]));
    CHECK_EQ(3, upc_blocksizeof(same_layout));
    CHECK_EQ(1 % THREADS, upc_threadof(&same_layout[3]));
    CHECK_EQ(-(other + 1), same_layout[other + 1]);
    upc_barrier;
    typeof(&a[0]) p = &a[base];
    CHECK_EQ(base % 3, upc_phaseof(p));
    CHECK(SWAP(p, &a[base + 7]) == p);
    CHECK(a[base] == base + 7 && a[base + 7] == base);
    __auto_type q = p + 2;
    CHECK_EQ(base + 2, *q);
    CHECK_EQ(2, q - p);
    int v = ({
        int s = 0;
        for (int i = 0; i < 12; i++) s += a[base + i];
        s;
    });
    CHECK_EQ(12 * base + 66, v);
    CHECK_EQ(base + 4, ({ a[base + 4]; }));
    a[({ base + 1; })] = ({ a[base + 2] * 10; });
    CHECK_EQ(10 * (base + 2), a[base + 1]);
    rec[me] = ({ struct s t = {me, 'x'}; t; });
    CHECK(rec[me].c == 'x' && ({ rec[me]; }).i == me);
    upc_barrier;
    rec[n].i = ({ struct s t = {a[base + 2], 'y'}; t; }).i;
    upc_barrier;
    a[base + 3] = 0;
    CHECK_EQ(17, a[base + 3] ?: 17);
    a[base + 3] = 4;
    CHECK_EQ(4, a[base + 3] ?: 17);
    shared [3] int *null = 0, *nonnull = null ?: p;
    CHECK(nonnull == p);
    switch (a[base + 3]) {
    case 0 ... 3:
        CHECK(0);
        break;
    case 4 ... 9:
        v = 1;
        break;
    }
    CHECK_EQ(1, v);
    static void *const labels[] = {&&zero, &&one, &&two};
    goto *labels[a[base + 3] % 3];
zero:
    CHECK(0);
one:
    v = 100 + a[base + 3];
two:
    CHECK_EQ(104, v);
    one_more = 2.5;
    CHECK(one_more == 2.5);
    CHECK_EQ(0, upc_threadof(&one_more));
    int twice = __extension__({ typeof(a[0] * 1L) w = a[base + 3]; (int)(w + sizeof w); });
    CHECK_EQ(12, twice);
    return 0;
}
