// C compilers convert `int *` to `unsigned *` with a warning, and compare the two; so are pointers-to-shared.
#include <stddef.h>
enum e { one };
shared int *p;
shared unsigned *u;
shared [] char *c;
shared [] signed char *sc;
shared [] unsigned char *uc;
shared [2] unsigned *u2;
shared long *l;
shared const unsigned *cu;
shared enum e *e;
ptrdiff_t n;
void take(shared int *);
shared unsigned *give(void) { return p; } // warning: C 6.5.16.1
void f(void) {
    p = u; // warning: C 6.5.16.1
    take(u); // warning: C 6.5.16.1
    uc = c; // warning: C 6.5.16.1
    sc = c; // warning: C 6.5.16.1
    p = e; // warning: C 6.5.16.1
    cu = p; // warning: C 6.5.16.1
    shared unsigned *v = p; // warning: C 6.5.16.1
    n = p == v; // warning: C 6.5.16.1
    n = uc < c; // warning: C 6.5.16.1
    p = (shared int *)u, uc = (shared [] unsigned char *)c;
    n = p - u; // error: 6.5.1.1 p13
    p = u2; // error: 6.5.1.1 p13
    p = l; // error: 6.5.1.1 p13
    n = p == l; // error: 6.5.1.1 p13
    n = n ? p == 0 : 0;
}
