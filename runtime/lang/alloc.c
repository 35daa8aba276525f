/* Allocation of shared memory (UPC 1.3, 7.2.2). All of it is gas's; here are the sizes: a shared array [nbytes] of
 * nblocks blocks takes the same space on every thread, that of the thread with most blocks.
 */
#include "gas/gas_internal.h"
#include "lang/library.h"

/* Bytes on each thread; 0 if it is none, or more than a segment could ever hold (which is no room, 7.2.2 p1). */
static size_t share(size_t nblocks, size_t nbytes) {
    size_t blocks = nblocks / (size_t)FATHOM_T + (nblocks % (size_t)FATHOM_T != 0), bytes;
    if (__builtin_mul_overflow(blocks, nbytes, &bytes) || bytes > FATHOM_STEP) return FATHOM_STEP;
    return bytes;
}

fathom_pptr upc_alloc(size_t nbytes) { return fathom_pptr_of(gas_alloc(nbytes), 0); }

fathom_pptr upc_global_alloc(size_t nblocks, size_t nbytes) {
    return fathom_pptr_of(gas_global_alloc(share(nblocks, nbytes)), 0);
}

fathom_pptr upc_all_alloc(size_t nblocks, size_t nbytes) {
    return fathom_pptr_of(gas_all_alloc(share(nblocks, nbytes)), 0);
}

/* Before UPC 1.3; nblocks * nbytes bytes on the calling thread. */
fathom_pptr upc_local_alloc(size_t nblocks, size_t nbytes) {
    size_t bytes;
    if (__builtin_mul_overflow(nblocks, nbytes, &bytes)) bytes = FATHOM_STEP;
    return fathom_pptr_of(gas_alloc(bytes), 0);
}

void upc_free(fathom_pptr p) { gas_free(p.addr); }

/* The space stays valid until all threads have entered the call (7.2.2.5). */
void upc_all_free(fathom_pptr p) {
    gas_barrier();
    if (fathom_mythread == 0) gas_free(p.addr);
}
