// args: all 25
// threads: 1 2 3 4 5 8
// expect-stdout: the values are the serial program's, bit by bit
/* The mesh is the example's. */
#include "../../examples/transfers/fem.upc"
