// flags: -fcomm-opt
// comm: gathers gathers=1,force gathers=7 gathers,outbox,lines strips
// What a upc_forall reads of other threads may be gathered ahead for the iterations that this thread runs (UPC 1.3, 6.6.2 and B):
// the result is that of the plain loop, whatever the affinity and whatever the loop writes.
#include <upc_relaxed.h>
#include "check.h"

#define N 90
#define A (N * THREADS)

shared long cyclic[A], to[A];
shared [7] int sevens[A], seven_to[A];
shared [N] double rows[THREADS][N];
shared [N] long many[(9 * N) * THREADS];
shared int column[A], first[(2 * N) * THREADS];
shared [] long *one;
static int places[16 * N];

static long at(long i) { return (i * 37 + 5) % A; }

/* By number, by element, in blocks, by rows and by a pointer in the middle of an array. */
static void affinities(void) {
    long sum = 0, right = 0, ran = 0;
    int i;
    upc_forall (i = 0; i < A; i++; i) sum += cyclic[column[i]] + sevens[(i + 1) % A], ran++;
    for (int k = MYTHREAD; k < A; k += THREADS) right += 3 * at(k) + (k + 1) % A;
    CHECK(sum == right && i == A && ran == N);
    upc_forall (i = 0; i < A; i++; &to[i]) to[i] = cyclic[at(i)] + cyclic[i];
    for (int k = MYTHREAD; k < A; k += THREADS) CHECK(to[k] == 3 * at(k) + 3 * k);
    upc_forall (long k = 3; k <= A - 4; ++k; &seven_to[k + 2]) seven_to[k + 2] = sevens[k - 1] + sevens[k + 1] + column[k];
    upc_barrier;
    for (int k = 3; k <= A - 4; k++) CHECK(seven_to[k + 2] == 2 * k + at(k));
    sum = right = 0;
    shared [7] int *middle = seven_to + 12;
    upc_forall (i = 0; i < A - 20; i++; middle + i) {
        if (i % 3 == 0) continue;
        int k = column[i];
        if (cyclic[k] % 2) sum += sevens[k] * 5;
        sum += cyclic[i + 1];
    }
    for (int k = 0; k < A - 20; k++)
        if (k % 3 && upc_threadof(&seven_to[12 + k]) == MYTHREAD) right += (3 * at(k) % 2) * at(k) * 5 + 3 * (k + 1);
    CHECK(sum == right);
    for (int t = 0; t < THREADS; t++) {
        sum = right = 0;
        upc_forall (i = 0; i < N; i++; &rows[t][i]) sum += cyclic[t * N + i] + rows[(t + 1) % THREADS][i];
        for (int k = 0; k < N; k++) right += 3 * (t * N + k) + ((t + 1) % THREADS * N + k);
        CHECK(sum == (t == MYTHREAD ? right : 0));
    }
    /* Nothing says ahead which iterations are whose. */
    sum = 0;
    upc_forall (i = 0; i < A; i++; &cyclic[at(i)]) sum += sevens[at(i)];
    right = 0;
    for (int k = MYTHREAD; k < A; k += THREADS) right += k;
    CHECK(sum == right);
}

/* A sparse matrix times a vector, with bounds in shared memory. */
static void matrix(void) {
    upc_barrier;
    upc_forall (int row = 0; row < A; row++; &to[row]) {
        long s = 0;
        for (int k = first[row]; k < first[row + 1]; k++) s += sevens[k] * cyclic[column[k]];
        to[row] = s;
    }
    for (int row = MYTHREAD; row < A; row += THREADS) {
        long s = 0;
        for (int k = row < 20 ? 0 : row - 20; k < (row < 19 ? 0 : row - 19); k++) s += k * 3 * at(k);
        CHECK(to[row] == s);
    }
}

/* A loop inside another upc_forall's call runs all iterations. */
static long all_of_it(void) {
    long sum = 0;
    upc_forall (int i = 0; i < A; i++; &cyclic[i]) sum += sevens[column[i]];
    return sum;
}

static void nested(void) {
    long sum = 0;
    upc_forall (int t = 0; t < THREADS; t++; t) sum += all_of_it();
    CHECK(sum == (long)A * (A - 1) / 2);
}

/* The loop changes its index, by another pointer and by its own elements, and its table. */
static void changed(void) {
    upc_barrier;
    int *next = places + THREADS;
    for (int i = 0; i < A; i++) places[i] = (int)at(i);
    upc_forall (int i = 0; i < A - THREADS; i++; i) next[i] = (int)(cyclic[places[i]] % A);
    int right[A];
    for (int i = 0; i < A; i++) right[i] = (int)at(i);
    for (int i = MYTHREAD; i < A - THREADS; i += THREADS) right[i + THREADS] = 3 * right[i] % A;
    for (int i = 0; i < A; i++) CHECK(places[i] == right[i]);
    upc_barrier;
    /* In this thread's part of what the loop writes. */
    long *own = (long *)&many[4 * A + MYTHREAD * N];
    for (int i = 0; i < N; i++) own[i] = i;
    upc_barrier;
    upc_forall (int i = 0; i < A - 3; i++; &many[4 * A + i]) {
        if (i % N < N - 3) many[4 * A + i + 3] = cyclic[own[i % N]] % A;
    }
    for (int i = 0; i < N; i++) right[i] = i;
    for (int i = 0; i < N - 3 && MYTHREAD * N + i < A - 3; i++) right[i + 3] = 3 * right[i] % A;
    for (int i = 0; i < N; i++) CHECK(own[i] == right[i]);
    upc_barrier;
    /* The table, by a pointer-to-local and by a pointer-to-shared. */
    for (int i = 0; i < N; i++) own[i] = i;
    long sum = 0;
    upc_barrier;
    upc_forall (int i = 0; i < A; i++; &many[4 * A + i]) {
        own[i % N] += many[4 * A + MYTHREAD * N + (i * 7 + 1) % N];
        sum += own[i % N];
    }
    long now[N], expected = 0;
    for (int i = 0; i < N; i++) now[i] = i;
    for (int i = 0; i < N; i++) now[i] += now[((MYTHREAD * N + i) * 7 + 1) % N], expected += now[i];
    CHECK(sum == expected);
    upc_barrier;
    shared [N] long *by = &many[4 * A];
    for (int i = 0; i < N; i++) own[i] = i;
    upc_barrier;
    upc_forall (int i = 0; i < A - 1; i++; &many[4 * A + i])
        if (i % N < N - 1) by[i + 1] = many[4 * A + i] + 1;
    for (int i = 0; i < N; i++) CHECK(own[i] == i);
    upc_barrier;
}

int main(void) {
    one = upc_all_alloc(1, N * sizeof(long));
    for (int i = MYTHREAD; i < A; i += THREADS) {
        cyclic[i] = 3 * i, sevens[i] = i, column[i] = at(i), rows[i / N][i % N] = i;
        first[i] = i < 20 ? 0 : i - 20;
    }
    if (MYTHREAD == 0) first[A] = A < 20 ? 0 : A - 20;
    upc_barrier;
    affinities();
    matrix();
    nested();
    changed();
    return 0;
}
