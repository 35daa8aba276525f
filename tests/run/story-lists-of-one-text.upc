// flags: -fcomm-opt -fmerge-all-constants
// comm: gathers gathers=1,force gathers=7,kept=700 strips off
// Lists that are kept (docs/decisions/0017) of loops that a macro, a header or a #line directive gives one place in the source, of
// loops whose conditions guard what their places are computed from, and of what leads from constant pointers elsewhere.
#include <fathom_constant.h>
#include <upc_relaxed.h>
#include "check.h"

#define N 64
#define TRIPS 40

shared int a[N * THREADS], b[N * THREADS];
static int column[TRIPS];

static int of_a(int i) { return i * i; }
static int of_b(int i) { return 1000 + i; }

#define SUM(x, table, place) _Pragma("fathom constant(column)") for (int i = 0; i < TRIPS; i++) x += table[place];
#define THREE_SUMS(x, y, z) SUM(x, a, column[i]) SUM(y, b, column[i]) SUM(z, b, column[i] / 2)

#line 100
static long one_line(void) {
    long sum = 0;
#pragma fathom constant(column)
    for (int i = 0; i < TRIPS; i++) sum += a[column[i]];
    return sum;
}
#line 100
static long same_line(void) {
    long sum = 0;
#pragma fathom constant(column)
    for (int i = 0; i < TRIPS; i++) sum += b[column[i]];
    return sum;
}

static void one_place(void) {
    long x = 0, y = 0, z = 0, sums[3] = {0, 0, 0};
    for (int i = 0; i < TRIPS; i++) {
        sums[0] += of_a(column[i]);
        sums[1] += of_b(column[i]);
        sums[2] += of_b(column[i] / 2);
    }
    THREE_SUMS(x, y, z)
    CHECK_EQ(sums[0], x);
    CHECK_EQ(sums[1], y);
    CHECK_EQ(sums[2], z);
    CHECK_EQ(sums[0], one_line());
    CHECK_EQ(sums[1], same_line());
}

/* What no iteration reads is not read before the loop, either. */
static void guarded(int none, int far_away) {
    static int base[4];
    long sum = 0;
#pragma fathom constant(column)
    for (int i = 0; i < TRIPS; i++)
        if (none) sum += a[column[i] + base[2 / none]];
#pragma fathom constant(column)
    for (int i = 0; i < TRIPS; i++)
        if (far_away < 4) sum += a[column[i] + base[far_away]];
    CHECK_EQ(0, sum);
}

struct node {
    struct node *next;
    int n;
};

/* The promise is about the pointers in `rows` and in *head; a number is part of what determines the places. */
static void not_promised(void) {
    static int even[TRIPS], odd[TRIPS];
    int *rows[2] = {even, odd}, n = 3;
    struct node last = {0, 0}, first = {&last, 0}, *head = &first;
    for (int times = 0; times < 3; times++) {
        for (int i = 0; i < TRIPS; i++) odd[i] = (i * 3 + times) % N;
        last.n = times;
        long sums[3] = {0, 0, 0}, wanted[3] = {0, 0, 0};
#pragma fathom constant(rows)
        for (int i = 0; i < TRIPS; i++) sums[0] += a[rows[1][i]];
#pragma fathom constant(head)
        for (int i = 0; i < TRIPS; i++) sums[1] += a[i * i % 7 + head->next->n];
#pragma fathom constant(n, column)
        for (int i = 0; i < TRIPS; i++) sums[2] += a[(column[i] + odd[n]) % N];
        for (int i = 0; i < TRIPS; i++) {
            wanted[0] += of_a(odd[i]);
            wanted[1] += of_a(i * i % 7 + times);
            wanted[2] += of_a((column[i] + odd[n]) % N);
        }
        for (int k = 0; k < 3; k++) CHECK_EQ(wanted[k], sums[k]);
    }
}

/* The array that is promised to be constant is not the one in the loop. */
static void shadowed(void) {
    int other[TRIPS];
    for (int times = 0; times < 3; times++) {
        long sum = 0, wanted = 0;
        for (int i = 0; i < TRIPS; i++) {
            other[i] = (i * 5 + times) % N;
            wanted += of_a(other[i]);
        }
#pragma fathom constant(column)
        for (int i = 0; i < TRIPS; i++) {
            int *column = other;
            sum += a[column[i]];
        }
        CHECK_EQ(wanted, sum);
    }
}

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < N * THREADS; i++) {
            a[i] = of_a(i);
            b[i] = of_b(i);
        }
    for (int i = 0; i < TRIPS; i++) column[i] = i * 7 % N;
    upc_barrier;
    for (int times = 0; times < 2; times++) one_place();
    guarded(0, 1 << 28);
    not_promised();
    shadowed();
    return 0;
}
