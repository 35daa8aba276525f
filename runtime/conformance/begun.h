/* What the cases of collectives that are begun share: computing meanwhile, waiting in each way, buffers in each place. */
#ifndef BEGUN_H
#define BEGUN_H

#include "suite.h"

/* What a program does meanwhile: computes, and looks now and then. */
static inline void compute(void) {
    static volatile double x;
    for (uint64_t i = random_below(&mine, 3); i > 0; i--) {
        for (int k = 0; k < 500; k++) x = x * 0.5 + k;
        if (random_below(&mine, 2)) gas_poll();
    }
}

/* Waits in each of the ways that there are. */
static inline void complete(gas_handle *h) {
    compute();
    switch (random_below(&mine, 4)) {
    case 0: gas_wait(h); break;
    case 1: WAIT_UNTIL(gas_test(h)); break;
    case 2: gas_wait_all(h, 1); break;
    default: gas_wait_some(h, 1);
    }
    ASSERT(*h == GAS_DONE, "a handle that was waited for is not done");
}

/* Completes n handles in an order of this thread's own. */
static inline void complete_all(gas_handle *h, int n) {
    if (random_below(&mine, 2)) {
        gas_wait_all(h, (size_t)n);
    } else if (random_below(&mine, 2)) {
        while (gas_wait_some(h, (size_t)n)) compute();
    } else {
        for (int left = n, i = (int)random_below(&mine, (uint64_t)n); left > 0; left--, i = (i + 1) % n)
            complete(&h[i]);
    }
    for (int i = 0; i < n; i++) ASSERT(h[i] == GAS_DONE, "handle %d of %d is not done", i, n);
}

static inline char *buffer(bool shared, size_t n) {
    if (!shared) return malloc(n);
    fathom_ptr p = gas_alloc(n);
    ASSERT(p, "no room for %zu bytes", n);
    return fathom_local(p);
}
static inline void release(bool shared, char *p) {
    if (shared)
        gas_free(fathom_word(p));
    else
        free(p);
}

#endif
