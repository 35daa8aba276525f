/* What a pointer-to-shared is made of (UPC 1.3, 7.2.3) and how an object is spread (upc_affinitysize). */
#include "blocked.h"

/* A null pointer's thread and phase are 0 (7.2.3.1 p3, 7.2.3.2 p3). */
size_t upc_threadof(fathom_pptr ptr) { return ptr.addr ? (size_t)fathom_thread_of(ptr.addr) : 0; }

size_t upc_phaseof(fathom_pptr ptr) { return ptr.addr ? ptr.phase : 0; }

fathom_pptr upc_resetphase(fathom_pptr ptr) { return fathom_pptr_of(ptr.addr, 0); }

/* The offset in the segment: elements at the same place of different threads have the same. */
size_t upc_addrfield(fathom_pptr ptr) { return fathom_offset_of(ptr.addr); }

/* 7.2.3.5: of `totalsize` bytes in blocks of `nbytes` (0: indefinite), those on `threadid`. */
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid) {
    if (threadid >= (size_t)gas_count())
        gas_fatal("upc_affinitysize: thread %zu of %d (UPC 1.3, 7.2.3.5 p5)", threadid, gas_count());
    if (nbytes == 0) return threadid == 0 ? totalsize : 0;
    return blocked_prefix(totalsize, nbytes, threadid);
}
