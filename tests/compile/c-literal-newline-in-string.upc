// Traditional C lets a string run over the end of a line; accepted, with a warning where the string begins.
// warning(6): C newline in string
#include <stdio.h>
shared int s;
void usage(void) {
    printf("usage: prog
        -n threads
        -x\n");
    s = 1;
}
