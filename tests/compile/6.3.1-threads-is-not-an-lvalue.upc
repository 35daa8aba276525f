// dynamic-only
// THREADS is an expression, not an object: nothing can be stored in it and it has no address (statically it is a macro).
void f(void) {
    THREADS = 4; // error: 6.3.1 p1
    THREADS++; // error: 6.3.1 p1
    --THREADS; // error: 6.3.1 p1
    THREADS += 1; // error: 6.3.1 p1
    const int *p = &THREADS; // error: 6.3.1 p1
    (void)p;
}
