/* 5.1.2.1p1: main as old programs write it: no type, no parameters, and (as C99 5.1.2.2.3 says) falling off its end
 * returns 0. */
#include "check.h"

shared int arrivals[THREADS];

main() {
    arrivals[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    int sum = 0;
    for (int t = 0; t < THREADS; t++) sum += arrivals[t];
    CHECK_EQ(THREADS * (THREADS + 1) / 2, sum);
}
