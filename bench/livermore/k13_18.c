/* Livermore loops 13 to 18: particles, branches, gotos, and explicit hydrodynamics. */
#include <math.h>

#include "lfk.h"

/* Particles in a cell, two dimensions. */
KERNEL(13) {
    for (int ip = 0; ip < 64; ip++) {
        double *p = lfk.p[ip];
        int i1 = (int)p[0] & 63, j1 = (int)p[1] & 63;
        p[2] += lfk.b13[j1][i1];
        p[3] += lfk.c13[j1][i1];
        p[0] += p[2];
        p[1] += p[3];
        int i2 = (int)p[0] & 63, j2 = (int)p[1] & 63;
        p[0] += lfk.y[i2 + 32];
        p[1] += lfk.z[j2 + 32];
        i2 += lfk.e[i2 + 32];
        j2 += lfk.f[j2 + 32];
        lfk.h[j2][i2] += 1;
    }
}

/* Particles in a cell, one dimension: gather, push, scatter. */
KERNEL(14) {
    const double flx = 0.001;
    for (int k = 0; k < LFK_N; k++) {
        lfk.vx[k] = 0;
        lfk.xx[k] = 0;
        lfk.ix[k] = (int)lfk.grd[k];
        lfk.xi[k] = lfk.ix[k];
        lfk.ex1[k] = lfk.ex[lfk.ix[k] - 1];
        lfk.dex1[k] = lfk.dex[lfk.ix[k] - 1];
    }
    for (int k = 0; k < LFK_N; k++) {
        lfk.vx[k] += lfk.ex1[k] + (lfk.xx[k] - lfk.xi[k]) * lfk.dex1[k];
        lfk.xx[k] += lfk.vx[k] + flx;
        lfk.ir[k] = (int)lfk.xx[k];
        lfk.rx[k] = lfk.xx[k] - lfk.ir[k];
        lfk.ir[k] = (lfk.ir[k] & 2047) + 1;
        lfk.xx[k] = lfk.rx[k] + lfk.ir[k];
    }
    for (int k = 0; k < LFK_N; k++) {
        lfk.rh[lfk.ir[k] - 1] += 1 - lfk.rx[k];
        lfk.rh[lfk.ir[k]] += lfk.rx[k];
    }
}

static inline double larger(double a, double b) { return a > b ? a : b; }

/* "Casual" code: a mesh whose every point decides by branches what it computes. */
KERNEL(15) {
    const double ar = 0.053, br = 0.073;
    double r, s, t;
    for (int j = 1; j < 7; j++)
        for (int k = 1; k < 101; k++) {
            if (j + 1 >= 7) {
                lfk.vy[j][k] = 0;
                continue;
            }
            t = lfk.vh[j + 1][k] > lfk.vh[j][k] ? ar : br;
            if (lfk.vf[j][k] < lfk.vf[j][k - 1]) {
                r = larger(lfk.vh[j][k - 1], lfk.vh[j + 1][k - 1]);
                s = lfk.vf[j][k - 1];
            } else {
                r = larger(lfk.vh[j][k], lfk.vh[j + 1][k]);
                s = lfk.vf[j][k];
            }
            lfk.vy[j][k] = sqrt(lfk.vg[j][k] * lfk.vg[j][k] + r * r) * t / s;
            if (k + 1 >= 101) {
                lfk.vs[j][k] = 0;
                continue;
            }
            if (lfk.vf[j][k] < lfk.vf[j - 1][k]) {
                r = larger(lfk.vg[j - 1][k], lfk.vg[j - 1][k + 1]);
                s = lfk.vf[j - 1][k];
                t = br;
            } else {
                r = larger(lfk.vg[j][k], lfk.vg[j][k + 1]);
                s = lfk.vf[j][k];
                t = ar;
            }
            lfk.vs[j][k] = sqrt(lfk.vh[j][k] * lfk.vh[j][k] + r * r) * t / s;
        }
}

/* Monte Carlo search: which zone holds the point (r, s, t)? Written with gotos, as its Fortran was, because how the
 * compiler treats them is what the kernel is about. */
KERNEL(16) {
    const int n = 75, third = n / 3, two_thirds = 2 * third;
    const double r = 0.3, s = 0.5, t = 0.7;
    const int *zone = lfk.zone;
    const double *plan = lfk.plan, *d = lfk.d;
    int m = 1, first = m, j2, j4, j5, k;
    double tmp;
    lfk.k2 = lfk.k3 = 0;
next_zone:
    j2 = 2 * n * (m - 1) + 1;
    for (k = 1; k <= n; k++) {
        lfk.k2++;
        j4 = j2 + k + k;
        j5 = zone[j4 - 1];
        if (j5 == n) return;
        if (j5 > n) {
            lfk.k3++;
            tmp = d[j5 - 1] - (d[j5 - 2] * ((t - d[j5 - 3]) * (t - d[j5 - 3])) + (s - d[j5 - 4]) * (s - d[j5 - 4]) +
                               (r - d[j5 - 5]) * (r - d[j5 - 5]));
        } else if (j5 < n - two_thirds)
            tmp = plan[j5 - 1] - t;
        else if (j5 < n - third)
            tmp = plan[j5 - 1] - s;
        else
            tmp = plan[j5 - 1] - r;
        if (tmp == 0) return;
        if (zone[j4 - 2] == 0) return;
        if ((tmp < 0) != (zone[j4 - 2] < 0)) goto leave; /* the point is beyond this plane */
    }
    return;
leave:
    m++;
    if (m > zone[0]) m = 1;
    if (first != m) goto next_zone;
}

/* Implicit, conditional computation: two loops that jump into each other. */
KERNEL(17) {
    const double scale = 5.0 / 3.0;
    int i = 100;
    double xnm = 1.0 / 3.0, e6 = 1.03 / 3.07, e3, xnei, xnc;
    goto try_linear;
correct:
    e6 = xnm * lfk.vsp[i] + lfk.vstp[i];
    lfk.vxne[i] = e6;
    xnm = e6;
    lfk.ve3[i] = e6;
    if (--i == 0) goto done;
try_linear:
    e3 = xnm * lfk.vlr[i] + lfk.vlin[i];
    xnei = lfk.vxne[i];
    lfk.vxnd[i] = e6;
    xnc = scale * e3;
    if (xnm > xnc || xnei > xnc) goto correct;
    lfk.ve3[i] = e3;
    e6 = e3 + e3 - xnm;
    lfk.vxne[i] = e3 + e3 - xnei;
    xnm = e6;
    if (--i != 0) goto try_linear;
done:
    lfk.xnm = xnm;
}

/* Explicit hydrodynamics, two dimensions. */
KERNEL(18) {
    const double t = 0.0037, s = 0.0041;
    for (int k = 1; k < 6; k++)
        for (int j = 1; j < 100; j++) {
            lfk.za[k][j] = (lfk.zp[k + 1][j - 1] + lfk.zq[k + 1][j - 1] - lfk.zp[k][j - 1] - lfk.zq[k][j - 1]) *
                           (lfk.zr[k][j] + lfk.zr[k][j - 1]) / (lfk.zm[k][j - 1] + lfk.zm[k + 1][j - 1]);
            lfk.zb[k][j] = (lfk.zp[k][j - 1] + lfk.zq[k][j - 1] - lfk.zp[k][j] - lfk.zq[k][j]) *
                           (lfk.zr[k][j] + lfk.zr[k - 1][j]) / (lfk.zm[k][j] + lfk.zm[k][j - 1]);
        }
    for (int k = 1; k < 6; k++)
        for (int j = 1; j < 100; j++) {
            lfk.zu[k][j] += s * (lfk.za[k][j] * (lfk.zz[k][j] - lfk.zz[k][j + 1]) -
                                 lfk.za[k][j - 1] * (lfk.zz[k][j] - lfk.zz[k][j - 1]) -
                                 lfk.zb[k][j] * (lfk.zz[k][j] - lfk.zz[k - 1][j]) +
                                 lfk.zb[k + 1][j] * (lfk.zz[k][j] - lfk.zz[k + 1][j]));
            lfk.zv[k][j] += s * (lfk.za[k][j] * (lfk.zr[k][j] - lfk.zr[k][j + 1]) -
                                 lfk.za[k][j - 1] * (lfk.zr[k][j] - lfk.zr[k][j - 1]) -
                                 lfk.zb[k][j] * (lfk.zr[k][j] - lfk.zr[k - 1][j]) +
                                 lfk.zb[k + 1][j] * (lfk.zr[k][j] - lfk.zr[k + 1][j]));
        }
    for (int k = 1; k < 6; k++)
        for (int j = 1; j < 100; j++) {
            lfk.zr[k][j] += t * lfk.zu[k][j];
            lfk.zz[k][j] += t * lfk.zv[k][j];
        }
}
