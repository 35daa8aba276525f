// A pointer-to-shared may refer to arrays whose length is not constant, as in C (C11 6.7.6.2): of parameters, of
// variables and of typedefs in a block. The length is that at the declaration.
#include "check.h"
typedef struct {
    char tag;
    int x, y;
} pair;

static void fill(int rows, int columns, shared [] double (*a)[columns]) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) a[i][j] = 100 * i + j;
}
static double element(int columns, shared [] const double a[][columns], int i, int j) { return a[i][j]; }
static long sum(int rows, int columns, shared [] const double (*a)[columns]);
static long sum(int rows, int columns, shared [] const double (*a)[columns]) {
    double s = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) s += a[i][j];
    return s;
}
static int next(int *n) { return ++*n; }

static void rows_on_one_thread(int m) {
    shared [] double (*a)[m] = upc_alloc(3 * m * sizeof(double)), (*second)[m] = a + 1;
    fill(3, m, a);
    int columns = m;
    m = 1000;
    CHECK_EQ(columns * sizeof(double), sizeof(*a));
    CHECK(a[2][3] == 203 && *(*(a + 1) + 4) == 104 && (*second)[2] == 102);
    CHECK_EQ(204, element(columns, a, 2, 4));
    CHECK(&a[2] - a == 2 && a + 2 - second == 1 && second > a);
    CHECK_EQ(300 * columns + 3 * columns * (columns - 1) / 2, sum(3, columns, a));
    second++;
    CHECK_EQ(200, second[0][0]);
    second -= 2;
    CHECK(second == a);
    upc_free(a);
}

static void rows_over_all_threads(int m) {
    typedef shared int rows[m];
    shared int (*a)[m] = upc_all_alloc(2 * m, sizeof(int));
    rows *same = a;
    upc_forall (int i = 0; i < 2 * m; i++; &(*a)[i]) a[i / m][i % m] = 7 * i;
    upc_barrier;
    int n = m;
    m = 0;
    CHECK_EQ(n * sizeof(int), sizeof(rows));
    CHECK_EQ(n * sizeof(int), sizeof(*same));
    for (int i = 0; i < 2 * n; i++) {
        CHECK(a[i / n][i % n] == 7 * i && same[i / n][i % n] == 7 * i);
        CHECK_EQ(i % THREADS, upc_threadof(&a[i / n][i % n]));
    }
    upc_barrier;
    if (MYTHREAD == 0) upc_free(a);
}

static void blocks_of_structures(int x, int y) {
    shared [2] pair (*a)[x][y] = upc_all_alloc(x * y, 2 * sizeof(pair));
    int n = 2 * x * y;
    for (int i = MYTHREAD; i < n; i += THREADS) a[i / (x * y)][i / y % x][i % y].y = i;
    upc_barrier;
    for (int i = 0; i < n; i++) {
        CHECK_EQ(i, a[i / (x * y)][i / y % x][i % y].y);
        CHECK_EQ(i / 2 % THREADS, upc_threadof(&a[i / (x * y)][i / y % x][i % y]));
    }
    CHECK(sizeof(a[0]) == x * y * sizeof(pair) && sizeof(a[0][0]) == y * sizeof(pair));
    upc_barrier;
    if (MYTHREAD == 0) upc_free(a);
}

int main(void) {
    rows_on_one_thread(5);
    rows_over_all_threads(3);
    blocks_of_structures(2, 3);
    int n = 3;
    shared [] char (*once)[next(&n)] = 0;
    CHECK(n == 4 && sizeof(*once) == 4);
    return 0;
}
