/* The other side of far.sc: the runtime's own blocking get. */
#include "gas.h"

void plain_get(void *to, fathom_ptr from, size_t bytes);
void plain_get(void *to, fathom_ptr from, size_t bytes) { gas_get(to, from, bytes); }
