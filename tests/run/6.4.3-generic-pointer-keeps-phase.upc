// threads: 1 2 3 4 7 8
/* 6.4.3p2: to and from shared void *, by cast, assignment, argument, return and initialiser, the phase stays; 6.5.1.1p14:
 * no cast is needed, whatever the block size. */
#include "check.h"

shared [7] double a[21 * THREADS];
shared void *global;
shared void *shared published[THREADS];
struct holder {
    int before;
    shared void *p;
    shared [7] double *q;
};

static shared void *pass(shared void *p) { return p; }
static const shared void *pass_const(const shared void *p) { return p; }

static void expect(shared void *p, int i) {
    CHECK_EQ(i % 7, upc_phaseof(p));
    CHECK_EQ(i / 7 % THREADS, upc_threadof(p));
    CHECK(p == &a[i]);
}

int main(void) {
    for (int i = 0; i < 21 * THREADS; i++) {
        shared void *v = &a[i];
        expect(v, i);
        global = v;
        expect(global, i);
        shared [7] double *p = v;
        expect(p, i);
        p = (shared [7] double *)(shared void *)&a[i];
        expect(p, i);
        p = pass(pass(&a[i]));
        expect(p, i);
        expect((shared void *)pass_const(p), i);
        published[MYTHREAD] = p;
        p = published[MYTHREAD];
        expect(p, i);
        struct holder h = {1, &a[i], global};
        expect(h.p, i);
        expect(h.q, i);
        shared void *list[] = {&a[i], p, NULL};
        expect(list[0], i);
        p = list[1];
        expect(p, i);
        if (i > 0) {
            p = global;
            p--;
            expect(p, i - 1);
        }
        shared void **pv = &v;
        *pv = p;
        CHECK_EQ(upc_phaseof(p), upc_phaseof(v));
        volatile shared void *vv = &a[i];
        CHECK_EQ(i % 7, upc_phaseof((shared void *)vv));
        /* Qualifiers do not make a type differ: same block size, same element size, phase kept. */
        const shared [7] double *pc = &a[i];
        expect((shared void *)pc, i);
        strict shared [7] double *ps = (strict shared [7] double *)pc;
        expect(ps, i);
    }
    return 0;
}
