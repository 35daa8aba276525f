/* Atomic operations whose results a loop uses, `place = upc_atomic_relaxed(..., &next[bin[i]], ...)`, made for many iterations together,
 * for generated code: their places and operands are computed before the iterations, the threads that have the objects carry the
 * operations out, and the iterations find the results. The questions before that are those of strip.h, of which the table is
 * gather 0. The runtime's part is gas/fetch.c. Included by the prelude. */
#ifndef FATHOM_FETCH_H
#define FATHOM_FETCH_H

#include "strip.h"

/* As enum gas_atomic_type and enum gas_atomic_op have them. */
enum fathom_fetch_type {
    FATHOM_FETCH_I32,
    FATHOM_FETCH_U32,
    FATHOM_FETCH_I64,
    FATHOM_FETCH_U64,
    FATHOM_FETCH_F32,
    FATHOM_FETCH_F64
};
enum fathom_fetch_op {
    FATHOM_FETCH_GET,
    FATHOM_FETCH_SWAP,
    FATHOM_FETCH_ADD,
    FATHOM_FETCH_AND,
    FATHOM_FETCH_OR,
    FATHOM_FETCH_XOR
};

enum { FATHOM_FETCH_LOADS = 4 };

struct fathom_fetch {
    int type, op;          /* of gas.h */
    unsigned long operand; /* where none is computed */
    unsigned loads;        /* memory that the loop reads, to be compared with the places of operations */
    struct fathom_source load[FATHOM_FETCH_LOADS];
};

/* What an object file says of a function f that is one relaxed atomic operation with a result: it has fathom_atomic_f. */
struct fathom_atomic {
    void (*function)(void); /* the one that was looked at: another one may have its name in the program */
    int (*opens)(struct fathom_fetch *op); /* is it made so, and how? */
    int parameters;                        /* behind a pointer-to-shared: 1, an index to it, and 2, the operand */
    unsigned long bytes, operand;
};

/* Iterations until the first question; the largest long if nothing is gathered (FATHOM_COMM), or no thread is far. */
FATHOM_INLINE long fathom_fetch_first(void) { return fathom_gathers_from == __LONG_MAX__ ? __LONG_MAX__ : 1; }

/* Those from `from` on, in a loop that ends before `end`. A negative counter may be compared as an unsigned one: then none. */
FATHOM_INLINE long fathom_fetch_trips(long from, long end) { return from < 0 || end <= from ? 0 : end - from; }

/* Those whose operations are made together, if the questions have been answered with yes. */
FATHOM_INLINE unsigned long fathom_fetch_count(const struct fathom_strip *s, long trips) {
    return (unsigned long)(trips < s->step ? trips : s->step);
}

/* Are these operations made so? */
int fathom_fetch_domain(struct fathom_fetch *f, fathom_ptr domain, int op, unsigned long bytes, int has_operand);
int fathom_fetch_berkeley(struct fathom_fetch *f, enum fathom_fetch_type type, enum fathom_fetch_op op);
int fathom_fetch_elsewhere(struct fathom_fetch *f, const struct fathom_atomic *said, void (*function)(void),
                           int parameters, unsigned long bytes);

/* The loop reads bytes from, ..., from + bytes - 1 of private memory (bytes < 0: any of the object in which `from` is). 0: they may be among
 * those of the table. Of a table behind a pointer the end is not known: there its places are compared with them before each of the calls of
 * fathom_fetch_all. */
int fathom_fetch_loads(struct fathom_fetch *f, const struct fathom_strip *s, const volatile char *from, long bytes);

/* Room for the operands of n iterations. Their places are in the room of gather 0 (strip.h). */
unsigned long *fathom_fetch_operands(unsigned long n);
/* Makes the operations, those of one object in their order, but for iterations whose place is ~0ul, and returns the results: an object for each
 * iteration. Null: the loop reads what they may change, and none has been made. */
const void *fathom_fetch_all(const struct fathom_fetch *f, unsigned long n);

#endif
