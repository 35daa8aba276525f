/* A lock that promises no order, but that no thread waits for for ever: upc_lock is built on it. It lies in the first
 * 48 of 64 bytes at `lock`, zero-initialised, as a lock of gas.h does; an object is used as one of the two only.
 */
#ifndef GAS_LOCK_BARGING_H
#define GAS_LOCK_BARGING_H

#include "lang/prelude.h"

/* Take, try (1: taken) and release. All of them order all accesses on x86; elsewhere the caller adds a fence. To take a
 * lock twice, or to release another thread's lock, is fatal. */
void gas_barging_lock(fathom_ptr lock);
int gas_barging_trylock(fathom_ptr lock);
void gas_barging_unlock(fathom_ptr lock);

/* For tests. Where all threads are near each other, the first 32 bits at `lock` have this bit while a thread waits; the
 * first waiter is then overtaken at most this many times. */
#define GAS_BARGING_AWAITED (1u << 30)
enum { GAS_BARGING_MOST_PASSED = 1000 };

#endif
