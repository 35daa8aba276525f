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

/* By way of variables that each iteration sets, which are declared in the loop or before it. */
static void by_variables(void) {
    long sum = 0, right = 0, j = -1;
    for (int i = 0; i < N; i++) {
        int k = indices[i];
        j = wide[i];
        sum += cyclic[k] + pairs[k].low[1] + sevens[j];
        const int *place = indices + i;
        int chained = where[*place];
        sum += 5 * blocks[chained] + cyclic[k];
    }
    for (int i = 0; i < N; i++) right += 6 * at(i) + at(i) % 50 + at(i) + 1 + 5 * at(at(i));
    CHECK(sum == right);
    CHECK(j == at(N - 1));
}

/* Indices that lead out of the table, and null pointers, are not followed where the loop does not. */
static void under_conditions(void) {
    static int some[N], *ways[N];
    long sum = 0, right = 0;
    for (int i = 0; i < N; i++) {
        some[i] = i % 3 == 0 ? -2000000000 - i : (int)at(i);
        ways[i] = i % 3 == 1 ? NULL : &some[i];
    }
    for (int i = 0; i < N; i++)
        if (some[i] >= 0) sum += cyclic[some[i]];
    for (int i = 0; i < N; i++) right += i % 3 ? 3 * at(i) : 0;
    CHECK(sum == right);
    sum = right = 0;
    for (int i = 0; i < N; i++) {
        if (some[i] < 0) {
            sum++;
            continue;
        }
        int k = some[i];
        sum += k % 2 ? sevens[k] : cyclic[k];
        if (cyclic[k] > 100) sum += blocks[k] * 10000;
        if (i % 2) sum += pairs[k].key * 7;
        if (i % 5) sum += pairs[k].key;
    }
    for (int i = 0; i < N; i++) {
        long k = at(i);
        if (i % 3 == 0)
            right++;
        else
            right += (k % 2 ? k + 1 : 3 * k) + (3 * k > 100) * k * 10000 + (i % 2) * k * 14 + !!(i % 5) * k * 2;
    }
    CHECK(sum == right);
    sum = right = 0;
    for (int i = 0; i < N; i++) {
        sum += some[i] >= 0 && cyclic[some[i]] > 100 && sevens[some[i]] % 2;
        if (ways[i] && *ways[i] >= 0) sum += blocks[*ways[i]] * 1000;
    }
    for (int i = 0; i < N; i++) {
        long k = at(i);
        right += i % 3 && 3 * k > 100 && (k + 1) % 2;
        right += i % 3 == 2 ? k * 1000 : 0;
    }
    CHECK(sum == right);
    /* What all iterations read, and some of them again. */
    sum = right = 0;
    for (int i = 0; i < N; i++) {
        if (i % 4 == 1) sum += cyclic[indices[i]] * 1000;
        sum += cyclic[indices[i]];
    }
    for (int i = 0; i < N; i++) right += 3 * at(i) * (i % 4 == 1 ? 1001 : 1);
    CHECK(sum == right);
}

/* The loop changes what it takes its conditions, and its places by way of variables, from. */
static void changed_on_the_way(void) {
    int flags[N + 1], right[N + 1];
    long sum = 0, expected = 0;
    for (int i = 0; i <= N; i++) flags[i] = right[i] = i == 0;
    int *next = flags + 1;
    for (int i = 0; i < N; i++) {
        if (flags[i]) sum += cyclic[indices[i]];
        next[i] = !flags[i];
    }
    for (int i = 0; i < N; i++) {
        if (right[i]) expected += 3 * at(i);
        right[i + 1] = !right[i];
    }
    CHECK(sum == expected);
    int walk[N + 1];
    next = walk + 1;
    for (int i = 0; i <= N; i++) walk[i] = 0;
    for (int i = 0; i < N; i++) {
        int k = walk[i];
        next[i] = (int)(sevens[k] * 3 % A);
    }
    int now = 0;
    for (int i = 0; i < N; i++) {
        CHECK(walk[i] == now);
        now = (now + 1) * 3 % A;
    }
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
        pairs[i].value = i * .25, pairs[i].low[1] = i % 50, pairs[i].key = 2 * i;
    }
    for (int i = MYTHREAD; i < N; i += THREADS) one[i] = i * .5;
    for (int i = 0; i < N; i++) indices[i] = wide[i] = at(i);
    upc_barrier;
    reads();
    by_variables();
    under_conditions();
    changed_on_the_way();
    upc_barrier;
    changed();
    written();
    return 0;
}
