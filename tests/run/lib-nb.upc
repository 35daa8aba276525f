// threads: 1 2 3 4 7
/* 7.9: non-blocking transfers with explicit and implicit handles have the blocking functions' effects once synchronised. */
#include "check.h"
#include <upc_nb.h>

#define N 200
shared [N] int a[N * THREADS], b[N * THREADS], c[N * THREADS];

static void complete(upc_handle_t h, int by_attempt) {
    if (by_attempt)
        while (!upc_sync_attempt(h)) continue;
    else
        upc_sync(h);
}

int main(void) {
    upc_handle_t zero = UPC_COMPLETE_HANDLE;
    char bits[sizeof zero] = {0};
    CHECK(memcmp(&zero, bits, sizeof zero) == 0); /* 7.9.3p2 */
    upc_sync(UPC_COMPLETE_HANDLE);
    CHECK(upc_sync_attempt(UPC_COMPLETE_HANDLE) != 0);
    CHECK(upc_synci_attempt() != 0); /* none pending */
    upc_synci();

    int right = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
    int mine[N], got[N];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) mine[i] = i * 10 + MYTHREAD + round * 5000;
        complete(upc_memput_nb(&a[right * N], mine, sizeof mine), round);
        complete(upc_memset_nb(&c[right * N], round + 3, N * sizeof(int)), round);
        upc_barrier;
        complete(upc_memcpy_nb(&b[MYTHREAD * N], &a[left * N], N * sizeof(int)), round);
        complete(upc_memget_nb(got, &a[right * N], sizeof got), round);
        int writer = (left + THREADS - 1) % THREADS;
        for (int i = 0; i < N; i++) {
            CHECK_EQ(i * 10 + writer + round * 5000, b[MYTHREAD * N + i]);
            CHECK_EQ(mine[i], got[i]);
            CHECK_EQ((round + 3) * 0x01010101, c[MYTHREAD * N + i]);
        }
        upc_barrier;
    }
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) mine[i] = i * 20 + MYTHREAD + round * 5000;
        for (int i = 0; i < N; i++) upc_memput_nbi(&a[right * N + i], &mine[i], sizeof(int));
        upc_memset_nbi(&c[right * N], round + 5, N * sizeof(int));
        if (round)
            while (!upc_synci_attempt()) continue;
        else
            upc_synci();
        upc_barrier;
        upc_memcpy_nbi(&b[MYTHREAD * N], &a[left * N], N * sizeof(int));
        upc_memget_nbi(got, &a[right * N], sizeof got);
        upc_synci();
        int writer = (left + THREADS - 1) % THREADS;
        for (int i = 0; i < N; i++) {
            CHECK_EQ(i * 20 + writer + round * 5000, b[MYTHREAD * N + i]);
            CHECK_EQ(mine[i], got[i]);
            CHECK_EQ((round + 5) * 0x01010101, c[MYTHREAD * N + i]);
        }
        upc_barrier;
    }
    return 0;
}
