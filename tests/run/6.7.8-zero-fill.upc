// threads: 1 2 3 4 8
/* C 6.7.8p10, B.2p7: static shared objects without initialiser start as zero (null, 0.0) on every thread. */
#include "check.h"

struct mixed {
    int i;
    double d;
    shared int *p;
    shared [5] int *q;
    char c[9];
};
shared char c;
shared [1000] char block[3000 * THREADS];
shared double d[7 * THREADS];
shared struct mixed m[2 * THREADS];
shared [] long ind[500];
shared [*] short star[9 * THREADS];
shared [5] int *shared pointers[THREADS];
static shared int hidden[THREADS];

int main(void) {
    static shared [3] int local[6 * THREADS];
    CHECK_EQ(0, c);
    for (int i = 0; i < 3000 * THREADS; i++) CHECK_EQ(0, block[i]);
    for (int i = 0; i < 7 * THREADS; i++) CHECK(d[i] == 0);
    for (int i = 0; i < 2 * THREADS; i++) {
        CHECK(m[i].i == 0 && m[i].d == 0 && m[i].p == NULL && m[i].q == NULL);
        for (int k = 0; k < 9; k++) CHECK_EQ(0, m[i].c[k]);
    }
    for (int i = 0; i < 500; i++) CHECK_EQ(0, ind[i]);
    for (int i = 0; i < 9 * THREADS; i++) CHECK_EQ(0, star[i]);
    for (int i = 0; i < THREADS; i++) CHECK(!pointers[i] && hidden[i] == 0);
    for (int i = 0; i < 6 * THREADS; i++) CHECK_EQ(0, local[i]);
    return 0;
}
