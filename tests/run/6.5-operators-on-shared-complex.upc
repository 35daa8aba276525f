// threads: 1 2 3
/* Complex objects in shared memory: assignment, arithmetic, compound assignment, comparison, parts. */
#include <complex.h>
#include "check.h"

shared double complex z[4 * THREADS];
shared [2] float complex f[4 * THREADS];
struct signal {
    int n;
    double complex sample[3];
};
shared struct signal s[THREADS];

int main(void) {
    int n = (MYTHREAD + 1) % THREADS;
    z[n] = 1 + 2 * I;
    z[n] *= I;
    CHECK(z[n] == -2 + I);
    z[n] += 3;
    CHECK(creal(z[n]) == 1 && cimag(z[n]) == 1);
    z[n] /= 1 + I;
    CHECK(z[n] == 1);
    f[2 * n + 1] = z[n] - 4 * I;
    CHECK(cabsf(f[2 * n + 1] - (1 - 4 * I)) < 1e-6f);
    f[2 * n + 1] -= 1;
    CHECK(crealf(f[2 * n + 1]) == 0);
    s[n].sample[2] = conj(2 - 3 * I);
    CHECK(s[n].sample[2] == 2 + 3 * I);
    shared [] double complex *p = &s[n].sample[0];
    p[2] -= 2;
    CHECK(s[n].sample[2] == 3 * I);
    CHECK(-p[2] == -3 * I);
    double complex private_copy = p[2];
    CHECK(cimag(private_copy) == 3);
    CHECK(!(z[n] != 1.0));
    CHECK(z[n] ? 1 : 0);
    return 0;
}
