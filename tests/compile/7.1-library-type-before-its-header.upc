// 7.1 p1: headers of libraries stand before the uses of their names. Programs that were written for compilers which
// include headers unasked have them later: the unit is compiled as if they stood in its first line.
#include <upc.h>
extern upc_atomicdomain_t *domain; // warning: 7.1 p1
#include <upc_atomic.h>
upc_atomicdomain_t *domain;
shared long counter;
void add(long by) {
    upc_atomic_relaxed(domain, NULL, UPC_ADD, &counter, &by, NULL);
}
