/* The Livermore loops that upc_forall can share out, on blocked shared arrays: the kernels of k01_06.c to k19_24.c with
 * these numbers, statement by statement. They are called by all threads; between two calls there is a barrier.
 */
#include <math.h>

#include "shared.h"

FORALL(1) {
    const double q = 0.05, r = 0.02, t = 0.01;
    int k;
    upc_forall (k = 0; k < LFK_N; k++; &forall_x[k])
        forall_x[k] = q + forall_y[k] * (r * forall_z[k + 10] + t * forall_z[k + 11]);
}

FORALL(7) {
    const double q = 0.05, r = 0.02, t = 0.01;
    int k;
    upc_forall (k = 0; k < 995; k++; &forall_x[k])
        forall_x[k] = forall_u[k] + r * (forall_z[k] + r * forall_y[k]) +
                      t * (forall_u[k + 3] + r * (forall_u[k + 2] + r * forall_u[k + 1]) +
                           t * (forall_u[k + 6] + q * (forall_u[k + 5] + q * forall_u[k + 4])));
}

/* One of the three fields. */
#define SWEEP(u, b1, b2, b3)                                                                                           \
    u[1][ky][kx] = u[0][ky][kx] + b1 * forall_du1[ky] + b2 * forall_du2[ky] + b3 * forall_du3[ky] +                    \
                   sig * (u[0][ky][kx + 1] - 2 * u[0][ky][kx] + u[0][ky][kx - 1])
FORALL(8) {
    const double a11 = 0.01, a12 = 0.02, a13 = 0.03, a21 = 0.04, a22 = 0.05, a23 = 0.06;
    const double a31 = 0.07, a32 = 0.08, a33 = 0.09, sig = 0.1;
    for (int kx = 1; kx < 3; kx++) {
        int ky;
        upc_forall (ky = 1; ky < 100; ky++; &forall_u1[1][ky][0]) {
            forall_du1[ky] = forall_u1[0][ky + 1][kx] - forall_u1[0][ky - 1][kx];
            forall_du2[ky] = forall_u2[0][ky + 1][kx] - forall_u2[0][ky - 1][kx];
            forall_du3[ky] = forall_u3[0][ky + 1][kx] - forall_u3[0][ky - 1][kx];
            SWEEP(forall_u1, a11, a12, a13);
            SWEEP(forall_u2, a21, a22, a23);
            SWEEP(forall_u3, a31, a32, a33);
        }
    }
}

FORALL(9) {
    const double c0 = 0.07, dm[7] = {0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08};
    int i;
    upc_forall (i = 0; i < 101; i++; &forall_px[i][0]) {
        shared [25] double *p = forall_px[i];
        p[0] = dm[6] * p[12] + dm[5] * p[11] + dm[4] * p[10] + dm[3] * p[9] + dm[2] * p[8] + dm[1] * p[7] +
               dm[0] * p[6] + c0 * (p[4] + p[5]) + p[2];
    }
}

FORALL(10) {
    int i;
    upc_forall (i = 0; i < 101; i++; &forall_px[i][0]) {
        shared [25] double *p = forall_px[i];
        double a = forall_cx[i][4], b = a - p[4];
        p[4] = a;
        double c = b - p[5];
        p[5] = b;
        a = c - p[6];
        p[6] = c;
        b = a - p[7];
        p[7] = a;
        c = b - p[8];
        p[8] = b;
        a = c - p[9];
        p[9] = c;
        b = a - p[10];
        p[10] = a;
        c = b - p[11];
        p[11] = b;
        p[13] = c - p[12];
        p[12] = c;
    }
}

FORALL(12) {
    int k;
    upc_forall (k = 0; k < 1000; k++; &forall_x[k])
        forall_x[k] = forall_y[k + 1] - forall_y[k];
}

static inline double larger(double a, double b) { return a > b ? a : b; }

FORALL(15) {
    const double ar = 0.053, br = 0.073;
    double r, s, t;
    int j;
    upc_forall (j = 1; j < 7; j++; &forall_vy[j][0])
        for (int k = 1; k < 101; k++) {
            if (j + 1 >= 7) {
                forall_vy[j][k] = 0;
                continue;
            }
            t = forall_vh[j + 1][k] > forall_vh[j][k] ? ar : br;
            if (forall_vf[j][k] < forall_vf[j][k - 1]) {
                r = larger(forall_vh[j][k - 1], forall_vh[j + 1][k - 1]);
                s = forall_vf[j][k - 1];
            } else {
                r = larger(forall_vh[j][k], forall_vh[j + 1][k]);
                s = forall_vf[j][k];
            }
            forall_vy[j][k] = sqrt(forall_vg[j][k] * forall_vg[j][k] + r * r) * t / s;
            if (k + 1 >= 101) {
                forall_vs[j][k] = 0;
                continue;
            }
            if (forall_vf[j][k] < forall_vf[j - 1][k]) {
                r = larger(forall_vg[j - 1][k], forall_vg[j - 1][k + 1]);
                s = forall_vf[j - 1][k];
                t = br;
            } else {
                r = larger(forall_vg[j][k], forall_vg[j][k + 1]);
                s = forall_vf[j][k];
                t = ar;
            }
            forall_vs[j][k] = sqrt(forall_vh[j][k] * forall_vh[j][k] + r * r) * t / s;
        }
}

FORALL(18) {
    const double t = 0.0037, s = 0.0041;
    int k;
    upc_forall (k = 1; k < 6; k++; &forall_za[k][0])
        for (int j = 1; j < 100; j++) {
            forall_za[k][j] = (forall_zp[k + 1][j - 1] + forall_zq[k + 1][j - 1] - forall_zp[k][j - 1] -
                               forall_zq[k][j - 1]) *
                              (forall_zr[k][j] + forall_zr[k][j - 1]) / (forall_zm[k][j - 1] + forall_zm[k + 1][j - 1]);
            forall_zb[k][j] = (forall_zp[k][j - 1] + forall_zq[k][j - 1] - forall_zp[k][j] - forall_zq[k][j]) *
                              (forall_zr[k][j] + forall_zr[k - 1][j]) / (forall_zm[k][j] + forall_zm[k][j - 1]);
        }
    upc_barrier;
    upc_forall (k = 1; k < 6; k++; &forall_zu[k][0])
        for (int j = 1; j < 100; j++) {
            forall_zu[k][j] += s * (forall_za[k][j] * (forall_zz[k][j] - forall_zz[k][j + 1]) -
                                    forall_za[k][j - 1] * (forall_zz[k][j] - forall_zz[k][j - 1]) -
                                    forall_zb[k][j] * (forall_zz[k][j] - forall_zz[k - 1][j]) +
                                    forall_zb[k + 1][j] * (forall_zz[k][j] - forall_zz[k + 1][j]));
            forall_zv[k][j] += s * (forall_za[k][j] * (forall_zr[k][j] - forall_zr[k][j + 1]) -
                                    forall_za[k][j - 1] * (forall_zr[k][j] - forall_zr[k][j - 1]) -
                                    forall_zb[k][j] * (forall_zr[k][j] - forall_zr[k - 1][j]) +
                                    forall_zb[k + 1][j] * (forall_zr[k][j] - forall_zr[k + 1][j]));
        }
    upc_barrier;
    upc_forall (k = 1; k < 6; k++; &forall_zr[k][0])
        for (int j = 1; j < 100; j++) {
            forall_zr[k][j] += t * forall_zu[k][j];
            forall_zz[k][j] += t * forall_zv[k][j];
        }
}

FORALL(21) {
    for (int k = 0; k < 25; k++)
        for (int i = 0; i < 25; i++) {
            int j;
            upc_forall (j = 0; j < 101; j++; &forall_px[j][0])
                forall_px[j][i] += forall_vy21[k][i] * forall_cx[j][k];
        }
}

FORALL(22) {
    int k;
    upc_forall (k = 100; k < 101; k++; &forall_u[k])
        forall_u[k] = 0.99 * 20 * forall_v[k];
    upc_forall (k = 0; k < 101; k++; &forall_y[k]) {
        forall_y[k] = forall_u[k] / forall_v[k];
        forall_w[k] = forall_x[k] / (exp(forall_y[k]) - 1);
    }
}
