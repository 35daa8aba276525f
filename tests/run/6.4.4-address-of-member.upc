// threads: 1 2 3 4 7
/* 6.4.4p1: & of a member of a shared structure has type shared [] T *: its thread is that of the structure, it walks in
 * the structure, its phase is zero; also for members of members, of unions, and elements of member arrays. */
#include "check.h"

struct inner {
    char tag;
    double values[4];
};
struct outer {
    int id;
    struct inner in[3];
    union {
        int i;
        float f;
        char c[8];
    } u;
    long tail;
};
shared [5] struct outer a[10 * THREADS];
shared struct outer one;

static double sum(shared [] double *p, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}

int main(void) {
    CHECK_EQ(1, _Generic(&a[0].id, shared [] int *: 1, default: 0));
    CHECK_EQ(1, _Generic(&one.tail, shared [] long *: 1, default: 0));
    for (int i = 0; i < 10 * THREADS; i++) {
        int t = i / 5 % THREADS;
        shared [] int *id = &a[i].id;
        shared [] long *tail = &a[i].tail;
        shared [] double *v = &a[i].in[2].values[1];
        shared [] char *c = &a[i].u.c[3];
        CHECK_EQ(t, upc_threadof(id));
        CHECK_EQ(t, upc_threadof(tail));
        CHECK_EQ(t, upc_threadof(v));
        CHECK_EQ(0, upc_phaseof(id));
        CHECK_EQ(0, upc_phaseof(v));
        CHECK_EQ(0, upc_phaseof(&a[i].u.f));
        long at = upc_addrfield(&a[i]);
        CHECK_EQ(at + offsetof(struct outer, id), upc_addrfield(id));
        CHECK_EQ(at + offsetof(struct outer, tail), upc_addrfield(tail));
        CHECK_EQ(at + offsetof(struct outer, in[2].values[1]), upc_addrfield(v));
        CHECK_EQ(at + offsetof(struct outer, u.c[3]), upc_addrfield(c));
        CHECK_EQ(upc_addrfield(v) + 2 * sizeof(double), upc_addrfield(v + 2));
        CHECK_EQ(t, upc_threadof(v + 2));
        if (i % THREADS == MYTHREAD) {
            for (int k = 0; k < 4; k++) a[i].in[1].values[k] = i + k;
            *id = i;
            *tail = -i;
            *v = 0.5;
            *c = 'x';
        }
    }
    upc_barrier;
    for (int i = 0; i < 10 * THREADS; i++) {
        CHECK(sum(&a[i].in[1].values[0], 4) == 4.0 * i + 6);
        CHECK(sum(a[i].in[1].values, 4) == 4.0 * i + 6);
        CHECK_EQ(i, a[i].id);
        CHECK_EQ(-i, a[i].tail);
        CHECK(a[i].in[2].values[1] == 0.5);
        CHECK_EQ('x', a[i].u.c[3]);
        shared [5] struct outer *p = &a[i];
        CHECK_EQ(i, *&p->id);
        CHECK(&p->in[1] == &a[i].in[1]);
        CHECK(&(*p).in[1].values[0] == &a[i].in[1].values[0]);
        if (i / 5 % THREADS == MYTHREAD) {
            int *local = (int *)&a[i].id;
            CHECK_EQ(i, *local);
            CHECK_EQ(i, ((struct outer *)&a[i])->id);
        }
    }
    return 0;
}
