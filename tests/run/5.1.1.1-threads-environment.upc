// threads: 1 2 3 4 7 8
/* 5.1.1.1p1, 6.3.1p1, 6.7.2: in the static environment THREADS is a constant that #if, array sizes, case labels and
 * enumerations can use; in both it has the same value on every thread. */
#include "check.h"

#if defined(__UPC_STATIC_THREADS__) == defined(__UPC_DYNAMIC_THREADS__)
#error "exactly one of the two environments"
#endif

#ifdef __UPC_STATIC_THREADS__
#if __UPC_STATIC_THREADS__ != 1
#error "__UPC_STATIC_THREADS__ shall be 1"
#endif
#if THREADS < 1 || THREADS > 1000
#error "THREADS shall be usable in #if"
#endif
#if THREADS * 2 - THREADS != THREADS
#error "arithmetic on THREADS in #if"
#endif
enum { COUNT = THREADS, TWICE = 2 * THREADS };
static int private_array[THREADS + 3];
shared int any_size[10 + THREADS];
shared [] int indefinite[THREADS];
shared int square[THREADS][4 * THREADS];
shared int product[THREADS * 10 * 2];
struct sized {
    char bytes[THREADS];
    unsigned bits : THREADS;
};
_Static_assert(THREADS > 0, "THREADS is an integer constant expression");
#else
#if __UPC_DYNAMIC_THREADS__ != 1
#error "__UPC_DYNAMIC_THREADS__ shall be 1"
#endif
#endif

shared int seen[THREADS];

int main(void) {
    seen[MYTHREAD] = THREADS;
    upc_barrier;
    for (int i = 0; i < THREADS; i++) CHECK_EQ(THREADS, seen[i]);
#ifdef __UPC_STATIC_THREADS__
    CHECK_EQ(THREADS, COUNT);
    CHECK_EQ(2 * THREADS, TWICE);
    CHECK_EQ((THREADS + 3) * sizeof(int), sizeof private_array);
    CHECK_EQ((10 + THREADS) * sizeof(int), sizeof any_size);
    CHECK_EQ(THREADS * sizeof(int), sizeof indefinite);
    CHECK_EQ(THREADS * THREADS * 4 * sizeof(int), sizeof square);
    CHECK_EQ(THREADS * 20 * sizeof(int), sizeof product);
    CHECK(sizeof(struct sized) >= THREADS);
    for (int i = 0; i < 10 + THREADS; i++) CHECK_EQ(i % THREADS, upc_threadof(&any_size[i]));
    for (int i = 0; i < THREADS; i++) {
        CHECK_EQ(0, upc_threadof(&indefinite[i]));
        for (int j = 0; j < 4 * THREADS; j++) CHECK_EQ((i * 4 * THREADS + j) % THREADS, upc_threadof(&square[i][j]));
    }
    switch (MYTHREAD + 1) {
    case THREADS:
        CHECK_EQ(THREADS - 1, MYTHREAD);
        break;
    default:
        CHECK(MYTHREAD + 1 < THREADS);
    }
#endif
    return 0;
}
