// threads: 1 2 3 4 7 8
/* 6.5.1.1p16: [*] distributes as block size (sizeof(a) / upc_elemsizeof(a) + THREADS - 1) / THREADS: over all elements
 * of all dimensions; for sizes that THREADS does not divide the last threads hold less. */
#include "check.h"
#include "layout.h"

shared [*] int line[6 * THREADS];
shared [*] char matrix[THREADS][5];
shared [*] short tall[3][2 * THREADS];
typedef double pair[2];
shared [*] pair pairs[4 * THREADS];
struct rgb {
    char c[3];
};
shared [*] struct rgb colours[7 * THREADS];
static shared [*] long hidden[THREADS];

#define EACH(array, flat, n, b)                                    \
    do {                                                           \
        CHECK_EQ(b, star_block(n, THREADS));                       \
        CHECK_EQ(b, upc_blocksizeof(array));                       \
        for (long i = 0; i < (n); i++) {                           \
            CHECK_EQ(owner_of(i, b, THREADS), upc_threadof(flat)); \
            CHECK_EQ(phase_of(i, b), upc_phaseof(flat) + 0);       \
        }                                                          \
    } while (0)

#ifdef __UPC_STATIC_THREADS__
shared [*] int ten[10];
shared [*] int one[1];
shared [*] float grid[5][7];
#endif

int main(void) {
    EACH(line, &line[i], 6 * THREADS, 6);
    EACH(matrix, &matrix[i / 5][i % 5], 5 * THREADS, 5);
    EACH(tall, &tall[i / (2 * THREADS)][i % (2 * THREADS)], 6 * THREADS, 6);
    EACH(pairs, &pairs[i / 2][i % 2], 8 * THREADS, 8);
    EACH(colours, &colours[i], 7 * THREADS, 7);
    EACH(hidden, &hidden[i], THREADS, 1);
    shared [6] int *p = line; /* a block size like any other (6.5.1.1p13) */
    CHECK(p + 6 * (THREADS - 1) == &line[6 * (THREADS - 1)]);
    for (int i = 0; i < 6; i++) ((int *)&line[6 * MYTHREAD])[i] = 6 * MYTHREAD + i;
    upc_barrier;
    for (int i = 0; i < 6 * THREADS; i++) CHECK_EQ(i, line[i]);
#ifdef __UPC_STATIC_THREADS__
    EACH(ten, &ten[i], 10, (10 + THREADS - 1) / THREADS);
    EACH(one, &one[i], 1, 1);
    EACH(grid, &grid[i / 7][i % 7], 35, (35 + THREADS - 1) / THREADS);
    if (MYTHREAD == 0)
        for (int i = 0; i < 10; i++) ten[i] = 3 * i;
    upc_barrier;
    for (int i = 0; i < 10; i++) CHECK_EQ(3 * i, ten[i]);
#endif
    return 0;
}
