// expect-exit: nonzero
// expect-stderr: upc_affinitysize
// threads: 1 2
/* 7.2.3.5p5: threadid shall be in 0 .. THREADS-1. */
#include <upc.h>

int main(void) { return (int)upc_affinitysize(8, 8, (size_t)THREADS); }
