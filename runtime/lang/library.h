/* Functions of <upc.h> as the runtime's C sources see them: `shared void *` is a fathom_pptr, `upc_lock_t *` a
 * fathom_ptr (docs/decisions/0001). Those that other files of this folder define are declared there. */
#ifndef FATHOM_LIBRARY_H
#define FATHOM_LIBRARY_H

#include <stddef.h>

#include "lang/prelude.h"

void upc_global_exit(int status) __attribute__((noreturn));

fathom_pptr upc_global_alloc(size_t nblocks, size_t nbytes);
fathom_pptr upc_all_alloc(size_t nblocks, size_t nbytes);
fathom_pptr upc_alloc(size_t nbytes);
fathom_pptr upc_local_alloc(size_t nblocks, size_t nbytes);
void upc_free(fathom_pptr p);
void upc_all_free(fathom_pptr p);

fathom_ptr upc_global_lock_alloc(void);
fathom_ptr upc_all_lock_alloc(void);
void upc_lock_init(fathom_ptr lock);
void upc_lock_free(fathom_ptr lock);
void upc_all_lock_free(fathom_ptr lock);
void upc_lock(fathom_ptr lock);
int upc_lock_attempt(fathom_ptr lock);
void upc_unlock(fathom_ptr lock);

void upc_poll(void);

#endif
