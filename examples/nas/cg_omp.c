/* CG in C with OpenMP: the rows of the matrix, and so the elements of the vectors, are divided among the threads. cg.h
 * describes the problem.
 *
 *     gcc -O3 -fopenmp -DCLASS=S examples/nas/cg_omp.c -lm -o cg && OMP_NUM_THREADS=2 ./cg
 */
#include "cg.h"

static struct cg_matrix a;
static double x[CG_N], z[CG_N], p[CG_N], q[CG_N], r[CG_N];

/* Solves A z = x approximately, and returns the norm of x - A z. */
static double solve(void) {
    double rho = 0;
#pragma omp parallel for reduction(+ : rho)
    for (int j = 0; j < CG_N; j++) {
        z[j] = 0;
        r[j] = p[j] = x[j];
        rho += r[j] * r[j];
    }
    for (int step = 0; step < CG_STEPS; step++) {
        double old_rho = rho, pq = 0;
        rho = 0;
#pragma omp parallel
        {
#pragma omp for reduction(+ : pq)
            for (int j = 0; j < CG_N; j++) {
                double sum = 0;
                for (int k = a.start[j]; k < a.start[j + 1]; k++) sum += a.value[k] * p[a.column[k]];
                q[j] = sum;
                pq += p[j] * sum;
            }
            double alpha = old_rho / pq;
#pragma omp for reduction(+ : rho)
            for (int j = 0; j < CG_N; j++) {
                z[j] += alpha * p[j];
                r[j] -= alpha * q[j];
                rho += r[j] * r[j];
            }
            double beta = rho / old_rho;
#pragma omp for
            for (int j = 0; j < CG_N; j++) p[j] = r[j] + beta * p[j];
        }
    }
    double squares = 0;
#pragma omp parallel for reduction(+ : squares)
    for (int j = 0; j < CG_N; j++) {
        double sum = 0;
        for (int k = a.start[j]; k < a.start[j + 1]; k++) sum += a.value[k] * z[a.column[k]];
        squares += (x[j] - sum) * (x[j] - sum);
    }
    return sqrt(squares);
}

/* `steps` steps of the inverse power method, from a vector of ones; the estimate of the eigenvalue. */
static double estimate(int steps, double *residual) {
    double zeta = 0;
    for (int j = 0; j < CG_N; j++) x[j] = 1;
    for (int i = 0; i < steps; i++) {
        *residual = solve();
        double xz = 0, zz = 0;
#pragma omp parallel for reduction(+ : xz, zz)
        for (int j = 0; j < CG_N; j++) {
            xz += x[j] * z[j];
            zz += z[j] * z[j];
        }
        zeta = CG_SHIFT + 1 / xz;
        double length = sqrt(zz);
#pragma omp parallel for
        for (int j = 0; j < CG_N; j++) x[j] = z[j] / length;
    }
    return zeta;
}

int main(void) {
    static char wanted[CG_N];
    for (int j = 0; j < CG_N; j++) wanted[j] = 1;
    cg_make(&a, wanted);
    double residual;
    estimate(1, &residual); /* not timed: touches all memory */

    double start = nas_seconds();
    double zeta = estimate(CG_ITERATIONS, &residual);
    return cg_finish("OpenMP", zeta, residual, nas_seconds() - start);
}
