// expect-exit: nonzero
// expect-stderr: outstanding
// threads: 1 2
/* 7.8.7p1: a second asynchronous operation on the same handle is a fatal error. */
#include "lib-file.h"

int main(void) {
    int x = 0;
    const char *name = scratch_file("second-async");
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
    unlink(name);
    upc_all_fwrite_local_async(f, &x, sizeof x, 1, 0);
    upc_all_fwrite_local_async(f, &x, sizeof x, 1, 0);
    return 0;
}
