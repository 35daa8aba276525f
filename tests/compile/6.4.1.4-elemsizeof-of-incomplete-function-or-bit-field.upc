// What sizeof refuses, upc_elemsizeof refuses: incomplete types, functions and bit-fields.
struct unknown;
struct bits { int whole; unsigned field : 3; };
shared struct bits b;
shared struct unknown *p;
void g(void);
unsigned long r;
void f(void) {
    r = upc_elemsizeof(shared struct unknown); // error: 6.4.1.4 p1
    r = upc_elemsizeof(*p); // error: 6.4.1.4 p1
    r = upc_elemsizeof(b.field); // error: 6.4.1.4 p1
    r = upc_elemsizeof(g); // error: 6.4.1.4 p1
    r = upc_elemsizeof(b.whole);
    r = upc_elemsizeof b;
}
