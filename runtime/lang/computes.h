/* What an object file says of functions that only compute, for generated code (docs/decisions/0021): the file that defines the
 * function f has fathom_computes_f, and loops of other files that call f ask about it. Included by the prelude; includes nothing. */
#ifndef FATHOM_COMPUTES_H
#define FATHOM_COMPUTES_H

struct fathom_computes;

/* A function of another file, and what that says of it, if anything. */
struct fathom_called {
    const struct fathom_computes *said;
    void (*function)(void);
};

/* The function touches no shared memory, orders nothing, writes no object but its own, and calls nothing that does. */
struct fathom_computes {
    void (*function)(void);             /* the one that was looked at: another one may have its name in the program */
    const struct fathom_called *called; /* it is true if it is true of these */
    int count;
    int reads; /* the function reads private memory, or gives up where something is wrong */
};

/* Does the function only compute, and perhaps read private memory? */
int fathom_only_computes(const struct fathom_computes *said, void (*function)(void), int may_read);

#endif
