// threads: 1
/* The feature macro of each library is predefined, before any header: 7.4p1, 7.5p1, 7.6p1, 7.7p2, 7.8p1, 7.9p1. */
#if __UPC_COLLECTIVE__ != 1 || __UPC_TICK__ != 1 || __UPC_ATOMIC__ != 1
#error "a required library or the atomics lack their feature macro"
#endif
#if __UPC_CASTABLE__ != 1 || __UPC_IO__ != 1 || __UPC_NB__ != 1
#error "an optional library lacks its feature macro"
#endif
#if __UPC__ != 1 || __UPC_VERSION__ != 201311L || UPC_MAX_BLOCK_SIZE < 65535
#error "predefined macros of 6.2"
#endif
#ifdef __BERKELEY_UPC__
#error "this is not Berkeley UPC"
#endif
#include <upc_atomic.h>
#include <upc_castable.h>
#include <upc_collective.h>
#include <upc_io.h>
#include <upc_nb.h>
#include <upc_tick.h>

int main(void) {
    upc_flag_t f = UPC_IN_ALLSYNC;
    upc_tick_t t = UPC_TICK_MAX;
    upc_handle_t h = UPC_COMPLETE_HANDLE;
    upc_off_t o = UPC_SEEK_SET;
    upc_thread_info_t i = {0};
    upc_atomichint_t a = UPC_ATOMIC_HINT_DEFAULT;
    return f == 0 || t == 0 || h != 0 || o < 0 || i.guaranteedCastable || a;
}
