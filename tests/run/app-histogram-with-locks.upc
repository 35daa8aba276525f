// threads: 1 2 3 4 8
/* A histogram that all threads add to: one lock a bin, the locks in a shared array, and upc_lock_attempt where it helps. */
#include "check.h"

#define BINS (7 * THREADS)
#define ITEMS 2000

shared long bin[7 * THREADS];
upc_lock_t *shared lock[7 * THREADS];

int main(void) {
    long expected[BINS], postponed[BINS];
    int b;
    memset(expected, 0, sizeof expected);
    memset(postponed, 0, sizeof postponed);
    upc_forall (b = 0; b < BINS; b++; &lock[b]) lock[b] = upc_global_lock_alloc();
    upc_barrier;

    for (int i = 0; i < ITEMS; i++) {
        b = (i * 31 + MYTHREAD * 17) % BINS;
        if (i % 2) upc_lock(lock[b]);
        else if (!upc_lock_attempt(lock[b])) {
            postponed[b]++;
            continue;
        }
        bin[b]++;
        upc_unlock(lock[b]);
    }
    for (b = 0; b < BINS; b++) {
        upc_lock(lock[b]);
        bin[b] += postponed[b];
        upc_unlock(lock[b]);
    }
    upc_barrier;

    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < ITEMS; i++) expected[(i * 31 + t * 17) % BINS]++;
    for (b = 0; b < BINS; b++) CHECK_EQ(expected[b], bin[b]);
    upc_barrier;
    upc_forall (b = 0; b < BINS; b++; &lock[b]) upc_lock_free(lock[b]);
    return 0;
}
