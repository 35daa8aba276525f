// threads: 1 2 3 4 7
/* 7.6.3.3: accessors and numeric operations on float and double. */
#include "check.h"
#include <upc_atomic.h>

#define FLOAT_OPS (UPC_GET | UPC_SET | UPC_CSWAP | UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MAX | UPC_MIN)

#define STEP(OP, X, Y, WANT)                                                                  \
    do {                                                                                      \
        T x = (T)(X), y = (T)(Y), got;                                                        \
        upc_atomic_relaxed(d, &got, OP, target, (OP) & (UPC_INC | UPC_DEC) ? NULL : &x,       \
                           (OP) == UPC_CSWAP ? &y : NULL);                                    \
        CHECK(got == old);                                                                    \
        upc_atomic_strict(d, &got, UPC_GET, target, NULL, NULL);                              \
        CHECK(got == (T)(WANT));                                                              \
        old = got;                                                                            \
    } while (0)

#define TEST(TYPE, CODE)                                                                      \
    shared TYPE TYPE##_cell[THREADS], TYPE##_sum;                                             \
    static void check_##TYPE(void) {                                                          \
        typedef TYPE T;                                                                       \
        upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(CODE, FLOAT_OPS, UPC_ATOMIC_HINT_LATENCY); \
        shared TYPE *target = &TYPE##_cell[(MYTHREAD + 1) % THREADS];                         \
        T old = 0;                                                                            \
        STEP(UPC_SET, 1.5, 0, 1.5);                                                           \
        STEP(UPC_ADD, 2.25, 0, 3.75);                                                         \
        STEP(UPC_SUB, 0.75, 0, 3.0);                                                          \
        STEP(UPC_MULT, -2, 0, -6.0);                                                          \
        STEP(UPC_INC, 0, 0, -5.0);                                                            \
        STEP(UPC_DEC, 0, 0, -6.0);                                                            \
        STEP(UPC_MIN, -5.5, 0, -6.0);                                                         \
        STEP(UPC_MAX, -5.5, 0, -5.5);                                                         \
        STEP(UPC_CSWAP, -5.0, 1, -5.5);                                                       \
        STEP(UPC_CSWAP, -5.5, 0.5, 0.5);                                                      \
        upc_barrier;                                                                          \
        T one = 0.25;                                                                         \
        for (int i = 0; i < 400; i++) upc_atomic_relaxed(d, NULL, UPC_ADD, &TYPE##_sum, &one, NULL); \
        upc_barrier;                                                                          \
        CHECK(TYPE##_sum == (T)(100 * THREADS));                                              \
        upc_all_atomicdomain_free(d);                                                         \
    }

TEST(float, UPC_FLOAT)
TEST(double, UPC_DOUBLE)

int main(void) {
    check_float();
    check_double();
    return 0;
}
