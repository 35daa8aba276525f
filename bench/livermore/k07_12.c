/* Livermore loops 7 to 12: long expressions, the ADI sweep, predictors, sums and differences. */
#include "lfk.h"

/* Equation of state. */
KERNEL(7) {
    const double q = 0.05, r = 0.02, t = 0.01;
    LFK_IN double *x = LFK(x);
    const LFK_IN double *y = LFK(y), *z = LFK(z), *u = LFK(u);
    for (int k = 0; k < 995; k++)
        x[k] = u[k] + r * (z[k] + r * y[k]) +
               t * (u[k + 3] + r * (u[k + 2] + r * u[k + 1]) + t * (u[k + 6] + q * (u[k + 5] + q * u[k + 4])));
}

/* One sweep of the alternating direction implicit method, on three coupled fields. */
/* clang-format off */
KERNEL(8) {
    const double a11 = 0.01, a12 = 0.02, a13 = 0.03, a21 = 0.04, a22 = 0.05, a23 = 0.06;
    const double a31 = 0.07, a32 = 0.08, a33 = 0.09, sig = 0.1;
    for (int kx = 1; kx < 3; kx++)
        for (int ky = 1; ky < 100; ky++) {
            LFK(du1)[ky] = LFK(u1)[0][ky + 1][kx] - LFK(u1)[0][ky - 1][kx];
            LFK(du2)[ky] = LFK(u2)[0][ky + 1][kx] - LFK(u2)[0][ky - 1][kx];
            LFK(du3)[ky] = LFK(u3)[0][ky + 1][kx] - LFK(u3)[0][ky - 1][kx];
            LFK(u1)[1][ky][kx] = LFK(u1)[0][ky][kx] + a11 * LFK(du1)[ky] + a12 * LFK(du2)[ky] + a13 * LFK(du3)[ky] +
                                 sig * (LFK(u1)[0][ky][kx + 1] - 2 * LFK(u1)[0][ky][kx] + LFK(u1)[0][ky][kx - 1]);
            LFK(u2)[1][ky][kx] = LFK(u2)[0][ky][kx] + a21 * LFK(du1)[ky] + a22 * LFK(du2)[ky] + a23 * LFK(du3)[ky] +
                                 sig * (LFK(u2)[0][ky][kx + 1] - 2 * LFK(u2)[0][ky][kx] + LFK(u2)[0][ky][kx - 1]);
            LFK(u3)[1][ky][kx] = LFK(u3)[0][ky][kx] + a31 * LFK(du1)[ky] + a32 * LFK(du2)[ky] + a33 * LFK(du3)[ky] +
                                 sig * (LFK(u3)[0][ky][kx + 1] - 2 * LFK(u3)[0][ky][kx] + LFK(u3)[0][ky][kx - 1]);
        }
}
/* clang-format on */

/* Numerical integration: predictors. */
KERNEL(9) {
    const double c0 = 0.07, dm[7] = {0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08};
    for (int i = 0; i < 101; i++) {
        LFK_IN double *p = LFK(px)[i];
        p[0] = dm[6] * p[12] + dm[5] * p[11] + dm[4] * p[10] + dm[3] * p[9] + dm[2] * p[8] + dm[1] * p[7] +
               dm[0] * p[6] + c0 * (p[4] + p[5]) + p[2];
    }
}

/* Difference predictors: each row becomes a table of differences. */
KERNEL(10) {
    for (int i = 0; i < 101; i++) {
        LFK_IN double *p = LFK(px)[i];
        double a = LFK(cx)[i][4], b = a - p[4];
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

/* First sum. */
KERNEL(11) {
    LFK(x)[0] = LFK(y)[0];
    for (int k = 1; k < LFK_N; k++) LFK(x)[k] = LFK(x)[k - 1] + LFK(y)[k];
}

/* First difference. */
KERNEL(12) {
    for (int k = 0; k < 1000; k++) LFK(x)[k] = LFK(y)[k + 1] - LFK(y)[k];
}
