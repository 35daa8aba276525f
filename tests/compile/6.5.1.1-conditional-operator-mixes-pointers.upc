// The last two operands of ?: need one type between them, as far as block size and sharing go.
shared int *a;
shared [4] int *b;
shared void *g;
strict shared int *s;
int *p;
void f(int n) {
    g = n ? a : b; // error: 6.5.1.1 p13
    g = n ? a : p; // error: 6.4.2 p1
    g = n ? p : b; // error: 6.4.2 p1
    a = n ? a : 1; // error: 6.4.3 p1
    g = n ? g : b;
    g = n ? a : 0;
    a = n ? a : (void *)0;
}
