// threads: 1 2 4
/* 5.1.2.2p2: thread termination follows C (5.1.2.2.3, 7.20.4.3): functions registered by atexit run on each thread, and
 * may still use shared data. */
#include "check.h"

shared int bell[THREADS];

static void at_end(void) {
    CHECK_EQ(MYTHREAD + 10, bell[MYTHREAD]);
    bell[MYTHREAD] = 0;
}

int main(void) {
    CHECK_EQ(0, atexit(at_end));
    bell[MYTHREAD] = MYTHREAD + 10;
    if (MYTHREAD % 2) exit(0);
    return 0;
}
