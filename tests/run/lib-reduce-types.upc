// threads: 1 2 3 4 7
/* 7.4.3.1: upc_all_reduceT and upc_all_prefix_reduceT of each of the eleven types with each operation, compared with a
 * loop over the same elements; bupc_all_reduce_allT too. */
#include "check.h"
#include <upc_collective.h>

#define B 5
#define PER_THREAD 40

#define TOGETHER(T, TYPE, OP, EXPR, VALUE)                                                          \
    do {                                                                                            \
        for (int i = 0; i < n; i++)                                                                 \
            if ((int)upc_threadof(&T##_in[i]) == MYTHREAD) T##_in[i] = (TYPE)(VALUE);                    \
        upc_all_reduce##T(&T##_all[THREADS - 1], T##_in, OP, (size_t)n, B, NULL, 0);                \
        upc_all_prefix_reduce##T(T##_out, T##_in, OP, (size_t)n, B, NULL, 0);                       \
        TYPE x = 0;                                                                                 \
        for (int i = 0; i < n; i++) {                                                               \
            TYPE y = T##_in[i];                                                                     \
            x = i == 0 ? y : (TYPE)(EXPR);                                                          \
            CHECK(T##_out[i] == x);                                                                 \
        }                                                                                           \
        CHECK(T##_all[THREADS - 1] == x);                                                           \
        upc_barrier;                                                                                \
        bupc_all_reduce_all##T(T##_all, T##_in, OP, (size_t)n, B, NULL, 0);                         \
        for (int t = 0; t < THREADS; t++) CHECK(T##_all[t] == x);                                   \
        upc_barrier;                                                                                \
    } while (0)

#define OBJECTS(T, TYPE) \
    shared [B] TYPE T##_in[PER_THREAD * THREADS], T##_out[PER_THREAD * THREADS]; \
    shared TYPE T##_all[THREADS];

/* Values for which no order of operation changes a bit of the result. */
#define ARITHMETIC(T, TYPE)                                                   \
    static void check_arithmetic_##T(void) {                                  \
        int n = PER_THREAD * THREADS;                                         \
        TOGETHER(T, TYPE, UPC_ADD, x + y, i % 3 == 0);                        \
        TOGETHER(T, TYPE, UPC_MULT, x * y, i % 90 == 7 ? 2 : 1);              \
        TOGETHER(T, TYPE, UPC_MIN, x < y ? x : y, (i * 37 + 11) % 101);       \
        TOGETHER(T, TYPE, UPC_MAX, x > y ? x : y, (i * 37 + 11) % 101);       \
        TOGETHER(T, TYPE, UPC_LOGAND, x && y, i + 1 != n - 3);                \
        TOGETHER(T, TYPE, UPC_LOGAND, x && y, i % 50 + 1);                    \
        TOGETHER(T, TYPE, UPC_LOGOR, x || y, i == 17 ? 3 : 0);                \
        TOGETHER(T, TYPE, UPC_LOGOR, x || y, 0);                              \
    }
#define BITWISE(T, TYPE)                                                      \
    static void check_bitwise_##T(void) {                                     \
        int n = PER_THREAD * THREADS;                                         \
        TOGETHER(T, TYPE, UPC_AND, x & y, ~(1ul << (i * 5 % 61)));            \
        TOGETHER(T, TYPE, UPC_OR, x | y, 1ul << (i * 7 % 61));                \
        TOGETHER(T, TYPE, UPC_XOR, x ^ y, i * 2654435761ul);                  \
        TOGETHER(T, TYPE, UPC_ADD, (unsigned long)x + (unsigned long)y, (i * 2654435761ul) >> 3);\
    }

#define INTEGER(T, TYPE) OBJECTS(T, TYPE) ARITHMETIC(T, TYPE) BITWISE(T, TYPE)
#define FLOATING(T, TYPE) OBJECTS(T, TYPE) ARITHMETIC(T, TYPE)

INTEGER(C, signed char)
INTEGER(UC, unsigned char)
INTEGER(S, signed short)
INTEGER(US, unsigned short)
INTEGER(I, signed int)
INTEGER(UI, unsigned int)
INTEGER(L, signed long)
INTEGER(UL, unsigned long)
FLOATING(F, float)
FLOATING(D, double)
FLOATING(LD, long double)

int main(void) {
#define ALL_OF(T) check_arithmetic_##T(), check_bitwise_##T()
    ALL_OF(C);
    ALL_OF(UC);
    ALL_OF(S);
    ALL_OF(US);
    ALL_OF(I);
    ALL_OF(UI);
    ALL_OF(L);
    ALL_OF(UL);
    check_arithmetic_F();
    check_arithmetic_D();
    check_arithmetic_LD();
    return 0;
}
