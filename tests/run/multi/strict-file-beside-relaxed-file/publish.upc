/* Relaxed, as every file begins (6.7.1p3). */
#include <upc.h>

shared int data[THREADS], flag[THREADS];

void publish(int to, int value) {
    data[to] = value;
    upc_fence;
    flag[to] = value;
}
