// threads: 1 2 3 4 8
/* A histogram, a maximum and a ticket counter that all threads update by the operations of upc_atomic.h. */
#include <upc_atomic.h>

#include "check.h"
#include "random.h"

#define BINS (13 * THREADS)
#define ITEMS 3000

#if __UPC_ATOMIC__ != 1
#error "upc_atomic.h is there, so __UPC_ATOMIC__ should be 1"
#endif

shared long bin[13 * THREADS];
shared long highest, tickets;
shared int taken[ITEMS * THREADS]; /* who had each ticket, plus one */

int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_INC | UPC_MAX | UPC_GET, 0);
    long expected[BINS], most = 0;
    memset(expected, 0, sizeof expected);
    unsigned long state = 12345 + MYTHREAD;

    for (int i = 0; i < ITEMS; i++) {
        long one = 1, value, ticket;
        value = (long)(next_random(&state) >> 7);
        upc_atomic_relaxed(domain, NULL, UPC_ADD, &bin[value % BINS], &one, NULL);
        upc_atomic_relaxed(domain, NULL, UPC_MAX, &highest, &value, NULL);
        upc_atomic_strict(domain, &ticket, UPC_INC, &tickets, NULL, NULL);
        CHECK(ticket >= 0 && ticket < (long)ITEMS * THREADS);
        CHECK_EQ(0, taken[ticket]); /* nobody else has it */
        taken[ticket] = MYTHREAD + 1;
    }
    upc_barrier;

    for (int t = 0; t < THREADS; t++) {
        state = 12345 + t;
        for (int i = 0; i < ITEMS; i++) {
            long value = (long)(next_random(&state) >> 7);
            expected[value % BINS]++;
            if (value > most) most = value;
        }
    }
    for (int b = 0; b < BINS; b++) {
        long n;
        upc_atomic_relaxed(domain, &n, UPC_GET, &bin[b], NULL, NULL);
        CHECK_EQ(expected[b], n);
    }
    CHECK_EQ(most, highest);
    CHECK_EQ((long)ITEMS * THREADS, tickets);
    int each[THREADS];
    memset(each, 0, sizeof each);
    for (int i = 0; i < ITEMS * THREADS; i++) each[taken[i] - 1]++;
    for (int t = 0; t < THREADS; t++) CHECK_EQ(ITEMS, each[t]);
    upc_all_atomicdomain_free(domain);
    return 0;
}
