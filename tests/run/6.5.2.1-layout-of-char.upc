// threads: 1 2 3 4 7 8
/* 6.5.2.1p5: element i has affinity to thread floor(i / block size) mod THREADS, whatever the element type; here one byte. */

#include "check.h"

#define T char
#include "layout-all.h"
