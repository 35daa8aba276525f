// flags: -fpermissive
// With -fpermissive a pointer is converted where a cast is missing, as the cast would convert it.
#include "check.h"
shared [4] int blocked[4 * THREADS];
shared int cyclic[4 * THREADS];
shared [] int *at_start = cyclic;
shared int *in_ones;
shared [4] int *in_fours;

static int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
static shared int *result(shared [4] int *p) { return p; }
static void write_second(shared [] int *p) { p[1] = 77; }

int main(void) {
    for (int i = 0; i < 4; i++) blocked[4 * MYTHREAD + i] = 10 * MYTHREAD + i;
    upc_barrier;
    in_ones = &blocked[1];
    CHECK(upc_phaseof(in_ones) == 0 && upc_threadof(in_ones) == 0 && *in_ones == 1);
    if (THREADS > 1) CHECK_EQ(11, in_ones[1]);
    in_fours = result(&blocked[2]);
    CHECK(upc_phaseof(in_fours) == 0 && *in_fours == 2);
    shared [4] int *both[2] = {in_fours, in_ones};
    CHECK_EQ(1, *both[1]);
    CHECK_EQ(40 * MYTHREAD + 6, sum(&blocked[4 * MYTHREAD], 4));
    const int *mine = &cyclic[MYTHREAD];
    cyclic[MYTHREAD] = 5;
    CHECK_EQ(5, *mine);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) write_second(cyclic);
    upc_barrier;
    CHECK(upc_threadof(at_start) == 0 && at_start[1] == 77);
    return 0;
}
