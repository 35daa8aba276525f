// shared void * exchanges values with every pointer-to-shared, without a cast.
#include <stddef.h>
shared void *g;
shared const void *cg;
shared int *a;
shared [4] double *b;
shared [] struct s { int x; } *c;
shared int *shared *d;
shared [3] int (*e)[3];
shared int arr[THREADS];
void take(shared void *, shared const void *);
shared void *give(void) { return arr; }
int f(int n) {
    g = a, a = g, g = b, b = g, c = g, g = c, d = g, e = g, cg = b, cg = g, g = arr, g = &arr[n], g = &c->x;
    take(a, b), take(e, arr), take(NULL, 0);
    shared [7] char *h = give();
    a = n ? a : g;
    g = n ? g : (shared void *)b;
    return g == a || b != g || cg == arr || g == 0 || h == g;
}
