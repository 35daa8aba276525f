// threads: 1 2 3 4 7
/* 7.6.3.3 with UPC_PTS: a `shared void *` is read, swapped and compared as a whole; the comparison ignores the phase (p7).
 * Threads build one list by compare-and-swap; every node must be on it. */
#include "check.h"
#include <upc_atomic.h>

#define NODES 200
shared void *shared cell[THREADS];
shared void *shared head;
shared [8] int array[8 * THREADS];

struct node {
    shared void *next;
    int owner, number;
};
shared [NODES] struct node nodes[NODES * THREADS];

int main(void) {
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET | UPC_SET | UPC_CSWAP, 0);
    shared void *shared *target = &cell[(MYTHREAD + 1) % THREADS];
    shared void *p = &array[MYTHREAD * 8 + 3], *q = &array[5], *null = NULL, *got;

    upc_atomic_strict(d, NULL, UPC_SET, target, &p, NULL);
    upc_atomic_strict(d, &got, UPC_GET, target, NULL, NULL);
    CHECK(got == p);
    CHECK_EQ(3, upc_phaseof(got));
    upc_atomic_relaxed(d, &got, UPC_SET, target, &q, NULL);
    CHECK(got == p);
    upc_atomic_relaxed(d, &got, UPC_CSWAP, target, &null, &p);
    CHECK(got == q);
    upc_atomic_relaxed(d, &got, UPC_GET, target, NULL, NULL);
    CHECK(got == q);
    shared void *q0 = upc_resetphase(q);
    upc_atomic_relaxed(d, &got, UPC_CSWAP, target, &q0, &p);
    CHECK(got == q && upc_phaseof(got) == 5);
    upc_atomic_relaxed(d, &got, UPC_GET, target, NULL, NULL);
    CHECK(got == p && upc_phaseof(got) == 3);
    upc_barrier;

    for (int i = 0; i < NODES; i++) {
        shared struct node *n = (shared struct node *)&nodes[MYTHREAD * NODES + i];
        n->owner = MYTHREAD;
        n->number = i;
        shared void *as_void = &nodes[MYTHREAD * NODES + i], *seen;
        upc_atomic_relaxed(d, &seen, UPC_GET, &head, NULL, NULL);
        for (;;) {
            n->next = seen;
            upc_fence;
            upc_atomic_strict(d, &got, UPC_CSWAP, &head, &seen, &as_void);
            if (got == seen) break;
            seen = got;
        }
    }
    upc_barrier;
    char *found = calloc((size_t)THREADS * NODES, 1);
    int count = 0;
    upc_atomic_strict(d, &got, UPC_GET, &head, NULL, NULL);
    while (got != NULL) {
        shared struct node *n = got;
        int which = n->owner * NODES + n->number;
        CHECK(!found[which]);
        found[which] = 1;
        count++;
        got = n->next;
    }
    CHECK_EQ(NODES * THREADS, count);
    free(found);
    upc_all_atomicdomain_free(d);
    return 0;
}
