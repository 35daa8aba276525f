// sizeof keeps its constraints for shared operands: no incomplete type, no bit-field.
struct unknown;
struct bits { int whole; unsigned field : 3; };
shared struct bits b;
shared struct unknown *p;
unsigned long n;
void f(void) {
    n = sizeof(shared struct unknown); // error: 6.4.1.1 p1
    n = sizeof *p; // error: 6.4.1.1 p1
    n = sizeof b.field; // error: 6.4.1.1 p1
    n = sizeof b.whole + sizeof b + sizeof p;
}
