/* Which shared objects this process reaches by a C pointer (UPC 1.3, 7.7), and the bupc_ names for it.
 *
 * Reach is a matter of threads here: whole segments are mapped or are not.
 */
#include "upc_castable.h"

#include "gas.h"

void *upc_cast(fathom_pptr ptr) {
    if (!ptr.addr || !gas_is_local((int)fathom_thread_of(ptr.addr))) return NULL;
    return fathom_local(ptr.addr);
}

upc_thread_info_t upc_thread_info(size_t threadId) {
    if (threadId >= (size_t)gas_count())
        gas_fatal("upc_thread_info: thread %zu of %d (UPC 1.3, 7.7.2.2)", threadId, gas_count());
    int regions = gas_is_local((int)threadId) ? UPC_CASTABLE_ALL : 0;
    return (upc_thread_info_t){regions, regions};
}

void *bupc_cast(fathom_pptr ptr) { return upc_cast(ptr); }

/* A null pointer casts, to a null pointer. */
int bupc_castable(fathom_pptr ptr) { return !ptr.addr || gas_is_local((int)fathom_thread_of(ptr.addr)); }

int bupc_thread_castable(unsigned int thread) { return thread < (unsigned)gas_count() && gas_is_local((int)thread); }

fathom_pptr bupc_inverse_cast(void *ptr) { return fathom_pptr_of(fathom_is_shared(ptr) ? fathom_word(ptr) : 0, 0); }

fathom_pptr bupc_local_to_shared(void *ptr, int thread, int phase) {
    if (thread < 0 || thread >= gas_count()) gas_fatal("bupc_local_to_shared: thread %d of %d", thread, gas_count());
    fathom_pptr own = bupc_inverse_cast(ptr);
    if (!own.addr) gas_fatal("bupc_local_to_shared: %p is not in shared memory", ptr);
    return fathom_pptr_of(fathom_make(thread, fathom_offset_of(own.addr)), (unsigned long)phase);
}
