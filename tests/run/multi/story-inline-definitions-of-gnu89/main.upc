// threads: 2
// flags: -O0 -fgnu89-inline
/* With -fgnu89-inline, `inline` defines an external function, and `extern inline` leaves it to another file. */
#include "../../check.h"

int defined_inline(int x);
extern inline int there(int x) { return x + 1; }

int main(void) {
    CHECK_EQ(2, defined_inline(1));
    CHECK_EQ(2, there(1));
    return 0;
}
