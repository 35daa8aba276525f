// upc_strict.h and upc_relaxed.h may each be included any number of times, in any order; both bring in upc.h.
#include <upc_relaxed.h>
shared int x;
#include <upc_strict.h>
#include <upc_relaxed.h>
#include <upc.h>
#include <upc_strict.h>
#include <upc_types.h>
upc_flag_t flags = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
size_t f(void) { return upc_threadof(&x) + x; }
