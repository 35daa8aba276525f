/* upc_memcpy, upc_memget, upc_memput, upc_memset (UPC 1.3, 7.2.5).
 *
 * The compiler replaces calls of these by inline copies; the functions serve calls through pointers. Each region lies
 * on one thread, whatever the layout of the array it is in, so the phase does not matter.
 */
#include "gas.h"

void upc_memcpy(fathom_pptr dst, fathom_pptr src, size_t n) { gas_copy(dst.addr, src.addr, n); }

void upc_memget(void *dst, fathom_pptr src, size_t n) { gas_get(dst, src.addr, n); }

void upc_memput(fathom_pptr dst, const void *src, size_t n) { gas_put(dst.addr, src, n); }

void upc_memset(fathom_pptr dst, int c, size_t n) { gas_fill(dst.addr, c, n); }
