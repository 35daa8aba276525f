// Counters that start anew, that begin above all values of `long`, that outlive the loop, or that C compares as unsigned or not. Each loop is compared with what C says of it.
// conduits: smp template mpi
#include <setjmp.h>
#include <upc_relaxed.h>

#include "check.h"

#define N 3000
shared [N] long part[N * THREADS];
shared long cyclic[300 * THREADS];
shared [8] long blocks[300 * THREADS];
shared double table[4000 * THREADS];
static shared [] long *far_part;
static long to[N];

// ---- C loops --------------------------------------------------------------------------------------------------------

static void narrow(int h) {
    long s = 0, expected = 0;
    int c = 0;
    for (int k = 0; k < 300; k++) expected += far_part[k % 256];
    for (unsigned char i = 0; i <= 255; i++) {
        s += far_part[i];
        if (++c == 300) break;
    }
    CHECK(s == expected);
    s = c = 0;
    for (unsigned char i = 0; i < h; i++) {
        s += far_part[i];
        if (++c == 300) break;
    }
    CHECK(s == expected);
    s = c = 0;
    for (unsigned char i = 0; i < 255; i++) s += far_part[i], c++;
    CHECK(c == 255);
}

static void large(unsigned long k) {
    long s = 0, n = 0;
    unsigned long i;
    to[20] = -1;
    for (i = k - 1; i < 2000; i++) to[i + 1] = far_part[i];
    CHECK(to[20] == -1 && i == k - 1);
    for (i = k - 1; i < 300; i += 2) n++, s += far_part[i];
    for (i = k - 1; i < 90; i++)
        for (long j = 0; j < 30; j++) n++, s += far_part[(long)i * 30 + j];
    CHECK(n == 0);
}

static jmp_buf env;
static long left_behind(void) {
    static int i;
    long s = 0;
    if (setjmp(env)) return i;
    for (i = 0; i < 100; i++) {
        for (int j = 0; j < 30; j++) s += far_part[i * 30 + j];
        if (s > 20000) longjmp(env, 1);
    }
    return -1;
}

// Tables whose lowest element is the one before the pointer's.
static int id[20000], first[101];
static double sums[100];
static void rows(shared double *p, int n) {
    for (int r = 0; r < n; r++) {
        double s = 0;
        for (int k = first[r]; k < first[r + 1]; k++) s += p[id[k]];
        sums[r] = s;
    }
}
static void before_the_first(void) {
    for (int r = 0; r <= 100; r++) first[r] = r * 200;
    for (int i = 0; i < 20000; i++) id[i] = i * 7 % 500 - 1;
    for (int round = 0; round < 4; round++) {
        double s = 0;
        if (round % 2)
            for (int i = 0; i < 1000; i++) s += table[i];
        rows(&table[100 + round], 100);
        for (int r = 0; r < 100; r++) {
            double expected = 0;
            for (int k = first[r]; k < first[r + 1]; k++) expected += (100 + round + id[k]) * 3 % 1009;
            CHECK(sums[r] == expected);
        }
    }
}

// ---- upc_forall -----------------------------------------------------------------------------------------------------

// With q it says which iteration runs.
static long by_element(int q) {
    static int i;
    if (q) return i;
    upc_forall (i = 0; i < 300; i++; &blocks[i]) blocks[i] = by_element(1);
    return 0;
}
static long by_number(int q) {
    static int i;
    if (q) return i;
    upc_forall (i = 0; i < 300; i++; i) blocks[i] = by_number(1);
    return 0;
}
static void lasting(long (*loop)(int)) {
    upc_forall (int i = 0; i < 300; i++; &blocks[i]) blocks[i] = -1;
    upc_barrier;
    loop(0);
    upc_barrier;
    for (int i = 0; i < 300; i++) CHECK(blocks[i] == i);
    upc_barrier;
}

static long mine_of(long i) { return (i % THREADS + THREADS) % THREADS == MYTHREAD; }
#define BOUNDS(NAME, TYPE, HI_TYPE, AFFINITY, IS_MINE)                                                                 \
    static void NAME(TYPE lo, HI_TYPE hi) {                                                                            \
        long n = 0, expected = 0, sum = 0, of = 0;                                                                     \
        upc_forall (TYPE i = lo; i < hi; i++; AFFINITY) n++, sum += (long)i;                                           \
        for (TYPE i = lo; i < hi; i++)                                                                                 \
            if (IS_MINE) expected++, of += (long)i;                                                                    \
        CHECK(n == expected && sum == of);                                                                             \
    }
BOUNDS(sizes, unsigned long, unsigned long, i, mine_of((long)i))
BOUNDS(sizes_of_cyclic, unsigned long, unsigned long, &cyclic[i], (long)upc_threadof(&cyclic[i]) == MYTHREAD)
BOUNDS(sizes_of_blocks, unsigned long, long, &blocks[i], (long)upc_threadof(&blocks[i]) == MYTHREAD)
BOUNDS(longs, long, unsigned, i, mine_of(i))
BOUNDS(longs_of_blocks, long, unsigned, &blocks[i + 16], (long)upc_threadof(&blocks[i + 16]) == MYTHREAD)
BOUNDS(ints, int, unsigned, i, mine_of(i))
BOUNDS(ints_and_sizes, int, unsigned long, i, mine_of(i))

int main() {
    for (int i = 0; i < N; i++) part[MYTHREAD * N + i] = i % 97;
    upc_forall (int i = 0; i < 4000; i++; i) table[i] = i * 3 % 1009;
    far_part = (shared [] long *)&part[N * ((MYTHREAD + 1) % THREADS)];
    upc_barrier;
    narrow(256);
    large(0);
    CHECK(left_behind() == 14);
    before_the_first();
    upc_barrier;
    lasting(by_element);
    lasting(by_number);
    unsigned long below = -5ul;
    sizes(below, 300), sizes(5, 300), sizes(-9ul, -2ul);
    sizes_of_cyclic(below, 300), sizes_of_cyclic(5, 300);
    sizes_of_blocks(below, 300), sizes_of_blocks(5, 300);
    longs(-5, 100), longs(5, 100), longs_of_blocks(-5, 100);
    ints(-5, 100), ints(5, 100), ints_and_sizes(-5, 100), ints_and_sizes(5, 100);
    return 0;
}
