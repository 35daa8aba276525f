/* 5.1.2.2p2: only a return from the initial call of main terminates the thread. */
#include "check.h"

static int depth;
shared int finished[THREADS];

int main(int argc, char **argv) {
    if (depth < 3) {
        depth++;
        CHECK_EQ(40 + depth, main(argc, argv));
        depth--;
        if (depth > 0) return 40 + depth;
        finished[MYTHREAD] = 1;
        upc_barrier;
        for (int t = 0; t < THREADS; t++) CHECK_EQ(1, finished[t]);
        return 0;
    }
    return 40 + depth;
}
