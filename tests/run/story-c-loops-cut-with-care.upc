// threads: 1 2 3
/* Counting C loops over arrays in blocks in which a cut could be seen: counters that wrap, bounds that change by other
 * names or in other threads, jumps into the body, pragmas that speak of the body, objects that the body declares. */
#include "check.h"

#define N (90 * THREADS)
shared [9] int x[N];
shared [9] int y[N];
shared [60] int wide[360 * THREADS];
shared int limit;

static int value(int i) { return 3 * i + 1; }

static void fill(void) {
    upc_forall (int i = 0; i < N; i++; &x[i]) x[i] = value(i);
    upc_forall (int i = 0; i < 360 * THREADS; i++; &wide[i]) wide[i] = value(i);
    upc_barrier;
}

/* A counter that is narrower than its bound begins again. */
static void wraps(void) {
    int count = 0;
    long sum = 0, expected = 0;
    for (unsigned char i = 200; i < 300; i++) {
        sum += wide[i];
        if (++count == 150) break;
    }
    for (int k = 0; k < 150; k++) expected += value((200 + k) % 256);
    CHECK_EQ(expected, sum);
    shared [60] int *middle = &wide[130];
    count = sum = expected = 0;
    for (signed char i = 100; i < 200; i++) {
        sum += middle[i];
        if (++count == 150) break;
    }
    for (int k = 0; k < 150; k++) expected += value(130 + (k < 28 ? 100 + k : k - 156));
    CHECK_EQ(expected, sum);
    count = 0;
    for (unsigned char i = 0; i <= 255; i++) {
        CHECK_EQ(value(i), wide[i]);
        if (++count == 400) break;
    }
}

union either {
    int n;
    float f;
};

/* The other member of a union, and the operand of sizeof, change the bound. */
static void bounds(void) {
    static union either several[2];
    union either one, *there = &one;
    struct {
        union either inside[2];
    } around, *at = &around;
    int i;
    several[1].n = there->n = around.inside[1].n = 60;
    for (i = 0; i < several[1].n; i++)
        if (x[i] == value(20)) several[1].f = 0;
    CHECK_EQ(21, i);
    for (i = 0; i < there->n; i++)
        if (x[i] == value(20)) there->f = 0;
    CHECK_EQ(21, i);
    for (i = 0; i < at->inside[1].n; i++)
        if (x[i] == value(20)) at->inside[1].f = 0;
    CHECK_EQ(21, i);
    int m = 60;
    for (i = 0; i < sizeof(char[m]); i++) m -= x[i] == value(i);
    CHECK_EQ(30, i);
    m = 10;
    for (i = 0; i < sizeof(char[++m]); i++)
        if (x[i] == value(20)) break;
    CHECK_EQ(20, i);
    CHECK_EQ(31, m);
}

/* Another thread moves the bound back and forth, and no iteration is beyond it. */
static void moving_bound(void) {
    long beyond = 0;
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        for (int r = 0; r < 100000; r++) limit = r % 2 ? 70 : 0;
    if (MYTHREAD == 0)
        for (int r = 0; r < 10000; r++)
            for (int i = 60; i < limit; i++) beyond += x[i] >= value(70);
    CHECK_EQ(0, beyond);
    upc_barrier;
}

/* A case label in the body belongs to a switch around the loop. */
static long entered(int how) {
    int i = 3;
    long sum = 0;
    switch (how) {
    case 0:
        for (i = 0; i < 30; i++) {
        case 1:
            switch (i % 2) {
            case 0: sum++; break;
            default: sum += 2;
            }
            sum += x[i];
        }
    }
    return sum;
}

#define ADD_EACH(sum, n)                                                                                               \
    do {                                                                                                               \
        for (int i = 0; i < (n); i++) _Pragma("omp atomic") sum += x[i];                                               \
    } while (0)

static void under_pragmas(void) {
    long sum = 0;
    for (int i = 0; i < 40; i++)
#pragma omp atomic
        sum += x[i];
    for (int i = 0; i < 40; i++)
#pragma omp critical
    {
        sum += x[i];
    }
    ADD_EACH(sum, 40);
    CHECK_EQ(3l * (3 * 39 * 20 + 40), sum);
}

/* What the body declares, and elements before the array that it does not read. */
static void of_the_body(void) {
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 40; i++) {
            static shared [9] int own[N];
            if (MYTHREAD == 0) own[i] = i + round;
            if (MYTHREAD == 0) CHECK_EQ(i + round, own[i]);
        }
    upc_barrier;
    if (MYTHREAD == 0) {
        for (int i = 0; i < 40; i++) {
            static int before;
            y[i] = before;
            before = x[i];
        }
        for (int i = 1; i < 40; i++) CHECK_EQ(value(i - 1), y[i]);
    }
    long sum = 0;
    for (int i = 0; i < 40; i++)
        if (i > 0) sum += x[i - 1];
    CHECK_EQ(3l * 38 * 39 / 2 + 39, sum);
    for (int i = 0; i < 40; i++) {
        shared [9] int *p = &x[i];
        CHECK(p == x + i && upc_phaseof(p) == i % 9);
        CHECK_EQ(value(i), *p);
    }
    upc_barrier;
}

int main(void) {
    fill();
    wraps();
    bounds();
    moving_bound();
    long all = 0;
    for (int k = 0; k < 30; k++) all += value(k) + 1 + k % 2;
    CHECK_EQ(all, entered(0));
    CHECK_EQ(all - (value(0) + value(1) + value(2) + 4), entered(1));
    under_pragmas();
    of_the_body();
    return 0;
}
