// Every function of upc.h with the type that the specification gives it (those that only look at a pointer take const ones
// too); the header also brings in what programs expect of it.
#include <upc.h>
shared void *(*p1)(size_t, size_t) = upc_global_alloc;
shared void *(*p2)(size_t, size_t) = upc_all_alloc;
shared void *(*p3)(size_t) = upc_alloc;
void (*p4)(shared void *) = upc_free;
void (*p5)(shared void *) = upc_all_free;
size_t (*p6)(shared const void *) = upc_threadof;
size_t (*p7)(shared const void *) = upc_phaseof;
size_t (*p8)(shared const void *) = upc_addrfield;
shared void *(*p9)(shared const void *) = upc_resetphase;
size_t (*p10)(size_t, size_t, size_t) = upc_affinitysize;
upc_lock_t *(*p11)(void) = upc_global_lock_alloc;
upc_lock_t *(*p12)(void) = upc_all_lock_alloc;
void (*p13)(upc_lock_t *) = upc_lock_free;
void (*p14)(upc_lock_t *) = upc_all_lock_free;
void (*p15)(upc_lock_t *) = upc_lock;
int (*p16)(upc_lock_t *) = upc_lock_attempt;
void (*p17)(upc_lock_t *) = upc_unlock;
void (*p18)(shared void *, shared const void *, size_t) = upc_memcpy;
void (*p19)(void *, shared const void *, size_t) = upc_memget;
void (*p20)(shared void *, const void *, size_t) = upc_memput;
void (*p21)(shared void *, int, size_t) = upc_memset;
void (*p22)(int) = upc_global_exit;
size_t a = sizeof(ptrdiff_t);
int64_t b = INT64_MAX;
void *c(void) { return malloc(3); }
