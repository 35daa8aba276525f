// expect-exit: 6
// threads: 2 3 4
/* 5.1.2.2p2: one thread returns a failure from main, the others succeed: the failure is not lost. */
#include <upc.h>

int main(void) { return MYTHREAD == THREADS - 1 ? 6 : 0; }
