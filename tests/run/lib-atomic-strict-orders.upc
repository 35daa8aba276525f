// threads: 2 3 4
/* 7.6.3.3p9: strict atomics are strict accesses: data written before a strict set are there when a strict get sees it. */
#include "check.h"
#include <upc_atomic.h>
#include <upc_relaxed.h>

#define ROUNDS 300
shared int data[THREADS];
shared int flag[THREADS];

int main(void) {
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_GET | UPC_SET, 0);
    int left = (MYTHREAD + THREADS - 1) % THREADS;
    for (int round = 1; round <= ROUNDS; round++) {
        data[MYTHREAD] = round * 10 + MYTHREAD;
        upc_atomic_strict(d, NULL, UPC_SET, &flag[MYTHREAD], &round, NULL);
        int seen;
        do {
            upc_atomic_strict(d, &seen, UPC_GET, &flag[left], NULL, NULL);
            upc_poll();
        } while (seen < round);
        CHECK_EQ(round * 10 + left, data[left]);
        upc_barrier;
    }
    upc_all_atomicdomain_free(d);
    return 0;
}
