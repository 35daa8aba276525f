// A collective operation in the body of a upc_forall whose affinity selects threads is undefined: a warning.
#include <upc.h>
shared int a[10 * THREADS];
void f(int n) {
    int i;
    upc_forall (i = 0; i < n; i++; &a[i]) {
        upc_barrier; // warning: 6.6.2 p13
        upc_notify; // warning: 6.6.2 p13
        upc_wait; // warning: 6.6.2 p13
        upc_fence;
        a[i] = 1;
    }
    upc_barrier;
}
