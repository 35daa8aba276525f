// threads: 1 2 3 4 7
/* bupc_mem*_async with handles, with implicit ones, and access regions. */
#include "check.h"

#define N 100
shared [N] int a[N * THREADS], b[N * THREADS], c[N * THREADS];

int main(void) {
    int right = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
    int writer = (left + THREADS - 1) % THREADS, mine[N], got[N];
    bupc_waitsync(BUPC_COMPLETE_HANDLE);
    CHECK(bupc_trysync(BUPC_COMPLETE_HANDLE));
    CHECK(bupc_trysynci());
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < N; i++) mine[i] = i * 10 + MYTHREAD + 7000 * round;
        bupc_handle_t h[3] = {bupc_memput_async(&a[right * N], mine, sizeof mine),
                              bupc_memset_async(&c[right * N], round + 1, N * sizeof(int)), BUPC_COMPLETE_HANDLE};
        if (round == 0) bupc_waitsync_all(h, 3);
        if (round == 1)
            while (!bupc_trysync_all(h, 3)) continue;
        if (round == 2)
            for (int i = 0; i < 3; i++) bupc_waitsync_some(h, 3);
        if (round == 3)
            while (!bupc_trysync_some(h, 3)) continue;
        for (int i = 0; i < 3; i++) bupc_waitsync(h[i]);
        upc_barrier;
        bupc_handle_t copy = bupc_memcpy_async(&b[MYTHREAD * N], &a[left * N], N * sizeof(int));
        bupc_handle_t get = bupc_memget_async(got, &a[right * N], sizeof got);
        bupc_waitsync(copy);
        while (!bupc_trysync(get)) continue;
        for (int i = 0; i < N; i++) {
            CHECK_EQ(i * 10 + writer + 7000 * round, b[MYTHREAD * N + i]);
            CHECK_EQ(mine[i], got[i]);
            CHECK_EQ((round + 1) * 0x01010101, c[MYTHREAD * N + i]);
        }
        upc_barrier;
    }
    for (int i = 0; i < N; i++) mine[i] = -i - MYTHREAD;
    bupc_begin_accessregion();
    bupc_memput_asynci(&a[right * N], mine, sizeof mine);
    bupc_memset_asynci(&c[right * N], 0, N * sizeof(int));
    bupc_waitsync(bupc_end_accessregion());
    upc_barrier;
    bupc_memcpy_asynci(&b[MYTHREAD * N], &a[left * N], N * sizeof(int));
    bupc_memget_asynci(got, &a[right * N], sizeof got);
    bupc_waitsynci();
    for (int i = 0; i < N; i++) {
        CHECK_EQ(-i - writer, b[MYTHREAD * N + i]);
        CHECK_EQ(mine[i], got[i]);
        CHECK_EQ(0, c[MYTHREAD * N + i]);
    }
    return 0;
}
