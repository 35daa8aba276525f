// Mistakes in plain C, in expressions that also name shared objects, are the C compiler's to report: at the line of the source.
#include <stdio.h>
shared int s;
shared struct { int x; } st;
struct { int x; } rec;
void f(void) {
    s = rec; // error: C 6.5.16.1
    s(); // error: C 6.5.2.2
    *s = 1; // error: C 6.5.3.2
    s[1] = 1; // error: C 6.5.2.1
    s = 1 + rec; // error: C 6.5.6
    st = 3; // error: C 6.5.16.1
    s = undeclared; // error: C 6.5.1
    rec = s; // error: C 6.5.16.1
    s = printf; // warning: C 6.5.16.1
}
