// expect-exit: nonzero
// expect-stderr: upc_sync
// threads: 1 2
/* 7.9.6: a handle that no initiation returned is reported, not waited for. */
#include <upc.h>
#include <upc_nb.h>

int main(void) {
    int nothing;
    upc_sync((upc_handle_t)&nothing);
    return 0;
}
