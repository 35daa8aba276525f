/* STREAM's triad, a[i] = b[i] + 3 * c[i], over shared arrays of three layouts, against a C loop over private arrays.
 *
 * N elements of each array are on each thread. Each form says in another way that a thread works on what it holds:
 * the C compiler should be given the same loop each time.
 */
#include "bench.h"

#ifndef N
#define N 32768 /* three arrays of 256 KiB: the caches of one core */
#endif
#define TOTAL ((long)N * THREADS)

void triad_c(void); /* triad_c.c */
void triad_pointers_c(void);
void triad_c_touch(void);

shared double ya[N * THREADS], yb[N * THREADS], yc[N * THREADS];
shared [1024] double ka[N * THREADS], kb[N * THREADS], kc[N * THREADS];
shared [*] double sa[N * THREADS], sb[N * THREADS], sc[N * THREADS];

static __attribute__((noinline)) void cyclic_i(void) {
    long i;
    upc_forall (i = 0; i < TOTAL; i++; i) ya[i] = yb[i] + 3.0 * yc[i];
}
static __attribute__((noinline)) void cyclic_i_int(void) {
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; i) ya[i] = yb[i] + 3.0 * yc[i];
}
static __attribute__((noinline)) void cyclic_a(void) {
    long i;
    upc_forall (i = 0; i < TOTAL; i++; &ya[i]) ya[i] = yb[i] + 3.0 * yc[i];
}
static __attribute__((noinline)) void block_a(void) {
    long i;
    upc_forall (i = 0; i < TOTAL; i++; &ka[i]) ka[i] = kb[i] + 3.0 * kc[i];
}
static __attribute__((noinline)) void star_a(void) {
    long i;
    upc_forall (i = 0; i < TOTAL; i++; &sa[i]) sa[i] = sb[i] + 3.0 * sc[i];
}
static __attribute__((noinline)) void star_a_int(void) {
    int i;
    upc_forall (i = 0; i < N * THREADS; i++; &sa[i]) sa[i] = sb[i] + 3.0 * sc[i];
}
/* C loops over this thread's own part: no affinity says where the elements are. */
static __attribute__((noinline)) void star_own(void) {
    for (long i = (long)N * MYTHREAD; i < (long)N * (MYTHREAD + 1); i++) sa[i] = sb[i] + 3.0 * sc[i];
}
static __attribute__((noinline)) void block_own(shared [1024] double *a, shared [1024] double *b,
                                                shared [1024] double *c) {
    for (long k = MYTHREAD; k < TOTAL / 1024; k += THREADS) {
        const long last = 1024 * k + 1023;
        for (long i = 1024 * k; i <= last; i++) a[i] = b[i] + 3.0 * c[i];
    }
}
static __attribute__((noinline)) void block_pointers(void) { block_own(ka, kb, kc); }
static __attribute__((noinline)) void local(void) {
    double *a = (double *)&sa[(long)N * MYTHREAD];
    const double *b = (const double *)&sb[(long)N * MYTHREAD], *c = (const double *)&sc[(long)N * MYTHREAD];
    for (long i = 0; i < N; i++) a[i] = b[i] + 3.0 * c[i];
}

/* Every form must have computed b + 3 c: b is i and c is 2 i. */
#define FILL(a, b, c) \
    upc_forall (i = 0; i < TOTAL; i++; &a[i]) a[i] = 0, b[i] = (double)i, c[i] = 2.0 * (double)i
#define VERIFY(a, form) \
    upc_forall (i = 0; i < TOTAL; i++; &a[i]) { \
        bench_require(a[i] == 7.0 * (double)i, form); \
        a[i] = 0; \
    }

int main(void) {
    const char *size = N > 1000000 ? "DRAM" : "L2";
    char variant[64];
    long i;
    triad_c_touch();
    FILL(ya, yb, yc);
    FILL(ka, kb, kc);
    FILL(sa, sb, sc);
    upc_barrier;
#define FORM(form, c, array, text) \
    snprintf(variant, sizeof variant, text ", N in %s", size); \
    bench_compare("triad", variant, BENCH_SPEED, BENCH_ALL, form, c, 24.0 * N * THREADS, "GB/s"); \
    upc_barrier; \
    VERIFY(array, #form)
    FORM(cyclic_i, triad_c, ya, "cyclic, affinity i")
    FORM(cyclic_i_int, triad_c, ya, "cyclic, affinity int i")
    FORM(cyclic_a, triad_c, ya, "cyclic, affinity &a[i]")
    FORM(block_a, triad_c, ka, "[1024], affinity &a[i]")
    FORM(star_a, triad_c, sa, "[*], affinity &a[i]")
    FORM(star_a_int, triad_c, sa, "[*], affinity &a[int i]")
    FORM(star_own, triad_c, sa, "[*], C loop over the own part")
    FORM(block_pointers, triad_c, ka, "[1024], C loop through pointers")
    FORM(local, triad_pointers_c, sa, "[*], local pointers")
    return 0;
}
