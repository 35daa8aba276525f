// expect-exit: 3
/* 5.1.2.2p2: a thread is terminated by a return from the initial main; the value is its status. */
#include <upc.h>

shared int value = 3;

int main(void) {
    upc_barrier;
    return value;
}
