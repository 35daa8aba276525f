// flags: -fcomm-opt -ffp-contract=off
// comm: updates updates,outbox=128 updates,lines=8 updates,lines,strips outbox,lines,strips
// time-limit: 300
// UPC 1.3, B: `x op= y;` is a relaxed read and a relaxed write of one place. Whoever computes it, and when, the result is C's
// (C17 6.5.16.2), behind what this thread has done to the place before, before what it does next, and before its next
// strict operation.
#include <stdint.h>
#include <upc_relaxed.h>
#include "check.h"
#include <bupc_extensions.h>
#include <upc_atomic.h>

#define N 16
#define MOST 16 /* threads */
#ifdef FAR_THREADS
#define STEPS 25
#define ROUNDS 4
#else
#define STEPS 60
#define ROUNDS 20
#endif

static uint64_t seed;
static uint64_t random_bits(void) { return (seed = seed * 6364136223846793005ul + 1442695040888963407ul) >> 16 ^ seed << 24; }

/* Each thread has a row of every array on every thread, and does to it what it does to a copy of its own. */
#define ROWS(NAME, T)                                                                                                  \
    shared [N] T NAME[(MOST * N) * THREADS]; \
    static T my_##NAME[N]
#define AT(NAME, on, i) NAME[(MYTHREAD * THREADS + (on)) * N + (i)]

ROWS(c, char);
ROWS(i8, int8_t);
ROWS(u8, uint8_t);
ROWS(i16, int16_t);
ROWS(u16, uint16_t);
ROWS(i32, int32_t);
ROWS(u32, uint32_t);
ROWS(i64, int64_t);
ROWS(u64, uint64_t);
ROWS(f, float);
ROWS(d, double);

/* Small signed values: sums and products that overflow have no value in C. */
#define BOTH(NAME, on, i, OP, X) (AT(NAME, on, i) OP (X), my_##NAME[i] OP (X))
#define INTEGERS(NAME, T, BITS, MASK)                                                                                  \
    static void change_##NAME(int on) {                                                                                \
        for (int i = 0; i < N; i++) AT(NAME, on, i) = my_##NAME[i] = (T)(random_bits() & (MASK));                      \
        for (int step = 0; step < STEPS; step++) {                                                                        \
            int i = (int)(random_bits() % N), n = (int)(random_bits() % (BITS));                                       \
            long x = (long)(random_bits() % 5) - 2;                                                                    \
            switch (random_bits() % 12) {                                                                              \
            case 0: BOTH(NAME, on, i, +=, x); break;                                                                   \
            case 1: BOTH(NAME, on, i, -=, (signed char)x); break;                                                      \
            case 2: BOTH(NAME, on, i, &=, (MASK) >> 10), BOTH(NAME, on, i, *=, (short)x); break;                       \
            case 3: BOTH(NAME, on, i, &=, (MASK) >> n); break;                                                         \
            case 4: BOTH(NAME, on, i, |=, (T)((MASK) >> n & 0x55)); break;                                             \
            case 5: BOTH(NAME, on, i, ^=, (MASK) & 0x36); break;                                                       \
            case 6: BOTH(NAME, on, i, &=, (MASK) >> 3), BOTH(NAME, on, i, <<=, n % 3); break;                          \
            case 7: BOTH(NAME, on, i, >>=, n); break;                                                                  \
            case 8: AT(NAME, on, i)++, my_##NAME[i]++; break;                                                          \
            case 9: --AT(NAME, on, i), --my_##NAME[i]; break;                                                          \
            case 10: CHECK(AT(NAME, on, i) == my_##NAME[i]); break; /* a read behind it */                             \
            default: AT(NAME, on, i) = my_##NAME[i] = (T)(random_bits() & (MASK)); /* a write behind it */             \
            }                                                                                                          \
        }                                                                                                              \
        for (int k = 0; k < N; k++) AT(NAME, on, k) -= k, my_##NAME[k] -= k; /* neighbours, in order */                \
        for (int k = 0; k < N; k++) CHECK(AT(NAME, on, k) == my_##NAME[k]);                                            \
    }
/* `>>` of what is negative must bring back the sign. */
INTEGERS(c, char, 31, 0x7f)
INTEGERS(i8, int8_t, 31, 0xff)
INTEGERS(u8, uint8_t, 31, 0xff)
INTEGERS(i16, int16_t, 31, 0xffff)
INTEGERS(u16, uint16_t, 31, 0xffff)
INTEGERS(i32, int32_t, 31, 0xffffff)
INTEGERS(u32, uint32_t, 31, 0xffffffff)
INTEGERS(i64, int64_t, 63, 0xffffffffffffl)
INTEGERS(u64, uint64_t, 64, ~0ul)

static void change_numbers(int on) {
    for (int i = 0; i < N; i++) AT(f, on, i) = my_f[i] = 1.0f / 3, AT(d, on, i) = my_d[i] = 1.0 / 3;
    for (int step = 0; step < 2 * STEPS; step++) {
        int i = (int)(random_bits() % N);
        float x = (float)(random_bits() % 1000) / 77;
        double y = (double)(random_bits() % 1000) / 777;
        long n = (long)(random_bits() >> 3);
        switch (random_bits() % 14) {
        case 0: BOTH(f, on, i, +=, x); break;
        case 1: BOTH(f, on, i, -=, y); break; /* in double */
        case 2: BOTH(f, on, i, *=, y / 9); break;
        case 3: BOTH(f, on, i, *=, x / 99); break;
        case 4: BOTH(f, on, i, +=, n); break; /* the number becomes a float first */
        case 5: AT(f, on, i)++, my_f[i]++; break;
        case 6: BOTH(d, on, i, +=, x); break;
        case 7: BOTH(d, on, i, -=, y); break;
        case 8: BOTH(d, on, i, *=, y); break;
        case 9: BOTH(d, on, i, -=, n); break;
        case 10: --AT(d, on, i), --my_d[i]; break;
        case 11: CHECK(AT(d, on, i) == my_d[i] && AT(f, on, i) == my_f[i]); break;
        case 12: AT(f, on, i) = my_f[i] = x; break;
        default: AT(d, on, i) = my_d[i] = y; break;
        }
    }
    for (int i = 0; i < N; i++) CHECK(AT(d, on, i) == my_d[i] && AT(f, on, i) == my_f[i]);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

shared long count[MOST * THREADS], total[THREADS];
#define COUNT(of, on) count[(of) * THREADS + (on)]
shared [] long *shared heap[THREADS];
strict shared int flag[THREADS];

static int calls;
static int called(int x) { return calls++, x; }

static void behind_other_ways(int on) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET | UPC_SET, 0);
    long mine[4] = {10, 20, 30, 40}, old = 0, five = 5;
    shared [] long *p = heap[on] + 4 * MYTHREAD;
    upc_memput(p, mine, sizeof mine);
    p[1] += 1;
    p[1]++;
    upc_memget(mine, p, sizeof mine);
    CHECK(mine[1] == 22 && mine[0] == 10 && mine[2] == 30);
    p[2] -= 7;
    upc_atomic_relaxed(domain, &old, UPC_ADD, &p[2], &five, NULL);
    CHECK(old == 23);
    upc_atomic_relaxed(domain, NULL, UPC_ADD, &p[2], &five, NULL);
    p[2] *= 2;
    CHECK(p[2] == 66);
    p[3] |= 3;
    upc_memput(&p[3], &five, sizeof five);
    p[3] <<= 1;
    upc_memcpy(&p[0], &p[3], sizeof five);
    p[3] = 1;
    p[3] += p[0] + p[3]; /* the operand is read before */
    CHECK(p[0] == 10 && p[3] == 12);
    upc_memset(&p[1], 0, sizeof five);
    p[1] ^= 6;
    CHECK(p[1] == 6);
    /* Operands are evaluated once, and so is the place. */
    calls = 0;
    p[called(1)] += called(2);
    p[called(2)]--;
    CHECK(calls == 3 && p[1] == 8 && p[2] == 65);
    (void)(p[0] += 1), p[1]--;
    for (p[2] = 0; calls < 10; p[2]++) calls++;
    CHECK(p[0] == 11 && p[1] == 7 && p[2] == 7);
    upc_barrier;
    upc_all_atomicdomain_free(domain);
}

/* All of a thread's updates are there when its next strict operation is seen. */
static void strict_points(int rounds) {
    int left = (MYTHREAD + THREADS - 1) % THREADS, right = (MYTHREAD + 1) % THREADS;
    for (int round = 1; round <= rounds; round++) {
        for (int t = 0; t < THREADS; t++) COUNT(MYTHREAD, t) += t + 1; /* on every thread */
        flag[right] = round;
        while (flag[MYTHREAD] < round) {}
        for (int t = 0; t < THREADS; t++) CHECK(COUNT(left, t) >= (long)round * (t + 1));
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) CHECK(COUNT(left, t) == (long)rounds * (t + 1));
}

static void locks(int rounds, upc_lock_t *lock) {
    for (int i = 0; i < rounds; i++) {
        upc_lock(lock);
        for (int t = 0; t < THREADS; t++) total[t] += i;
        upc_unlock(lock);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) CHECK(total[t] == (long)THREADS * rounds * (rounds - 1) / 2);
}

/* A histogram, by turns: updates of different threads to one place need an order. */
shared unsigned histogram[7 * THREADS];
static void histograms(void) {
    static unsigned expected[7 * MOST];
    for (int t = 0; t < THREADS; t++) {
        uint64_t state = 17u + (unsigned)t;
        for (int i = 0; i < 10 * ROUNDS; i++) {
            state = state * 6364136223846793005ul + 99;
            int at = (int)((state >> 33) % (unsigned)(7 * THREADS));
            if (t == MYTHREAD) histogram[at]++;
            expected[at]++;
        }
        upc_barrier;
    }
    for (int i = 0; i < 7 * THREADS; i++) CHECK(histogram[i] == expected[i]);
}

/* Berkeley UPC's atomic operations whose result is not used: at the same places at the same time. */
shared long tally[7 * THREADS];
shared unsigned mask[THREADS];
static void atomics(void) {
    shared [] long *p = heap[(MYTHREAD + 1) % THREADS] + 4 * MYTHREAD;
    for (int i = 0; i < 40 * ROUNDS; i++) {
        bupc_atomicL_fetchadd_relaxed(&tally[(i + MYTHREAD) % (7 * THREADS)], i);
        (void)bupc_atomicUI_fetchor_relaxed(&mask[i % THREADS], 1u << MYTHREAD % 32), calls++;
    }
    bupc_atomicL_set_relaxed(p, 12);
    bupc_atomicL_fetchxor_relaxed(p, 2.9);
    bupc_atomicL_fetchand_relaxed(p, ~4l);
    p[0] += 1;
    CHECK(bupc_atomicL_fetchadd_relaxed(p, 5) == 11 && p[0] == 16);
    upc_barrier;
    long sum = 0;
    for (int i = 0; i < 7 * THREADS; i++) sum += tally[i];
    CHECK(sum == (long)THREADS * (40 * ROUNDS) * (40 * ROUNDS - 1) / 2);
    for (int t = 0; t < THREADS; t++) CHECK(mask[t] == (1u << THREADS) - 1);
}

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    CHECK(THREADS <= MOST);
    seed = 88172645463325252ul + (unsigned)MYTHREAD;
    heap[MYTHREAD] = upc_alloc((size_t)THREADS * 4 * sizeof(long));
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        int on = (MYTHREAD + t) % THREADS;
        change_c(on);
        change_i8(on), change_u8(on), change_i16(on), change_u16(on);
        change_i32(on), change_u32(on), change_i64(on), change_u64(on);
        change_numbers(on);
        behind_other_ways(on);
    }
    strict_points(ROUNDS);
    locks(5, lock);
    histograms();
    atomics();
    return 0;
}
