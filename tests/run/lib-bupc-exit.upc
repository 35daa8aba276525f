// expect-exit: 3
/* bupc_exit ends a thread as exit does, and bupc_getenv is getenv in every thread. */
#include "check.h"

int main(void) {
    CHECK(bupc_getenv("PATH") && strcmp(bupc_getenv("PATH"), getenv("PATH")) == 0);
    CHECK(!bupc_getenv("NO_SUCH_VARIABLE_HERE"));
    upc_barrier;
    bupc_exit(3);
}
