// flags: -fcomm-opt
// comm: gathers gathers=1,force gathers=7 gathers,outbox,lines strips
// Loops of which a pragma promises something (docs/decisions/0017), and keeps it: the result is that of the plain loop.
#include <upc_relaxed.h>
#include "check.h"

#define N 150

shared long table[N * THREADS];
shared [N] long blocks[N * THREADS];
shared [] long *shared mine[THREADS];
static int indices[2 * N];
static long got[N];

static void independent(void) {
    shared [] long *from = mine[(MYTHREAD + 1) % THREADS], *to = mine[MYTHREAD];
    int *w = indices;
    /* It writes what it will not come to, by pointers of the same type. */
#pragma fathom independent
    for (int i = 0; i < N; i++) {
        to[N + i] = from[w[i]];
        w[N + w[i]] = w[i];
    }
    upc_barrier;
    for (int i = 0; i < N; i++) CHECK(to[N + i] == 1000 * ((MYTHREAD + 1) % THREADS) + indices[i]);
    for (int i = 0; i < N; i++) CHECK(indices[N + indices[i]] == indices[i]);
    upc_barrier;
    /* Each iteration reads what it then writes. */
#pragma bupc ivdep
    for (int i = 0; i < N; i++) table[MYTHREAD + THREADS * w[i]] = 2 * table[MYTHREAD + THREADS * w[i]] + 1;
    /* ... and what it has written before. */
#pragma fathom independent
    for (int i = 0; i < N; i++) {
        long *own = (long *)&table[MYTHREAD + THREADS * i];
        *own += 5;
        got[i] = table[MYTHREAD + THREADS * i];
    }
    for (int i = 0; i < N; i++) CHECK(got[i] == 2L * i + 6);
    upc_barrier;
}

static void unordered(void) {
    int other = (MYTHREAD + 1) % THREADS;
    /* Old values and new ones are the same, so any order will do. */
#pragma fathom unordered
    for (int i = 0; i < N; i++) blocks[other * N + i] = blocks[other * N + indices[i]];
    upc_barrier;
    for (int i = 0; i < N; i++)
#pragma pgas defer_sync
        got[i] = blocks[other * N + indices[i]];
    for (int i = 0; i < N; i++) CHECK(got[i] == other);
    upc_barrier;
}

int main(void) {
    mine[MYTHREAD] = upc_alloc(2 * N * sizeof(long));
    for (int i = 0; i < N; i++) {
        indices[i] = (i * 37 + 5) % N;
        mine[MYTHREAD][i] = 1000 * MYTHREAD + i;
        table[MYTHREAD + THREADS * i] = i;
        blocks[MYTHREAD * N + i] = MYTHREAD;
    }
    upc_barrier;
    independent();
    unordered();
    return 0;
}
