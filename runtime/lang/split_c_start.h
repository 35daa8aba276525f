/* What a program with a part in Split-C needs before it runs. Weak, for programs of the runtime's tests, which are linked
 * without Split-C's library. */
#ifndef FATHOM_SPLIT_C_START_H
#define FATHOM_SPLIT_C_START_H

#include "gas/gas_internal.h"

/* Collective, before the progress thread starts: moves the static data into the segment. `symbols` are those of UPC's
 * static shared objects, which stay. */
void fathom_split_start(struct core_range symbols) __attribute__((weak));
/* Registers the handlers of the library; every thread, in the order of all registrations. */
void fathom_split_prepare(void) __attribute__((weak));

#endif
