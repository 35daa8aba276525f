// threads: 1 2 3 4 7
/* 7.6.3.3: every operation on every integer type, strict and relaxed, with and without fetching; overflow wraps as the
 * machine's does. Each thread works on its neighbour's object. */
#include "check.h"
#include <upc_atomic.h>

#define INT_OPS (UPC_GET | UPC_SET | UPC_CSWAP | UPC_AND | UPC_OR | UPC_XOR | UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | \
                 UPC_DEC | UPC_MAX | UPC_MIN)

/* One operation: the former value is fetched, and the object then holds `want`. */
#define APPLY(OP, X, Y, WANT)                                                                 \
    do {                                                                                      \
        T former = old, got, x = (T)(X), y = (T)(Y);                                          \
        const T *op1 = (OP) & (UPC_GET | UPC_INC | UPC_DEC) ? NULL : &x;                      \
        const T *op2 = (OP) == UPC_CSWAP ? &y : NULL;                                         \
        if (strict_one)                                                                       \
            upc_atomic_strict(d, &got, OP, target, op1, op2);                                 \
        else                                                                                  \
            upc_atomic_relaxed(d, &got, OP, target, op1, op2);                                \
        CHECK(got == former);                                                                 \
        old = (T)(WANT);                                                                      \
        upc_atomic_relaxed(d, &got, UPC_GET, target, NULL, NULL);                             \
        CHECK(got == old);                                                                    \
        /* Again, back at the former value, and without fetching. */                          \
        upc_atomic_strict(d, NULL, UPC_SET, target, &former, NULL);                           \
        if ((OP) != UPC_GET) upc_atomic_relaxed(d, NULL, OP, target, op1, op2);               \
        upc_atomic_strict(d, &got, UPC_GET, target, NULL, NULL);                              \
        CHECK(got == old);                                                                    \
    } while (0)

#define TEST(NAME, TYPE, CODE)                                                                \
    shared TYPE NAME##_cell[THREADS];                                                         \
    static void check_##NAME(void) {                                                          \
        typedef TYPE T;                                                                       \
        upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(CODE, INT_OPS, 0);                 \
        shared TYPE *target = &NAME##_cell[(MYTHREAD + 1) % THREADS];                         \
        for (int strict_one = 0; strict_one < 2; strict_one++) {                              \
            T old = (T)(100 + MYTHREAD);                                                      \
            upc_atomic_relaxed(d, NULL, UPC_SET, target, &old, NULL);                         \
            APPLY(UPC_GET, 0, 0, old);                                                        \
            APPLY(UPC_SET, 77, 0, 77);                                                        \
            APPLY(UPC_ADD, 23, 0, 100);                                                       \
            APPLY(UPC_SUB, 58, 0, 42);                                                        \
            APPLY(UPC_MULT, 3, 0, 126);                                                       \
            APPLY(UPC_INC, 0, 0, 127);                                                        \
            APPLY(UPC_DEC, 0, 0, 126);                                                        \
            APPLY(UPC_AND, 0x7c, 0, 126 & 0x7c);                                              \
            APPLY(UPC_OR, 0x103, 0, (126 & 0x7c) | 0x103);                                    \
            APPLY(UPC_XOR, 0xff, 0, ((126 & 0x7c) | 0x103) ^ 0xff);                           \
            APPLY(UPC_SET, 50, 0, 50);                                                        \
            APPLY(UPC_MIN, 60, 0, 50);                                                        \
            APPLY(UPC_MIN, 40, 0, 40);                                                        \
            APPLY(UPC_MAX, 30, 0, 40);                                                        \
            APPLY(UPC_MAX, -1, 0, (T)-1 > 40 ? (T)-1 : 40);                                   \
            APPLY(UPC_SET, 50, 0, 50);                                                        \
            APPLY(UPC_CSWAP, 49, 1, 50);                                                      \
            APPLY(UPC_CSWAP, 50, 1, 1);                                                       \
            APPLY(UPC_SET, -1, 0, -1);                                                        \
            APPLY(UPC_INC, 0, 0, 0);                                                          \
            APPLY(UPC_DEC, 0, 0, -1);                                                         \
            T half = (T)((unsigned long)1 << (sizeof(T) * 8 - 1));                            \
            APPLY(UPC_SET, half, 0, half);                                                    \
            APPLY(UPC_ADD, half, 0, 0);                                                       \
        }                                                                                     \
        upc_all_atomicdomain_free(d);                                                         \
    }

TEST(i, int, UPC_INT)
TEST(ui, unsigned int, UPC_UINT)
TEST(l, long, UPC_LONG)
TEST(ul, unsigned long, UPC_ULONG)
TEST(i32, int32_t, UPC_INT32)
TEST(u32, uint32_t, UPC_UINT32)
TEST(i64, int64_t, UPC_INT64)
TEST(u64, uint64_t, UPC_UINT64)

int main(void) {
    check_i();
    check_ui();
    check_l();
    check_ul();
    check_i32();
    check_u32();
    check_i64();
    check_u64();
    upc_all_atomicdomain_free(NULL);
    return 0;
}
