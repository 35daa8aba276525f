// threads: 1 3 4
/* 6.5.2.1p5: element i has affinity to thread floor(i / block size) mod THREADS, whatever the element type; here twelve bytes. */
struct point {
    float x, y, z;
};
#include "check.h"

#define T struct point
#include "layout-all.h"
