// threads: 1 2 3 4
/* 6.4.3p2-3: between non-generic types the phase becomes zero when block size or ultimate element size differ, or either
 * type is incomplete; it stays when neither differs (other type of the same size, array of the type, sign). From generic to indefinite
 * or block size one: zero. */
#include "check.h"

struct unknown;
struct four {
    char c[4];
};
shared [6] int a[24 * THREADS];

int main(void) {
    for (int i = 0; i < 24 * THREADS; i++) {
        shared [6] int *p = &a[i];
        int phase = i % 6, thread = i / 6 % THREADS;
        CHECK_EQ(phase, upc_phaseof(p));

        /* The block size differs. */
        CHECK_EQ(0, upc_phaseof((shared [5] int *)p));
        CHECK_EQ(0, upc_phaseof((shared [7] int *)p));
        CHECK_EQ(0, upc_phaseof((shared int *)p));
        CHECK_EQ(0, upc_phaseof((shared [] int *)p));
        CHECK_EQ(0, upc_phaseof((shared [1] int *)p));
        /* The element size differs. */
        CHECK_EQ(0, upc_phaseof((shared [6] char *)p));
        CHECK_EQ(0, upc_phaseof((shared [6] double *)p));
        CHECK_EQ(0, upc_phaseof((shared [6] long(*)[2])p));
        /* Incomplete. */
        CHECK_EQ(0, upc_phaseof((shared [6] struct unknown *)p));
        /* Neither differs. */
        CHECK_EQ(phase, upc_phaseof((shared [6] unsigned *)p));
        CHECK_EQ(phase, upc_phaseof((shared [6] float *)p));
        CHECK_EQ(phase, upc_phaseof((shared [6] struct four *)p));
        CHECK_EQ(phase, upc_phaseof((shared [6] int(*)[4])p));
        CHECK_EQ(phase, upc_phaseof((shared [6] int(*)[2][3])p));
        CHECK_EQ(phase, upc_phaseof((shared [6] const volatile int *)p));
        /* Through generic. */
        shared void *v = p;
        CHECK_EQ(0, upc_phaseof((shared int *)v));
        CHECK_EQ(0, upc_phaseof((shared [] int *)v));
        CHECK_EQ(phase, upc_phaseof((shared [6] int *)v));
        CHECK_EQ(phase, upc_phaseof((shared [10] int *)v));
        shared int *c = v;
        shared [] char *s = v;
        v = c;
        CHECK_EQ(0, upc_phaseof(v));
        v = s;
        CHECK_EQ(0, upc_phaseof(v));

        /* Whatever the phase, the thread and the object stay. */
        CHECK_EQ(thread, upc_threadof((shared [5] int *)p));
        CHECK_EQ(thread, upc_threadof((shared [6] char *)p));
        CHECK_EQ(upc_addrfield(p), upc_addrfield((shared [] double *)p));
        CHECK((shared void *)(shared [5] int *)p == (shared void *)p);

        /* A cast and back loses it; arithmetic then counts from zero. */
        shared [6] int *back = (shared [6] int *)(shared [] int *)p;
        CHECK_EQ(0, upc_phaseof(back));
        CHECK(back == p);
        CHECK_EQ(5, upc_phaseof(back + 5));
        CHECK_EQ(thread, upc_threadof(back + 5));
        CHECK_EQ((thread + 1) % THREADS, upc_threadof(back + 6));
        CHECK_EQ((thread + THREADS - 1) % THREADS, upc_threadof(back - 1));
        CHECK_EQ(5, upc_phaseof(back - 1));
    }
    return 0;
}
