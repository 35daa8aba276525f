// threads: 1 2 3 4
/* 7.4.3.1 wants source and destination of a prefix reduction to begin on the same thread in the same phase. Fathom does
 * without: any beginning of one goes with any beginning of the other, in short blocks, in long ones, and with blocks
 * that are long in one place where the other's end. */
#include "check.h"
#include <upc_collective.h>

#define BLOCK 3
#define SIZE 11
#define LONG_BLOCK 5000

shared [BLOCK] int in[SIZE * THREADS], out[SIZE * THREADS];
shared [LONG_BLOCK] long from[2 * LONG_BLOCK * THREADS], to[2 * LONG_BLOCK * THREADS];

static void check_short(int a, int b, int n) {
    upc_forall (int i = 0; i < SIZE * THREADS; i++; &out[i]) out[i] = -77;
    upc_barrier;
    upc_all_prefix_reduceI(&out[b], &in[a], UPC_ADD, (size_t)n, BLOCK, NULL, 0);
    for (int i = 0, sum = 0; i < SIZE * THREADS; i++) {
        if (i < b || i >= b + n) {
            CHECK_EQ(-77, out[i]);
        } else {
            sum += in[a + i - b];
            CHECK_EQ(sum, out[i]);
        }
    }
    upc_barrier;
}

int main(void) {
    upc_forall (int i = 0; i < SIZE * THREADS; i++; &in[i]) in[i] = (i * 37) % 29 + 1;
    upc_forall (int i = 0; i < 2 * LONG_BLOCK * THREADS; i++; &from[i]) from[i] = (i * 37) % 29 - 11;
    upc_barrier;
    for (int n = 1; n <= SIZE * THREADS; n += 1 + n / 4) {
        for (int a = 0; a + n <= SIZE * THREADS && a < 2 * BLOCK * THREADS; a += 2) {
            for (int b = 0; b + n <= SIZE * THREADS && b < 2 * BLOCK * THREADS; b += 1 + b / 3) {
                check_short(a, b, n);
            }
        }
    }
    /* Runs that are scanned where they lie, on either side, and pieces between them. */
    static const int begins[] = {0, 1, LONG_BLOCK / 2, LONG_BLOCK - 1, LONG_BLOCK};
    for (int x = 0; x < 5; x++) {
        for (int y = 0; y < 5; y++) {
            int a = begins[x], b = begins[y], n = 2 * LONG_BLOCK * THREADS - LONG_BLOCK;
            upc_all_prefix_reduceL(&to[b], &from[a], UPC_ADD, (size_t)n, LONG_BLOCK, NULL, 0);
            if (MYTHREAD == (x + y) % THREADS) {
                long sum = 0;
                for (int i = 0; i < n; i++) {
                    sum += ((a + i) * 37) % 29 - 11;
                    if (i % 13 == 0 || i == n - 1) CHECK_EQ(sum, to[b + i]);
                }
            }
            upc_barrier;
        }
    }
    return 0;
}
