// threads: 1 2 8
/* 6.6.1p4 at length: thousands of barriers, threads of unequal speed, more of them than cores. */
#include "check.h"

shared long turn[THREADS];

int main(void) {
    for (int r = 1; r <= 3000; r++) {
        if (r % THREADS == MYTHREAD)
            for (volatile int k = 0; k < 2000; k++) continue;
        turn[MYTHREAD] = r;
        upc_barrier;
        long left = turn[(MYTHREAD + THREADS - 1) % THREADS];
        CHECK(left == r || left == r + 1);
    }
    return 0;
}
