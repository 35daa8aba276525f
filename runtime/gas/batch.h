/* The inside of lang/batch.h: the places of a batch are sorted, and objects at near ones are changed. */
#ifndef GAS_BATCH_H
#define GAS_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gas.h"
#include "lang/batch.h"

struct gas_batch {
    size_t near, far;
    uint64_t offsets[FATHOM_BATCH]; /* of the near ones, from the first near byte */
};

/* Sorts the places of objects of so many bytes; those that are far stay in s->at. False: the batch must not be made as a whole. */
bool gas_batch_sort(struct fathom_batch *s, struct gas_batch *sorted, size_t bytes);
static inline char *gas_batch_base(void) { return fathom_local(fathom_near_base); }

/* gas_domain_update without a result at all places, of an operation with one operand or none; false as above. */
bool gas_domain_update_batch(gas_domain d, struct fathom_batch *s, enum gas_atomic_op op, const void *op1);

/* Do operations of the domain go by messages? Then of which type. */
bool gas_domain_goes_by_messages(gas_domain d, enum gas_atomic_type *type);

#endif
