/* The record that every translation unit leaves for the runtime; see docs/decisions/0001. */
#ifndef FATHOM_UNIT_H
#define FATHOM_UNIT_H

enum { fathom_abi = 1 };

struct fathom_unit {
    unsigned abi;
    /* THREADS of the static environment; 0 in the dynamic one. */
    int static_threads;
    const char *file;
    /* Initialises shared objects and private objects that point to them; may be null. */
    void (*init)(void);
};

/* Initialises the elements of a shared array that have affinity to this thread from `n` elements of `size` bytes; `block`
 * is 0 for indefinite. */
FATHOM_INLINE void fathom_init_array(fathom_ptr start, const void *from, unsigned long n, unsigned long block,
                                     unsigned long size) {
    unsigned long i; /* not in the for: programs may be compiled as C89 */
    for (i = 0; i < n; i++) {
        unsigned long b = block ? i / block : 0, t = b % (unsigned long)FATHOM_T;
        if ((long)t != fathom_mythread) continue;
        unsigned long elem = block ? b / (unsigned long)FATHOM_T * block + i % block : i;
        fathom_memput(start + (t << FATHOM_SEG_BITS) + elem * size, (const char *)from + i * size, size);
    }
}

#endif
