/* The C side of triad.upc: what one thread's share is in private arrays. */
#ifndef N
#define N 32768
#endif

static double a[N], b[N], c[N];

void triad_c(void) {
    for (long i = 0; i < N; i++) a[i] = b[i] + 3.0 * c[i];
}

/* Pages that were never written are all the same page of zeros, which would be unfairly fast. */
__attribute__((constructor)) static void touch(void) {
    for (long i = 0; i < N; i++) a[i] = 1, b[i] = 2, c[i] = (double)i;
}
double triad_c_check(void);
double triad_c_check(void) { return a[N / 2]; }
