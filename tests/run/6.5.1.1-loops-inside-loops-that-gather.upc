// flags: -fcomm-opt
// comm: gathers gathers=1,force gathers=7,kept=700 strips off
// A loop whose inner loop gathers (docs/decisions/0017) makes one list for many rows. Its places are computed outside of the text
// around them, and are the same there.
#include <upc_relaxed.h>
#include "check.h"

#define N 64

shared int a[N * THREADS];
static int start[N], column[N];

static int at(int i) { return i * i; }

/* The inner counter has the name of the outer one, from which a variable between them is set. */
static void one_name(void) {
    long sum = 0, wanted = 0;
    for (int i = 0; i < 40; i++) {
        int from = start[i];
        for (int i = 0; i < 3; i++) sum = 3 * sum % 1009 + a[column[from + i]];
    }
    for (int k = 0; k < 40; k++)
        for (int j = 0; j < 3; j++) wanted = 3 * wanted % 1009 + at(column[start[k] + j]);
    CHECK_EQ(wanted, sum);
}

/* A variable is set to what the counter was left with by the row before. */
static void row_before(void) {
    long sum = 0, wanted = 0;
    int j = 1, left = 1;
    for (int i = 0; i < 40; i++) {
        int from = j;
        for (j = 0; j < start[i] % 4; j++) sum = 3 * sum % 1009 + a[column[from + j]];
    }
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < start[i] % 4; k++) wanted = 3 * wanted % 1009 + at(column[left + k]);
        left = start[i] % 4;
    }
    CHECK_EQ(wanted, sum);
    CHECK_EQ(left, j);
}

/* An unsigned bound takes a negative counter for a large number (C17 6.3.1.8). */
static void no_iteration(int from, unsigned to, size_t also_to) {
    long sum = 0;
    int i;
    for (i = from; i < to; i++)
        for (int j = 0; j < 3; j++) sum += a[column[i + 3 + j]];
    CHECK_EQ(from, i);
    for (i = from; i <= also_to; ++i)
        for (int j = 0; j < 3; j++) sum += a[column[i + 3 + j]];
    CHECK_EQ(from, i);
#pragma fathom constant(column)
    for (i = from; i < to; i++) sum += a[column[i + 3]];
    CHECK_EQ(from, i);
    CHECK_EQ(0, sum);
}

/* The type of a counter is not `const`. */
static void types_of_counters(void) {
    long sum = 0, wanted = 0;
    for (int i = 0; i < 30; i++) {
        __typeof__(i) twice = i;
        twice += i;
        for (int j = 0; j < 2; j++) sum += a[column[i + j]] * twice;
        wanted += 2 * i * (at(column[i]) + at(column[i + 1]));
    }
    CHECK_EQ(wanted, sum);
    sum = wanted = 0;
    upc_forall (int i = 0; i < 30; i++; i) {
        __typeof__(i) twice = i;
        twice += i;
        sum += a[column[i]] * twice;
    }
    for (int i = MYTHREAD; i < 30; i += THREADS) wanted += 2 * i * at(column[i]);
    CHECK_EQ(wanted, sum);
}

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < N * THREADS; i++) a[i] = at(i);
    for (int i = 0; i < N; i++) {
        start[i] = i * 5 % 30;
        column[i] = i * 7 % N;
    }
    upc_barrier;
    one_name();
    row_before();
    no_iteration(-3, 20, 20);
    types_of_counters();
    return 0;
}
