// Mistakes in plain C, in expressions that also name shared objects, are the C compiler's to report: at the line of the source.
#include <stdio.h>
shared int s, a[THREADS];
struct { int x; } rec;
int *p;
void f(void) {
    s = undeclared; // error: C 6.5.1
    a[MYTHREAD] = rec.y; // error: C 6.5.2.3
    s = *rec; // error: C 6.5.3.2
    rec = s; // error: C 6.5.16.1
    p = "text"; // warning: C 6.5.16.1
    s = printf(s); // warning: C 6.5.2.2
    return s; // warning: C 6.8.6.4
}
