// threads: 1 2 3 4 7
/* 6.4.2p5-6: for S1 and S2 in one array on one thread, P1 + (S2 - S1) == P2, where S are shared [] T * and P local. */
#include "check.h"
#include "layout.h"

struct rgb {
    char c[3];
};
shared [5] struct rgb a[23 * THREADS];
shared double d[9 * THREADS];
shared [3] int m[THREADS][7];

int main(void) {
    for (int i = 0; i < 23 * THREADS; i++)
        for (int j = 0; j < 23 * THREADS; j++) {
            if (owner_of(i, 5, THREADS) != MYTHREAD || owner_of(j, 5, THREADS) != MYTHREAD) continue;
            shared [] struct rgb *s1 = (shared [] struct rgb *)&a[i], *s2 = (shared [] struct rgb *)&a[j];
            struct rgb *p1 = (struct rgb *)s1, *p2 = (struct rgb *)s2;
            CHECK(p1 + (s2 - s1) == p2);
            CHECK_EQ(place_of(j, 5, THREADS) - place_of(i, 5, THREADS), s2 - s1);
            CHECK((s2 < s1) == (p2 < p1));
        }
    for (int i = MYTHREAD; i < 9 * THREADS; i += THREADS)
        for (int j = MYTHREAD; j < 9 * THREADS; j += THREADS) {
            shared [] double *s1 = (shared [] double *)&d[i], *s2 = (shared [] double *)&d[j];
            CHECK((double *)s1 + (s2 - s1) == (double *)s2);
            CHECK_EQ((j - i) / THREADS, s2 - s1);
        }
    for (int i = 0; i < THREADS * 7; i++)
        for (int j = 0; j < THREADS * 7; j++) {
            if (owner_of(i, 3, THREADS) != MYTHREAD || owner_of(j, 3, THREADS) != MYTHREAD) continue;
            shared [] int *s1 = (shared [] int *)&m[i / 7][i % 7], *s2 = (shared [] int *)&m[j / 7][j % 7];
            CHECK((int *)s1 + (s2 - s1) == (int *)s2);
        }
    return 0;
}
