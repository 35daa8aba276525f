// Every function, type and macro of upc_atomic.h; the domain type is incomplete and shared.
#include <upc.h>
#include <upc_atomic.h>
upc_atomicdomain_t *(*p1)(upc_type_t, upc_op_t, upc_atomichint_t) = upc_all_atomicdomain_alloc;
void (*p2)(upc_atomicdomain_t *) = upc_all_atomicdomain_free;
void (*p3)(upc_atomicdomain_t *, void *, upc_op_t, shared void *, const void *, const void *) = upc_atomic_strict;
void (*p4)(upc_atomicdomain_t *, void *, upc_op_t, shared void *, const void *, const void *) = upc_atomic_relaxed;
int (*p5)(upc_type_t, upc_op_t, shared void *) = upc_atomic_isfast;
upc_op_t ops = UPC_ADD | UPC_GET | UPC_SET | UPC_CSWAP | UPC_SUB | UPC_INC | UPC_DEC | UPC_XOR;
upc_atomichint_t hints[] = {UPC_ATOMIC_HINT_DEFAULT, UPC_ATOMIC_HINT_LATENCY, UPC_ATOMIC_HINT_THROUGHPUT};
shared uint64_t val;
upc_atomicdomain_t *shared global_domain;
void f(upc_atomicdomain_t *d, uint64_t *old) { upc_atomic_relaxed(d, old, UPC_INC, &val, 0, 0); }
