// threads: 1 2 3
/* Shared unions: all members lie at the same place of the same thread; anonymous members and C 6.5.2.3 type punning. */
#include "check.h"

union word {
    unsigned u;
    float f;
    unsigned char b[4];
    struct {
        unsigned short lo, hi;
    };
};
struct tagged {
    int tag;
    union {
        double d;
        long l;
        struct {
            char x, y;
        };
    };
};
shared union word w[3 * THREADS];
shared [2] struct tagged t[2 * THREADS];

int main(void) {
    int n = 2 * THREADS + (MYTHREAD + 1) % THREADS;
    w[n].f = 1.0f;
    CHECK_EQ(0x3f800000u, w[n].u);
    CHECK_EQ(0x3f80, w[n].hi);
    w[n].b[0] = 1;
    CHECK_EQ(0x3f800001u, w[n].u);
    w[n].lo++;
    CHECK_EQ(2, w[n].b[0]);
    CHECK((shared void *)&w[n].f == (shared void *)&w[n].b[0]);
    CHECK((shared void *)&w[n].hi == (shared void *)&w[n].b[2]);
    CHECK_EQ(n % THREADS, upc_threadof(&w[n].b[3]));
    union word copy = w[n];
    CHECK_EQ(0x3f800002u, copy.u);

    int k = (2 * MYTHREAD + 3) % (2 * THREADS);
    t[k].tag = 1;
    t[k].l = 0x4142;
    CHECK_EQ(0x42, t[k].x);
    CHECK_EQ(0x41, t[k].y);
    t[k].y = 0;
    CHECK_EQ(0x42, t[k].l);
    CHECK((shared void *)&t[k].d == (shared void *)&t[k].x);
    shared [] struct tagged *p = (shared [] struct tagged *)&t[k];
    p->d = 2.5;
    CHECK(p[0].d == 2.5 && (*p).tag == 1);
    return 0;
}
