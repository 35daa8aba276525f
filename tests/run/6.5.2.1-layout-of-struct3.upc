// threads: 1 2 3 4 8
/* 6.5.2.1p5: element i has affinity to thread floor(i / block size) mod THREADS, whatever the element type; here three bytes, a size that is no power of two. */
struct rgb {
    unsigned char r, g, b;
};
#include "check.h"

#define T struct rgb
#include "layout-all.h"
