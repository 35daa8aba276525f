// threads: 1 3
/* docs/split-c.md, library: a program's own all_gather and all_concat take the place of the library's. */
#include "check-split-c.h"
#include <split-c/com.h>

int calls;

inline void all_gather(int *values) { calls += values[0]; }
void all_concat(int *values) { calls += 10 * values[0]; }

splitc_main() {
    int value = 2;
    double values[PROCS];
    all_gather(&value);
    all_concat(&value);
    CHECK_EQ(22, calls);
    values[0] = MYPROC;
    all_concat_d(values);
    CHECK(values[PROCS - 1] == PROCS - 1);
}
