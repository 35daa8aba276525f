// args: all 62 15 columns
// threads: 1 2 3 4 5 8
// expect-stdout: the values are the serial program's, bit by bit
/* Blocks of different numbers of columns: halos with strides. */
#include "../../examples/transfers/sor.upc"
