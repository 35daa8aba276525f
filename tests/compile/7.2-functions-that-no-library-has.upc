// A name that only looks like a library's is warned about; what it gives is an int, as in C.
#include <upc.h>
upc_lock_t *lock;
void f(void) {
    lock = upc_lock_alloc(); // warning: 7.2 p1
    upc_lock_t here; // error: 7.2.4.1 p2
} // error(5): 6.4.3 p1
