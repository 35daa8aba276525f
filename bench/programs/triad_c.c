/* The C side of triad.upc: what one thread's share is in private arrays. */
#ifndef N
#define N 32768
#endif

/* On pages of their own, as shared arrays of this size are: where arrays lie to each other within a page changes speed. */
#define PAGES __attribute__((aligned(4096)))
static double a[N] PAGES, b[N] PAGES, c[N] PAGES;

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
