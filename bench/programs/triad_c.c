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

/* The same through pointers of which the compiler knows nothing: the C side of the form that casts to local pointers. At
 * -O2 compilers do not make vector code of such a loop, whoever wrote it. */
double *triad_c_a = a, *triad_c_b = b, *triad_c_c = c;

void triad_pointers_c(void) {
    double *pa = triad_c_a;
    const double *pb = triad_c_b, *pc = triad_c_c;
    for (long i = 0; i < N; i++) pa[i] = pb[i] + 3.0 * pc[i];
}

/* Gives the arrays pages of their own. To be called by each thread: what is written before the threads are forked would be
 * one copy for all of them. */
void triad_c_touch(void) {
    for (long i = 0; i < N; i++) a[i] = 1, b[i] = 2, c[i] = (double)i;
}
double triad_c_check(void);
double triad_c_check(void) { return a[N / 2]; }
