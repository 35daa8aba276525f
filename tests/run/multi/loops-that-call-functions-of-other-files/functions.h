#define N 120
#define A (N * THREADS)

extern shared long cyclic[A];
extern shared [7] long sevens[7 * 20 * THREADS];
extern shared [32] long rows[32 * 4 * THREADS];
extern long weights[4];
extern long seen;

/* They only compute. */
long thrice(long x);
long weight(long i);       /* reads private memory */
long first_of(const long *p); /* the same, by a pointer */
long collatz(long x);      /* calls one of another file, which calls it */
long steps_from(long x);
long permuted(long i, long n); /* calls one that computes */
long rotated(long i, long n);
const shared long *element(long i); /* computes a place, and reads nothing there */

/* They do more. Each changes what the loop that calls it comes to later, or counts the calls. */
long writes_ahead(long i);
long writes_by_pointer(long i);
long writes_later(long i); /* calls the one before */
long counts(long i);
long remembers(long i);
long stores(long *p, long i);
long reads_shared(long i);
