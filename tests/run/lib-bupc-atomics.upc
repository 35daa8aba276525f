// threads: 1 2 3 4 7
/* bupc_atomicX_*: each operation of each integer type in each mode, the floating-point accessors, and contention. */
#include "check.h"

#define MODE(X, T, M, p)                                                \
    bupc_atomic##X##_set_##M(p, 100);                                   \
    CHECK(bupc_atomic##X##_read_##M(p) == 100);                         \
    CHECK(bupc_atomic##X##_swap_##M(p, 12) == 100);                     \
    CHECK(bupc_atomic##X##_cswap_##M(p, 11, 5) == 12);                  \
    CHECK(bupc_atomic##X##_cswap_##M(p, 12, 5) == 12);                  \
    CHECK(bupc_atomic##X##_fetchadd_##M(p, (T)-2) == 5);                \
    CHECK(bupc_atomic##X##_read_##M(p) == 3);
#define BITS(X, T, M, p)                                                \
    CHECK(bupc_atomic##X##_fetchor_##M(p, 0x50) == 3);                  \
    CHECK(bupc_atomic##X##_fetchand_##M(p, 0x42) == 0x53);              \
    CHECK(bupc_atomic##X##_fetchxor_##M(p, 0x0f) == 0x42);              \
    CHECK(bupc_atomic##X##_fetchnot_##M(p) == 0x4d);                    \
    CHECK(bupc_atomic##X##_read_##M(p) == (T)~0x4d);                    \
    CHECK(bupc_atomic##X##_mswap_##M(p, 0xff, 0x21) == (T)~0x4d);       \
    CHECK(bupc_atomic##X##_read_##M(p) == (T)((T)~0xff | 0x21));

#define INTEGER(X, T)                                                                       \
    shared T X##_cell[THREADS], X##_sum;                                                    \
    static void check_##X(void) {                                                           \
        T mine;                                                                             \
        shared T *p = &X##_cell[(MYTHREAD + 1) % THREADS];                                  \
        MODE(X, T, relaxed, p) BITS(X, T, relaxed, p)                                       \
        MODE(X, T, strict, p) BITS(X, T, strict, p)                                         \
        MODE(X, T, private, &mine) BITS(X, T, private, &mine)                               \
        for (int i = 0; i < 500; i++) {                                                     \
            bupc_atomic##X##_fetchadd_relaxed(&X##_sum, 3);                                 \
            bupc_atomic##X##_fetchadd_strict(&X##_sum, (T)-1);                              \
        }                                                                                   \
        upc_barrier;                                                                        \
        CHECK(X##_sum == (T)(1000 * THREADS));                                              \
    }
#define FLOATING(X, T)                                                                      \
    shared T X##_cell[THREADS];                                                             \
    static void check_##X(void) {                                                           \
        T mine;                                                                             \
        shared T *p = &X##_cell[(MYTHREAD + 1) % THREADS];                                  \
        MODE(X, T, relaxed, p)                                                              \
        MODE(X, T, strict, p)                                                               \
        MODE(X, T, private, &mine)                                                          \
    }

INTEGER(I, int)
INTEGER(U, unsigned int)
INTEGER(UI, unsigned int)
INTEGER(L, long)
INTEGER(UL, unsigned long)
INTEGER(I32, int32_t)
INTEGER(U32, uint32_t)
INTEGER(I64, int64_t)
INTEGER(U64, uint64_t)
FLOATING(F, float)
FLOATING(D, double)

int main(void) {
    check_I();
    check_U();
    check_UI();
    check_L();
    check_UL();
    check_I32();
    check_U32();
    check_I64();
    check_U64();
    check_F();
    check_D();
    return 0;
}
