/* The C side of local.sc, compiled by the C compiler alone. */
#define SIDE c
#define SIDE_IS_DEFINED_HERE
#include "kernels.h"

/* 1000 loads, one after the other. */
long c_loads(const volatile long *p) {
    long sum = 0;
    for (int k = 0; k < 1000; k++) {
        sum += *p;
        __asm__ volatile("" ::: "memory");
    }
    return sum;
}
/* The same, of other elements of an array. */
long c_load_indexed(const volatile long *p, const int *indices, long n) {
    long sum = 0;
    for (long k = 0; k < n; k++) sum += p[indices[k]];
    return sum;
}
