/* What the collective functions share: their synchronisation flags, and reductions of values of their own. */
#ifndef FATHOM_COLLECTIVE_H
#define FATHOM_COLLECTIVE_H

#include "upc_types.h"

#include "gas/collective.h"

/* A flags argument as 7.3.3.1 p2 reads it. */
static inline void check_flags(const char *function, upc_flag_t flags) {
    upc_flag_t in = flags & (UPC_IN_NOSYNC | UPC_IN_MYSYNC | UPC_IN_ALLSYNC);
    upc_flag_t out = flags & (UPC_OUT_NOSYNC | UPC_OUT_MYSYNC | UPC_OUT_ALLSYNC);
    if ((in & (in - 1)) || (out & (out - 1)) || (flags & ~(in | out)))
        gas_fatal("%s: flags 0x%x are not one UPC_IN_ and one UPC_OUT_ flag (UPC 1.3, 7.3.3.1)", function,
                  (unsigned)flags);
}

/* The beginning and the end of a function in which each thread touches data with affinity to others: MYSYNC is as good as
 * ALLSYNC there. ALLSYNC needs no barrier (7.3.3.1 p2, the last footnote), but a barrier gives it. */
static inline void collective_enter(const char *function, upc_flag_t flags) {
    check_flags(function, flags);
    if (!(flags & UPC_IN_NOSYNC)) gas_barrier();
}
static inline void collective_leave(upc_flag_t flags) {
    if (!(flags & UPC_OUT_NOSYNC)) gas_barrier();
}

/* And of one in which each thread touches its own data only, and tells the others values: MYSYNC holds of itself. What the
 * thread has written to others before is there before they can know that it has entered. */
static inline void collective_enter_own(const char *function, upc_flag_t flags) {
    check_flags(function, flags);
    if (flags & UPC_IN_MYSYNC)
        fathom_settle();
    else if (!(flags & UPC_IN_NOSYNC))
        gas_barrier();
}
static inline void collective_leave_own(upc_flag_t flags) {
    if (!(flags & (UPC_OUT_NOSYNC | UPC_OUT_MYSYNC))) gas_barrier();
}

/* The first operand that is not null: of ints, such as error numbers. What it makes of all threads' ints, on all threads;
 * nobody returns before all have entered, and then sees what these have written before. */
int collective_first(int value);

/* Operators of <upc_types.h> on values of one of the eleven types of 7.4.3.1; ends the job if there is no such one. */
struct collective_operator {
    struct gas_operator operator;
    upc_type_t type;
    upc_op_t op;
};
struct collective_operator collective_operator_of(upc_type_t type, upc_op_t op);

#endif
