/* bupc_ functions about pointers and threads: arithmetic with a block size of run time, a printed form, distances. */
#include "bupc_extensions.h"

#include <errno.h>
#include <stdio.h>

#include "gas.h"

fathom_pptr bupc_ptradd(fathom_pptr p, size_t blockelems, size_t elemsz, ptrdiff_t incr) {
    if (blockelems == 0) return fathom_pptr_of(p.addr + (fathom_ptr)incr * elemsz, 0);
    if (blockelems == 1) return fathom_pptr_of(fathom_cyclic_add(p.addr, incr, elemsz), 0);
    return fathom_block_add(p, incr, blockelems, elemsz);
}

int bupc_dump_shared(fathom_pptr ptr, char *buf, int maxlen) {
    if (!buf || maxlen < BUPC_DUMP_MIN_LENGTH) {
        errno = EINVAL;
        return -1;
    }
    if (!ptr.addr)
        snprintf(buf, (size_t)maxlen, "<NULL>");
    else
        snprintf(buf, (size_t)maxlen, "<thread=%ld addrfield=0x%lx phase=%lu>", fathom_thread_of(ptr.addr),
                 fathom_offset_of(ptr.addr), ptr.phase);
    return 0;
}

/* Threads whose memory a load reaches are as near as another thread can be. Of two others, this thread knows only that
 * they are not both near it. */
unsigned int bupc_thread_distance(int x, int y) {
    if (x < 0 || y < 0 || x >= gas_count() || y >= gas_count())
        gas_fatal("bupc_thread_distance: threads %d and %d of %d", x, y, gas_count());
    if (x == y) return BUPC_THREADS_SAME;
    return gas_is_local(x) && gas_is_local(y) ? BUPC_THREADS_VERYNEAR : BUPC_THREADS_FAR;
}

void bupc_poll(void) {
    fathom_fence();
    gas_poll();
}
