// upc_lock_t is an incomplete shared type: locks are handled through pointers only.
#include <upc.h>
upc_lock_t *fine, *list[4];
upc_lock_t *shared shared_handle;
upc_lock_t object; // error: C 6.7, 7.2.4.1 p2
struct m { upc_lock_t *fine; };
unsigned long n;
void f(void) {
    n = sizeof(upc_lock_t); // error: C 6.7, 7.2.4.1 p2
    n = upc_elemsizeof(*fine); // error: 6.4.1.4 p1
    *fine = *list[0]; // error: C 6.7, 7.2.4.1 p2
    fine++; // error: C 6.7, 7.2.4.1 p2
    int *p = fine; // error: 6.4.3 p4
    upc_lock(&n); // error: 6.4.3 p1
    upc_lock(fine), upc_unlock(fine), upc_lock_free(list[0]);
    fine = upc_all_lock_alloc();
    shared_handle = upc_global_lock_alloc();
    n = fine == shared_handle && upc_lock_attempt(fine) && fine != 0;
    shared void *g = fine;
}
