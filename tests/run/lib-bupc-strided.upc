// threads: 1 2 3 4 7
/* bupc_mem{put,get,cpy}_{fstrided,strided}: columns and sub-boxes of arrays. */
#include "check.h"

#define ROWS 12
#define COLS 10
shared [ROWS * COLS] int a[THREADS][ROWS][COLS], b[THREADS][ROWS][COLS];

int main(void) {
    int right = (MYTHREAD + 1) % THREADS;
    int box[ROWS][COLS], got[ROWS * COLS];
    for (int i = 0; i < ROWS * COLS; i++) (&box[0][0])[i] = i + 1000 * MYTHREAD;
    for (int async = 0; async < 2; async++) {
        upc_memset(a[right], 0, sizeof box);
        upc_memset(b[right], 0, sizeof box);
        upc_barrier;
        /* Column 3 of mine becomes column 7 of my neighbour's. */
        if (async)
            bupc_waitsync(bupc_memput_fstrided_async(&a[right][0][7], sizeof(int), COLS * sizeof(int), ROWS, &box[0][3],
                                                     sizeof(int), COLS * sizeof(int), ROWS));
        else
            bupc_memput_fstrided(&a[right][0][7], sizeof(int), COLS * sizeof(int), ROWS, &box[0][3], sizeof(int),
                                 COLS * sizeof(int), ROWS);
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLS; c++) CHECK_EQ(c == 7 ? box[r][3] : 0, a[right][r][c]);
        /* And comes back as one piece. */
        if (async)
            bupc_waitsync(bupc_memget_fstrided_async(got, ROWS * sizeof(int), 0, 1, &a[right][0][7], sizeof(int),
                                                     COLS * sizeof(int), ROWS));
        else
            bupc_memget_fstrided(got, ROWS * sizeof(int), 0, 1, &a[right][0][7], sizeof(int), COLS * sizeof(int), ROWS);
        for (int r = 0; r < ROWS; r++) CHECK_EQ(box[r][3], got[r]);
        /* Pairs of it become a row. */
        if (async)
            bupc_waitsync(bupc_memcpy_fstrided_async(&b[right][2][0], 2 * sizeof(int), 2 * sizeof(int), 4,
                                                     &a[right][1][7], sizeof(int), COLS * sizeof(int), 8));
        else
            bupc_memcpy_fstrided(&b[right][2][0], 2 * sizeof(int), 2 * sizeof(int), 4, &a[right][1][7], sizeof(int),
                                 COLS * sizeof(int), 8);
        for (int k = 0; k < 8; k++) CHECK_EQ(box[k + 1][3], b[right][2][k]);

        /* A box of 4 rows of 3 columns, then every second element of every third row. */
        size_t wide[] = {COLS * sizeof(int)}, narrow[] = {3 * sizeof(int)}, count[] = {3 * sizeof(int), 4};
        if (async)
            bupc_waitsync(bupc_memget_strided_async(got, narrow, &b[right][1][0], wide, count, 1));
        else
            bupc_memget_strided(got, narrow, &b[right][1][0], wide, count, 1);
        for (int k = 0; k < 12; k++) CHECK_EQ(b[right][1 + k / 3][k % 3], got[k]);
        size_t far[] = {2 * sizeof(int), 3 * COLS * sizeof(int)}, near[] = {sizeof(int), 5 * sizeof(int)};
        size_t each[] = {sizeof(int), 5, 4};
        if (async)
            bupc_waitsync(bupc_memput_strided_async(a[right], far, box, near, each, 2));
        else
            bupc_memput_strided(a[right], far, box, near, each, 2);
        for (int k = 0; k < 20; k++) CHECK_EQ((&box[0][0])[k], a[right][k / 5 * 3][k % 5 * 2]);
        if (async)
            bupc_waitsync(bupc_memcpy_strided_async(b[right], near, a[right], far, each, 2));
        else
            bupc_memcpy_strided(b[right], near, a[right], far, each, 2);
        for (int k = 0; k < 20; k++) CHECK_EQ((&box[0][0])[k], b[right][k / COLS][k % COLS]);
        upc_barrier;
    }
    return 0;
}
