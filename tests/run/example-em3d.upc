// args: all 41 6 30 5
// threads: 1 2 3 4 5
// expect-stdout: the values are the serial program's, bit by bit
/* The graph is small, and not a multiple of four nodes. */
#include "../../examples/em3d/em3d.upc"
