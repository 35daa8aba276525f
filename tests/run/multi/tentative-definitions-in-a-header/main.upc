// threads: 1 2 4
/* C 6.9.2 as -fcommon has it: tentative definitions of shared and private objects in several files are one object. */
#include "common.h"

shared int total; /* and twice in one file */

int main(void) {
    private_count = 1;
    private_table[9] = 2.5;
    work();
    upc_barrier;
    CHECK_EQ(2, private_count);
    CHECK(private_table[9] == 5);
    CHECK(cursor == &total);
    CHECK_EQ(77, total);
    CHECK_EQ(1, ready);
    for (int i = 0; i < 4 * THREADS; i++) CHECK_EQ(i / 2 % THREADS, slots[i]);
    return 0;
}
