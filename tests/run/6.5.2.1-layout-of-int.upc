// threads: 1 2 3 5
/* 6.5.2.1p5: element i has affinity to thread floor(i / block size) mod THREADS, whatever the element type; here four bytes. */

#include "check.h"

#define T int
#include "layout-all.h"
