/* Divides its iterations when no upc_forall with affinity is around its caller. */
#include <upc.h>

int inner(int n) {
    int executed = 0;
    upc_forall (int i = 0; i < n; i++; i) executed++;
    return executed;
}
