// Everything of upc_tick.h with the type that the specification gives it.
#include <upc_tick.h>
upc_tick_t (*p1)(void) = upc_ticks_now;
uint64_t (*p2)(upc_tick_t) = upc_ticks_to_ns;
upc_tick_t most = UPC_TICK_MAX, least = UPC_TICK_MIN;
double seconds(void) { return upc_ticks_to_ns(upc_ticks_now() - least) / 1e9; }
