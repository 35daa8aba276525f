// flags: -fcomm-opt
// comm: gathers gathers=1,force gathers=7 gathers=7,force gathers,kept=4000 on,kept=3000 strips
// Loops that are executed again and again with indices that change in between, of which nothing is promised
// (docs/decisions/0017): what the runtime remembers of the execution before must not be taken for what is there now.
#include <stdlib.h>
#include <upc_relaxed.h>
#include "check.h"

#define ROWS 40
#define LONGEST 9
#define MOST (ROWS * 8)

struct record {
    int number;
    double value;
};

shared [5] double blocks[ROWS * THREADS];
shared double cyclic[ROWS * THREADS];
shared [3] struct record records[ROWS * THREADS];
shared [4] int table[THREADS][ROWS];
static int start[MOST + 1], *column, all;
static double got[MOST];
static int round_number;

static double at(int i) { return i * 1.25 + round_number; }

static void make(int from, int to) {
    start[0] = 0;
    for (int j = 0; j < all; j++) {
        start[j + 1] = start[j] + (j * 7 + 3) % LONGEST;
        for (int k = start[j]; k < start[j + 1]; k++) column[k] = from + (k * 31 + j) % (to - from);
    }
}

/* The loops always have these bounds. */
static void times(shared [5] double *x) {
    for (int j = 0; j < all; j++) {
        double sum = 0;
        for (int k = start[j]; k < start[j + 1]; k++) sum += k * x[column[k]];
        got[j] = sum;
    }
}

static double right(int j, int moved) {
    double sum = 0;
    for (int k = start[j]; k < start[j + 1]; k++) sum += k * at(column[k] + moved);
    return sum;
}

static void products(void) {
    times(blocks);
    for (int j = 0; j < all; j++) CHECK(got[j] == right(j, 0));
    upc_forall (int j = 0; j < all; j++; &cyclic[j]) {
        double sum = 0;
        int from = start[j], to = start[j + 1];
        for (int k = from; k < to; k++)
            if (column[k] % 3) sum += k * cyclic[column[k]];
        got[j] = sum;
    }
    for (int j = MYTHREAD; j < all; j += THREADS) {
        double sum = 0;
        for (int k = start[j]; k < start[j + 1]; k++) sum += column[k] % 3 ? k * at(column[k]) : 0;
        CHECK(got[j] == sum);
    }
    double sum = 0, wanted = 0;
    long numbers = 0;
    for (int j = 0; j < all; j++)
        for (int k = start[j]; k < start[j + 1]; k++) {
            int c = column[k];
            numbers += records[c].number;
            sum += records[c].value;
        }
    for (int j = 0; j < all; j++)
        for (int k = start[j]; k < start[j + 1]; k++) numbers -= column[k], wanted += at(column[k]);
    CHECK(numbers == 0 && sum == wanted);
    for (int j = 0; j < all; j++)
        for (int k = start[j]; k < start[j + 1]; k++) numbers += table[column[k] % THREADS][column[k] / THREADS];
    for (int j = 0; j < all; j++)
        for (int k = start[j]; k < start[j + 1]; k++) numbers -= column[k] * 3 + round_number;
    CHECK(numbers == 0);
}

/* What the loops read is written anew each time. */
static void renew(void) {
    upc_barrier;
    round_number++;
    for (int i = MYTHREAD; i < all; i += THREADS) {
        blocks[i] = cyclic[i] = records[i].value = at(i);
        records[i].number = i;
        table[i % THREADS][i / THREADS] = i * 3 + round_number;
    }
    upc_barrier;
}

static void again(int n) {
    for (int i = 0; i < n; i++) {
        renew();
        products();
    }
}

/* A table may be given back, and another one be where it was, in fewer blocks. */
static void tables(void) {
    make(0, all);
    for (int i = 0; i < 6; i++) {
        upc_barrier;
        round_number++;
        shared [5] double *x = upc_all_alloc((all + 24) / 5 + 1, 5 * sizeof(double));
        if (i < 3) x += 7;
        if (i == 4)
            for (int k = 0; k < start[all]; k++) column[k] /= 2;
        for (int e = MYTHREAD; e < all; e += THREADS) x[e] = at(e + i);
        upc_barrier;
        times(x);
        for (int j = 0; j < all; j++) CHECK(got[j] == right(j, i));
        upc_barrier;
        if (i < 3) x -= 7;
        upc_all_free(x);
    }
}

int main(void) {
    all = ROWS * THREADS;
    CHECK(THREADS <= 8);
    column = calloc(MOST * LONGEST, sizeof *column);
    make(0, all);
    again(3);
    /* In the middle, at the end, at the beginning. */
    int last = start[all] - 1;
    int *some[] = {&column[last / 2], &column[last], &column[0]};
    for (int i = 0; i < 3; i++) {
        *some[i] = (*some[i] + 1) % all;
        again(1);
    }
    /* The same sum. */
    int first = column[3];
    column[3] = column[last - 3];
    column[last - 3] = first;
    again(1);
    /* Other bounds of rows, of which there are as many; fewer reads; none; all again. */
    for (int j = 1; j < all; j += 2) start[j]++;
    again(2);
    for (int j = 0; j <= all; j++) start[j] /= 3;
    again(3);
    for (int j = 0; j <= all; j++) start[j] = 0;
    again(2);
    make(0, all);
    again(2);
    /* Other memory; and, often, the same again, with other indices. */
    for (int i = 0; i < 4; i++) {
        free(column);
        column = calloc(MOST * LONGEST, sizeof *column);
        make(i, all - i);
        again(1);
    }
    /* A part of the table; another part; one place beside it; many; all on one thread. */
    make(0, all / 3);
    again(4);
    make(all / 2, all);
    again(5);
    column[last / 3] = 0;
    again(3);
    make(0, all);
    again(8);
    for (int k = 0; k <= last; k++) column[k] = column[k] / THREADS * THREADS;
    again(3);
    tables();
    return 0;
}
