// threads: 1 2 3 4 7
/* 7.3.3.1: what each synchronisation mode promises. With ALLSYNC in, the function sees what any thread wrote before it
 * entered; with ALLSYNC out, a thread that has returned sees everything; MYSYNC promises that for a thread's own data.
 * A missing half means ALLSYNC. Threads arrive at different times. */
#include "check.h"
#include <unistd.h>
#include <upc_collective.h>

shared int a[THREADS], b[THREADS];

static void be_late(int round) {
    if ((round + MYTHREAD) % THREADS == 0) usleep(300);
}

int main(void) {
    upc_flag_t in[] = {0, UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
    upc_flag_t out[] = {0, UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};
    int round = 0;
    for (int repeat = 0; repeat < 3; repeat++)
        for (int i = 0; i < 4; i++)
            for (int o = 0; o < 4; o++, round++) {
                int root = round % THREADS;
                be_late(round);
                if (MYTHREAD == root) a[root] = round;
                if (in[i] == UPC_IN_NOSYNC) upc_barrier;
                upc_all_broadcast(b, &a[root], sizeof(int), in[i] | out[o]);
                if (out[o] == UPC_OUT_NOSYNC) upc_barrier;
                CHECK_EQ(round, b[MYTHREAD]);
                if (out[o] != UPC_OUT_MYSYNC)
                    for (int t = 0; t < THREADS; t++) CHECK_EQ(round, b[t]);
                upc_barrier;
                be_late(round + 1);
                /* The sum of what all threads have just written. */
                a[MYTHREAD] = round + MYTHREAD;
                if (in[i] == UPC_IN_NOSYNC) upc_barrier;
                upc_all_reduceI(b, a, UPC_ADD, (size_t)THREADS, 1, NULL, in[i] | out[o]);
                if (out[o] == UPC_OUT_NOSYNC) upc_barrier;
                if (MYTHREAD == 0 || out[o] != UPC_OUT_MYSYNC)
                    CHECK_EQ(round * THREADS + THREADS * (THREADS - 1) / 2, b[0]);
                upc_barrier;
            }
    return 0;
}
