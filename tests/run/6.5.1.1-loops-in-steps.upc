// flags: -fcomm-opt
// comm: gathers gathers=1,force gathers=7,force on,gathers=5
// Loops that count in other steps than one, or down, gather what they read of other threads (docs/decisions/0014). Each loop here is compared with
// itself on private copies; so is its variable's last value. Some end otherwise than by counting to their bound, or never begin.
#include <limits.h>
#include <stdint.h>
#include <upc_relaxed.h>
#include "check.h"

enum { N = 300 };
shared int a[N * THREADS];
shared [7] long b[N * THREADS];
shared [] short *all;
static int copy_of_a[N * 64], copy_of_all[N * 64];
static long copy_of_b[N * 64];
static int pick[N], two = 2, none = 0, big = INT_MAX;
static unsigned minus_one = -1u;

#define S(X) (sum = sum * 31 + (unsigned long)(X))
/* Each with a variable that is declared before it. */
#define LOOPS(LOOP, A, B, ALL)                                                                                         \
    LOOP(0, int i, for (i = MYTHREAD; i < n; i += THREADS) S(A((i + 1) % n) + A(i)), i)                                \
    LOOP(1, int i, for (i = 0; i < n; i += 2) S(A(i) + B(i + 1)), i)                                                   \
    LOOP(2, int i, for (i = n - 1; i >= 0; i--) S(A(i) * 3 + B(i)), i)                                                 \
    LOOP(3, int i, for (i = n; i > 0; i -= 3) S(A(i - 1)), i)                                                          \
    LOOP(4, unsigned i, for (i = n; i > 0; --i) S(A(i - 1)), i)                                                        \
    LOOP(5, unsigned i, for (i = 1; i <= (unsigned)n; i += 7) S(B(i - 1)), i)                                          \
    LOOP(6, long i, for (i = 3; i <= n - 4; i = i + 5) S(B(i) + ALL(i)), i)                                            \
    LOOP(7, long i, for (i = n - 4; i >= 3; i = i - two) S(B(i) - A(pick[i])), i)                                      \
    LOOP(8, unsigned char i, for (i = 0; i < 250; i += 5) S(A(i)), i)                                                  \
    LOOP(9, unsigned char i, for (i = 250; i > 3; i -= 5) S(A(i)), i)                                                  \
    LOOP(10, int i, for (i = 0; i < n; i += two) { if (i % 3 == 0) continue; S(A(i)); }, i)                            \
    LOOP(11, int i, for (i = 0; i < n; i += two) { if (i == 100) break; S(A(i)); }, i)                                 \
    LOOP(12, size_t i, for (i = 0; i < (size_t)n; i += 4) if (pick[i] & 1) S(A(pick[i])), i)                           \
    LOOP(13, int i, for (i = 10; i < 10; i += two) S(A(i)), i)                                                         \
    LOOP(14, int i, for (i = 5; i > 10; i -= two) S(A(i)), i)                                                          \
    LOOP(15, int i, for (i = -5; i < 200u; i += two) S(A(i)), i)                                                       \
    LOOP(16, int i, for (i = 7; i < n; i += n) S(A(i)), i)                                                             \
    LOOP(17, int i, for (i = 20; i < n; i += minus_one) { S(A(i)); if (i == 3) break; }, i)                            \
    LOOP(18, int i, for (i = 0; i < 100; i += big) S(A(i)), i)                                                         \
    LOOP(19, short i, for (i = n - 1; i >= 0; i -= 2) S(A(i) ^ i), i)                                                  \
    LOOP(20, int i, for (i = 4; i < n; i += two) { S(A(i)); pick[i] = pick[i] * 7 % n; }, i)                           \
    LOOP(21, int i, for (i = 2; n > i; i += 3) S(A(i) + ALL(n - i)), i)                                                \
    LOOP(22, int i, for (i = n - 1; 2 <= i; i -= 1) S(A(i) + ALL(n - i)), i)                                           \
    LOOP(23, int i, for (i = 0; i < n; i += two) { S(A(i)); if (sum % 7 == 0) i++; }, i)                               \
    LOOP(24, int i, for (i = 0; i < n; i += two) { S(A(i)); two = 3 - two % 2; }, i)                                   \
    LOOP(25, int i, int m = n; for (i = 0; i < m; i += 2) { S(A(i)); if (i % 50 == 0) m--; }, i)                       \
    LOOP(27, int i, for (i = 0; i < none; i += n / none) S(A(i)), i)                                                   \
    LOOP(28, unsigned i, for (i = 200; i < (unsigned)n; i += 2) S(A(i)), i)                                            \
    LOOP(26, int i, if (none) for (i = 0; i < n; i += none) S(A(i)), 0)

/* Each that declares its own variable, and may write. */
#define BLOCKS(BLOCK, A, B, ALL)                                                                                       \
    BLOCK(30, for (int i = 0; i < n; i += 2) S(A(i)))                                                                  \
    BLOCK(31, for (int i = n; i-- > 0;) S(A(i)))                                                                       \
    BLOCK(32, for (int k = 0; k < 30; k += 3) for (int j = 39; j >= 0; j -= 2) S(A((j * 10 + k) % n)))                 \
    BLOCK(33, for (int i = 0; i < n; i += 2) { static int seen; seen += A(i); S(seen); })                              \
    BLOCK(34, for (uint8_t i = 200; i < 255; i += 60) { S(A(i)); if (sum % 3 == 0) break; })                           \
    BLOCK(35, for (int i = 0, j = 5; i < n; i += 2) S(A(i) + j++))                                                     \
    BLOCK(36, for (long i = MYTHREAD; i < n; i += THREADS) S(B(i) * A(n - 1 - i)))                                     \
    BLOCK(37, for (int i = 1; i < n; i *= 2) S(A(i)))

#define SHARED_A(I) a[I]
#define SHARED_B(I) b[I]
#define SHARED_ALL(I) all[I]
#define COPY_A(I) copy_of_a[I]
#define COPY_B(I) copy_of_b[I]
#define COPY_ALL(I) copy_of_all[I]

#define FUNCTION(WHICH, NUMBER, VARIABLE, LOOP, LAST)                                                                  \
    static unsigned long WHICH##NUMBER(int n) {                                                                        \
        unsigned long sum = NUMBER;                                                                                    \
        VARIABLE;                                                                                                      \
        LOOP;                                                                                                          \
        return S((long)(LAST));                                                                                        \
    }
#define ON_SHARED(NUMBER, VARIABLE, LOOP, LAST) FUNCTION(shared_, NUMBER, VARIABLE, LOOP, LAST)
#define ON_COPY(NUMBER, VARIABLE, LOOP, LAST) FUNCTION(copy_, NUMBER, VARIABLE, LOOP, LAST)
#define BLOCK_SHARED(NUMBER, LOOP) FUNCTION(shared_, NUMBER, , LOOP, n)
#define BLOCK_COPY(NUMBER, LOOP) FUNCTION(copy_, NUMBER, , LOOP, n)
LOOPS(ON_SHARED, SHARED_A, SHARED_B, SHARED_ALL)
LOOPS(ON_COPY, COPY_A, COPY_B, COPY_ALL)
BLOCKS(BLOCK_SHARED, SHARED_A, SHARED_B, SHARED_ALL)
BLOCKS(BLOCK_COPY, COPY_A, COPY_B, COPY_ALL)

static void begin(void) {
    for (int k = 0; k < N; k++) pick[k] = k * 37 % N;
    two = 2;
}

static void compare(int number, unsigned long (*of_shared)(int), unsigned long (*of_copy)(int), int n) {
    begin();
    unsigned long got = of_shared(n);
    begin();
    unsigned long wanted = of_copy(n);
    if (got != wanted) printf("thread %d: loop %d of %d\n", MYTHREAD, number, n);
    CHECK_EQ(wanted, got);
}
#define COMPARE(NUMBER, ...) compare(NUMBER, shared_##NUMBER, copy_##NUMBER, n);

static int value_of_a(int i) { return i * 3 + 1; }
static long value_of_b(int i) { return i * 7L - 900; }

int main(void) {
    all = upc_all_alloc(1, N * THREADS * sizeof *all);
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS) a[i] = value_of_a(i), b[i] = value_of_b(i), all[i] = i % 999;
    for (int i = 0; i < N * THREADS && i < N * 64; i++)
        copy_of_a[i] = value_of_a(i), copy_of_b[i] = value_of_b(i), copy_of_all[i] = i % 999;
    upc_barrier;
    for (int n = 251; n <= N; n += 7) {
        LOOPS(COMPARE, , , )
        BLOCKS(COMPARE, , , )
    }
    upc_barrier;
    return 0;
}
