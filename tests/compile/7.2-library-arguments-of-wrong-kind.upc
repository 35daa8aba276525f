// Library functions check their pointer arguments: shared where they say shared, local where they say local.
#include <string.h>
#include <upc.h>
shared [8] int a[8 * THREADS];
int b[8], *p;
shared void *g;
void f(size_t n) {
    upc_memcpy(a, b, n); // error: 6.4.3 p1
    upc_memget(a, a, n); // error: 6.4.3 p4
    upc_memput(b, b, n); // error: 6.4.3 p1
    upc_memset(b, 0, n); // error: 6.4.3 p1
    upc_free(p); // error: 6.4.3 p1
    p = upc_alloc(n); // error: 6.4.3 p4
    n = upc_threadof(p); // error: 6.4.3 p1
    n = upc_phaseof(&b[1]); // error: 6.4.3 p1
    memcpy(a, b, n); // error: 6.4.3 p4
    upc_memcpy(&a[8], a, n), upc_memget(b, &a[3], n), upc_memput(&a[1], b, n), upc_memset(&a[2], 0, n);
    g = upc_global_alloc(n, n), g = upc_all_alloc(n, 4), p = (int *)upc_alloc(n);
    upc_free(g), upc_all_free(a);
}
