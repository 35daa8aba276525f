// threads: 1 2 3
/* C17 6.2.2: the address of a variable with external linkage may lie in a pointer of another file. A loop over
 * blocks that are near counts such a variable, and looks at such a bound, as the C program would. */
#include "../../check.h"

#define B 1024

shared [B] int a[3 * B * THREADS];
shared int c[B * THREADS];
extern int i, *pi, k, *pk;

int main(void) {
    upc_forall (i = 0; i < 3 * B * THREADS; i++; &a[i]) a[i] = *pi;
    upc_barrier;
    if (MYTHREAD == 0)
        for (int j = 0; j < 3 * B * THREADS; j++) CHECK_EQ(j, a[j]);
    upc_barrier;
    upc_forall (i = 0; i < B * THREADS; i++; &c[i]) c[i] = pi[0];
    upc_barrier;
    if (MYTHREAD == 0)
        for (int j = 0; j < B * THREADS; j++) CHECK_EQ(j, c[j]);
    upc_barrier;
    /* The element that the subscript k names changes in the loop. */
    for (int j = 0; j < B; j++) {
        *pk = j;
        if (MYTHREAD == 0) a[k] = -j;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        for (int j = 0; j < B; j++) CHECK_EQ(-j, a[j]);
    return 0;
}
