/* <upc_nb.h>: non-blocking transfers (UPC 1.3 optional library, 7.9). */
#ifndef UPC_NB_H
#define UPC_NB_H

#include <stddef.h>

/* Names a transfer of the calling thread. A transfer that is complete when its initiation returns has the handle
 * UPC_COMPLETE_HANDLE, whose bits are all 0. */
typedef struct fathom_transfer *upc_handle_t;
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

#ifdef __UPC__
upc_handle_t upc_memcpy_nb(shared void *restrict dst, shared const void *restrict src, size_t n);
upc_handle_t upc_memget_nb(void *restrict dst, shared const void *restrict src, size_t n);
upc_handle_t upc_memput_nb(shared void *restrict dst, const void *restrict src, size_t n);
upc_handle_t upc_memset_nb(shared void *dst, int c, size_t n);

void upc_memcpy_nbi(shared void *restrict dst, shared const void *restrict src, size_t n);
void upc_memget_nbi(void *restrict dst, shared const void *restrict src, size_t n);
void upc_memput_nbi(shared void *restrict dst, const void *restrict src, size_t n);
void upc_memset_nbi(shared void *dst, int c, size_t n);
#endif

int upc_sync_attempt(upc_handle_t handle);
void upc_sync(upc_handle_t handle);
int upc_synci_attempt(void);
void upc_synci(void);

#endif
