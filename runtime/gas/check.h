/* FATHOM_COMM_CHECK: what was fetched ahead, or is kept, of a far thread is compared, where the program uses it, with what is
 * there then. The memory model lets both differ only if another thread writes the place between two strict operations of the
 * one that reads it. So in a program without races a difference is a fault of this runtime or of the compiler; in others it is
 * a race. It is reported once for each pair of places in the program, and the program goes on with the value that was
 * fetched, or ends (FATHOM_COMM_CHECK=stop).
 */
#ifndef GAS_CHECK_H
#define GAS_CHECK_H

#include <stdbool.h>

#include "core/core.h"

extern bool gas_check_is_on;

void gas_check_start(void);

/* Are the n bytes at `value` what is at p now? This thread's own writes are. True, too, where p is not in the segment. */
bool gas_check_same(const void *value, fathom_ptr p, size_t n);
/* Has no pair with these numbers been reported? It counts as reported from now on. */
bool gas_check_is_new(uintptr_t fetched, uintptr_t used);
/* Reports a difference in the n bytes at p, which were fetched and are used at these places; ends the job if it is to stop. */
void gas_check_differs(fathom_ptr p, size_t n, const char *fetched, const char *used);

/* Reports, once, that the loop at this place reads other elements than before, although its indices were promised to be constant. */
void gas_check_promise(const char *file, int line);

#endif
