/* Livermore loops 19 to 24: recurrences, ordinates, a matrix product, Planck's law, implicit hydrodynamics, a minimum. */
#include <math.h>

#include "lfk.h"

/* General linear recurrence, forth and back. */
KERNEL(19) {
    double stb5 = lfk.stb5;
    for (int k = 0; k < 101; k++) {
        LFK(b5)[k] = LFK(sa)[k] + stb5 * LFK(sb)[k];
        stb5 = LFK(b5)[k] - stb5;
    }
    for (int k = 100; k >= 0; k--) {
        LFK(b5)[k] = LFK(sa)[k] + stb5 * LFK(sb)[k];
        stb5 = LFK(b5)[k] - stb5;
    }
    lfk.stb5 = stb5;
}

/* Discrete ordinates transport: a recurrence with a guarded division. */
KERNEL(20) {
    const double dk = 0.05, s = 0.5, t = 0.9;
    for (int k = 0; k < 1000; k++) {
        double di = LFK(y)[k] - LFK(g)[k] / (LFK(xx)[k] + dk), dn = 0.2;
        if (di != 0) {
            dn = LFK(z)[k] / di;
            if (dn > t) dn = t;
            if (dn < s) dn = s;
        }
        LFK(x)[k] = ((LFK(w)[k] + LFK(v)[k] * dn) * LFK(xx)[k] + LFK(u)[k]) / (LFK(vx)[k] + LFK(v)[k] * dn);
        LFK(xx)[k + 1] = (LFK(x)[k] - LFK(xx)[k]) * dn + LFK(xx)[k];
    }
}

/* Matrix product. */
KERNEL(21) {
    for (int k = 0; k < 25; k++)
        for (int i = 0; i < 25; i++)
            for (int j = 0; j < 101; j++) LFK(px)[j][i] += LFK(vy21)[k][i] * LFK(cx)[j][k];
}

/* Planckian distribution. */
KERNEL(22) {
    LFK(u)[100] = 0.99 * 20 * LFK(v)[100];
    for (int k = 0; k < 101; k++) {
        LFK(y)[k] = LFK(u)[k] / LFK(v)[k];
        LFK(w)[k] = LFK(x)[k] / (exp(LFK(y)[k]) - 1);
    }
}

/* Implicit hydrodynamics, two dimensions. */
KERNEL(23) {
    for (int j = 1; j < 6; j++)
        for (int k = 1; k < 100; k++) {
            double qa = LFK(za)[j + 1][k] * LFK(zr)[j][k] + LFK(za)[j - 1][k] * LFK(zb)[j][k] +
                        LFK(za)[j][k + 1] * LFK(zu)[j][k] + LFK(za)[j][k - 1] * LFK(zv)[j][k] + LFK(zz)[j][k];
            LFK(za)[j][k] += 0.175 * (qa - LFK(za)[j][k]);
        }
}

/* Where is the first minimum? */
KERNEL(24) {
    int m = 0;
    LFK(x)[LFK_N / 2] = -1e10;
    for (int k = 1; k < LFK_N; k++)
        if (LFK(x)[k] < LFK(x)[m]) m = k;
    lfk.m24 = m;
}
