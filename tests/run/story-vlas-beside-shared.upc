// threads: 1 2 4
/* Variable-length arrays and their types between shared objects: sizes read from shared memory, VLAs as parameters, pointers to VLAs, sizeof
 * evaluated where C says, shared arrays copied to and from them. */
#include "check.h"

shared int sizes[THREADS];
shared [6] double m[6 * THREADS];

static double trace(int n, double a[n][n]) {
    double t = 0;
    for (int i = 0; i < n; i++) t += a[i][i];
    return t;
}
static int evaluated;
static int size(int n) { return evaluated++, n; }

int main(void) {
    sizes[MYTHREAD] = MYTHREAD + 2;
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    double v[sizes[next]];
    CHECK_EQ((next + 2) * sizeof(double), sizeof v);
    double square[sizes[next]][sizes[next]];
    CHECK_EQ((next + 2) * (next + 2) * sizeof(double), sizeof square);
    for (int i = 0; i < sizes[next]; i++) {
        v[i] = i;
        for (int j = 0; j < sizes[next]; j++) square[i][j] = i == j ? 2 : 1;
    }
    CHECK(trace(sizes[next], square) == 2 * (next + 2));
    double(*p)[sizes[next]] = square;
    CHECK_EQ((next + 2) * sizeof(double), sizeof *p);
    CHECK(p[1][1] == 2 && p[1][0] == 1);
    for (int i = 0; i < 2; i++) m[6 * next + i] = v[i] + p[i][i];
    CHECK_EQ(size(5) * sizeof(int), sizeof(int[size(5)]));
    CHECK_EQ(2, evaluated);
    char text[size((int)sizeof(shared int *)) + THREADS];
    CHECK_EQ(sizeof(shared int *) + THREADS, sizeof text);
    CHECK_EQ(3, evaluated);
    shared [6] double *rows[sizes[next]];
    for (int i = 0; i < sizes[next]; i++) rows[i] = &m[6 * next + i];
    upc_barrier;
    CHECK(*rows[1] == 3 && rows[0][1] == 3 && *rows[0] == 2);
    CHECK_EQ((next + 2) * sizeof(shared [6] double *), sizeof rows);
    typedef int row[THREADS * 2];
    row r[2];
    CHECK_EQ(4 * THREADS * sizeof(int), sizeof r);
    for (int k = 0; k < 3; k++) {
        int loop[k + sizes[0]];
        loop[k] = k;
        CHECK_EQ((k + 2) * sizeof(int), sizeof loop);
        CHECK_EQ(k, loop[k]);
    }
    return 0;
}
