// threads: 1 2 3 4
/* 6.5.2.1p5: element i has affinity to thread floor(i / block size) mod THREADS, whatever the element type; here two bytes. */

#include "check.h"

#define T short
#include "layout-all.h"
