/* What the blocks of a upc_forall read of the blocks beside them (halo.c). */
#ifndef GAS_HALO_H
#define GAS_HALO_H
#include "gas/gas_internal.h"
#include "lang/strip.h"

/* Before the iterations of `o` run, whose blocks are as long as those of all slots of `s`, which have elements of the first of them, own
 * or not: fetches what the first blocks read. `most`: blocks that are fetched together, or 0; forced: near threads' elements are fetched, too.
 * False if nothing of it is far. */
bool gas_halo_begin(const struct fathom_strip *s, const struct fathom_own *o, size_t most, bool forced);
#endif
