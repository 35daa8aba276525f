/* Livermore loops 1 to 6: vectors, and recurrences along them. */
#include "lfk.h"

/* Hydrodynamics fragment. */
KERNEL(1) {
    const double q = 0.05, r = 0.02, t = 0.01;
    for (int k = 0; k < LFK_N; k++) lfk.x[k] = q + lfk.y[k] * (r * lfk.z[k + 10] + t * lfk.z[k + 11]);
}

/* Incomplete Cholesky - conjugate gradient: each pass halves the vector and appends the half. */
KERNEL(2) {
    int len = LFK_N, end = 0;
    do {
        int begin = end;
        end += len;
        len /= 2;
        int i = end - 1;
        for (int k = begin + 1; k < end; k += 2) {
            i++;
            lfk.x[i] = lfk.x[k] - lfk.v[k] * lfk.x[k - 1] - lfk.v[k + 1] * lfk.x[k + 1];
        }
    } while (len > 0);
}

/* Inner product. */
KERNEL(3) {
    double q = 0;
    for (int k = 0; k < LFK_N; k++) q += lfk.z[k] * lfk.x[k];
    lfk.q3 = q;
}

/* Banded linear equations. */
KERNEL(4) {
    const int step = (LFK_N - 7) / 2;
    for (int k = 6; k < LFK_N; k += step) {
        int lw = k - 6;
        double t = lfk.x[k - 1];
        for (int j = 4; j < LFK_N; j += 5) t -= lfk.x[lw++] * lfk.y[j];
        lfk.x[k - 1] = lfk.y[4] * t;
    }
}

/* Tri-diagonal elimination, below the diagonal. */
KERNEL(5) {
    for (int i = 1; i < LFK_N; i++) lfk.x[i] = lfk.z[i] * (lfk.y[i] - lfk.x[i - 1]);
}

/* General linear recurrence. */
KERNEL(6) {
    for (int i = 1; i < 64; i++) {
        lfk.w[i] = 0.01;
        for (int k = 0; k < i; k++) lfk.w[i] += lfk.b6[k][i] * lfk.w[i - k - 1];
    }
}
