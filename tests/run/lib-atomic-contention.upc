// threads: 1 2 3 4 8
/* 7.6.2p2: all threads at one object lose no update, with hardware operations and with those that retry. */
#include "check.h"
#include <upc_atomic.h>

#define ROUNDS 2000
shared int64_t sum, product, low, high;
shared uint64_t bits;
shared unsigned counter;

int main(void) {
    upc_atomicdomain_t *i64 = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD | UPC_SUB | UPC_MULT | UPC_MIN | UPC_MAX, 0);
    upc_atomicdomain_t *u64 = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_XOR | UPC_OR, 0);
    upc_atomicdomain_t *u32 =
        upc_all_atomicdomain_alloc(UPC_UINT, UPC_INC | UPC_DEC | UPC_CSWAP | UPC_GET, UPC_ATOMIC_HINT_THROUGHPUT);
    if (MYTHREAD == 0) product = 1;
    upc_barrier;
    int64_t minus = -1;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t v = i + MYTHREAD, w = -v;
        uint64_t mask = 1ull << (i % 61);
        upc_atomic_relaxed(i64, NULL, UPC_ADD, &sum, &v, NULL);
        upc_atomic_relaxed(i64, NULL, UPC_MULT, &product, &minus, NULL);
        upc_atomic_relaxed(i64, NULL, UPC_MAX, &high, &v, NULL);
        upc_atomic_strict(i64, NULL, UPC_MIN, &low, &w, NULL);
        upc_atomic_relaxed(u64, NULL, UPC_XOR, &bits, &mask, NULL);
        upc_atomic_relaxed(u32, NULL, UPC_INC, &counter, NULL, NULL);
        /* An increment by hand. */
        unsigned seen, next, got;
        upc_atomic_relaxed(u32, &seen, UPC_GET, &counter, NULL, NULL);
        while (next = seen + 1, upc_atomic_relaxed(u32, &got, UPC_CSWAP, &counter, &seen, &next), got != seen) seen = got;
    }
    upc_barrier;
    CHECK_EQ(THREADS * (ROUNDS * (ROUNDS - 1ll) / 2) + ROUNDS * (THREADS * (THREADS - 1ll) / 2), sum);
    CHECK_EQ(ROUNDS * THREADS % 2 ? -1 : 1, product);
    CHECK_EQ(ROUNDS - 1 + THREADS - 1, high);
    CHECK_EQ(-(ROUNDS - 1 + THREADS - 1), low);
    uint64_t want = 0;
    for (int i = 0; i < ROUNDS; i++) want ^= 1ull << (i % 61);
    CHECK(bits == (THREADS % 2 ? want : 0));
    CHECK_EQ(2u * ROUNDS * THREADS, counter);
    upc_all_atomicdomain_free(i64);
    upc_all_atomicdomain_free(u64);
    upc_all_atomicdomain_free(u32);
    return 0;
}
