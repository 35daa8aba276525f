/* The record that every translation unit leaves for the runtime; see docs/decisions/0001. */
#ifndef FATHOM_UNIT_H
#define FATHOM_UNIT_H

#define FATHOM_ABI 1u

struct fathom_unit {
    unsigned abi;
    /* THREADS of the static environment; 0 in the dynamic one. */
    int static_threads;
    const char *file;
    /* Initialises shared objects and private objects that point to them; may be null. */
    void (*init)(void);
};

#endif
