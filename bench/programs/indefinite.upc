/* `shared [] T *p; p[i]` in a loop, the memory being this thread's or a neighbour's, against p[i] of a C pointer. */
#include "bench.h"

#define N 32768

void indefinite_c_allocate(unsigned long, unsigned long); /* indefinite_c.c */
extern const long *indefinite_c_from;
void scale_c(void);
void sum_c(void);
void copy_c(void);

shared [N] long data[N * THREADS];
shared [N] double real[N * THREADS];
static shared [] long *p;   /* the data that this thread reads and writes */
static shared [] double *r;
static long private[N];
long indefinite_sink; /* external, so that sums are not thrown away */

static __attribute__((noinline)) void scale_upc(void) {
    shared [] double *q = r;
    for (long i = 0; i < N; i++) q[i] = q[i] * 0.5 + 1.0;
}
static __attribute__((noinline)) void sum_upc(void) {
    shared [] long *q = p;
    long s = 0;
    for (long i = 0; i < N; i++) s += q[i];
    indefinite_sink = s;
}
static __attribute__((noinline)) void sum_upc_global(void) {
    long s = 0;
    for (int i = 0; i < N; i++) s += p[i];
    indefinite_sink = s;
}
static __attribute__((noinline)) void copy_upc(void) {
    shared [] long *q = p;
    for (long i = 0; i < N; i++) q[i] = private[i] + 1;
}

int main(void) {
    static const char *const whose[2] = {"own", "neighbour's"};
    char v[64];
    indefinite_c_allocate(upc_addrfield(&data[MYTHREAD * N]), upc_addrfield(&real[MYTHREAD * N]));
    indefinite_c_from = private;
    for (int side = 0; side < 2; side++) {
        int owner = (MYTHREAD + side) % THREADS;
        if (side && THREADS == 1) break;
        p = (shared [] long *)&data[(long)owner * N];
        r = (shared [] double *)&real[(long)owner * N];
#define FORM(upc, c, text, bytes) \
    snprintf(v, sizeof v, text ", %s", whose[side]); \
    bench_compare("indefinite", v, BENCH_SPEED, BENCH_ALL, upc, c, bytes * N * THREADS, "GB/s");
        FORM(sum_upc, sum_c, "s += p[i]", 8.0)
        FORM(sum_upc_global, sum_c, "s += p[i], p a static variable", 8.0)
        FORM(copy_upc, copy_c, "p[i] = x[i] + 1", 16.0)
        bench_require(p[N / 2] == 1, "copy");
        FORM(scale_upc, scale_c, "p[i] = p[i] / 2 + 1", 16.0)
        upc_barrier;
    }
    return 0;
}
