// threads: 1 2 3 4 7
/* Conjugate gradients on a tridiagonal system over blocked shared vectors, with reductions by upc_collective.h. */
#include <upc_collective.h>

#include "check.h"

#define N 50 /* unknowns of each thread */
#define ALL (N * THREADS)

shared [N] double x[N * THREADS], r[N * THREADS], p[N * THREADS], q[N * THREADS];
shared double part[THREADS], total;

/* The sum of what each thread brings; the same bits on every thread. */
static double sum_over_threads(double mine) {
    part[MYTHREAD] = mine;
    upc_all_reduceD(&total, part, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    double sum = total;
    upc_barrier; /* nobody overwrites it before all have read it */
    return sum;
}

static double dot(shared [N] double *a, shared [N] double *b) {
    double sum = 0;
    int i;
    upc_forall (i = 0; i < ALL; i++; &a[i]) sum += a[i] * b[i];
    return sum_over_threads(sum);
}

/* y = A v, A having 2.5 on its diagonal and -1 beside it. */
static void multiply(shared [N] double *y, shared [N] double *v) {
    int i;
    upc_forall (i = 0; i < ALL; i++; &y[i]) {
        double left = i > 0 ? v[i - 1] : 0, right = i < ALL - 1 ? v[i + 1] : 0;
        y[i] = 2.5 * v[i] - left - right;
    }
    upc_barrier;
}

int main(void) {
    int i, steps = 0;
    /* The right side is A times (1, 2, 3, 1, 2, 3, ...). */
    upc_forall (i = 0; i < ALL; i++; &p[i]) p[i] = 1 + i % 3;
    upc_barrier;
    multiply(r, p);
    upc_forall (i = 0; i < ALL; i++; &r[i]) {
        x[i] = 0;
        p[i] = r[i];
    }
    upc_barrier;

    double rho = dot(r, r), first = rho;
    while (rho > 1e-24 * first) {
        multiply(q, p);
        double alpha = rho / dot(p, q);
        upc_forall (i = 0; i < ALL; i++; &x[i]) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(r, r), beta = next / rho;
        upc_forall (i = 0; i < ALL; i++; &p[i]) p[i] = r[i] + beta * p[i];
        rho = next;
        upc_barrier;
        CHECK(++steps < 200);
    }
    for (i = 0; i < ALL; i++) {
        double error = x[i] - (1 + i % 3);
        CHECK(error < 1e-9 && error > -1e-9);
    }
    return 0;
}
