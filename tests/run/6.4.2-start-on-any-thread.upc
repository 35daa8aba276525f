// threads: 1 2 3 4 7 8
/* 6.4.2p4: the formulas hold whatever the thread and the phase of the pointer that arithmetic starts from, as when a
 * pointer into a cyclic array is cast to a blocked type (phase 0 on any thread) or memory is entered in its middle. */
#include "check.h"
#include "layout.h"

#define B 4
#define WINDOW 60
shared int cyclic[1000 * THREADS];
shared [B] int blocked[B * 250 * THREADS];

static void check_from(shared [B] int *p) {
    long thread = upc_threadof(p), phase = upc_phaseof(p);
    for (long i = -WINDOW; i <= WINDOW; i++) {
        shared [B] int *q = p + i;
        CHECK_EQ(mod_floor(phase + i, B), upc_phaseof(q));
        CHECK_EQ(mod_floor(thread + div_floor(phase + i, B), THREADS), upc_threadof(q));
        CHECK_EQ(i, q - p);
        CHECK(q - i == p);
        CHECK((q > p) == (i > 0) && (q < p) == (i < 0) && (q >= p) == (i >= 0) && (q <= p) == (i <= 0));
    }
    shared [B] int *up = p, *down = p;
    for (long i = 0; i < WINDOW; i++) {
        CHECK(up == p + i && upc_phaseof(up) == (size_t)mod_floor(phase + i, B));
        CHECK(down == p - i && upc_phaseof(down) == (size_t)mod_floor(phase - i, B));
        up++;
        --down;
    }
}

int main(void) {
    for (int t = 0; t < THREADS; t++) {
        shared [B] int *p = (shared [B] int *)&cyclic[500 * THREADS + t];
        CHECK_EQ(t, upc_threadof(p));
        CHECK_EQ(0, upc_phaseof(p));
        check_from(p);
        check_from(p + 1);
        check_from(p + B - 1);
        check_from(p - 1);
    }
    for (int i = 0; i < 3 * B; i++) check_from(&blocked[B * 100 * THREADS + i]);
    /* The same with single elements: thread t, block size 1. */
    for (int t = 0; t < THREADS; t++) {
        shared int *p = (shared int *)&blocked[B * (100 * THREADS + t) + 2];
        CHECK_EQ(t, upc_threadof(p));
        CHECK_EQ(0, upc_phaseof(p));
        for (long i = -50; i < 50; i++) {
            shared int *q = p + i;
            CHECK_EQ(mod_floor(t + i, THREADS), upc_threadof(q));
            CHECK_EQ(0, upc_phaseof(q));
            CHECK_EQ(i, q - p);
            CHECK_EQ(div_floor(t + i, THREADS) * (long)sizeof(int),
                     (long)(upc_addrfield(q) - upc_addrfield(p)));
        }
    }
    return 0;
}
