/* Barriers and a counter of many threads: what a simulation of them takes in memory. */
#include <stdio.h>
#include <upc_atomic.h>
#include <upc_relaxed.h>

static shared long counter;

int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC, 0);
    for (int i = 0; i < 3; i++) {
        upc_atomic_relaxed(domain, NULL, UPC_INC, &counter, NULL, NULL);
        upc_barrier;
    }
    if (MYTHREAD == 0) printf("%ld\n", counter);
    return counter != 3l * THREADS;
}
