/* Library functions that are a few instructions where memory is directly reachable: the compiler calls these twins of
 * the functions in upc.h. Same signatures, same semantics (UPC 1.3, 7.2.3 and 7.2.5). */
#ifndef FATHOM_INLINE_H
#define FATHOM_INLINE_H

FATHOM_INLINE void fathom_upc_memcpy(fathom_pptr dst, fathom_pptr src, unsigned long n) {
    fathom_memcpy(dst.addr, src.addr, n);
}
FATHOM_INLINE void fathom_upc_memget(void *dst, fathom_pptr src, unsigned long n) { fathom_memget(dst, src.addr, n); }
FATHOM_INLINE void fathom_upc_memput(fathom_pptr dst, const void *src, unsigned long n) {
    fathom_memput_gathered(dst.addr, src, n);
}
FATHOM_INLINE void fathom_upc_memset(fathom_pptr dst, int c, unsigned long n) { fathom_memset(dst.addr, c, n); }
FATHOM_INLINE unsigned long fathom_upc_threadof(fathom_pptr p) {
    return p.addr ? (unsigned long)fathom_thread_of(p.addr) : 0;
}
FATHOM_INLINE unsigned long fathom_upc_phaseof(fathom_pptr p) { return p.phase; }
FATHOM_INLINE unsigned long fathom_upc_addrfield(fathom_pptr p) { return fathom_offset_of(p.addr); }
FATHOM_INLINE fathom_pptr fathom_upc_resetphase(fathom_pptr p) { return fathom_pptr_of(p.addr, 0); }

#endif
