// threads: 1 2 3 7
/* 6.5.2.1p5: element i has affinity to thread floor(i / block size) mod THREADS, whatever the element type; here a structure of 24 bytes behind a typedef. */
typedef struct {
    double position;
    long mass;
    char name[8];
} body_t;
#include "check.h"

#define T body_t
#include "layout-all.h"
