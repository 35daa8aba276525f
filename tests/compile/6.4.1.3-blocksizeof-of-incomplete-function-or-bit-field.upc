// What sizeof refuses, upc_blocksizeof refuses: incomplete types, functions and bit-fields.
struct unknown;
struct bits { int whole; unsigned field : 3; };
shared struct bits b;
shared struct unknown *p;
void g(void);
unsigned long r;
void f(void) {
    r = upc_blocksizeof(shared struct unknown); // error: 6.4.1.3 p1
    r = upc_blocksizeof(*p); // error: 6.4.1.3 p1
    r = upc_blocksizeof(b.field); // error: 6.4.1.3 p1
    r = upc_blocksizeof(g); // error: 6.4.1.3 p1
    r = upc_blocksizeof(b.whole);
    r = upc_blocksizeof b;
}
