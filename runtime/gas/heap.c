#include "gas/gas_internal.h"
void gas_heap_prepare(void) {}
