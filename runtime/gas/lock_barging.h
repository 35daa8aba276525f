/* A lock that promises no order, but that nobody waits for ever: what upc_lock is made of. It lies in the first 48 of
 * 64 bytes at `lock`, zero-initialised, as a lock of gas.h does; an object is used as one of the two only.
 */
#ifndef GAS_LOCK_BARGING_H
#define GAS_LOCK_BARGING_H

#include "lang/prelude.h"

/* Take, try (1: taken) and release. All order all accesses on x86; elsewhere the caller adds a fence. Taking it twice
 * and releasing another's is fatal. */
void gas_barging_lock(fathom_ptr lock);
int gas_barging_trylock(fathom_ptr lock);
void gas_barging_unlock(fathom_ptr lock);

/* For tests. Where all threads are near each other the first 32 bits at `lock` have this bit while somebody waits; who
 * waits first is then overtaken so many times at most. */
#define GAS_BARGING_AWAITED (1u << 30)
enum { GAS_BARGING_MOST_PASSED = 1000 };

#endif
