// What C forbids for private operands it forbids for shared ones: these mistakes the C compiler never sees.
shared int s;
shared struct { int x; } st;
shared int *p, *q;
struct { int x; } rec;
long n;
void f(void) {
    s.x = 1; // error: C 6.5.2.3
    (&s)->x = 1; // error: C 6.5.2.3
    st.nothing = 1; // error: C 6.5.2.3
    n = p * 2; // error: C 6.5.5
    n = ~p; // error: C 6.5.3.3
    q = p + p; // error: C 6.5.6
    q = p + 1.5; // error: C 6.5.6
    if (st) s = 1; // error: C 6.8.4.1
    while (!st) s = 1; // error: C 6.5.3.3
    s = rec; // error: C 6.5.16.1
    s(); // error: C 6.5.2.2
    *s = 1; // error: C 6.5.3.2
    s[1] = 1; // error: C 6.5.2.1
    s = 1 + rec; // error: C 6.5.6
    st = 3; // error: C 6.5.16.1
    s++, p++, st.x--, s = -s, s = !p;
}
