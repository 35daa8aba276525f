/* bale's libgetput asks for __UPC_ATOMIC__ and uses the library's types without its header; so does this, for other libraries. */
#include "check.h"

#if __UPC_ATOMIC__
upc_atomicdomain_t *domain;
#endif
shared long counter, copies[THREADS];

static long next(void) {
    long before;
    upc_atomic_relaxed(domain, &before, UPC_INC, &counter, 0, 0);
    return before;
}

int main(void) {
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_INC, 0);
    upc_tick_t begin = upc_ticks_now();
    long before = next(), value = MYTHREAD + 1;
    CHECK(before >= 0 && before < THREADS);
    upc_handle_t handle = upc_memput_nb(&copies[MYTHREAD], &value, sizeof value);
    upc_sync(handle);
    CHECK_EQ(value, copies[MYTHREAD]);
    upc_barrier;
    CHECK_EQ(THREADS, counter);
    CHECK(upc_ticks_now() >= begin);
    CHECK(upc_thread_info(MYTHREAD).guaranteedCastable & UPC_CASTABLE_STATIC);
    upc_all_atomicdomain_free(domain);
    return 0;
}
