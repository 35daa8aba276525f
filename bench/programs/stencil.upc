/* Stencils: b[i] = a[i-1] + a[i] + a[i+1] over blocked arrays, and a step of the heat equation over blocks of rows.
 *
 * All but a block's ends is local. The C side does one thread's share in private arrays, with the same number of points.
 */
#include "bench.h"

#ifndef N
#define N 32768
#endif
#ifndef ROWS
#define ROWS 64
#define COLS 512
#endif
#define TOTAL ((long)N * THREADS)

void stencil_c(void); /* stencil_c.c */
void stencil_c_touch(void);
void heat_c(void);
extern int heat_c_rows;

shared [1024] double ka[N * THREADS], kb[N * THREADS];
shared [4096] double la[N * THREADS], lb[N * THREADS];
shared [*] double sa[N * THREADS], sb[N * THREADS];
shared [ROWS * COLS] double now[ROWS * THREADS][COLS], next[ROWS * THREADS][COLS];

static __attribute__((noinline)) void block_1024(void) {
    long i;
    upc_forall (i = 1; i < TOTAL - 1; i++; &kb[i]) kb[i] = ka[i - 1] + ka[i] + ka[i + 1];
}
static __attribute__((noinline)) void block_4096(void) {
    long i;
    upc_forall (i = 1; i < TOTAL - 1; i++; &lb[i]) lb[i] = la[i - 1] + la[i] + la[i + 1];
}
static __attribute__((noinline)) void block_star(void) {
    long i;
    upc_forall (i = 1; i < TOTAL - 1; i++; &sb[i]) sb[i] = sa[i - 1] + sa[i] + sa[i + 1];
}
static __attribute__((noinline)) void block_star_int(void) {
    int i;
    upc_forall (i = 1; i < N * THREADS - 1; i++; &sb[i]) sb[i] = sa[i - 1] + sa[i] + sa[i + 1];
}
static __attribute__((noinline)) void heat(void) {
    int i, j;
    upc_forall (i = 1; i < ROWS * THREADS - 1; i++; &next[i][0])
        for (j = 1; j < COLS - 1; j++)
            next[i][j] =
                now[i][j] + 0.2 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4 * now[i][j]);
}
/* As heat, but the affinity names the element, and every thread walks all rows and columns of its share. */
static __attribute__((noinline)) void heat_inner(void) {
    int i, j;
    for (i = 1; i < ROWS * THREADS - 1; i++)
        upc_forall (j = 1; j < COLS - 1; j++; &next[i][j])
            next[i][j] =
                now[i][j] + 0.2 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4 * now[i][j]);
}

#define VERIFY(b, form) \
    upc_forall (i = 1; i < TOTAL - 1; i++; &b[i]) { \
        bench_require(b[i] == 3.0 * (double)i, form); \
        b[i] = 0; \
    }

static void verify_heat(const char *form) {
    /* now[i][j] = i * i + j: the neighbours' sum less four times the point is 2. */
    for (int i = 1; i < ROWS * THREADS - 1; i++)
        if (upc_threadof(&next[i][0]) == (size_t)MYTHREAD)
            for (int j = 1; j < COLS - 1; j++) {
                double d = next[i][j] - ((double)i * i + j + 0.4);
                bench_require(d < 1e-6 && d > -1e-6, form);
                next[i][j] = 0;
            }
}

int main(void) {
    heat_c_rows = ROWS - (THREADS == 1 ? 2 : MYTHREAD == 0 || MYTHREAD == THREADS - 1);
    const char *size = N > 1000000 ? "DRAM" : "L2";
    char variant[64];
    long i;
    stencil_c_touch();
    upc_forall (i = 0; i < TOTAL; i++; &ka[i]) ka[i] = (double)i;
    upc_forall (i = 0; i < TOTAL; i++; &la[i]) la[i] = (double)i;
    upc_forall (i = 0; i < TOTAL; i++; &sa[i]) sa[i] = (double)i;
    upc_forall (i = 0; i < ROWS * THREADS; i++; &now[i][0])
        for (int j = 0; j < COLS; j++) now[i][j] = (double)i * i + j;
    upc_barrier;
#define FORM(form, array, text) \
    snprintf(variant, sizeof variant, text ", N in %s", size); \
    bench_compare("stencil", variant, BENCH_SPEED, BENCH_ALL, form, stencil_c, 16.0 * N * THREADS, "GB/s"); \
    upc_barrier; \
    VERIFY(array, #form)
    FORM(block_1024, kb, "[1024]")
    FORM(block_4096, lb, "[4096]")
    FORM(block_star, sb, "[*]")
    FORM(block_star_int, sb, "[*], int i")

    snprintf(variant, sizeof variant, "2D heat, rows, N in %s", size);
    bench_compare("stencil", variant, BENCH_SPEED, BENCH_ALL, heat, heat_c, 16.0 * ROWS * COLS * THREADS, "GB/s");
    upc_barrier;
    verify_heat("heat");
    upc_barrier;
    snprintf(variant, sizeof variant, "2D heat, inner forall, N in %s", size);
    bench_compare("stencil", variant, BENCH_SPEED, BENCH_ALL, heat_inner, heat_c, 16.0 * ROWS * COLS * THREADS, "GB/s");
    upc_barrier;
    verify_heat("heat_inner");
    return 0;
}
