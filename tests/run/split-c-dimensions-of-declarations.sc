// threads: 1 2 3 5
/* C11 6.7.6.2 p5: dimensions of variable length are evaluated where the declaration stands, once; docs/split-c.md,
 * spread arrays. */
#include "check-split-c.h"

int calls;
int size(int n) {
    calls++;
    return n;
}

int last(int rows, int q, int X[rows]::[q]) {
    int n = q;
    q = 1;
    rows = 0;
    CHECK_EQ(n * sizeof(int), sizeof X[0]);
    return X[2 * PROCS - 1][n - 1];
}

int old_style(q, X)
    int q;
    int X[PROCS]::[q];
{
    q = 2;
    return X[PROCS][4];
}

int through_pointer(int q, int *spread data) {
    int (*spread rows)[q] = (int (*spread)[q])data, (*global own)[2][q];
    q = 3;
    CHECK_EQ(10 * sizeof(int), sizeof *rows);
    CHECK_EQ(20 * sizeof(int), sizeof *own);
    own = (int (*global)[2][10])rows;
    CHECK_EQ(sizeof(int[2][10]), (char *global)(own + 1) - (char *global)own);
    for (q = 0; q < PROCS; q++) CHECK_EQ(q, rows[q][0] / 100);
    return rows[2 * PROCS - 1][9];
}

int splitc_main(int argc, char **argv) {
    int n = 2 * PROCS, k = 10, i, j;
    int a[size(n)]::[size(k)];
    CHECK_EQ(2, calls);
    n = 1, k = 2;
    for (i = MYPROC; i < 2 * PROCS; i += PROCS)
        for (j = 0; j < 10; j++) a[i][j] = 100 * i + j;
    CHECK_EQ(2, calls);
    barrier();
    for (i = 0; i < 2 * PROCS; i++) {
        CHECK_EQ(i % PROCS, toproc(&a[i][0]));
        for (j = 0; j < 10; j++) CHECK_EQ(100 * i + j, a[i][j]);
    }
    CHECK_EQ(100 * (2 * PROCS - 1) + 9, last(2 * PROCS, 10, a));
    CHECK_EQ(100 * PROCS + 4, old_style(10, a));
    CHECK_EQ(100 * (2 * PROCS - 1) + 9, through_pointer(10, &a[0][0] == 0 ? 0 : (int *spread)a));
    barrier();
    for (k = 1; k < 4; k++) {
        /* Each time another size. */
        int b[PROCS]::[k];
        CHECK_EQ(k * sizeof(int), sizeof b[0]);
        b[MYPROC][k - 1] = k;
        j = k;
        k = 100;
        barrier();
        CHECK_EQ(j, b[(MYPROC + 1) % PROCS][j - 1]);
        barrier();
        k = j;
    }
    CHECK_EQ(2, calls);
    return 0;
}
