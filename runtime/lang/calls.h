/* Functions of the runtime that generated code calls; defined in runtime/lang. Included by the prelude. */
#ifndef FATHOM_CALLS_H
#define FATHOM_CALLS_H

/* upc_notify, upc_wait and upc_barrier (6.6.1), with or without a value. */
void fathom_notify(int has_value, int value);
void fathom_wait(int has_value, int value);
void fathom_barrier(int has_value, int value);
/* A turn of a loop that does nothing but wait for relaxed writes of other threads: `while (!flag) ;`. What it reads is read anew
 * after it, the other threads are served, and it yields now and then. */
void fathom_turn(void);

#endif
