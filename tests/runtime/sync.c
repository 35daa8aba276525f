/* Barriers, locks, atomics and flags under as many threads as asked for: sync ROUNDS. */
#include "program.h"
#include "lang/random.h"

static void barriers(int rounds) {
    for (int i = 0; i < rounds; i++) {
        *board_word(fathom_mythread, 0) = i;
        if (i % 3 == 0) {
            fathom_notify(i & 1, i);
            fathom_wait(i & 2, i);
        } else if (i % 3 == 1) {
            fathom_barrier(i & 1, i);
        } else {
            gas_barrier();
        }
        for (int t = 0; t < fathom_threads; t++) CHECK(*board_word(t, 0) == i);
        fathom_barrier(1, -i);
    }
    /* No notify gives a value: then those of upc_wait are free (6.6.1 p6). */
    fathom_notify(0, 0);
    fathom_wait(1, fathom_mythread);
}

static void locks(int rounds) {
    fathom_ptr lock = upc_all_lock_alloc();
    long *count = board_word(0, 2);
    if (fathom_mythread == 0) *count = 0;
    fathom_barrier(0, 0);
    for (int i = 0; i < rounds; i++) {
        if (i % 4 == 3) {
            while (!upc_lock_attempt(lock)) upc_poll();
        } else {
            upc_lock(lock);
        }
        *(volatile long *)count += 1;
        upc_unlock(lock);
    }
    fathom_barrier(0, 0);
    CHECK(*count == (long)rounds * fathom_threads);
    upc_all_lock_free(lock);
    fathom_barrier(0, 0);
}

#define SUM(T, TYPE, ONE)                                                                                              \
    do {                                                                                                               \
        T zero = 0, one = ONE, end;                                                                                    \
        if (fathom_mythread == 0) gas_atomic(NULL, at, TYPE, GAS_SET, &zero, NULL);                                    \
        fathom_barrier(0, 0);                                                                                          \
        for (int i = 0; i < rounds; i++) gas_atomic(NULL, at, TYPE, GAS_ADD, &one, NULL);                              \
        fathom_barrier(0, 0);                                                                                          \
        gas_atomic(&end, at, TYPE, GAS_GET, NULL, NULL);                                                               \
        CHECK(end == (T)rounds * one * (T)fathom_threads);                                                             \
        fathom_barrier(0, 0);                                                                                          \
    } while (0)

#define ONE_BY_ONE(T, TYPE, START, OP, A, B, RESULT)                                                                   \
    do {                                                                                                               \
        T start = (T)(START), a = (T)(A), b = (T)(B), was, is;                                                         \
        gas_atomic(&was, mine, TYPE, GAS_SWAP, &start, NULL);                                                          \
        gas_atomic(&was, mine, TYPE, OP, &a, &b);                                                                      \
        gas_atomic(&is, mine, TYPE, GAS_GET, NULL, NULL);                                                              \
        CHECK(was == start && is == (T)(RESULT));                                                                      \
    } while (0)

#define ALL_TYPES(OP, START, A, B, RESULT)                                                                             \
    ONE_BY_ONE(int32_t, GAS_I32, START, OP, A, B, RESULT);                                                             \
    ONE_BY_ONE(uint32_t, GAS_U32, START, OP, A, B, RESULT);                                                            \
    ONE_BY_ONE(int64_t, GAS_I64, START, OP, A, B, RESULT);                                                             \
    ONE_BY_ONE(uint64_t, GAS_U64, START, OP, A, B, RESULT);                                                            \
    ONE_BY_ONE(float, GAS_F32, START, OP, A, B, RESULT);                                                               \
    ONE_BY_ONE(double, GAS_F64, START, OP, A, B, RESULT)

static void atomics(int rounds) {
    fathom_ptr at = fathom_static(board) + 64, mine = at + ((unsigned long)fathom_mythread << FATHOM_SEG_BITS) + 8;
    SUM(int32_t, GAS_I32, 3);
    SUM(uint32_t, GAS_U32, 3);
    SUM(int64_t, GAS_I64, 1l << 33);
    SUM(uint64_t, GAS_U64, 1ul << 33);
    SUM(float, GAS_F32, 0.5f);
    SUM(double, GAS_F64, 0.5);
    ALL_TYPES(GAS_ADD, 7, 5, 0, 12);
    ALL_TYPES(GAS_SUB, 7, 5, 0, 2);
    ALL_TYPES(GAS_MULT, 7, 5, 0, 35);
    ALL_TYPES(GAS_INC, 7, 0, 0, 8);
    ALL_TYPES(GAS_DEC, 7, 0, 0, 6);
    ALL_TYPES(GAS_MIN, 7, 5, 0, 5);
    ALL_TYPES(GAS_MIN, 5, 7, 0, 5);
    ALL_TYPES(GAS_MAX, 7, 5, 0, 7);
    ALL_TYPES(GAS_MAX, 5, 7, 0, 7);
    ALL_TYPES(GAS_SET, 7, 5, 0, 5);
    ALL_TYPES(GAS_CSWAP, 7, 7, 5, 5);
    ALL_TYPES(GAS_CSWAP, 7, 6, 5, 7);
    ONE_BY_ONE(int32_t, GAS_I32, -7, GAS_MIN, 5, 0, -7);
    ONE_BY_ONE(uint32_t, GAS_U32, -7, GAS_MIN, 5, 0, 5);
    ONE_BY_ONE(int64_t, GAS_I64, -7, GAS_MAX, 5, 0, 5);
    ONE_BY_ONE(uint64_t, GAS_U64, -7, GAS_MAX, 5, 0, -7);
    ONE_BY_ONE(int32_t, GAS_I32, 12, GAS_AND, 10, 0, 8);
    ONE_BY_ONE(uint64_t, GAS_U64, 12, GAS_OR, 10, 0, 14);
    ONE_BY_ONE(int64_t, GAS_I64, 12, GAS_XOR, 10, 0, 6);
    ONE_BY_ONE(uint32_t, GAS_U32, 12, GAS_NOT, 0, 0, ~12u);
    ONE_BY_ONE(double, GAS_F64, -0.0, GAS_CSWAP, 0.0, 5, 5); /* the zeros are equal */
    ONE_BY_ONE(fathom_ptr, GAS_PTS, mine, GAS_CSWAP, mine, at, at);
}

static void flags(void) {
    fathom_ptr flag = fathom_static(board) + 96; /* a token goes round once */
    for (int t = 0; t < fathom_threads; t++) {
        if (fathom_mythread == t) {
            __atomic_store_n((uint32_t *)fathom_local(flag), (uint32_t)t + 1, __ATOMIC_RELEASE);
            gas_flag_wake(flag);
        } else {
            for (uint32_t v; (v = __atomic_load_n((uint32_t *)fathom_local(flag), __ATOMIC_ACQUIRE)) <= (uint32_t)t;)
                gas_flag_wait(flag, v);
        }
    }
}

static void division(void) {
    unsigned long t = (unsigned long)fathom_threads;
    uint64_t seed = 0;
    for (int i = 0; i < 200000; i++) {
        unsigned long x = fathom_random(&seed) >> (i & 63);
        CHECK(fathom_div_threads((long)(x >> 1)) == (long)((x >> 1) / t));
        unsigned long edge = (x >> 32) / t * t + (unsigned long)(i % 3) - 1; /* around multiples */
        if (edge < 1ul << 32) CHECK(fathom_div_threads((long)edge) == (long)(edge / t));
    }
    CHECK(fathom_div_threads(0xffffffffl) == (long)(0xffffffffl / (long)t));
    CHECK(fathom_div_threads(-1) == -1);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 100;
    barriers(rounds);
    locks(rounds);
    atomics(rounds);
    flags();
    division();
    fathom_barrier(0, 0);
    if (fathom_mythread == 0) printf("good\n");
    return 0;
}
