/* What FATHOM_COMM costs where there is little to gather or to keep: few far accesses between two strict operations.
 * Nanoseconds for each round of a row, the median of nine repetitions; thread 0 measures, the others serve.
 *
 *     fathom cc --conduit mpi -O2 -o few few.upc
 *     FATHOM_NODE_MAX=1 FATHOM_COMM=off fathom run -n 2 few */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

enum { WORDS = 1 << 16, REPETITIONS = 9, ROUNDS = 2000 };

shared[WORDS] long a[WORDS * THREADS]; /* thread t has a[t * WORDS] to a[(t + 1) * WORDS - 1] */
strict shared[1] long flag[THREADS];

static shared[WORDS] long *far; /* of the last thread */
static long place[ROUNDS], sum;

static void put_fence(int r) {
    far[place[r]] = r;
    upc_fence;
}
static void two_puts_fence(int r) {
    far[place[r]] = r;
    far[place[ROUNDS - 1 - r]] = r;
    upc_fence;
}
static void put_flag(int r) {
    far[place[r]] = r;
    flag[THREADS - 1] = r;
}
static void strict_put(int r) { flag[THREADS - 1] = r; }
static void get_fence(int r) {
    sum += far[place[r]];
    upc_fence;
}
static void get(int r) { sum += far[place[r]]; }
static void three_gets_fence(int r) {
    for (int k = 0; k < 3; k++) sum += far[(place[r] & ~7) + k];
    upc_fence;
}
static void gets_of_a_line(int r) {
    for (int k = 0; k < 8; k++) sum += far[(place[r] & ~7) + k];
    upc_fence;
}
static void gets_in_order(int r) { sum += far[r]; }
static void put(int r) { far[place[r]] = r; }
static void puts_in_order(int r) { far[r] = r; }
static void get_put(int r) {
    long v = far[place[r]];
    far[place[r]] = v + 1;
}
static void fence(int r) {
    (void)r;
    upc_fence;
}

static int by_value(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void measure(const char *name, void (*what)(int)) {
    double ns[REPETITIONS];
    for (int k = 0; k < REPETITIONS; k++) {
        upc_barrier;
        if (MYTHREAD == 0) {
            upc_tick_t from = upc_ticks_now();
            for (int r = 0; r < ROUNDS; r++) what(r);
            upc_fence;
            ns[k] = (double)upc_ticks_to_ns(upc_ticks_now() - from) / ROUNDS;
        }
        upc_barrier;
    }
    if (MYTHREAD) return;
    qsort(ns, REPETITIONS, sizeof *ns, by_value);
    printf("%-40s %9.1f ns\n", name, ns[REPETITIONS / 2]);
}

int main(void) {
    far = &a[(THREADS - 1) * WORDS];
    srand(5);
    for (int r = 0; r < ROUNDS; r++) place[r] = rand() % WORDS;
    measure("a fence", fence);
    measure("a put and a fence", put_fence);
    measure("two puts and a fence", two_puts_fence);
    measure("a put and a strict put", put_flag);
    measure("a strict put", strict_put);
    measure("a get and a fence", get_fence);
    measure("three gets side by side, a fence", three_gets_fence);
    measure("eight gets side by side, a fence", gets_of_a_line);
    measure("gets at random", get);
    measure("gets in order", gets_in_order);
    measure("puts at random", put);
    measure("puts in order", puts_in_order);
    measure("a get and a put, at random", get_put);
    return sum == 42;
}
