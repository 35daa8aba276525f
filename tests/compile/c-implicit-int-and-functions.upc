// Old programs leave out int and call functions without declaring them: accepted, with a warning each.
#include <stdio.h>
static counter = 0; // warning: C implicit int
shared int s;
twice(x) { return x + x; } // warning: C implicit int
main(argc, argv) char **argv; { // warning: C implicit int
    const k = 3; // warning: C implicit int
    counter = undeclared_function(argc, k); // warning: C implicit function
    s = undeclared_function(s);
    return twice(counter) + (argv == 0);
}
