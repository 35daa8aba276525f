// threads: 1 2 3 7
/* 6.4.2p3-4, p7-9: addition, subtraction, difference and comparison of pointers to elements of three bytes, all layouts. */
struct rgb {
    unsigned char r, g, b;
};
#include "check.h"

#define T struct rgb
#include "arith-all.h"
