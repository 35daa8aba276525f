// The value of a barrier statement can be assigned to an int: no pointer, structure or void.
struct s { int x; } rec;
shared struct s srec;
shared int *sp, a[THREADS];
int *p;
void g(void);
void f(void) {
    upc_notify p; // error: 6.6.1 p2
    upc_wait p; // error: 6.6.1 p2
    upc_barrier rec; // error: 6.6.1 p2
    upc_barrier sp; // error: 6.6.1 p2
    upc_notify g(); // error: 6.6.1 p2
    upc_wait srec; // error: 6.6.1 p2
    upc_barrier a; // error: 6.6.1 p2
    upc_barrier "text"; // error: 6.6.1 p2
    upc_barrier g; // error: 6.6.1 p2
    upc_notify &rec.x; // error: 6.6.1 p2
    upc_wait (void)0; // error: 6.6.1 p2
}
