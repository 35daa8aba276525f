// threads: 1 2 3 4 7
/* 7.2.5.1: upc_memcpy between threads, of every small size, from and to any phase, and of a large region. */
#include "check.h"

#define N 512
#define LARGE (1 << 18)
shared [N] unsigned char from[N * THREADS], to[N * THREADS];
shared [LARGE] char large_from[LARGE * THREADS], large_to[LARGE * THREADS];

static void (*volatile by_pointer)(shared void *restrict, shared const void *restrict, size_t) = upc_memcpy;

int main(void) {
    unsigned char *mine = (unsigned char *)&from[MYTHREAD * N];
    for (int i = 0; i < N; i++) mine[i] = (unsigned char)(i * 7 + MYTHREAD + 1);
    upc_barrier;
    /* Each thread copies from its right neighbour to its left one. */
    int right = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
    for (int n = 0; n < 70; n++)
        for (int shift = 0; shift < 9; shift += 4) {
            upc_memset(&to[left * N], 0, N);
            if (n % 2)
                upc_memcpy(&to[left * N + shift], &from[right * N + shift + 1], (size_t)n);
            else
                by_pointer(&to[left * N + shift], &from[right * N + shift + 1], (size_t)n);
            for (int i = 0; i < N; i++) {
                int inside = i >= shift && i < shift + n;
                CHECK_EQ(inside ? (unsigned char)((i + 1) * 7 + right + 1) : 0, to[left * N + i]);
            }
        }
    upc_barrier;
    char *big = (char *)&large_from[MYTHREAD * (long)LARGE];
    for (int i = 0; i < LARGE; i++) big[i] = (char)(i * 31 + MYTHREAD);
    upc_barrier;
    upc_memcpy(&large_to[left * (long)LARGE], &large_from[right * (long)LARGE], LARGE);
    upc_barrier;
    char *got = (char *)&large_to[MYTHREAD * (long)LARGE];
    int source = (MYTHREAD + 2) % THREADS;
    for (int i = 0; i < LARGE; i++) CHECK(got[i] == (char)(i * 31 + source));
    return 0;
}
