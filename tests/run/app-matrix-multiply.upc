// threads: 1 2 3 4 8
/* Matrix multiplication: rows of A and C dealt out one by one, columns of B, too; every inner product crosses threads. */
#include "check.h"

#define ROWS 6
#define COLS 5
#define INNER 11

shared [INNER] int a[ROWS * THREADS][INNER];
shared int b[INNER][COLS * THREADS];
shared [COLS] long c[ROWS * THREADS][COLS];
shared [] long *full; /* all of the product, on thread 0 */

int main(void) {
    int i, j, k;
    upc_forall (i = 0; i < ROWS * THREADS; i++; &a[i][0])
        for (k = 0; k < INNER; k++) a[i][k] = i + 2 * k;
    for (k = 0; k < INNER; k++)
        upc_forall (j = 0; j < COLS * THREADS; j++; &b[k][j]) b[k][j] = k - j;
    static shared [] long *shared root;
    if (MYTHREAD == 0) root = upc_alloc(ROWS * THREADS * COLS * THREADS * sizeof(long));
    upc_barrier;
    full = root;

    /* A part of the product into a shared array of its own layout, and all of it through one indefinite pointer. */
    upc_forall (i = 0; i < ROWS * THREADS; i++; &c[i][0]) {
        CHECK(upc_threadof(&a[i][INNER - 1]) == upc_threadof(&c[i][COLS - 1]));
        for (j = 0; j < COLS; j++) {
            c[i][j] = 0;
            for (k = 0; k < INNER; k++) c[i][j] += (long)a[i][k] * b[k][j];
        }
        for (j = 0; j < COLS * THREADS; j++) {
            long sum = 0;
            for (k = 0; k < INNER; k++) sum += (long)a[i][k] * b[k][j];
            full[(long)i * COLS * THREADS + j] = sum;
        }
    }
    upc_barrier;

    /* sum over k of (i + 2k)(k - j) */
    long s1 = INNER * (INNER - 1) / 2, s2 = (INNER - 1) * INNER * (2 * INNER - 1) / 6;
    for (i = 0; i < ROWS * THREADS; i++)
        for (j = 0; j < COLS * THREADS; j++) {
            long expected = i * s1 - (long)i * j * INNER + 2 * s2 - 2 * j * s1;
            CHECK_EQ(expected, full[(long)i * COLS * THREADS + j]);
            if (j < COLS) CHECK_EQ(expected, c[i][j]);
        }
    upc_barrier;
    if (MYTHREAD == 0) upc_free(root);
    return 0;
}
