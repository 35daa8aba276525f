// upc_fence takes no expression, a synchronisation is a statement and no expression, and each ends with a semicolon.
int g(void);
void a(void) {
    upc_fence 1; // error: C syntax, 6.6.1 p1
}
void b(int x) {
    x = upc_barrier; // error: C syntax, 6.6.1 p1
}
void c(void) {
    g(), upc_notify; // error: C syntax, 6.6.1 p1
}
void d(void) {
    return upc_wait; // error: C syntax, 6.6.1 p1
}
void e(void) {
    upc_barrier 1 2; // error: C syntax, 6.6.1 p1
}
upc_barrier; // error: C syntax, 6.6.1 p1
int still_here(void) { return 0; }
