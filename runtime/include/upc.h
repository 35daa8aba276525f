/* <upc.h>: the utilities of UPC 1.3, 7.2, and functions of older specifications that programs still call.
 *
 * This is UPC source: it is compiled with the program. The functions are in the runtime's lang/ folder; calls of the
 * memory and pointer functions are replaced by inline code where the compiler can.
 */
#ifndef UPC_H
#define UPC_H

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include <upc_types.h>

/* 7.2.1 Termination of all threads */
void upc_global_exit(int status) __attribute__((noreturn));

/* 7.2.2 Shared memory allocation */
shared void *upc_global_alloc(size_t nblocks, size_t nbytes);
shared void *upc_all_alloc(size_t nblocks, size_t nbytes);
shared void *upc_alloc(size_t nbytes);
void upc_free(shared void *ptr);
void upc_all_free(shared void *ptr);

/* 7.2.3 Pointer-to-shared manipulation. They do not access the object, so they take pointers to const as well. */
size_t upc_threadof(shared const void *ptr);
size_t upc_phaseof(shared const void *ptr);
shared void *upc_resetphase(shared const void *ptr);
size_t upc_addrfield(shared const void *ptr);
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

/* 7.2.4 Locks */
typedef shared struct fathom_lock_opaque upc_lock_t;
upc_lock_t *upc_global_lock_alloc(void);
upc_lock_t *upc_all_lock_alloc(void);
void upc_lock_free(upc_lock_t *ptr);
void upc_all_lock_free(upc_lock_t *ptr);
void upc_lock(upc_lock_t *ptr);
int upc_lock_attempt(upc_lock_t *ptr);
void upc_unlock(upc_lock_t *ptr);

/* 7.2.5 Shared strings */
void upc_memcpy(shared void *restrict dst, shared const void *restrict src, size_t n);
void upc_memget(void *restrict dst, shared const void *restrict src, size_t n);
void upc_memput(shared void *restrict dst, const void *restrict src, size_t n);
void upc_memset(shared void *dst, int c, size_t n);

/* Withdrawn by 1.3 or never standard, still found in programs: upc_local_alloc(1, n) is upc_alloc(n) for arrays,
 * upc_lock_init unlocks, upc_poll lets the runtime make progress. */
shared void *upc_local_alloc(size_t nblocks, size_t nbytes);
void upc_lock_init(upc_lock_t *ptr);
void upc_poll(void);

/* The bupc_ extensions: programs call them after including this header alone. */
#include <bupc_extensions.h>
#ifdef BUPC_USE_UPC_NAMESPACE
#include <bupc_namespace.h>
#endif

#endif
