// Everything of upc_castable.h with the type that the specification gives it.
#include <upc.h>
#include <upc_castable.h>
void *(*p1)(const shared void *) = upc_cast;
upc_thread_info_t (*p2)(size_t) = upc_thread_info;
shared int x;
int f(int n) {
    upc_thread_info_t t = upc_thread_info(n);
    int *p = upc_cast(&x);
    return (t.guaranteedCastable & UPC_CASTABLE_ALL) + (t.probablyCastable & UPC_CASTABLE_STATIC) + (p ? *p : UPC_CASTABLE_ALLOC);
}
