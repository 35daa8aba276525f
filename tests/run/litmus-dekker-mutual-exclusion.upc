// threads: 2 4
/* 5.1.2.3p4: Peterson's lock from strict accesses only keeps two threads apart; the data that it guards are relaxed. */
#include <sched.h>
#include "litmus.h"

strict shared int wants[THREADS];
strict shared int turn[THREADS];
shared int inside[THREADS];
shared long counter[THREADS];

int main(void) {
    int rounds = THREADS > 2 ? 2000 : 20000;
    litmus_begin(2);
    if (role >= 0) {
        int other = group + 1 - role;
        for (int i = 0; i < rounds; i++) {
            wants[MYTHREAD] = 1;
            turn[group] = other;
            while (wants[other] && turn[group] == other) sched_yield();
            CHECK_EQ(0, inside[group]);
            inside[group] = 1;
            counter[group] = counter[group] + 1;
            inside[group] = 0;
            wants[MYTHREAD] = 0;
        }
    }
    upc_barrier;
    if (role >= 0) CHECK_EQ(2L * rounds, counter[group]);
    return 0;
}
