/* What the iterations of a upc_forall read of the blocks beside their own (halo.c), or of the rows (halo_rows.c). */
#ifndef GAS_HALO_H
#define GAS_HALO_H
#include "gas/gas_internal.h"
#include "lang/strip.h"

enum gas_halo {
    GAS_HALO_NONE, /* nothing of it is far */
    GAS_HALO_OTHER, /* much of a block is far, or what it would read is cut by an end of the segment: strips are for that */
    GAS_HALO_BEGUN, /* gas_halo_run has the iterations */
};
/* Before the iterations of `o` run, whose blocks are as long as those of all slots of `s`. `most`: blocks that are fetched together, or 0; forced: near
 * threads' elements are fetched, too. */
enum gas_halo gas_halo_begin(const struct fathom_strip *s, const struct fathom_own *o, size_t most, bool forced);
/* As fathom_own_run. */
long gas_halo_run(struct fathom_strip *s, long *first);

/* Steps over iterations of other threads; returns the one behind the block of the next own one, or o->hi (strip.c). */
long gas_next_own(struct fathom_own *o);

/* Has fathom_rows_fetch fetched these bytes, in this epoch, and has this thread not changed them? Then they are copied. */
bool gas_rows_have(fathom_ptr from, char *to, size_t n);
/* This thread is about to change bytes of far threads. */
void gas_rows_change(fathom_ptr p, size_t n);
#endif
