// args: all 61 15
// threads: 1 2 3 4 5 8
// expect-stdout: the values are the serial program's, bit by bit
/* Blocks of different numbers of rows. */
#include "../../examples/transfers/sor.upc"
