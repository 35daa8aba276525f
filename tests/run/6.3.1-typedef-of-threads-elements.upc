// threads: 1 2 3
// A typedef of an array of THREADS elements, for which C has no type at file scope, serves for shared objects and in sizes.
#include "check.h"

typedef int row[THREADS];
typedef row table[3];
shared row one;
shared table all;

int main(void) {
    CHECK_EQ(THREADS * sizeof(int), sizeof(row));
    CHECK_EQ(3 * sizeof(row), sizeof(table));
    CHECK_EQ(sizeof(row), sizeof one);
    CHECK_EQ(2 * sizeof(row), sizeof(int[THREADS][2]));
    one[MYTHREAD] = 4;
    all[2][MYTHREAD] = 5;
    upc_barrier;
    CHECK_EQ(4, one[THREADS - 1]);
    CHECK_EQ(5, all[2][THREADS - 1]);
    return 0;
}
