/* C11 5.1.2.2.3: a main that returns no int leaves the status unspecified. Many UPC programs have a `void main`; whatever
 * its last call left in the register of results was the status of the job. It is 0. */
#include "check.h"

static volatile int left = 42;
__attribute__((noinline)) static int leave(void) { return left; }

void main(void) {
    upc_barrier;
    CHECK_EQ(42, leave());
    (void)leave();
}
