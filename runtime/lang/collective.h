/* What the collective functions share: their synchronisation flags and a word from every thread to every other. */
#ifndef FATHOM_COLLECTIVE_H
#define FATHOM_COLLECTIVE_H

#include "upc_types.h"

#include "gas.h"

/* A flags argument as 7.3.3.1 p2 reads it. Collectives strengthen MYSYNC to ALLSYNC, which a barrier gives. */
static inline void check_flags(const char *function, upc_flag_t flags) {
    upc_flag_t in = flags & (UPC_IN_NOSYNC | UPC_IN_MYSYNC | UPC_IN_ALLSYNC);
    upc_flag_t out = flags & (UPC_OUT_NOSYNC | UPC_OUT_MYSYNC | UPC_OUT_ALLSYNC);
    if ((in & (in - 1)) || (out & (out - 1)) || (flags & ~(in | out)))
        gas_fatal("%s: flags 0x%x are not one UPC_IN_ and one UPC_OUT_ flag (UPC 1.3, 7.3.3.1)", function, (unsigned)flags);
}

static inline void collective_enter(const char *function, upc_flag_t flags) {
    check_flags(function, flags);
    if (!(flags & UPC_IN_NOSYNC)) gas_barrier();
}

static inline void collective_leave(upc_flag_t flags) {
    if (!(flags & UPC_OUT_NOSYNC)) gas_barrier();
}

/* Every thread gives up to COLLECTIVE_WORD bytes and then sees what each gave. All must call share, which returns after
 * all have entered it, with what they had written before in place; what they gave stays readable until the next call. */
enum { COLLECTIVE_WORD = 48 };
void collective_share(const void *word, size_t n);
void collective_look(int thread, void *word, size_t n);

/* *value = *value ⊕ *next for one of the operations of <upc_types.h> and one of the eleven types of 7.4.3.1; their sizes. */
void collective_combine(upc_type_t type, upc_op_t op, void *value, const void *next);
size_t collective_type_bytes(upc_type_t type);

#endif
