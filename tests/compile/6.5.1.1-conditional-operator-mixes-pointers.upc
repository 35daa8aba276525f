// The last two operands of ?: need one type between them, as far as block size and sharing go.
shared int *a;
shared [4] int *b;
shared void *g;
strict shared int *s;
int *p;
void f(int n) {
    g = n ? a : b; // error: 6.5.1.1 p13
    g = n ? a : p; // error: C 6.5.15
    g = n ? p : b; // error: C 6.5.15
    a = n ? a : 1; // error: C 6.5.15
    g = n ? g : b;
    g = n ? a : 0;
    a = n ? a : (void *)0;
}
