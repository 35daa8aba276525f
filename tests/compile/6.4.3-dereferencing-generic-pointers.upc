// A generic pointer-to-shared must be converted before it is followed; arithmetic on it has no element size.
struct unknown;
shared void *g;
shared struct unknown *u;
int x;
void f(void) {
    x = *g; // error: 6.5.1.1 p14
    *g = x; // error: 6.5.1.1 p14
    x = g[1]; // error: 6.5.1.1 p14
    g = g + 1; // error: 6.4.2 p3
    g++; // error: 6.4.2 p3
    g -= x; // error: 6.4.2 p3
    x = g - g; // error: 6.4.2 p3
    x = u->y; // error: 6.5.1.1 p14
    u = u + 1; // error: 6.4.2 p3
    x = *(shared int *)g + ((shared [4] int *)g)[1];
}
