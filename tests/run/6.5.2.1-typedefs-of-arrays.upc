// threads: 1 2 3 4 8
/* 6.5.2.1p6 and example 4: the qualifier applies to the ultimate element type, regardless of typedefs:
 * `typedef int S[10]; shared [3] S T[3*THREADS]` is blocked as `shared [3] int T[3*THREADS][10]`. */
#include "check.h"
#include "layout.h"

typedef int S[10];
shared [3] S T[3 * THREADS];
shared [3] int U[3 * THREADS][10];

typedef S Page[4];
shared Page pages[THREADS];
typedef shared [5] S shared_rows; /* the layout may come by the typedef as well */
shared_rows by_typedef[2 * THREADS];
typedef shared [2] double whole[6 * THREADS];
whole all;
typedef double plain[6 * THREADS];
shared [2] plain qualified;

int main(void) {
    CHECK_EQ(sizeof U, sizeof T);
    for (long n = 0; n < 30 * THREADS; n++) {
        CHECK_EQ(owner_of(n, 3, THREADS), upc_threadof(&T[n / 10][n % 10]));
        CHECK_EQ(phase_of(n, 3), upc_phaseof(&T[n / 10][n % 10]));
        CHECK_EQ(upc_addrfield(&U[n / 10][n % 10]) - upc_addrfield(&U[0][0]),
                 upc_addrfield(&T[n / 10][n % 10]) - upc_addrfield(&T[0][0]));
    }
    for (long n = 0; n < 40 * THREADS; n++)
        CHECK_EQ(n % THREADS, upc_threadof(&pages[n / 40][n / 10 % 4][n % 10]));
    for (long n = 0; n < 20 * THREADS; n++) {
        CHECK_EQ(owner_of(n, 5, THREADS), upc_threadof(&by_typedef[n / 10][n % 10]));
        CHECK_EQ(phase_of(n, 5), upc_phaseof(&by_typedef[n / 10][n % 10]));
    }
    CHECK_EQ(6 * THREADS * sizeof(double), sizeof all);
    for (long n = 0; n < 6 * THREADS; n++) {
        CHECK_EQ(owner_of(n, 2, THREADS), upc_threadof(&all[n]));
        CHECK_EQ(owner_of(n, 2, THREADS), upc_threadof(&qualified[n]));
    }
    shared [3] S *p = T;
    p += 2;
    CHECK(p == &T[2]);
    CHECK_EQ(phase_of(20, 3), upc_phaseof(p));
    (*p)[7] = 5;
    upc_barrier;
    CHECK_EQ(5, T[2][7]);
    CHECK_EQ(5, (*(T + 2))[7]);
    return 0;
}
