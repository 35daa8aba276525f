// threads: 1 2
// flags: -O0
/* A large program: 1,000 shared arrays of mixed layouts and sizes and a function for each, all distinct in memory. */
#include "check.h"

#define D4(M, n) M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7) M(n##8) M(n##9)
#define D3(M, n) D4(M, n##0) D4(M, n##1) D4(M, n##2) D4(M, n##3) D4(M, n##4) D4(M, n##5) D4(M, n##6) D4(M, n##7) D4(M, n##8) D4(M, n##9)
#define THOUSAND(M) D3(M, 10) D3(M, 11) D3(M, 12) D3(M, 13) D3(M, 14) D3(M, 15) D3(M, 16) D3(M, 17) D3(M, 18) D3(M, 19)

#define DEFINE(n)                                           \
    shared [n % 7 + 1] int a##n[(n % 5 + 1) * THREADS];     \
    static shared char c##n;                                \
    static void set##n(void) {                              \
        long size = (n % 5 + 1) * THREADS;                  \
        for (long i = MYTHREAD; i < size; i += THREADS) a##n[i] = n * 100 + (int)i; \
        if (MYTHREAD == n % THREADS) c##n = (char)(n % 100); \
    }                                                       \
    static long check##n(void) {                            \
        long size = (n % 5 + 1) * THREADS, sum = 0;         \
        for (long i = 0; i < size; i++) {                   \
            CHECK(a##n[i] == n * 100 + i);                  \
            sum += upc_phaseof(&a##n[i]);                   \
        }                                                   \
        CHECK(c##n == n % 100);                             \
        return sum;                                         \
    }
#define SET(n) set##n();
#define TEST(n) total += check##n();
#define MODEL(n) for (int i = 0; i < (n % 5 + 1) * THREADS; i++) model += i % (n % 7 + 1);

THOUSAND(DEFINE)

int main(void) {
    long total = 0, model = 0;
    THOUSAND(SET)
    upc_barrier;
    THOUSAND(TEST)
    THOUSAND(MODEL)
    CHECK_EQ(model, total);
    return 0;
}
