// Only a null pointer constant converts by itself; integers and pointers-to-shared do not mix in either direction.
shared int *s;
shared void *g;
long n;
void take(shared void *);
void f(void) {
    s = 1; // error: 6.4.3 p1
    s = n; // error: 6.4.3 p1
    take(n); // error: 6.4.3 p1
    n = s; // error: C 6.5.16.1
    n = g; // error: C 6.5.16.1
    take(0);
    n = (long)s;
    _Bool b = s;
}
