// threads: 1 2
/* const, volatile and restrict beside shared, in all orders and at all levels: objects, referenced types, pointers themselves, arrays by typedef. */
#include "check.h"

const shared int limit = 7;
shared const int limits[THREADS];
volatile shared int v[THREADS];
shared volatile strict int w[THREADS];
typedef const shared [3] int ro;
shared [3] int table[6 * THREADS];
shared [3] int *const fixed = &table[4];
shared int *volatile moving;
shared [3] int *shared const rooted = &table[5];
struct view {
    const shared [3] int *const begin, *const end;
};

static int sum(const shared [3] int *restrict p, const shared [3] int *restrict const end) {
    int s = 0;
    while (p != end) s += *p++;
    return s;
}
static int view_sum(const struct view *v) { return sum(v->begin, v->end); }
static shared [3] int *drop_const(ro *p) { return (shared [3] int *)p; }

int main(void) {
    int me = MYTHREAD;
    CHECK_EQ(7, limit);
    CHECK_EQ(0, limits[me]);
    v[me]++;
    v[me] += v[me];
    CHECK_EQ(2, v[me]);
    w[me] = v[me];
    CHECK_EQ(2, w[me]--);
    if (me == 0)
        for (int i = 0; i < 6 * THREADS; i++) table[i] = i;
    upc_barrier;
    CHECK_EQ(4, *fixed);
    CHECK_EQ(1, upc_phaseof(fixed));
    CHECK_EQ(5, fixed[1]);
    moving = (shared int *)&v[me];
    CHECK_EQ(2, *moving);
    CHECK(rooted == fixed + 1 && *rooted == 5);
    struct view all = {table, table + 6 * THREADS}, some = {fixed, rooted};
    CHECK_EQ(6 * THREADS * (6 * THREADS - 1) / 2, view_sum(&all));
    CHECK_EQ(4, view_sum(&some));
    upc_barrier;
    if (me == THREADS - 1) *drop_const(&table[2]) = -2;
    upc_barrier;
    CHECK_EQ(-2, table[2]);
    CHECK_EQ(3, upc_blocksizeof(ro));
    const int copy = table[1];
    volatile int volatile_copy = table[1];
    CHECK_EQ(copy, volatile_copy);
    return 0;
}
