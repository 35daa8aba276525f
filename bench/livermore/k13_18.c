/* Livermore loops 13 to 18: particles, branches, gotos, and explicit hydrodynamics. */
#include <math.h>

#include "lfk.h"

/* Particles in a cell, two dimensions. */
KERNEL(13) {
    for (int ip = 0; ip < 64; ip++) {
        LFK_IN double *p = LFK(p)[ip];
        int i1 = (int)p[0] & 63, j1 = (int)p[1] & 63;
        p[2] += LFK(b13)[j1][i1];
        p[3] += LFK(c13)[j1][i1];
        p[0] += p[2];
        p[1] += p[3];
        int i2 = (int)p[0] & 63, j2 = (int)p[1] & 63;
        p[0] += LFK(y)[i2 + 32];
        p[1] += LFK(z)[j2 + 32];
        i2 += LFK(e)[i2 + 32];
        j2 += LFK(f)[j2 + 32];
        LFK(h)[j2][i2] += 1;
    }
}

/* Particles in a cell, one dimension: gather, push, scatter. */
KERNEL(14) {
    const double flx = 0.001;
    for (int k = 0; k < LFK_N; k++) {
        LFK(vx)[k] = 0;
        LFK(xx)[k] = 0;
        LFK(ix)[k] = (int)LFK(grd)[k];
        LFK(xi)[k] = LFK(ix)[k];
        LFK(ex1)[k] = LFK(ex)[LFK(ix)[k] - 1];
        LFK(dex1)[k] = LFK(dex)[LFK(ix)[k] - 1];
    }
    for (int k = 0; k < LFK_N; k++) {
        LFK(vx)[k] += LFK(ex1)[k] + (LFK(xx)[k] - LFK(xi)[k]) * LFK(dex1)[k];
        LFK(xx)[k] += LFK(vx)[k] + flx;
        LFK(ir)[k] = (int)LFK(xx)[k];
        LFK(rx)[k] = LFK(xx)[k] - LFK(ir)[k];
        LFK(ir)[k] = (LFK(ir)[k] & 2047) + 1;
        LFK(xx)[k] = LFK(rx)[k] + LFK(ir)[k];
    }
    for (int k = 0; k < LFK_N; k++) {
        LFK(rh)[LFK(ir)[k] - 1] += 1 - LFK(rx)[k];
        LFK(rh)[LFK(ir)[k]] += LFK(rx)[k];
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
                LFK(vy)[j][k] = 0;
                continue;
            }
            t = LFK(vh)[j + 1][k] > LFK(vh)[j][k] ? ar : br;
            if (LFK(vf)[j][k] < LFK(vf)[j][k - 1]) {
                r = larger(LFK(vh)[j][k - 1], LFK(vh)[j + 1][k - 1]);
                s = LFK(vf)[j][k - 1];
            } else {
                r = larger(LFK(vh)[j][k], LFK(vh)[j + 1][k]);
                s = LFK(vf)[j][k];
            }
            LFK(vy)[j][k] = sqrt(LFK(vg)[j][k] * LFK(vg)[j][k] + r * r) * t / s;
            if (k + 1 >= 101) {
                LFK(vs)[j][k] = 0;
                continue;
            }
            if (LFK(vf)[j][k] < LFK(vf)[j - 1][k]) {
                r = larger(LFK(vg)[j - 1][k], LFK(vg)[j - 1][k + 1]);
                s = LFK(vf)[j - 1][k];
                t = br;
            } else {
                r = larger(LFK(vg)[j][k], LFK(vg)[j][k + 1]);
                s = LFK(vf)[j][k];
                t = ar;
            }
            LFK(vs)[j][k] = sqrt(LFK(vh)[j][k] * LFK(vh)[j][k] + r * r) * t / s;
        }
}

/* Monte Carlo search: which zone holds the point (r, s, t)? Written with gotos, as its Fortran was, because how the
 * compiler treats them is what the kernel is about. */
KERNEL(16) {
    const int n = 75, third = n / 3, two_thirds = 2 * third;
    const double r = 0.3, s = 0.5, t = 0.7;
    const LFK_IN int *zone = LFK(zone);
    const LFK_IN double *plan = LFK(plan), *d = LFK(d);
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
    e6 = xnm * LFK(vsp)[i] + LFK(vstp)[i];
    LFK(vxne)[i] = e6;
    xnm = e6;
    LFK(ve3)[i] = e6;
    if (--i == 0) goto done;
try_linear:
    e3 = xnm * LFK(vlr)[i] + LFK(vlin)[i];
    xnei = LFK(vxne)[i];
    LFK(vxnd)[i] = e6;
    xnc = scale * e3;
    if (xnm > xnc || xnei > xnc) goto correct;
    LFK(ve3)[i] = e3;
    e6 = e3 + e3 - xnm;
    LFK(vxne)[i] = e3 + e3 - xnei;
    xnm = e6;
    if (--i != 0) goto try_linear;
done:
    lfk.xnm = xnm;
}

/* Explicit hydrodynamics, two dimensions. */
/* clang-format off */
KERNEL(18) {
    const double t = 0.0037, s = 0.0041;
    for (int k = 1; k < 6; k++)
        for (int j = 1; j < 100; j++) {
            LFK(za)[k][j] = (LFK(zp)[k + 1][j - 1] + LFK(zq)[k + 1][j - 1] - LFK(zp)[k][j - 1] - LFK(zq)[k][j - 1]) *
                            (LFK(zr)[k][j] + LFK(zr)[k][j - 1]) / (LFK(zm)[k][j - 1] + LFK(zm)[k + 1][j - 1]);
            LFK(zb)[k][j] = (LFK(zp)[k][j - 1] + LFK(zq)[k][j - 1] - LFK(zp)[k][j] - LFK(zq)[k][j]) *
                            (LFK(zr)[k][j] + LFK(zr)[k - 1][j]) / (LFK(zm)[k][j] + LFK(zm)[k][j - 1]);
        }
    for (int k = 1; k < 6; k++)
        for (int j = 1; j < 100; j++) {
            LFK(zu)[k][j] += s * (LFK(za)[k][j] * (LFK(zz)[k][j] - LFK(zz)[k][j + 1]) -
                                  LFK(za)[k][j - 1] * (LFK(zz)[k][j] - LFK(zz)[k][j - 1]) -
                                  LFK(zb)[k][j] * (LFK(zz)[k][j] - LFK(zz)[k - 1][j]) +
                                  LFK(zb)[k + 1][j] * (LFK(zz)[k][j] - LFK(zz)[k + 1][j]));
            LFK(zv)[k][j] += s * (LFK(za)[k][j] * (LFK(zr)[k][j] - LFK(zr)[k][j + 1]) -
                                  LFK(za)[k][j - 1] * (LFK(zr)[k][j] - LFK(zr)[k][j - 1]) -
                                  LFK(zb)[k][j] * (LFK(zr)[k][j] - LFK(zr)[k - 1][j]) +
                                  LFK(zb)[k + 1][j] * (LFK(zr)[k][j] - LFK(zr)[k + 1][j]));
        }
    for (int k = 1; k < 6; k++)
        for (int j = 1; j < 100; j++) {
            LFK(zr)[k][j] += t * LFK(zu)[k][j];
            LFK(zz)[k][j] += t * LFK(zv)[k][j];
        }
}
/* clang-format on */
