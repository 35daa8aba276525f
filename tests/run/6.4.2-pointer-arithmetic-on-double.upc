// threads: 1 3 5
/* 6.4.2p3-4, p7-9: addition, subtraction, difference and comparison of pointers to elements of eight bytes, all layouts. */

#include "check.h"

#define T double
#include "arith-all.h"
