// threads: 1 2 3 4 7
/* 7.2.3.5: upc_affinitysize counts the bytes on a thread: compared with counting byte by byte, and with arrays. */
#include "check.h"
#include "layout.h"

shared [3] double d[10 * THREADS];

int main(void) {
    for (size_t nbytes = 1; nbytes < 20; nbytes += 3)
        for (size_t total = 0; total < 200; total += 7)
            for (int t = 0; t < THREADS; t++)
                CHECK_EQ(count_of((long)total, (long)nbytes, THREADS, t), upc_affinitysize(total, nbytes, (size_t)t));
    /* Indefinite: all on thread 0. */
    for (int t = 0; t < THREADS; t++) CHECK_EQ(t == 0 ? 123 : 0, upc_affinitysize(123, 0, (size_t)t));
    /* One block larger than the object. */
    for (int t = 0; t < THREADS; t++) CHECK_EQ(t == 0 ? 24 : 0, upc_affinitysize(24, 1000, (size_t)t));
    size_t sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += upc_affinitysize(sizeof d, upc_blocksizeof(d) * upc_elemsizeof(d), (size_t)t);
    CHECK_EQ(sizeof d, sum);
    return 0;
}
