// threads: 1 2 3 4 8
/* 6.4.2p3: arithmetic on shared [] T * is that of C: the thread stays, the phase is always zero. */
#include "check.h"

struct s12 {
    int a[3];
};
shared [] struct s12 *shared base[THREADS];

int main(void) {
    base[MYTHREAD] = (shared [] struct s12 *)upc_alloc(50 * sizeof(struct s12));
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        shared [] struct s12 *p = base[t], *q;
        for (int i = 0; i < 50; i++) {
            q = p + i;
            CHECK_EQ(t, upc_threadof(q));
            CHECK_EQ(0, upc_phaseof(q));
            CHECK_EQ(i * 12, (long)(upc_addrfield(q) - upc_addrfield(p)));
            CHECK_EQ(i, q - p);
            CHECK_EQ(-i, p - q);
            CHECK(&q[-i] == p);
            CHECK((q > p) == (i > 0));
        }
        if (t == (MYTHREAD + 1) % THREADS)
            for (int i = 0; i < 50; i++) {
                p[i].a[0] = 1000 * t + i;
                (p + i)->a[2] = -i;
            }
    }
    upc_barrier;
    struct s12 *mine = (struct s12 *)base[MYTHREAD];
    for (int i = 0; i < 50; i++) {
        CHECK_EQ(1000 * MYTHREAD + i, mine[i].a[0]);
        CHECK_EQ(-i, mine[i].a[2]);
    }
    return 0;
}
