// A bit-field has no address in a shared structure either, and neither has a value that is not an lvalue.
struct s { unsigned b : 3; int x; };
shared struct s one;
shared int v;
shared [] unsigned *p;
shared int *q;
void f(void) {
    p = &one.b; // error: C 6.5.3.2
    q = &(v + 1); // error: C 6.5.3.2
    shared [] int *fine = &one.x;
    (void)fine;
}
