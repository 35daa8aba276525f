// threads: 1 2 4
/* 6.4.2p3-4, p7-9: addition, subtraction, difference and comparison of pointers to elements of twelve bytes, all layouts. */
struct point {
    int x, y, z;
};
#include "check.h"

#define T struct point
#include "arith-all.h"
