// What sizeof refuses, upc_localsizeof refuses: incomplete types, functions and bit-fields.
struct unknown;
struct bits { int whole; unsigned field : 3; };
shared struct bits b;
shared struct unknown *p;
void g(void);
unsigned long r;
void f(void) {
    r = upc_localsizeof(shared struct unknown); // error: 6.4.1.2 p1
    r = upc_localsizeof(*p); // error: 6.4.1.2 p1
    r = upc_localsizeof(b.field); // error: 6.4.1.2 p1
    r = upc_localsizeof(g); // error: 6.4.1.2 p1
    r = upc_localsizeof(b.whole);
    r = upc_localsizeof b;
}
