// threads: 1 2 3 4 7
/* bupc_mem{put,get,cpy}_{vlist,ilist}: pieces of different lengths on the two sides, on several threads. */
#include "check.h"

#define N 60
shared [N] char a[N * THREADS], b[N * THREADS];

int main(void) {
    int right = (MYTHREAD + 1) % THREADS;
    char mine[N], got[N];
    for (int i = 0; i < N; i++) mine[i] = (char)(i + 10 * MYTHREAD);
    for (int async = 0; async < 2; async++) {
        upc_memset(&a[right * N], 0, N);
        upc_memset(&b[right * N], 0, N);
        upc_barrier;
        /* Private 0..9 and 20..34 go to shared 5..9, 30..30, 40..58. */
        bupc_pmemvec_t from[] = {{mine, 10}, {mine + 15, 0}, {mine + 20, 15}};
        bupc_smemvec_t to[] = {{&a[right * N + 5], 5}, {&a[right * N + 30], 1}, {&a[right * N + 40], 19}};
        if (async)
            bupc_waitsync(bupc_memput_vlist_async(3, to, 3, from));
        else
            bupc_memput_vlist(3, to, 3, from);
        for (int i = 0; i < N; i++) {
            int k = i >= 5 && i < 10 ? i - 5 : i == 30 ? 5 : i >= 40 && i < 59 ? i - 34 : -1;
            CHECK_EQ(k < 0 ? 0 : mine[k < 10 ? k : k + 10], a[right * N + i]);
        }
        memset(got, 0, N);
        bupc_pmemvec_t back[] = {{got + 50, 3}, {got, 22}};
        if (async)
            bupc_waitsync(bupc_memget_vlist_async(2, back, 3, to));
        else
            bupc_memget_vlist(2, back, 3, to);
        for (int k = 0; k < 25; k++) CHECK_EQ(mine[k < 10 ? k : k + 10], got[k < 3 ? 50 + k : k - 3]);
        bupc_smemvec_t other[] = {{&b[right * N + 1], 20}, {&b[right * N + 30], 5}};
        if (async)
            bupc_waitsync(bupc_memcpy_vlist_async(2, other, 3, to));
        else
            bupc_memcpy_vlist(2, other, 3, to);
        for (int k = 0; k < 25; k++) CHECK_EQ(mine[k < 10 ? k : k + 10], b[right * N + (k < 20 ? 1 + k : 10 + k)]);

        /* Six pieces of 2 from three of 4. */
        const void *from4[] = {mine + 8, mine, mine + 16};
        shared void *to2[6], *const *dst = to2;
        for (int i = 0; i < 6; i++) to2[i] = &a[right * N + 5 * i];
        if (async)
            bupc_waitsync(bupc_memput_ilist_async(6, dst, 2, 3, from4, 4));
        else
            bupc_memput_ilist(6, dst, 2, 3, from4, 4);
        int order[] = {8, 9, 10, 11, 0, 1, 2, 3, 16, 17, 18, 19};
        for (int k = 0; k < 12; k++) CHECK_EQ(mine[order[k]], a[right * N + k / 2 * 5 + k % 2]);
        shared const void *src2[6];
        for (int i = 0; i < 6; i++) src2[i] = to2[i];
        void *to6[] = {got + 30, got};
        if (async)
            bupc_waitsync(bupc_memget_ilist_async(2, to6, 6, 6, src2, 2));
        else
            bupc_memget_ilist(2, to6, 6, 6, src2, 2);
        for (int k = 0; k < 12; k++) CHECK_EQ(mine[order[k]], got[k < 6 ? 30 + k : k - 6]);
        shared void *to12[] = {&b[right * N + 40]};
        if (async)
            bupc_waitsync(bupc_memcpy_ilist_async(1, to12, 12, 6, src2, 2));
        else
            bupc_memcpy_ilist(1, to12, 12, 6, src2, 2);
        for (int k = 0; k < 12; k++) CHECK_EQ(mine[order[k]], b[right * N + 40 + k]);
        upc_barrier;
    }
    return 0;
}
