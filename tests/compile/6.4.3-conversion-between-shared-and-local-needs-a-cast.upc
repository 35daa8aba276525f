// Without a cast no pointer-to-shared becomes a pointer-to-local, nor the other way: these types are not compatible.
shared int *s, a[THREADS], x;
shared void *g;
int *p, y, *q = &x; // error: 6.4.3 p4
void *v;
shared int *t = &y; // error: 6.4.3 p1
struct pair { int *p; shared int *s; };
void take_local(int *);
void take_shared(shared int *);
void take_any(void *);
void take_shared_any(shared void *);
int *give(void) { return s; } // error: 6.4.3 p4
shared int *lend(void) { return p; } // error: 6.4.3 p1
void f(void) {
    p = s; // error: 6.4.3 p4
    s = p; // error: 6.4.3 p1
    v = g; // error: 6.4.3 p4
    g = v; // error: 6.4.3 p1
    p = a; // error: 6.4.3 p4
    v = &a[1]; // error: 6.4.3 p4
    take_local(s); // error: 6.4.3 p4
    take_local(&x); // error: 6.4.3 p4
    take_shared(p); // error: 6.4.3 p1
    take_shared(&y); // error: 6.4.3 p1
    take_any(s); // error: 6.4.3 p4
    take_shared_any(v); // error: 6.4.3 p1
    struct pair r = {.p = s}; // error: 6.4.3 p4
    r.s = p; // error: 6.4.3 p1
    int *in[2] = {p, a}; // error: 6.4.3 p4
    s = y ? s : p; // error: 6.4.2 p1
}
