/* gas_tuning.h: which mechanism moves data, chosen and overridden. docs/tuning.md describes the table and its lines.
 *
 * A job reads its table at the start; these calls are for whoever measures or tests the mechanisms themselves. All of
 * them do the same, so a change is never wrong, only faster or slower. It is this process's own, but for what several
 * threads must do alike: changes of collectives, `stream` and `atomic` are made on all threads, between the same calls. */
#ifndef GAS_TUNING_H
#define GAS_TUNING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Applies a line of a table, such as "gather element=8: loop < 1048576, prefetch". Null, or what is wrong with it (until
 * the next call). A table may hold decisions that this version does not know; here that is wrong, too. */
const char *gas_tune(const char *line);
/* Back to what the job began with. */
void gas_tune_reset(void);
/* The file that was read; "" if the built-in defaults serve. */
const char *gas_tuning_file(void);
/* The mechanism that is taken for so many bytes in elements of so many, so far apart (0 and 0 where the decision does not
 * ask); null if there is no such decision. Where the decision asks for threads, `element` is how many; where it asks for the
 * computer, 0: this one, 1: another. */
const char *gas_tuned(const char *decision, size_t element, size_t stride, size_t bytes);
/* A mechanism that has been taken: by which decision, for which shape (as gas_tuned has it) and how many bytes. Not always
 * the one that the ranges name: what serves instead is here. */
struct gas_choice {
    const char *decision, *mechanism;
    size_t element, stride, bytes;
    const void *ranges; /* for gas_choice_ranges */
};
/* Has `told` called for each from now on, at the place where it is carried out; null: no more. */
typedef void gas_told(const struct gas_choice *choice);
void gas_tell(gas_told *told);
/* All ranges of that decision for its shape, by size, as a table has them: "in-place < 17, library" (until the next call).
 * Are they what serves without a table? */
const char *gas_choice_ranges(const struct gas_choice *choice, int *is_built_in);
/* How often who waits looks before it yields its processor: `spins`, or few where threads share processors. */
unsigned gas_tuned_spins(void);
/* Is the thread on this computer, near or not, as far as the conduit can tell? */
int gas_on_this_computer(int thread);
/* Can this processor, on this conduit, perform it as such? Where it cannot, the first of the decision's mechanisms does its work. */
int gas_tune_can(const char *mechanism);

#ifdef __cplusplus
}
#endif
#endif
