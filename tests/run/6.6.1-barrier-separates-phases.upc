// threads: 1 2 3 4 7 8
// cores: 16
/* 6.6.1p4, p8: upc_wait completes only after all threads have completed their upc_notify: what a thread wrote before a
 * barrier every thread reads after it, round after round. */
#include "check.h"

#define ROUNDS 300
shared int a[THREADS];
shared int b[THREADS];

int main(void) {
    for (int r = 0; r < ROUNDS; r++) {
        a[MYTHREAD] = r * 100 + MYTHREAD;
        upc_barrier;
        for (int t = 0; t < THREADS; t++) CHECK_EQ(r * 100 + t, a[t]);
        b[(MYTHREAD + r) % THREADS] = -r;
        upc_barrier r;
        for (int t = 0; t < THREADS; t++) CHECK_EQ(-r, b[t]);
        upc_notify;
        upc_wait;
    }
    return 0;
}
