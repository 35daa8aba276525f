/* CG in UPC as one writes it first: the product reads the shared vector where it is, `p[a.column[k]]`, without a copy by hand. For
 * comparisons of what the compiler makes of that (run_cg.sh); examples/nas/cg_bulk.upc is the form by hand.
 *
 *     -DCONSTANT    promises that the matrix stays as it is
 */
#include "cg.h"

#define BLOCK 50 /* elements of a vector that lie together; divides CG_N in all classes */

typedef shared [BLOCK] double *vector;

vector x, z, p, q, r;
static struct cg_matrix a;  /* row j is on the thread that has element j of the vectors */
static double product[CG_N]; /* elements of this thread */

/* The product of the matrix with a vector. */
static void times(vector v) {
#ifdef CONSTANT
#pragma fathom constant(a.start, a.column)
#endif
    upc_forall (int j = 0; j < CG_N; j++; &q[j]) {
        double sum = 0;
        for (int k = a.start[j]; k < a.start[j + 1]; k++) sum += a.value[k] * v[a.column[k]];
        product[j] = sum;
    }
}

/* The sum over all threads; also a barrier. Two sets of numbers take turns: when a thread writes into one again, all
 * threads have passed the barrier of the other, and so have read the first. */
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

/* Solves A z = x approximately, and returns the norm of x - A z. */
static double solve(void) {
    double mine = 0;
    upc_forall (int j = 0; j < CG_N; j++; &x[j]) {
        z[j] = 0;
        r[j] = p[j] = x[j];
        mine += r[j] * r[j];
    }
    double rho = sum_of_all(mine);
    for (int step = 0; step < CG_STEPS; step++) {
        times(p);
        mine = 0;
        upc_forall (int j = 0; j < CG_N; j++; &q[j]) {
            q[j] = product[j];
            mine += p[j] * q[j];
        }
        double alpha = rho / sum_of_all(mine), old_rho = rho;
        mine = 0;
        upc_forall (int j = 0; j < CG_N; j++; &r[j]) {
            z[j] += alpha * p[j];
            r[j] -= alpha * q[j];
            mine += r[j] * r[j];
        }
        rho = sum_of_all(mine);
        double beta = rho / old_rho;
        upc_forall (int j = 0; j < CG_N; j++; &p[j]) p[j] = r[j] + beta * p[j];
        upc_barrier;
    }
    times(z);
    mine = 0;
    upc_forall (int j = 0; j < CG_N; j++; &x[j]) {
        double difference = x[j] - product[j];
        mine += difference * difference;
    }
    return sqrt(sum_of_all(mine));
}

/* `steps` steps of the inverse power method, from a vector of ones; the estimate of the eigenvalue. */
static double estimate(int steps, double *residual) {
    double zeta = 0;
    upc_forall (int j = 0; j < CG_N; j++; &x[j]) x[j] = 1;
    for (int i = 0; i < steps; i++) {
        *residual = solve();
        double xz = 0, zz = 0;
        upc_forall (int j = 0; j < CG_N; j++; &x[j]) {
            xz += x[j] * z[j];
            zz += z[j] * z[j];
        }
        zeta = CG_SHIFT + 1 / sum_of_all(xz);
        double length = sqrt(sum_of_all(zz));
        upc_forall (int j = 0; j < CG_N; j++; &x[j]) x[j] = z[j] / length;
    }
    return zeta;
}

static vector allocate(void) { return upc_all_alloc(CG_N / BLOCK, BLOCK * sizeof(double)); }

int main(void) {
    x = allocate();
    z = allocate();
    p = allocate();
    q = allocate();
    r = allocate();
    static char wanted[CG_N];
    upc_forall (int j = 0; j < CG_N; j++; &x[j]) wanted[j] = 1;
    cg_make(&a, wanted);
    double residual;
    estimate(1, &residual); /* not timed: touches all memory */

    upc_barrier;
    double start = nas_seconds();
    double zeta = estimate(CG_ITERATIONS, &residual);
    upc_barrier;
    double seconds = nas_seconds() - start;

    if (MYTHREAD == 0) {
        int status = cg_finish("plain UPC", zeta, residual, seconds);
        if (status != 0) upc_global_exit(status);
    }
    return 0;
}
