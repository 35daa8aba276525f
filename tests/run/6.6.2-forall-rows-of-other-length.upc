// threads: 1 2 3 4
/* An affinity along a row says nothing of rows of another length: x[r][j] and y[r][j] are on different threads. */
#include "check.h"

#define ROWS (2 * THREADS)
shared int x[ROWS][5], y[ROWS][7], same[ROWS][5];
shared int deep[ROWS][2][3], other[ROWS][3][3];
shared long sums[THREADS];

static long total(long mine) {
    long all = 0;
    sums[MYTHREAD] = mine;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) all += sums[t];
    upc_barrier;
    return all;
}

int main(void) {
    if (MYTHREAD == 0)
        for (int r = 0; r < ROWS; r++) {
            for (int j = 0; j < 5; j++) y[r][j] = 100 * r + j, same[r][j] = r - j;
            for (int j = 0; j < 3; j++) other[r][1][j] = 10 * r + j;
        }
    upc_barrier;
    long s = 0, t = 0, right = 0, mine = 0;
    for (int r = 0; r < ROWS; r++) {
        upc_forall (int j = 0; j < 5; j++; &x[r][j]) {
            s += y[r][j];
            mine += same[r][j];
        }
        upc_forall (int j = 0; j < 3; j++; &deep[r][1][j]) t += other[r][1][j];
    }
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < 5; j++) right += 100 * r + j;
    CHECK_EQ(right, total(s));
    right = 0;
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < 5; j++) right += r - j;
    CHECK_EQ(right, total(mine));
    right = 0;
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < 3; j++) right += 10 * r + j;
    CHECK_EQ(right, total(t));

    /* And what is written reaches its element. */
    for (int r = 0; r < ROWS; r++)
        upc_forall (int j = 0; j < 5; j++; &x[r][j]) y[r][j] = -j;
    upc_barrier;
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < 5; j++) CHECK_EQ(-j, y[r][j]);
    return 0;
}
