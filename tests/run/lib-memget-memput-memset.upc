// threads: 1 2 3 4 7
/* 7.2.5.2 .. 7.2.5.4: upc_memget, upc_memput, upc_memset, by name and through pointers. */
#include "check.h"

#define N 300
shared [N] int a[N * THREADS];

static void (*volatile get)(void *restrict, shared const void *restrict, size_t) = upc_memget;
static void (*volatile put)(shared void *restrict, const void *restrict, size_t) = upc_memput;
static void (*volatile set)(shared void *, int, size_t) = upc_memset;

int main(void) {
    int buffer[N], next = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < N; i++) buffer[i] = i * 1000 + MYTHREAD;
    upc_memput(&a[next * N], buffer, 10 * sizeof(int));
    put(&a[next * N + 10], buffer + 10, (N - 10) * sizeof(int));
    upc_barrier;
    int writer = (MYTHREAD + THREADS - 1) % THREADS;
    for (int i = 0; i < N; i++) CHECK_EQ(i * 1000 + writer, a[MYTHREAD * N + i]);

    memset(buffer, 0, sizeof buffer);
    upc_memget(buffer, &a[next * N], 7 * sizeof(int));
    get(buffer + 7, &a[next * N + 7], (N - 7) * sizeof(int));
    for (int i = 0; i < N; i++) CHECK_EQ(i * 1000 + MYTHREAD, buffer[i]);
    upc_barrier;

    /* The value is converted to unsigned char (7.2.5.4p2). */
    upc_memset(&a[next * N], 0x1ff, sizeof(int));
    set(&a[next * N + 1], 0x25, (N - 2) * sizeof(int));
    upc_barrier;
    CHECK_EQ(-1, a[MYTHREAD * N]);
    for (int i = 1; i < N - 1; i++) CHECK_EQ(0x25252525, a[MYTHREAD * N + i]);
    CHECK_EQ((N - 1) * 1000 + writer, a[MYTHREAD * N + N - 1]);
    return 0;
}
