/* The lock of gas.h where not all threads are near each other. */
#ifndef GAS_LOCK_QUEUE_H
#define GAS_LOCK_QUEUE_H

#include "lang/prelude.h"

void gas_queue_lock(fathom_ptr lock);
int gas_queue_trylock(fathom_ptr lock);
void gas_queue_unlock(fathom_ptr lock);

#endif
