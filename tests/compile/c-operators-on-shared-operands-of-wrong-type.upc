// What C forbids for private operands it forbids for shared ones; since the C compiler never sees these, Fathom says so.
shared int s;
shared struct { int x; } st;
struct { int x; } rec;
shared int *p;
void f(void) {
    s = rec; // error: C 6.5.16.1
    s.x = 1; // error: C 6.5.2.3
    (&s)->x = 1; // error: C 6.5.2.3
    st.nothing = 1; // error: C 6.5.2.3
    s(); // error: C 6.5.2.2
    *s = 1; // error: C 6.5.3.2
    s[1] = 1; // error: C 6.5.2.1
    s = 1 + rec; // error: C 6.5.6
    s = p * 2; // error: C 6.5.5
    s = ~p; // error: C 6.5.3.3
    s = p + p; // error: C 6.5.6
    s = p + 1.5; // error: C 6.5.6
    if (st) s = 1; // error: C 6.8.4.1
    st = 3; // error: C 6.5.16.1
    s++, p++, st.x--, s = -s, s = !p;
}
