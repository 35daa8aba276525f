/* What the two halves of upc_all_sort share: sorting and moving (collective_sort.c), and finding out who gets what
 * (collective_cuts.c). */
#ifndef FATHOM_COLLECTIVE_SORT_H
#define FATHOM_COLLECTIVE_SORT_H

#include "blocked.h"
#include "collective.h"

typedef int sort_function(fathom_pptr, fathom_pptr);

enum { SORT_PIVOTS = 16 }; /* elements of others that a thread compares with at once */

struct sort {
    struct blocked a;
    size_t n; /* elements of the array */
    sort_function *compare;
    char *segment;                    /* where this thread's begins */
    size_t room, spare, pivots, cuts; /* offsets on every thread: its sorted range, as much room, pivots, its cuts */
};

/* n sorted elements, in one piece of this thread's shared memory. */
struct sorted {
    char *at;
    size_t n;
};

/* Element i of a thread's sorted range, and how many there are. */
static inline fathom_ptr sort_element(const struct sort *s, int thread, size_t i) {
    return fathom_make(thread, s->room + i * s->a.elem_bytes);
}
static inline size_t sort_length(const struct sort *s, int thread) {
    size_t from, to;
    blocked_share(s->n, (size_t)thread, (size_t)gas_count(), &from, &to);
    return to - from;
}

/* The caller's function, of elements in this thread's segment. */
static inline fathom_pptr sort_global(const struct sort *s, const char *at) {
    return fathom_pptr_of(fathom_make(gas_me(), (size_t)(at - s->segment)), 0);
}
static inline int sort_compare(const struct sort *s, const char *a, const char *b) {
    return s->compare(sort_global(s, a), sort_global(s, b));
}

/* Where to cut each thread's sorted range so that `before` elements, the least ones, lie before the cuts; those of equals
 * that come first in the array. Cuts never lie before those of a lower thread. Collective. */
void sort_find_cuts(const struct sort *s, size_t before, size_t *cuts);

#endif
