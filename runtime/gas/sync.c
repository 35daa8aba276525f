/* The starts of the parts that sync.h lists. */
#include "gas/sync.h"

void gas_sync_prepare(void) {
    gas_atomic_prepare();
    gas_heap_prepare();
    gas_calls_prepare();
}

void gas_sync_start(void) {
    gas_wait_start();
    gas_atomic_start();
    gas_fetch_start();
    gas_heap_start();
    gas_lock_start();
    gas_stream_start();
    gas_schedule_start();
    gas_team_start();
    gas_calls_start();
}
