/* The C side of indefinite.upc: the same loops through C pointers to private memory. */
#include <stdlib.h>

#define N 32768

static long *p, from[N];
static double *r;
long indefinite_c_sink;

void scale_c(void) {
    double *q = r;
    for (long i = 0; i < N; i++) q[i] = q[i] * 0.5 + 1.0;
}
void sum_c(void) {
    long *q = p, s = 0;
    for (long i = 0; i < N; i++) s += q[i];
    indefinite_c_sink = s;
}
void copy_c(void) {
    long *q = p;
    for (long i = 0; i < N; i++) q[i] = from[i] + 1;
}

/* To be called by each thread, for memory of its own. */
void indefinite_c_allocate(void) {
    p = aligned_alloc(4096, N * sizeof *p);
    r = aligned_alloc(4096, N * sizeof *r);
    if (!p || !r) abort();
    for (long i = 0; i < N; i++) p[i] = from[i] = i, r[i] = 1;
}
