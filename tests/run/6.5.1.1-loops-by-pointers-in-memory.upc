// flags: -fcomm-opt
// comm: strips strips=1,force strips=3,force strips=64,force
// threads: 1 2 3 4
// Loops read ahead by pointers-to-shared that they find in memory, shared or private, and that they do not change.
#include <upc_relaxed.h>
#include "check.h"

enum { N = 150 };
typedef shared [] double *row;
struct grid {
    int n;
    row at[4];
    shared [7] int *marks;
    struct {
        row last;
    } inner;
};
shared row directory[THREADS];
shared [7] int marks[7 * 30 * THREADS];
shared struct grid *shared grids[THREADS];
row rows[3];

static double sum(int t, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += directory[t][i];
    return s;
}

static double of_grid(const struct grid *g, int k) {
    double s = 0;
    for (int i = 1; i < g->n; i++) s += g->at[k][i] - g->at[k][i - 1] + g->marks[i + k] * (*g).inner.last[i];
    return s;
}

static void copy(double *to, int k, int n) {
    for (int i = 0; i < n; i++) to[i] = rows[k + 1][i] + rows[k][n - 1 + i - (n - 1)];
}

/* A check, which prints if it fails. What the loop divides by is zero where it does not run. */
static int wrong(int t, int n, int each, double from) {
    int found = 0;
    for (int i = 0; i < n; i++)
        if (directory[t][n / each * 0 + i] != from + i) {
            printf("element %d is %g instead of %g\n", i, directory[t][i], from + i);
            found++;
        }
    return found;
}

/* The pointer is null, and followed only where the flag says so. */
static double perhaps(const struct grid *g, int follow) {
    double s = 0;
    for (int i = 0; i < N; i++) {
        if (follow) s += g->at[3][i];
        s += 1;
    }
    return s;
}

/* The loop changes the pointer that it reads by, through another one. */
static double changed(row *where, row other) {
    double s = 0;
    for (int i = 0; i < N; i++) {
        s += rows[0][i];
        if (i == 20) *where = other;
    }
    return s;
}

/* It writes what it reads later. */
static double own(double *mine, int t) {
    double s = 0;
    for (int i = 1; i < N; i++) {
        s += directory[t][i - 1];
        mine[i] = s;
    }
    return s;
}

/* The iterations have pointers of their own, of the name that one outside has. */
static double shadowed(row other) {
    row one[1] = {other};
    struct grid g = {N, {other, other}};
    double s = 0;
    for (int i = 0; i < N; i++) {
        row one[1] = {directory[i % THREADS]};
        struct grid g = {N, {directory[0], one[0]}};
        s += one[0][i] + g.at[1][i];
    }
    return one[0] == other && g.at[1] == other ? s : -1;
}

/* The structure that has the pointers is written as a whole. */
static double replaced(row first, row second) {
    struct grid g = {N, {first, first}}, other = {N, {second, second}};
    double s = 0;
    for (int i = 0; i < N; i++) {
        s += g.at[1][i];
        if (i == 4) g = other;
    }
    return s;
}

/* A negative number is above an unsigned one: no iteration. And what typeof has is not evaluated. */
static double unread(const struct grid *none, unsigned n) {
    double s = 0;
    for (int i = -3; i < n; i++) s += none->at[1][i];
    for (int i = 0; i < 20; i++) {
        __typeof__(none->at[2][i]) v = i;
        s += v;
    }
    return s;
}

int main(void) {
    row mine = upc_alloc(N * sizeof(double));
    for (int i = 0; i < N; i++) mine[i] = 1000 * MYTHREAD + i;
    directory[MYTHREAD] = mine;
    upc_forall(int i = 0; i < 210 * THREADS; i++; &marks[i]) marks[i] = i % 5;
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    double first = 1000 * next;
    CHECK(sum(next, N) == first * N + N * (N - 1) / 2);
    CHECK(sum(next, 0) == 0 && sum(-1, 0) == 0 && sum(1 << 20, 0) == 0);

    CHECK_EQ(0, wrong(next, N, 4, first));
    CHECK_EQ(0, wrong(next, 0, 0, first));

    struct grid g = {N, {directory[next], directory[MYTHREAD], 0, 0}, marks, {directory[next]}};
    for (int k = 0; k < 2; k++) {
        double s = 0;
        for (int i = 1; i < N; i++) s += 1 + (i + k) % 5 * (first + i);
        CHECK(of_grid(&g, k) == s);
    }
    CHECK(perhaps(&g, 0) == N);
    CHECK(unread(0, 9) == 190);
    double both = 0;
    for (int i = 0; i < N; i++) both += 2 * (1000 * (i % THREADS) + i);
    CHECK(shadowed(mine) == both);
    CHECK(replaced(mine, directory[next]) == 5 * 1000 * MYTHREAD + (N - 5) * first + N * (N - 1) / 2);

    double to[N];
    for (int k = 0; k < 3; k++) rows[k] = directory[(MYTHREAD + k) % THREADS];
    copy(to, 0, N);
    for (int i = 0; i < N; i++) CHECK(to[i] == 1000 * MYTHREAD + first + 2 * i);
    rows[0] = directory[next];
    CHECK(changed(&rows[0], mine) == 21 * first + 1000 * MYTHREAD * (N - 21.0) + N * (N - 1) / 2);
    upc_barrier;

    double expected = 0, before = 1000 * MYTHREAD;
    for (int i = 1; i < N; i++) before = expected += before;
    CHECK(own((double *)mine, MYTHREAD) == expected);
    return 0;
}
