// threads: 1 2 3 4 7 8
/* 6.5.2.1p5: the elements of a multi-dimensional shared array are those of its ultimate type, counted in row-major order,
 * dealt out in blocks across the rows, wherever the THREADS dimension stands. */
#include "check.h"
#include "layout.h"

shared int a[THREADS][3];
shared [2] int b[THREADS][3];
shared [4] char c[3][5 * THREADS];
shared [5] double d[2][3 * THREADS][4];
shared [7] short e[2][3][THREADS];
shared [12] int rows[4 * THREADS][12];
shared [24] int two_rows[4 * THREADS][12];
shared [] int f[3][4];
shared [3] struct odd {
    char x[3];
} g[4][THREADS];

#define VERIFY2(arr, d0, d1, b)                                                 \
    for (long i = 0; i < (d0); i++)                                             \
        for (long j = 0; j < (d1); j++) verify(&arr[i][j], (shared void *)(&arr[i] + 0), i * (d1) + j, i * (d1), b)

static void verify(shared void *elem, shared void *row, long n, long nrow, long b) {
    CHECK_EQ(owner_of(n, b, THREADS), upc_threadof(elem));
    CHECK_EQ(phase_of(n, b), upc_phaseof(elem));
    CHECK_EQ(owner_of(nrow, b, THREADS), upc_threadof(row));
    CHECK_EQ(phase_of(nrow, b), upc_phaseof(row));
}

int main(void) {
    VERIFY2(a, THREADS, 3, 1);
    VERIFY2(b, THREADS, 3, 2);
    VERIFY2(c, 3, 5 * THREADS, 4);
    VERIFY2(rows, 4 * THREADS, 12, 12);
    VERIFY2(two_rows, 4 * THREADS, 12, 24);
    VERIFY2(f, 3, 4, 0);
    VERIFY2(g, 4, THREADS, 3);
    for (long i = 0; i < 2; i++)
        for (long j = 0; j < 3 * THREADS; j++)
            for (long k = 0; k < 4; k++)
                verify(&d[i][j][k], &d[i][j], (i * 3 * THREADS + j) * 4 + k, (i * 3 * THREADS + j) * 4, 5);
    for (long i = 0; i < 2; i++)
        for (long j = 0; j < 3; j++)
            for (long k = 0; k < THREADS; k++)
                verify(&e[i][j][k], &e[i][j], (i * 3 + j) * THREADS + k, (i * 3 + j) * THREADS, 7);

    /* Values: each thread writes what its right neighbour owns; everything is where row-major order says. */
    int right = (MYTHREAD + 1) % THREADS;
    for (long n = 0; n < 24 * THREADS; n++) {
        if (owner_of(n, 5, THREADS) == right) d[n / (12 * THREADS)][n / 4 % (3 * THREADS)][n % 4] = n + 0.5;
        if (owner_of(n, 12, THREADS) == right) rows[n / 12][n % 12] = (int)n;
    }
    upc_barrier;
    shared [5] double *flat = &d[0][0][0];
    for (long n = 0; n < 24 * THREADS; n++) {
        CHECK(flat[n] == n + 0.5);
        CHECK(*(*(*(d + n / (12 * THREADS)) + n / 4 % (3 * THREADS)) + n % 4) == n + 0.5);
        CHECK_EQ(n, rows[n / 12][n % 12]);
    }
    int *mine = (int *)rows[MYTHREAD];
    for (int k = 0; k < 12; k++) CHECK_EQ(12 * MYTHREAD + k, mine[k]);
    if (THREADS > 1 && 24 * THREADS > 12 * THREADS)
        for (int k = 0; k < 12; k++) CHECK_EQ(12 * (THREADS + MYTHREAD) + k, mine[12 + k]);
    return 0;
}
