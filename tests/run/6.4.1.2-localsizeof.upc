// threads: 1 2 3 4 7 8
/* 6.4.1.2p2-4: upc_localsizeof is an integer constant of type size_t, the same on all threads, no smaller than what any
 * thread holds; its operand is not evaluated. */
#include "check.h"
#include "layout.h"

shared int cyclic[10 * THREADS];
shared [4] char blocked[9 * THREADS];
shared [*] double star[5 * THREADS];
shared [] short indefinite[11];
shared long scalar;
shared [3] int matrix[THREADS][4];

enum {
    LOCAL = upc_localsizeof(cyclic), /* a constant in both environments */
    LOCAL_TYPE = upc_localsizeof(shared [2] int[2 * THREADS])
};
static char as_large_as_local[upc_localsizeof(shared [4] char[8 * THREADS])];

shared unsigned long results[THREADS];
static int calls;
static int index_of(int i) {
    calls++;
    return i;
}

#define BOUND(a, b, n) \
    for (int t = 0; t < THREADS; t++) CHECK(upc_localsizeof(a) >= count_of(n, b, THREADS, t) * upc_elemsizeof(a))

int main(void) {
    BOUND(cyclic, 1, 10 * THREADS);
    BOUND(blocked, 4, 9 * THREADS);
    BOUND(star, 5, 5 * THREADS);
    BOUND(indefinite, 0, 11);
    BOUND(scalar, 0, 1);
    BOUND(matrix, 3, 4 * THREADS);
    CHECK(LOCAL >= 40);
    CHECK(LOCAL_TYPE >= 8);
    CHECK(sizeof as_large_as_local >= 8);
    CHECK(upc_localsizeof(cyclic[index_of(3)]) >= sizeof(int));
    CHECK_EQ(0, calls);
    CHECK(upc_localsizeof scalar >= sizeof scalar);
    CHECK(upc_localsizeof(scalar) - upc_localsizeof(scalar) - 1 > 0);
    CHECK_EQ(sizeof(size_t), sizeof(upc_localsizeof(scalar)));
    results[MYTHREAD] = upc_localsizeof(blocked);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) CHECK_EQ(upc_localsizeof(blocked), results[t]);
    return 0;
}
