/* Livermore loops 1 to 6: vectors, and recurrences along them. */
#include "lfk.h"

/* Hydrodynamics fragment. */
KERNEL(1) {
    const double q = 0.05, r = 0.02, t = 0.01;
    for (int k = 0; k < LFK_N; k++) LFK(x)[k] = q + LFK(y)[k] * (r * LFK(z)[k + 10] + t * LFK(z)[k + 11]);
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
            LFK(x)[i] = LFK(x)[k] - LFK(v)[k] * LFK(x)[k - 1] - LFK(v)[k + 1] * LFK(x)[k + 1];
        }
    } while (len > 0);
}

/* Inner product. */
KERNEL(3) {
    double q = 0;
    for (int k = 0; k < LFK_N; k++) q += LFK(z)[k] * LFK(x)[k];
    lfk.q3 = q;
}

/* Banded linear equations. */
KERNEL(4) {
    const int step = (LFK_N - 7) / 2;
    for (int k = 6; k < LFK_N; k += step) {
        int lw = k - 6;
        double t = LFK(x)[k - 1];
        for (int j = 4; j < LFK_N; j += 5) t -= LFK(x)[lw++] * LFK(y)[j];
        LFK(x)[k - 1] = LFK(y)[4] * t;
    }
}

/* Tri-diagonal elimination, below the diagonal. */
KERNEL(5) {
    for (int i = 1; i < LFK_N; i++) LFK(x)[i] = LFK(z)[i] * (LFK(y)[i] - LFK(x)[i - 1]);
}

/* General linear recurrence. */
KERNEL(6) {
    for (int i = 1; i < 64; i++) {
        LFK(w)[i] = 0.01;
        for (int k = 0; k < i; k++) LFK(w)[i] += LFK(b6)[k][i] * LFK(w)[i - k - 1];
    }
}
