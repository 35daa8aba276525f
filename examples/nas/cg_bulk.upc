/* CG in UPC, bulk form: each thread has a block of rows, and of each vector, in private memory. The vector that the
 * matrix is multiplied with exists on every thread; when its elements change, each thread sends its block to all
 * others with upc_memput. cg.h describes the problem.
 *
 *     fathom run -n 2 -O3 -DCLASS=S examples/nas/cg_bulk.upc
 */
#include "cg.h"

static struct cg_matrix a;    /* this thread's rows */
static int first, end;        /* they are rows first to end - 1 */
static double *x, *z, *q, *r; /* elements first to end - 1, from index 0 */

shared [] double *shared whole[THREADS]; /* each thread's copy of the vector that the matrix is multiplied with */
static double *p;                        /* the copy of this thread */

/* Brings my elements of p to all threads. Everybody has read the old ones: there was a sum_of_all in between. */
static void distribute(void) {
    for (int step = 1; step < THREADS; step++) {
        int to = (MYTHREAD + step) % THREADS; /* each begins elsewhere */
        upc_memput(whole[to] + first, &p[first], (end - first) * sizeof(double));
    }
    upc_barrier;
}

/* The sum over all threads, the same on each to the last bit. Two sets of numbers take turns: when a thread writes
 * into one again, all threads have passed the barrier of the other, and so have read the first. */
static double sum_of_all(double mine) {
    static shared double part[2][THREADS];
    static int turn;
    turn ^= 1;
    part[turn][MYTHREAD] = mine;
    upc_barrier;
    double sum = 0;
    for (int t = 0; t < THREADS; t++) sum += part[turn][t];
    return sum;
}

/* Element j of A p. */
static inline double row_times_p(int j) {
    double sum = 0;
    for (int k = a.start[j]; k < a.start[j + 1]; k++) sum += a.value[k] * p[a.column[k]];
    return sum;
}

/* Solves A z = x approximately, and returns the norm of x - A z. */
static double solve(void) {
    int n = end - first;
    double mine = 0;
    for (int j = 0; j < n; j++) {
        z[j] = 0;
        r[j] = p[first + j] = x[j];
        mine += r[j] * r[j];
    }
    double rho = sum_of_all(mine);
    distribute();
    for (int step = 0; step < CG_STEPS; step++) {
        mine = 0;
        for (int j = 0; j < n; j++) {
            q[j] = row_times_p(first + j);
            mine += p[first + j] * q[j];
        }
        double alpha = rho / sum_of_all(mine), old_rho = rho;
        mine = 0;
        for (int j = 0; j < n; j++) {
            z[j] += alpha * p[first + j];
            r[j] -= alpha * q[j];
            mine += r[j] * r[j];
        }
        rho = sum_of_all(mine);
        double beta = rho / old_rho;
        for (int j = 0; j < n; j++) p[first + j] = r[j] + beta * p[first + j];
        distribute();
    }
    for (int j = 0; j < n; j++) p[first + j] = z[j];
    distribute();
    mine = 0;
    for (int j = 0; j < n; j++) {
        double difference = x[j] - row_times_p(first + j);
        mine += difference * difference;
    }
    return sqrt(sum_of_all(mine));
}

/* `steps` steps of the inverse power method, from a vector of ones; the estimate of the eigenvalue. */
static double estimate(int steps, double *residual) {
    double zeta = 0;
    int n = end - first;
    for (int j = 0; j < n; j++) x[j] = 1;
    for (int i = 0; i < steps; i++) {
        *residual = solve();
        double xz = 0, zz = 0;
        for (int j = 0; j < n; j++) {
            xz += x[j] * z[j];
            zz += z[j] * z[j];
        }
        zeta = CG_SHIFT + 1 / sum_of_all(xz);
        double length = sqrt(sum_of_all(zz));
        for (int j = 0; j < n; j++) x[j] = z[j] / length;
    }
    return zeta;
}

int main(void) {
    nas_need_threads(THREADS <= CG_N, "more than the matrix has rows");
    first = (int)nas_first(CG_N, MYTHREAD, THREADS);
    end = (int)nas_first(CG_N, MYTHREAD + 1, THREADS);
    static char wanted[CG_N];
    for (int j = first; j < end; j++) wanted[j] = 1;
    cg_make(&a, wanted);
    x = nas_allocate(end - first, sizeof(double));
    z = nas_allocate(end - first, sizeof(double));
    q = nas_allocate(end - first, sizeof(double));
    r = nas_allocate(end - first, sizeof(double));
    whole[MYTHREAD] = upc_alloc(CG_N * sizeof(double));
    p = (double *)whole[MYTHREAD];
    upc_barrier; /* everybody's copy is there */
    double residual;
    estimate(1, &residual); /* not timed: touches all memory */

    upc_barrier;
    double start = nas_seconds();
    double zeta = estimate(CG_ITERATIONS, &residual);
    upc_barrier;
    double seconds = nas_seconds() - start;

    if (MYTHREAD == 0) {
        int status = cg_finish("bulk UPC", zeta, residual, seconds);
        if (status != 0) upc_global_exit(status);
    }
    return 0;
}
