// Relational operators cannot order pointers to an incomplete shared type; equality can compare them.
#include <upc.h>
struct unknown;
shared void *g, *h;
shared const void *c;
shared struct unknown *u, *w;
upc_lock_t *l, *m;
int r;
void f(void) {
    r = g < h; // error: 6.4.2 p2
    r = g > h; // error: 6.4.2 p2
    r = g <= h; // error: 6.4.2 p2
    r = g >= c; // error: 6.4.2 p2
    r = u < w; // error: 6.4.2 p2
    r = l >= m; // error: 6.4.2 p2
    r = g == h || g != c || u == w || l != m;
}
