/* The C side of triad.upc: what one thread's share is in private arrays. */
#ifndef N
#define N 32768
#endif

static double a[N], b[N], c[N];

void triad_c(void) {
    for (long i = 0; i < N; i++) a[i] = b[i] + 3.0 * c[i];
}

/* Gives the arrays pages of their own. To be called by each thread: what is written before the threads are forked would be
 * one copy for all of them. */
void triad_c_touch(void) {
    for (long i = 0; i < N; i++) a[i] = 1, b[i] = 2, c[i] = (double)i;
}
double triad_c_check(void);
double triad_c_check(void) { return a[N / 2]; }
