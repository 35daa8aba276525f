/* gas_tuning.h: the choice of the mechanism that moves data, and how to override it. docs/tuning.md describes the table
 * and its lines.
 *
 * A job reads its table at the start; these calls are for measurements and tests of the mechanisms themselves. All
 * mechanisms have the same result, so a change only affects the speed. A change holds for this process only. Decisions
 * that several threads must share (collectives, `stream` and `atomic`) must be changed on all threads, between the same
 * calls. */
#ifndef GAS_TUNING_H
#define GAS_TUNING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Applies a line of a table, such as "gather element=8: loop < 1048576, prefetch". Returns null, or the error (valid
 * until the next call). A table may have decisions that this version does not know; here that is an error, too. */
const char *gas_tune(const char *line);
/* Restores the tuning with which the job began. */
void gas_tune_reset(void);
/* The file that was read; "" if the built-in defaults are used. */
const char *gas_tuning_file(void);
/* The mechanism for `bytes` bytes in elements of `element` bytes, `stride` bytes apart (0 and 0 if the decision does
 * not depend on them); null if there is no such decision. If the decision depends on the number of threads, `element` is
 * that number; if it depends on the computer, 0 is this one and 1 another. */
const char *gas_tuned(const char *decision, size_t element, size_t stride, size_t bytes);
/* A mechanism that has been used: the decision, the shape (as for gas_tuned) and the number of bytes. If another
 * mechanism than that of the ranges was used, it is here. */
struct gas_choice {
    const char *decision, *mechanism;
    size_t element, stride, bytes;
    const void *ranges; /* for gas_choice_ranges */
};
/* Calls `told` for each use from now on, where it is performed; null ends that. */
typedef void gas_told(const struct gas_choice *choice);
void gas_tell(gas_told *told);
/* All ranges of that decision for its shape, by size, in the notation of a table: "in-place < 17, library" (valid until
 * the next call). Sets *is_built_in to whether they are the built-in defaults. */
const char *gas_choice_ranges(const struct gas_choice *choice, int *is_built_in);
/* The number of polls of a waiting thread before it yields: `spins`, or few if threads share processors. */
unsigned gas_tuned_spins(void);
/* Is the thread on this computer, near or not, as far as the conduit can tell? */
int gas_on_this_computer(int thread);
/* Can this processor, on this conduit, perform the mechanism? If not, the decision's first mechanism is used. */
int gas_tune_can(const char *mechanism);

#ifdef __cplusplus
}
#endif
#endif
