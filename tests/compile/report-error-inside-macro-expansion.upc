// An error in what a macro expanded to is reported at the line that used the macro.
#include <stddef.h>
#define DECLARE(type, name) type name
#define LOCAL_TO_SHARED(p) ((shared int *)(p))
#define TWICE(x) x; x
int *p;
shared int *s;
void f(void) {
    DECLARE(shared int, x); // error: 6.5.2 p8
    s = LOCAL_TO_SHARED(p); // error: 6.4.3 p1
    s = LOCAL_TO_SHARED(0);
    s =
        LOCAL_TO_SHARED( // error: 6.4.3 p1
            p + 1);
    s = NULL;
}
