/* The C side of indefinite.upc: the same loops through C pointers to private memory. */
#include <stdlib.h>

#define N 32768

static long *p;
static double *r;
const long *indefinite_c_from;
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
    const long *x = indefinite_c_from;
    for (long i = 0; i < N; i++) q[i] = x[i] + 1;
}

/* Memory that starts at these places in a page, where the UPC side's does: how addresses of a load and a store differ in
 * their low bits changes speed by a fifth. To be called by each thread, for memory of its own. */
void indefinite_c_allocate(unsigned long place_of_p, unsigned long place_of_r) {
    char *a = aligned_alloc(4096, N * sizeof *p + 4096), *b = aligned_alloc(4096, N * sizeof *r + 4096);
    if (!a || !b) abort();
    p = (long *)(a + place_of_p % 4096);
    r = (double *)(b + place_of_r % 4096);
    for (long i = 0; i < N; i++) p[i] = i, r[i] = 1;
}
