// MYTHREAD is an expression, not an object: nothing can be stored in it and it has no address.
int g(const int *);
void f(void) {
    MYTHREAD = 0; // error: 6.3.2 p1
    MYTHREAD--; // error: 6.3.2 p1
    (MYTHREAD) = 1; // error: 6.3.2 p1
    MYTHREAD <<= 1; // error: 6.3.2 p1
    g(&MYTHREAD); // error: 6.3.2 p1
}
