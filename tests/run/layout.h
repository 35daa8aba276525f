/* Where element i of a shared array lies, written out from the UPC specification (6.5.2.1p5, 6.4.2p4, 6.4.2p6) in
 * private C, so that tests compare the implementation with the text and not with itself.
 *
 * `b` is the block size in elements, 0 for the indefinite one. `t` is the number of threads.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#define MAX_THREADS 64
#define UNUSED __attribute__((unused))

/* div rounds towards negative infinity, mod is non-negative: what C's / and % are not. */
UNUSED static long div_floor(long a, long b) {
    long q = a / b;
    if (a % b != 0 && (a < 0) != (b < 0)) q--;
    return q;
}
UNUSED static long mod_floor(long a, long b) { return a - div_floor(a, b) * b; }

UNUSED static long owner_of(long i, long b, long t) { return b == 0 ? 0 : mod_floor(div_floor(i, b), t); }
UNUSED static long phase_of(long i, long b) { return b == 0 ? 0 : mod_floor(i, b); }
/* Position of element i among the elements of its thread: blocks follow one another without padding. */
UNUSED static long place_of(long i, long b, long t) {
    return b == 0 ? i : div_floor(i, b * t) * b + mod_floor(i, b);
}
/* How many of the first n elements have affinity to thread `me`, counted one by one. */
UNUSED static long count_of(long n, long b, long t, long me) {
    long c = 0;
    for (long i = 0; i < n; i++) c += owner_of(i, b, t) == me;
    return c;
}
/* The block size that `shared [*]` stands for (6.5.1.1p16). */
UNUSED static long star_block(long elements, long t) { return (elements + t - 1) / t; }

#endif
