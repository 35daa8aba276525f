/* Loops whose elements are gathered through a list, for generated code (docs/decisions/0017): each place that the loop reads is
 * fetched once for many iterations, and the list has, for each read in the order of the iterations, the number of its element. A
 * list that is kept serves the next execution of the loop, too. Where a loop has read most of a table, its next execution
 * fetches the table's elements from the lowest to the highest one that was read, and reads them where its own indices say: it needs no list, and
 * no promise. The runtime's part is gas/kept.c. Included by the prelude, after strip.h; includes nothing. */
#ifndef FATHOM_KEPT_H
#define FATHOM_KEPT_H

/* Values that say whether a list is the one wanted; MOST_KEY of crates/lower is less by those that it does not count. */
enum { FATHOM_KEPT_KEY = 16 };
/* So many indices are looked at before the loop reads the table at them: they stay in the first two caches. */
enum { FATHOM_KEPT_LOOK = 8192 };

struct fathom_kept {
    const void *at;             /* the elements of this strip, each once */
    const unsigned *element;    /* of each read: the number of its element */
    const unsigned long *first; /* of each iteration of the strip: its first read, if a loop inside makes them */
    int is_known;               /* the list is there: the places need not be computed */
    int is_kept;                /* it is to be kept */
    int is_whole;               /* there is no list: element low + i of the table is the i-th at `at`, i < many */
    int stops;                  /* too many reads are of other elements: the strip ends before its next iteration */
    int is_certain;             /* is_whole, and it is promised that all reads are of its elements */
    const void *zero;           /* where element 0 of the table is, or would be, if is_whole */
    long low;
    unsigned long many;
    unsigned long reads; /* which the loops inside make in this strip, if is_whole */
    const char *file;
    int line;
    int count;    /* values of the key; 0: there is no list to be kept */
    int promised; /* the same, where a table is whole, too */
    unsigned long site;
    unsigned long key[FATHOM_KEPT_KEY];
    void *list, *before, *seen;
    long shortest;  /* iterations of a strip if the list is not kept */
    long phase;     /* of the table's first element in its block, or -1: it is never fetched whole */
    long from, end; /* elements that lists of this execution have, or what is read outside, if end > from */
    unsigned long lists_reads, lists_elements, lists_iterations, outside;
    /* Indices that are to be looked at, one after the other in memory; their bytes, negative if they have no sign; those that have been. */
    const char *look_from, *look_end;
    int look_bytes;
    unsigned long looked;
    int misses; /* one is outside of the table that is there */
};

/* A loop inside that has as many iterations is no part of a list: it would take memory that nobody expects, and the loop's own strips
 * serve. Much fewer do where the elements follow each other. */
extern long fathom_kept_most, fathom_kept_range;

/* Begins a loop, which may run in strips (fathom_strip_open), with one table. If `count` is not 0, it is promised that its places
 * are those of its last execution with the same key at the same site, a number that no other loop has. The key's first three values
 * are the loop's bounds and shift. */
void fathom_kept_begin(struct fathom_kept *k, struct fathom_strip *s, unsigned long site, const char *file, int line,
                       long phase, const unsigned long *key, int count);
/* As fathom_own_next; its `block` is 0 if this thread runs all iterations. */
unsigned long fathom_kept_next(struct fathom_kept *k, struct fathom_strip *s, struct fathom_own *o);
/* Iteration i of the strip begins; or (0) the strip has enough, and ends before it. If the table is there as a whole, the reads are
 * counted once. */
int fathom_kept_has_room(struct fathom_kept *k, unsigned long i);
FATHOM_INLINE int fathom_kept_more(struct fathom_kept *k, unsigned long i) {
    if (!k->is_whole) return fathom_kept_has_room(k, i);
    if (k->at || k->is_certain) return 0;
    if (i == 0) k->reads = 0;
    return 1;
}
/* Room for n places, and their addition to the list, behind those before. A read that is not made has a null place. */
fathom_ptr *fathom_kept_places(struct fathom_kept *k, unsigned long n);
void fathom_kept_add(struct fathom_kept *k, unsigned long n);
/* Fetches what the list has, or the table; returns how many of the n iterations that fathom_kept_next gave are in the strip:
 * 0 if they are to be tried again, with a list. */
unsigned long fathom_kept_fetch(struct fathom_kept *k, struct fathom_strip *s, struct fathom_own *o, unsigned long n);

/* Element low + i of a table that is there as a whole; or of one of which it is no part. */
const void *fathom_kept_outside(struct fathom_kept *k, unsigned long i);
FATHOM_INLINE const void *fathom_kept_element(struct fathom_kept *k, const void *at, unsigned long i,
                                              unsigned long many, unsigned long size) {
    return __builtin_expect(i < many, 1) ? (const char *)at + i * size : (const char *)fathom_kept_outside(k, i);
}

/* Where a table's index is read from memory as it is, a loop looks at the indices of several iterations before it runs them: then
 * it reads the table without a test. An iteration has n indices from `from` on. */
FATHOM_INLINE int fathom_kept_looks(const struct fathom_kept *k) { return k->looked < FATHOM_KEPT_LOOK; }
void fathom_kept_look_at(struct fathom_kept *k);
FATHOM_INLINE void fathom_kept_look(struct fathom_kept *k, const void *from, unsigned long n, int bytes) {
    if ((const char *)from != k->look_end) {
        fathom_kept_look_at(k);
        k->look_from = (const char *)from;
        k->look_bytes = bytes;
    }
    k->look_end = (const char *)from + n * (unsigned long)(bytes < 0 ? -bytes : bytes);
    k->looked += n;
}
/* Are all of them elements that are there? If not, the strip ends before these iterations. */
int fathom_kept_looked(struct fathom_kept *k);

#endif
