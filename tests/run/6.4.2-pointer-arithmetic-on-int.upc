// threads: 1 2 4 8
/* 6.4.2p3-4, p7-9: addition, subtraction, difference and comparison of pointers to elements of four bytes, all layouts. */

#include "check.h"

#define T int
#include "arith-all.h"
