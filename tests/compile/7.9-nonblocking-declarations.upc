// Every function of upc_nb.h with the type that the specification gives it.
#include <upc.h>
#include <upc_nb.h>
upc_handle_t (*p1)(shared void *, shared const void *, size_t) = upc_memcpy_nb;
upc_handle_t (*p2)(void *, shared const void *, size_t) = upc_memget_nb;
upc_handle_t (*p3)(shared void *, const void *, size_t) = upc_memput_nb;
upc_handle_t (*p4)(shared void *, int, size_t) = upc_memset_nb;
void (*p5)(shared void *, shared const void *, size_t) = upc_memcpy_nbi;
void (*p6)(void *, shared const void *, size_t) = upc_memget_nbi;
void (*p7)(shared void *, const void *, size_t) = upc_memput_nbi;
void (*p8)(shared void *, int, size_t) = upc_memset_nbi;
int (*p9)(upc_handle_t) = upc_sync_attempt;
void (*p10)(upc_handle_t) = upc_sync;
int (*p11)(void) = upc_synci_attempt;
void (*p12)(void) = upc_synci;
upc_handle_t f(upc_handle_t h) { return h == UPC_COMPLETE_HANDLE ? h : UPC_COMPLETE_HANDLE; }
