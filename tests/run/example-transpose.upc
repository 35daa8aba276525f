// args: all 64 2
// threads: 1 2 3 4 5 8
// expect-stdout: the transforms are right
/* Patches of different sizes, where the threads are not a power of two. */
#include "../../examples/transfers/transpose.upc"
