/* Livermore loops 19 to 24: recurrences, ordinates, a matrix product, Planck's law, implicit hydrodynamics, a minimum. */
#include <math.h>

#include "lfk.h"

/* General linear recurrence, forth and back. */
KERNEL(19) {
    double stb5 = lfk.stb5;
    for (int k = 0; k < 101; k++) {
        lfk.b5[k] = lfk.sa[k] + stb5 * lfk.sb[k];
        stb5 = lfk.b5[k] - stb5;
    }
    for (int k = 100; k >= 0; k--) {
        lfk.b5[k] = lfk.sa[k] + stb5 * lfk.sb[k];
        stb5 = lfk.b5[k] - stb5;
    }
    lfk.stb5 = stb5;
}

/* Discrete ordinates transport: a recurrence with a guarded division. */
KERNEL(20) {
    const double dk = 0.05, s = 0.5, t = 0.9;
    for (int k = 0; k < 1000; k++) {
        double di = lfk.y[k] - lfk.g[k] / (lfk.xx[k] + dk), dn = 0.2;
        if (di != 0) {
            dn = lfk.z[k] / di;
            if (dn > t) dn = t;
            if (dn < s) dn = s;
        }
        lfk.x[k] = ((lfk.w[k] + lfk.v[k] * dn) * lfk.xx[k] + lfk.u[k]) / (lfk.vx[k] + lfk.v[k] * dn);
        lfk.xx[k + 1] = (lfk.x[k] - lfk.xx[k]) * dn + lfk.xx[k];
    }
}

/* Matrix product. */
KERNEL(21) {
    for (int k = 0; k < 25; k++)
        for (int i = 0; i < 25; i++)
            for (int j = 0; j < 101; j++) lfk.px[j][i] += lfk.vy21[k][i] * lfk.cx[j][k];
}

/* Planckian distribution. */
KERNEL(22) {
    lfk.u[100] = 0.99 * 20 * lfk.v[100];
    for (int k = 0; k < 101; k++) {
        lfk.y[k] = lfk.u[k] / lfk.v[k];
        lfk.w[k] = lfk.x[k] / (exp(lfk.y[k]) - 1);
    }
}

/* Implicit hydrodynamics, two dimensions. */
KERNEL(23) {
    for (int j = 1; j < 6; j++)
        for (int k = 1; k < 100; k++) {
            double qa = lfk.za[j + 1][k] * lfk.zr[j][k] + lfk.za[j - 1][k] * lfk.zb[j][k] +
                        lfk.za[j][k + 1] * lfk.zu[j][k] + lfk.za[j][k - 1] * lfk.zv[j][k] + lfk.zz[j][k];
            lfk.za[j][k] += 0.175 * (qa - lfk.za[j][k]);
        }
}

/* Where is the first minimum? */
KERNEL(24) {
    int m = 0;
    lfk.x[LFK_N / 2] = -1e10;
    for (int k = 1; k < LFK_N; k++)
        if (lfk.x[k] < lfk.x[m]) m = k;
    lfk.m24 = m;
}
