// Twenty violations in one file are twenty reports, each at its own line, in order.
int *p;
shared int *s;
struct m {
    shared int x1; // error: 6.5.1.1 p5
    shared int x2; // error: 6.5.1.1 p5
    shared int x3; // error: 6.5.1.1 p5
    shared int x4; // error: 6.5.1.1 p5
};
strict int y1; // error: 6.5.1.1 p4
strict int y2; // error: 6.5.1.1 p4
strict int y3; // error: 6.5.1.1 p4
strict int y4; // error: 6.5.1.1 p4
void f(void) {
    shared int z1; // error: 6.5.2 p8
    shared int z2; // error: 6.5.2 p8
    shared int z3; // error: 6.5.2 p8
    shared int z4; // error: 6.5.2 p8
    s = (shared int *)(p + 1); // error: 6.4.3 p1
    s = (shared int *)(p + 2); // error: 6.4.3 p1
    s = (shared int *)(p + 3); // error: 6.4.3 p1
    s = (shared int *)(p + 4); // error: 6.4.3 p1
    upc_barrier p + 1; // error: 6.6.1 p2
    upc_barrier p + 2; // error: 6.6.1 p2
    upc_barrier p + 3; // error: 6.6.1 p2
    upc_barrier p + 4; // error: 6.6.1 p2
}
