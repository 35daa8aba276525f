/* A program that asks for a library's feature macro and forgets its header gets the header, and one warning for each. */
#include <upc.h>

#if __UPC_ATOMIC__
upc_atomicdomain_t *domain; // warning: 7.1 p1
#endif
typedef struct {
    upc_tick_t begin, end; // warning: 7.1 p1
} interval;
shared long x;

upc_handle_t begin(long *from) { return upc_memput_nb(&x, from, sizeof x); } // warning: 7.1 p1
extern void finish(upc_handle_t);

int main(void) {
    upc_atomicdomain_t *other = domain;
    upc_file_t *file = 0; // warning: 7.1 p1
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_INC, UPC_ATOMIC_HINT_DEFAULT);
    for (upc_tick_t t = upc_ticks_now(); t < (upc_tick_t)5;) t = UPC_TICK_MAX;
    int guaranteed = upc_thread_info(0).guaranteedCastable; // warning: 7.1 p1
    upc_all_reduceL(&x, &x, UPC_ADD, 1, 1, 0, UPC_IN_ALLSYNC); // warning: 7.1 p1
    return other == 0 && file == 0 && guaranteed;
}
