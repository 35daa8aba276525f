// threads: 1 2 3 8
/* 6.4.2p3-4, p7-9: addition, subtraction, difference and comparison of pointers to elements of 24 bytes, all layouts. */
typedef struct {
    double position[3];
} body_t;
#include "check.h"

#define T body_t
#include "arith-all.h"
