/* CG in UPC for many threads: they form a grid, of as many columns as rows or twice as many, and each has the elements
 * of the matrix in its rows and its columns. So a thread exchanges parts of vectors with log2(THREADS) others and not
 * with all. cg.h describes the problem.
 *
 *     fathom run -n 2 -O3 -DCLASS=S examples/nas/cg_grid.upc
 *     fathom simulate --machine t3d -n 2048 -O3 -DCLASS=A examples/nas/cg_grid.upc
 *
 * Of a number of threads that is no power of two, those beyond the next lower one have nothing to do.
 */
#include "cg.h"

static int columns, per_row; /* of the grid; of its columns, how many have the elements of a row of threads */
static int at_work;          /* this thread has a place in the grid */
static struct cg_matrix a;   /* this thread's part of its rows, counted from first_row; columns from first */
static int first_row, rows;  /* of the matrix */
static int first, n;         /* columns, and elements of vectors, which all threads of a column of the grid have */
static double *x, *z, *p, *q, *r, *sums;

/* Two places for each thread, in which parts of vectors arrive; the same for what others fetch. */
static shared [] double *shared inbox[THREADS], *shared outbox[THREADS];
static int longest; /* bytes of a place hold so many elements */

/* The sum over the threads of a row of the grid, of each element; the same on all, to the last bit. Two places take
 * turns: who writes into one again has passed the barrier after which the other was read. */
static void sum_over_row(double *v, int count) {
    static int turn;
    for (int bit = 1; bit < columns; bit *= 2) {
        turn ^= 1;
        if (at_work) upc_memput(inbox[MYTHREAD ^ bit] + turn * longest, v, count * sizeof(double));
        upc_barrier;
        if (!at_work) continue;
        const double *other = (double *)inbox[MYTHREAD] + turn * longest;
        for (int k = 0; k < count; k++) v[k] += other[k];
    }
}

static double sum_of(double mine) {
    sum_over_row(&mine, 1);
    return mine;
}

static double dot(const double *u, const double *v) {
    double mine = 0;
    for (int j = 0; j < n; j++) mine += u[j] * v[j];
    return sum_of(mine);
}

/* The product of the matrix and v. A row of threads sums up the elements of its rows; each thread then fetches those of
 * its columns from one that has them: from the row of threads in which they are, in a column of the number of its own
 * row. */
static void multiply(double *product, const double *v) {
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = a.start[i]; k < a.start[i + 1]; k++) sum += a.value[k] * v[a.column[k]];
        sums[i] = sum;
    }
    sum_over_row(sums, rows);
    if (at_work) upc_memput(outbox[MYTHREAD], sums, rows * sizeof(double));
    upc_barrier;
    if (!at_work) return;
    int row = MYTHREAD / columns, column = MYTHREAD % columns;
    int from = column / per_row, by = row * per_row + column % per_row;
    int skip = first - (int)nas_first(CG_N, from * per_row, columns);
    upc_memget(product, outbox[from * columns + by] + skip, n * sizeof(double));
}

/* Solves A z = x approximately, and returns the norm of x - A z. */
static double solve(void) {
    for (int j = 0; j < n; j++) {
        z[j] = 0;
        r[j] = p[j] = x[j];
    }
    double rho = dot(r, r);
    for (int step = 0; step < CG_STEPS; step++) {
        multiply(q, p);
        double alpha = rho / dot(p, q), old_rho = rho;
        for (int j = 0; j < n; j++) {
            z[j] += alpha * p[j];
            r[j] -= alpha * q[j];
        }
        rho = dot(r, r);
        double beta = rho / old_rho;
        for (int j = 0; j < n; j++) p[j] = r[j] + beta * p[j];
    }
    multiply(q, z);
    for (int j = 0; j < n; j++) r[j] = x[j] - q[j];
    return sqrt(dot(r, r));
}

/* `steps` steps of the inverse power method, from a vector of ones; the estimate of the eigenvalue. */
static double estimate(int steps, double *residual) {
    double zeta = 0;
    for (int j = 0; j < n; j++) x[j] = 1;
    for (int i = 0; i < steps; i++) {
        *residual = solve();
        zeta = CG_SHIFT + 1 / dot(x, z);
        double length = sqrt(dot(z, z));
        for (int j = 0; j < n; j++) x[j] = z[j] / length;
    }
    return zeta;
}

/* This thread's part of the matrix. */
static void make_part(void) {
    static char wanted[CG_N];
    static struct cg_matrix whole; /* of these rows */
    for (int i = first_row; i < first_row + rows; i++) wanted[i] = 1;
    cg_make(&whole, wanted);
    int count = whole.start[CG_N], kept = 0;
    a.column = nas_allocate(count, sizeof(int));
    a.value = nas_allocate(count, sizeof(double));
    for (int i = 0; i < rows; i++) {
        for (int k = whole.start[first_row + i]; k < whole.start[first_row + i + 1]; k++) {
            int column = whole.column[k] - first;
            if (column < 0 || column >= n) continue;
            a.column[kept] = column;
            a.value[kept++] = whole.value[k];
        }
        a.start[i + 1] = kept;
    }
    free(whole.column);
    free(whole.value);
}

int main(void) {
    int threads = 1, grid_rows = 1;
    while (2 * threads <= THREADS) threads *= 2;
    while (4 * grid_rows * grid_rows <= threads) grid_rows *= 2;
    columns = threads / grid_rows;
    per_row = columns / grid_rows;
    nas_need_threads(columns <= CG_N, "the grid has more columns than the matrix");
    at_work = MYTHREAD < threads;
    if (at_work) {
        int row = MYTHREAD / columns, column = MYTHREAD % columns;
        first = (int)nas_first(CG_N, column, columns);
        n = (int)nas_first(CG_N, column + 1, columns) - first;
        first_row = (int)nas_first(CG_N, row * per_row, columns);
        rows = (int)nas_first(CG_N, (row + 1) * per_row, columns) - first_row;
        make_part();
    }
    x = nas_allocate(n, sizeof(double));
    z = nas_allocate(n, sizeof(double));
    p = nas_allocate(n, sizeof(double));
    q = nas_allocate(n, sizeof(double));
    r = nas_allocate(n, sizeof(double));
    sums = nas_allocate(rows, sizeof(double));
    longest = CG_N / grid_rows + 2; /* shares differ by one element a column */
    inbox[MYTHREAD] = upc_alloc(2 * longest * sizeof(double));
    outbox[MYTHREAD] = upc_alloc(longest * sizeof(double));
    upc_barrier;
    double residual;
    estimate(1, &residual); /* not timed: touches all memory */

    upc_barrier;
    double start = nas_seconds();
    double zeta = estimate(CG_ITERATIONS, &residual);
    upc_barrier;
    double seconds = nas_seconds() - start;

    if (MYTHREAD == 0) {
        int status = cg_finish("grid UPC", zeta, residual, seconds);
        if (status != 0) upc_global_exit(status);
    }
    return 0;
}
