// UPC_PTS stands for `shared void *`, which has two words; a pointer-to-shared without a phase has one.
#include <upc_atomic.h>
struct node { shared struct node *next; };
shared struct node *shared head, *shared heads[THREADS], *found;
shared void *shared top, *seen;
shared [3] int *shared phased;
shared long count;
void f(upc_atomicdomain_t *d, struct node *local) {
    shared struct node *made = 0, *array[2];
    upc_atomic_strict(d, &found, UPC_GET, &top, 0, 0); // warning: 7.6.3.3 p3
    upc_atomic_relaxed(d, 0, UPC_SET, &head, &seen, 0); // warning: 7.6.3.3 p3
    upc_atomic_relaxed(d, 0, UPC_SET, heads + 1, &seen, 0); // warning: 7.6.3.3 p3
    upc_atomic_relaxed(d, &seen, UPC_CSWAP, &top, &seen, &made); // warning: 7.6.3.3 p3
    (upc_atomic_relaxed)(d, array, UPC_GET, &top, 0, 0); // warning: 7.6.3.3 p3
    upc_atomic_relaxed(d, &seen, UPC_GET, &top, 0, 0);
    upc_atomic_relaxed(d, &seen, UPC_SET, &phased, &seen, 0);
    upc_atomic_relaxed(d, 0, UPC_INC, &count, 0, 0);
    upc_atomic_relaxed(d, &local, UPC_GET, (shared void *)&head, 0, 0);
}
