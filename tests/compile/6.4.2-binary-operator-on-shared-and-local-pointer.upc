// No binary operator takes a pointer-to-shared and a pointer-to-local, whichever side each stands on.
shared int *s;
shared [4] int *b;
shared void *g;
shared int a[THREADS];
int *p, local[10];
void *v;
long r;
void f(void) {
    r = s - p; // error: 6.4.2 p1
    r = p - s; // error: 6.4.2 p1
    r = s == p; // error: 6.4.2 p1
    r = local != s; // error: 6.4.2 p1
    r = b < p; // error: 6.4.2 p1
    r = p >= b; // error: 6.4.2 p1
    r = g == v; // error: 6.4.2 p1
    r = v != g; // error: 6.4.2 p1
    r = a == local; // error: 6.4.2 p1
    r = &a[1] > p; // error: 6.4.2 p1
    r = s == (int *)0; // error: 6.4.2 p1
    if (p <= s) r = 1; // error: 6.4.2 p1
    while (s != v) r++; // error: 6.4.2 p1
}
