#include <upc_relaxed.h>
#include "functions.h"

long steps_from(long x) { return collatz(x); }
long rotated(long i, long n) { return i + 5 < n ? i + 5 : i + 5 - n; }

long writes_ahead(long i) {
    if (i + 1 < A) cyclic[i + 1] = i;
    return 1;
}

long writes_by_pointer(long i) {
    shared long *p = &cyclic[i];
    if (i + 1 < A) p[1] = 2 * i;
    return 1;
}

long counts(long i) {
    static long calls;
    return ++calls * (i >= 0);
}

long remembers(long i) {
    long last = seen;
    seen = i;
    return last;
}

long stores(long *p, long i) {
    p[i + 1] = i;
    return 1;
}

long reads_shared(long i) { return cyclic[i]; }
