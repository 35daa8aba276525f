// threads: 1 2 3 4 7 8
/* 6.4.2p3-4, p7-9: addition, subtraction, difference and comparison of pointers to elements of one byte, all layouts. */

#include "check.h"

#define T char
#include "arith-all.h"
