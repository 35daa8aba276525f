// threads: 1 2 3 4 5
/* docs/split-c.md, spread arrays: static, of parameters, of blocks; element k is on processor k mod PROCS. */
#include "check-split-c.h"

int counts[PROCS]::;
double many[10]::;
int tiles[2][3]::[4][5];
static long hidden[3 * PROCS]::[2];
typedef int row_t[6];
row_t rows[7]::;

int fill(int v, int w, int q, int r, int X[v][w]::[q][r]) {
    int i, j, k, l, sum = 0;
    for (i = 0; i < v; i++)
        for (j = 0; j < w; j++) {
            int (*local)[r];
            CHECK_EQ((i * w + j) % PROCS, toproc(X[i][j]));
            if (toproc(X[i][j]) != MYPROC) continue;
            local = tolocal(X[i][j]);
            for (k = 0; k < q; k++)
                for (l = 0; l < r; l++) local[k][l] = 1000 * i + 100 * j + 10 * k + l;
        }
    barrier();
    for (i = 0; i < v; i++)
        for (j = 0; j < w; j++)
            for (k = 0; k < q; k++)
                for (l = 0; l < r; l++) {
                    CHECK_EQ(1000 * i + 100 * j + 10 * k + l, X[i][j][k][l]);
                    CHECK_EQ(X[i][j][k][l], *(*(X[i][j] + k) + l));
                    sum += X[i][j][k][l];
                }
    barrier();
    return sum;
}

/* A spread array needs no communication, wherever it is declared. */
int blocks(int n, int depth) {
    int here[n]::, tiles[n][2]::[depth + 1];
    int k;
    int *mine;
    for (k = MYPROC; k < n; k += PROCS) here[k] = 10 * depth + k;
    mine = tolocal(tiles[0][0]);
    barrier();
    for (k = 0; k < n; k++) {
        CHECK_EQ(10 * depth + k, here[k]);
        CHECK_EQ(k % PROCS, toproc(&here[k]));
        CHECK_EQ((2 * k + 1) % PROCS, toproc(tiles[k][1]));
    }
    barrier();
    if (MYPROC == 0)
        for (k = 0; k <= depth; k++) tiles[n - 1][1][k] = k;
    barrier();
    CHECK_EQ(depth, tiles[n - 1][1][depth]);
    barrier();
    for (k = 0; k < 3; k++) {
        double scratch[5]::[100];
        CHECK(tolocal(scratch[0]) != (double *)mine);
        CHECK_EQ(4 % PROCS, toproc(scratch[4]));
    }
    if (depth > 0) blocks(n + 1, depth - 1);
    barrier();
    CHECK_EQ(10 * depth + n - 1, here[n - 1]);
    barrier();
    return n;
}

splitc_main() {
    int k, next = (MYPROC + 1) % PROCS;
    int *spread s = counts;
    int (*spread t)[4][5] = tiles[0];
    double *local;
    int (*spread X)[8][3];

    counts[next] = 5 * MYPROC;
    barrier();
    for (k = 0; k < PROCS; k++) CHECK_EQ(5 * ((k + PROCS - 1) % PROCS), s[k]);
    CHECK_EQ(MYPROC, toproc(s + MYPROC));
    CHECK(tolocal(s + MYPROC) == (int *)(counts + MYPROC));
    on_one
        for (k = 0; k < 10; k++) many[k] = k * 1.25;
    barrier();
    for (k = 0; k < 10; k++) {
        CHECK(many[k] == k * 1.25);
        CHECK_EQ(k % PROCS, toproc(&many[k]));
        CHECK(many + k == &many[0] + 0 || k > 0);
    }
    local = tolocal(many + MYPROC);
    if (MYPROC < 10) CHECK(local[0] == MYPROC * 1.25);
    if (MYPROC + PROCS < 10) CHECK(local[1] == (MYPROC + PROCS) * 1.25);

    fill(2, 3, 4, 5, tiles);
    CHECK_EQ(1234, tiles[1][2][3][4]);
    CHECK_EQ(234, t[2][3][4]);
    CHECK_EQ(234, (*(t + 2))[3][4]);
    CHECK_EQ(2, t + 2 - t);
    CHECK_EQ(1034, (*(tiles[1]))[3][4]);
    CHECK_EQ(6 * 4 * 5 * sizeof(int), sizeof tiles);

    hidden[MYPROC][1] = 77 + MYPROC;
    rows[3][5] = 9;
    barrier();
    CHECK_EQ(77 + next, hidden[next][1]);
    CHECK_EQ(9, rows[3][5]);
    barrier();
    blocks(6, 3);

    X = all_spread_malloc(6, sizeof *X);
    CHECK(X != NULL);
    fill(3, 2, 8, 3, X);
    fill(2, 3, 8, 3, X);
    all_spread_free(X);
    return 0;
}
