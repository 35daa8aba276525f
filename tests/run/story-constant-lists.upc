// flags: -fcomm-opt
// comm: gathers gathers=1,force gathers=7 gathers,kept=2000 gathers,outbox,lines strips
// Loops with a list of what they gather (docs/decisions/0017): of rows that are too short to be fetched one by one, and kept from one
// execution to the next where a pragma promises that indices are constant. The result is that of the plain loop.
#include <fathom_constant.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include "check.h"

#define ROWS 60
#define LONGEST 9

struct matrix {
    int *start, *column;
    double *value;
};

shared [5] double blocks[ROWS * THREADS];
shared double cyclic[ROWS * THREADS];
shared [5] double result[ROWS * THREADS];
shared [] double *one;
static int start[ROWS * 8 + 1], column[ROWS * 8 * LONGEST];
static int all;
static double got[ROWS * 8];

static double at(int i) { return i * 1.25 + 1; }

/* Some rows are empty. */
static void make(int seed) {
    start[0] = 0;
    for (int j = 0; j < all; j++) {
        start[j + 1] = start[j] + (j * 7 + seed) % LONGEST;
        for (int k = start[j]; k < start[j + 1]; k++) column[k] = (k * 31 + j + seed) % all;
    }
}

static double right(int j) {
    double sum = 0;
    for (int k = start[j]; k < start[j + 1]; k++) sum += k * at(column[k]);
    return sum;
}

static void rows(void) {
    for (int j = 0; j < all; j++) {
        double sum = 0;
        for (int k = start[j]; k < start[j + 1]; k++) sum += k * blocks[column[k]];
        got[j] = sum;
    }
    for (int j = 0; j < all; j++) CHECK(got[j] == right(j));
    int j, k;
    double sum = 0, wanted = 0;
    for (j = 3; j <= all - 2; j++)
        for (k = start[j]; k < start[j + 1]; k++) sum += k * cyclic[column[k]];
    CHECK(j == all - 1 && k == start[all - 1]);
    for (int i = 3; i <= all - 2; i++)
        for (int l = start[i]; l < start[i + 1]; l++) wanted += l * at(column[l]);
    CHECK(sum == wanted);
    /* Under conditions, and by way of variables. */
    sum = wanted = 0;
    for (int i = 0; i < all; i++) {
        int from = start[i], to = start[i + 1], third = i % 3;
        for (long l = from; l < to; l++) {
            int c = column[l];
            if (c % 3 == third) continue;
            sum += blocks[c];
        }
    }
    for (int i = 0; i < all; i++)
        for (int l = start[i]; l < start[i + 1]; l++)
            if (column[l] % 3 != i % 3) wanted += at(column[l]);
    CHECK(sum == wanted);
}

static void product(int from, int to) {
#pragma fathom constant(start, column)
    upc_forall (int j = from; j < to; j++; &result[j]) {
        double sum = 0;
        for (int k = start[j]; k < start[j + 1]; k++) sum += k * blocks[column[k]];
        result[j] = sum;
    }
}

static void products(void) {
    for (int times = 0; times < 3; times++) {
        /* Other bounds are another list. */
        product(0, all);
        product(2, all - 1);
        upc_barrier;
        for (int j = MYTHREAD; j < all; j += THREADS) CHECK(result[j] == right(j) * (1 << times));
        upc_barrier;
        upc_forall (int j = 0; j < all; j++; &blocks[j]) blocks[j] *= 2;
        upc_barrier;
    }
    upc_forall (int j = 0; j < all; j++; &blocks[j]) blocks[j] /= 8;
    upc_barrier;
}

static double sum_of(const int *index, int n, shared double *table, int by) {
    double sum = 0;
    int i;
#pragma fathom constant(index)
    for (i = 0; i < n; i++) sum += table[index[i] + by];
    CHECK(i == n);
    return sum;
}

static void flat(void) {
    int *other = malloc(all * sizeof *other);
    for (int i = 0; i < all; i++) other[i] = all - 2 - i;
    other[all - 1] = 0;
    for (int times = 0; times < 3; times++) {
        double wanted[3] = {0, 0, 0};
        for (int i = 0; i < all - 1; i++) {
            wanted[0] += at(column[i] % (all - 1) + 1);
            wanted[1] += at(other[i] + 1);
            wanted[2] += at(other[i]);
        }
        static int within[ROWS * 8];
        for (int i = 0; i < all; i++) within[i] = column[i] % (all - 1);
        /* Another index, another table, another variable of the place. */
        CHECK(sum_of(within, all - 1, cyclic, 1) == wanted[0]);
        CHECK(sum_of(other, all - 1, cyclic, 1) == wanted[1]);
        CHECK(sum_of(other, all - 1, cyclic, 0) == wanted[2]);
        CHECK(sum_of(other, all - 1, cyclic + 1, 0) == wanted[1]);
    }
    for (int i = 0; i < all; i++) other[i] = 3;
    fathom_constant_changed();
    double threes = 0;
    for (int i = 0; i < all; i++) threes += at(4);
    CHECK(sum_of(other, all, cyclic, 1) == threes);
    free(other);
}

/* The arrays are reached by way of a structure, and all is on one thread. */
static void structure(void) {
    struct matrix m = {start, column, malloc(start[all] * sizeof(double) + 1)};
    for (int k = 0; k < start[all]; k++) m.value[k] = k * .5;
    for (int times = 0; times < 3; times++) {
#pragma fathom constant(m.start, m.column)
        for (int j = 0; j < all; j++) {
            double sum = 0;
            for (int k = m.start[j]; k < m.start[j + 1]; k++) sum += m.value[k] * one[m.column[k]];
            got[j] = sum;
        }
        for (int j = 0; j < all; j++) CHECK(got[j] == right(j) * .5);
    }
    free(m.value);
}

int main(void) {
    static shared [] double *shared first;
    all = ROWS * THREADS;
    CHECK(THREADS <= 8);
    if (MYTHREAD == THREADS - 1) first = upc_alloc(all * sizeof(double));
    upc_barrier;
    one = first;
    if (MYTHREAD == 0)
        for (int i = 0; i < all; i++) blocks[i] = cyclic[i] = one[i] = at(i);
    make(1);
    upc_barrier;
    rows();
    products();
    flat();
    structure();
    upc_barrier;
    make(4);
    fathom_constant_changed();
    products();
    structure();
    return 0;
}
