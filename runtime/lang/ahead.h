/* Near memory that a loop updates at computed places is asked for ahead, for generated code: before some iterations their places are
 * added, and what is near of them is prefetched together. The runtime's part is gas/ahead.c. Included by the prelude. */
#ifndef FATHOM_AHEAD_H
#define FATHOM_AHEAD_H

/* Iterations at a time. */
enum { FATHOM_AHEAD = 32 };
/* Iterations before the first time, so that short loops do without; the largest long if owners do not compute updates (FATHOM_COMM), or no
 * thread is far. */
extern long fathom_ahead_first;

struct fathom_ahead {
    unsigned long at[FATHOM_AHEAD + 1]; /* offsets from the first near byte; the last one is nobody's */
    unsigned n;
};

/* The iteration behind the last one that is asked for from `from` on, in a loop that ends before `end`. A negative counter may be compared as
 * an unsigned one: then none. */
FATHOM_INLINE long fathom_ahead_to(long from, long end) {
    if (from < 0 || end <= from) return from;
    return end - from > FATHOM_AHEAD ? from + FATHOM_AHEAD : end;
}

/* Without a branch: which elements are near is seldom foreseen. */
FATHOM_INLINE void fathom_ahead_add(struct fathom_ahead *s, fathom_ptr p) {
    unsigned long at = p - fathom_near_base;
    s->at[s->n] = at;
    s->n += at < fathom_near_bytes;
}

/* Asks for them; returns the number of iterations until the next time. */
long fathom_ahead_ask(const struct fathom_ahead *s);

#endif
