/* Elements at places of their own, one after the other. */
#ifndef GAS_GATHER_H
#define GAS_GATHER_H

#include "gas/handle.h"

/* Fetches n elements of `size` bytes to `to`. Inside the gate. */
void gas_gather_get(char *to, const fathom_ptr *places, size_t size, size_t n);

/* Lists of loops that gather (kept.c): as many bytes may be kept, or 0: the usual. */
void gas_kept_start(size_t bytes);

#endif
