// threads: 1 2 3 5
/* Counting C loops over arrays in blocks, which the compiler cuts where a block ends: first and last iterations in the middle of
 * blocks, several offsets and block sizes in one loop, all ways to leave a loop or an iteration, counters of all types,
 * and the counter's value afterwards. Elements are checked one by one, too. */
#include "check.h"
#include <limits.h>
#include <stddef.h>

#define N (90 * THREADS)
struct pair {
    short a;
    double b;
};
shared [9] int x[N];
shared [9] int y[N];
shared [30] long z[N];
shared [10] struct pair pairs[N];
shared [12] double rows[THREADS][36];
strict shared [9] int careful[N];

/* Element i of x, by a pointer that goes there step by step. */
static int at(shared [9] int *p, long i) {
    while (i >= 7) p += 7, i -= 7;
    while (i > 0) p++, i--;
    while (i <= -7) p -= 7, i += 7;
    while (i < 0) p--, i++;
    return *p;
}

static void fill(void) {
    upc_barrier;
    if (MYTHREAD == 0) {
        for (int i = 0; i < N; i++) x[i] = 3 * i + 1, y[i] = -i, z[i] = 1000000l * i;
        for (int i = 0; i < N; i++) pairs[i].a = (short)i, pairs[i].b = i / 2.0;
    }
    upc_barrier;
    for (int i = 0; i < N; i += N / 9) CHECK_EQ(3 * i + 1, at(x, i));
}

static void parts(void) {
    static const int ends[] = {0, 1, 2, 8, 9, 10, 17, 18, 19, 27, 50, 89, 90};
    const int count = sizeof ends / sizeof *ends;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            long sum = 0, expected = 0;
            int i;
            for (i = ends[a]; i < ends[b]; i++) sum += x[i];
            CHECK_EQ(ends[a] < ends[b] ? ends[b] : ends[a], i);
            for (int k = ends[a]; k < ends[b]; k++) expected += 3 * k + 1;
            CHECK_EQ(expected, sum);
            sum = 0;
            for (i = ends[a]; ends[b] - 1 >= i; ++i) sum += x[i];
            CHECK_EQ(expected, sum);
        }
}

/* Blocks of 9 and of 30, neighbours on both sides. */
static void several(void) {
    long sum = 0, expected = 0;
    for (int i = 1; i < N - 1; i++) sum += x[i - 1] + 2l * x[i + 1] + z[i] / 1000000;
    for (long i = 1; i < N - 1; i++) expected += 3 * (i - 1) + 1 + 2 * (3 * (i + 1) + 1) + i;
    CHECK_EQ(expected, sum);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        /* Each iteration reads what the one before it wrote. */
        for (int i = 1; i < N; i++) y[i] = y[i - 1] + x[i];
    }
    upc_barrier;
    int last = 0;
    for (int i = 1; i < N; i++) last += 3 * i + 1;
    CHECK_EQ(last, at(y, N - 1));
    upc_barrier;
}

static int found(int what) {
    for (int i = 0; i < N; i++)
        if (x[i] == what) return i;
    return -1;
}

static void ways_out(void) {
    int i, seen = 0;
    for (i = 0; i < N; i++) {
        if (x[i] % 2) continue;
        if (x[i] > 100) break;
        seen++;
    }
    CHECK_EQ(35, i); /* 3 i + 1 is 106 */
    CHECK_EQ(17, seen);
    for (int stop = 0; stop < 30; stop++) {
        for (i = 0; i < N; i++)
            if (x[i] == 3 * stop + 1) break;
        CHECK_EQ(stop, i);
    }
    CHECK_EQ(44, found(3 * 44 + 1));
    CHECK_EQ(-1, found(2));
    for (i = 5; i < N; i++) {
        switch (x[i] % 3) {
        case 1:
            if (x[i] == 3 * 26 + 1) goto out;
            break; /* leaves the switch alone */
        default: CHECK(0);
        }
    }
    CHECK(0);
out:
    CHECK_EQ(26, i);
}

static void counters(void) {
    long sum = 0;
    for (unsigned char i = 0; i < 90; i++) sum += x[i];
    for (short i = 0; i <= 89; i += 1) sum += x[i];
    for (unsigned i = 0; i < 90; i = i + 1) sum += x[i];
    for (size_t i = 0; i < 90; i++) sum += x[i];
    for (long long i = 0; i < 90u; i++) sum += x[i];
    for (int i = 0; i < (int)sizeof(char[90]); i++) sum += x[i];
    for (int i = 0; i < sizeof(char[90]); i++) sum += x[i];
    CHECK_EQ(7l * (3 * 89 * 90 / 2 + 90), sum);
    /* Bounds that are only reached by leaving. */
    int reached = 0;
    for (size_t i = 0; i < SIZE_MAX; i++) {
        if (x[i] == 3 * 60 + 1) break;
        reached++;
    }
    CHECK_EQ(60, reached);
    for (unsigned i = 3; i <= UINT_MAX; i++) {
        if (x[i] == 3 * 61 + 1) break;
        reached++;
    }
    CHECK_EQ(118, reached);
    /* -2 < 5u compares 4294967294 with 5. */
    for (int i = -2; i < 5u; i++) reached = -1;
    CHECK_EQ(118, reached);
    shared [9] int *middle = &x[40];
    sum = 0;
    for (int i = -3; i < UINT_MAX; i++) sum += middle[i];
    CHECK_EQ(3l * (37 + 38) + 2, sum);
    sum = 0;
    for (int i = -30; i < 30; i++) sum += middle[i];
    CHECK_EQ(60l * 121 - 3 * 30, sum);
}

static void pointers(void) {
    for (int from = 0; from < 40; from++) {
        shared [9] int *p = x + from;
        long sum = 0;
        for (int i = 0; i < 40; i++) sum += p[i];
        CHECK_EQ(40l * (3 * from + 1) + 3 * 39 * 40 / 2, sum);
        /* A pointer that moves is not the array of the loop. */
        sum = 0;
        for (int i = 0; i < 20; i++, p++) sum += p[i];
        for (int i = 0; i < 20; i++) sum -= 3 * (from + 2 * i) + 1;
        CHECK_EQ(0, sum);
    }
    shared [9] int *none = NULL;
    int reached = 0;
    for (int i = 0; i < 20; i++)
        if (none && none[i]) reached = 1;
    CHECK_EQ(0, reached);
}

static void kinds(void) {
    double sum = 0;
    for (int i = 0; i < N; i++) sum += pairs[i].a + pairs[i].b;
    CHECK(sum == 1.5 * N * (N - 1) / 2);
    upc_barrier;
    for (int j = 0; j < 36; j++) rows[MYTHREAD][j] = MYTHREAD + j;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (int j = 1; j < 35; j++) CHECK(rows[t][j - 1] + rows[t][j + 1] == 2.0 * (t + j));
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 0; i < N; i++) careful[i] = i;
    upc_barrier;
    for (int i = 0; i < N; i++) CHECK_EQ(i, careful[i]);
    /* In the loop of others, and in a body that calls. */
    upc_forall (int t = 0; t < THREADS; t++; t) {
        long mine = 0;
        for (int i = 0; i < N; i++) mine += x[i] + at(x, i % 10);
        CHECK_EQ(3l * N * (N - 1) / 2 + N + N / 10 * (3 * 45 + 10), mine);
    }
    upc_barrier;
}

struct grid {
    int n, *at;
};
shared [9] int first[N];
shared int limit;

/* Bounds that are read from memory, and bounds that the loop itself changes. */
static void bounds(void) {
    static int counts[3] = {40, 50, 60}, moving[2] = {60, 0};
    struct grid grid = {45, counts}, *there = &grid;
    long sum = 0;
    for (int i = 0; i < grid.n; i++) sum += x[i];
    for (int i = 0; i < there->n; i++) sum += x[i];
    for (int i = 0; i < there->at[1]; i++) sum += x[i];
    for (int i = 0; i < counts[2] / 2; i++) sum += x[i];
    CHECK_EQ(2l * (3 * 44 * 45 / 2 + 45) + 3 * 49 * 50 / 2 + 50 + 3 * 29 * 30 / 2 + 30, sum);
    int i;
    for (i = 0; i < moving[0]; i++)
        if (x[i] % 7 == 0) moving[0]--;
    CHECK_EQ(52, i);
    for (i = 0; i < there->n; i++)
        if (x[i] % 2) grid.n--;
    CHECK_EQ(30, i);
    for (i = 0; i < *there->at; i++) counts[0] -= x[i] % 2;
    CHECK_EQ(27, i);
    upc_barrier;
    if (MYTHREAD == 0) {
        for (i = 0; i < N; i++) first[i] = 2 * i;
        limit = 70;
    }
    upc_barrier;
    sum = 0;
    for (i = 3; i < 30; i++)
        for (int k = first[i]; k < first[i + 1]; k++) sum += x[k];
    CHECK_EQ(3l * (60 * 59 - 6 * 5) / 2 + 54, sum);
    upc_barrier;
    if (MYTHREAD == 0) {
        for (i = 0; i < limit; i++) limit = 70 - x[i] / 3;
        CHECK_EQ(36, i);
        for (i = 0; i < first[20]; i++) first[i] = y[i] * 0;
        CHECK_EQ(21, i);
    }
    upc_barrier;
}

/* Each thread writes its part. */
static void writes(void) {
    const int from = 90 * MYTHREAD + 4, to = from + 80;
    for (int i = from; i < to; i++) y[i] = 2 * x[i];
    for (int i = from; i < to; i++) y[i]++, y[i] += i;
    upc_barrier;
    for (int i = 0; i < N; i += 13)
        if (i % 90 >= 4 && i % 90 < 84) CHECK_EQ(7 * i + 3, at(y, i));
    upc_barrier;
}

/* Loops that a pragma speaks of keep their form. */
static void under_pragmas(void) {
    long sum = 0;
    int i;
#pragma GCC unroll 4
    for (i = 0; i < N; i++) sum += x[i];
    CHECK_EQ(3l * N * (N - 1) / 2 + N, sum);
#pragma omp simd
    for (i = 0; i < 36; i++) rows[MYTHREAD][i] = 1;
#pragma omp simd collapse(2)
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 12; j++) rows[MYTHREAD][12 * k + j] += x[j] - 3 * j;
    _Pragma("omp simd") for (i = 0; i < 36; i++) rows[MYTHREAD][i] += 1;
    for (i = 0; i < 36; i++) CHECK(rows[MYTHREAD][i] == 3);
}

int main(void) {
    fill();
    parts();
    several();
    ways_out();
    counters();
    pointers();
    kinds();
    bounds();
    writes();
    under_pragmas();
    return 0;
}
