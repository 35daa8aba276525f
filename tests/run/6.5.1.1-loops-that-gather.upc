// flags: -fcomm-opt
// comm: gathers gathers=1,force gathers=7 gathers,outbox,lines strips
// Relaxed reads whose places a counting loop computes may be made ahead, together (UPC 1.3, B): the result is that of the plain
// loop, whatever the loop writes.
#include <upc_relaxed.h>
#include "check.h"

#define N 120
#define A (N * THREADS)

struct pair {
    int key;
    short low[3];
    double value;
};

shared long cyclic[A];
shared [7] int sevens[A];
shared [N] long blocks[A];
shared struct pair pairs[A];
shared [N] long many[(9 * N) * THREADS];
shared [] double *one;
shared int where[A];
static int indices[2 * N];
static long wide[N];

static long at(long i) { return (i * 37 + 5) % A; }

static void reads(void) {
    double sum = 0, right = 0;
    for (int i = 0; i < N; i++) sum += cyclic[indices[i]] + sevens[wide[i]] * one[indices[i] % N];
    for (int i = 0; i < N; i++) right += 3 * at(i) + (at(i) + 1) * (at(i) % N * .5);
    CHECK(sum == right);
    sum = right = 0;
    for (int i = 0; i < N; i++) sum += pairs[where[i]].value + pairs[where[i]].low[1] + blocks[where[where[i]]];
    for (int i = 0; i < N; i++) right += at(i) * .25 + at(i) % 50 + at(at(i));
    CHECK(sum == right);
    /* Strides, and what is all on one thread. */
    sum = right = 0;
    for (unsigned char c = 0; c < N / 2; c++) sum += cyclic[2 * c] - one[N - 1 - c];
    for (int c = 0; c < N / 2; c++) right += 6 * c - (N - 1 - c) * .5;
    CHECK(sum == right);
}

/* The loop changes the index that it reads later, by another pointer, and by a shared access. */
static void changed(void) {
    long *to = wide + 3, *from = wide;
    for (int i = 0; i < N - 3; i++) to[i] = cyclic[from[i]] % A;
    long right[N];
    for (int i = 0; i < N; i++) right[i] = at(i);
    for (int i = 0; i < N - 3; i++) {
        right[i + 3] = 3 * right[i] % A;
        CHECK(wide[i + 3] == right[i + 3]);
    }
    upc_barrier;
    /* In the middle of an array, which is not near to the table. */
    long *own = (long *)&many[4 * A + MYTHREAD * N];
    for (int i = 0; i < N; i++) own[i] = i;
    upc_barrier;
    for (int i = 0; i < N - 3; i++) many[4 * A + MYTHREAD * N + i + 3] = cyclic[own[i]] % A;
    for (int i = 0; i < N; i++) right[i] = i;
    for (int i = 0; i < N - 3; i++) {
        right[i + 3] = 3 * right[i] % A;
        CHECK(own[i + 3] == right[i + 3]);
    }
}

/* The loop stores into its own part of the table, and writes before it are seen by it. */
static void written(void) {
    upc_barrier;
    long *own = (long *)&blocks[MYTHREAD * N], sum = 0, right = 0;
    for (int i = 0; i < N; i++) own[i] = i;
    for (int i = 0; i < N; i++) own[i] = blocks[MYTHREAD * N + (i * 7 + 1) % N] + 1, sum += own[i];
    long now[N];
    for (int i = 0; i < N; i++) now[i] = i;
    for (int i = 0; i < N; i++) now[i] = now[(i * 7 + 1) % N] + 1, right += now[i];
    CHECK(sum == right);
    upc_barrier;
    int to = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < N; i++) blocks[to * N + i] = 1000 * MYTHREAD + i;
    sum = right = 0;
    for (int i = 0; i < N; i++) sum += blocks[to * N + indices[i] % N];
    for (int i = 0; i < N; i++) right += 1000 * MYTHREAD + at(i) % N;
    CHECK(sum == right);
}

int main(void) {
    one = upc_all_alloc(1, N * sizeof(double));
    for (int i = MYTHREAD; i < A; i += THREADS) {
        cyclic[i] = 3 * i, sevens[i] = i + 1, blocks[i] = i, where[i] = at(i);
        pairs[i].value = i * .25, pairs[i].low[1] = i % 50;
    }
    for (int i = MYTHREAD; i < N; i += THREADS) one[i] = i * .5;
    for (int i = 0; i < N; i++) indices[i] = wide[i] = at(i);
    upc_barrier;
    reads();
    upc_barrier;
    changed();
    written();
    return 0;
}
