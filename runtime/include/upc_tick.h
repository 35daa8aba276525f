/* <upc_tick.h>: high-performance wall-clock timers (UPC 1.3 required library, 7.5). Plain C. */
#ifndef UPC_TICK_H
#define UPC_TICK_H

#include <stdint.h>

/* A count of the calling thread's own clock; only differences, converted to time, compare between threads. */
typedef uint64_t upc_tick_t;
#define UPC_TICK_MIN ((upc_tick_t)0)
#define UPC_TICK_MAX ((upc_tick_t)UINT64_MAX)

upc_tick_t upc_ticks_now(void);
/* Exact to a nanosecond for every value up to UPC_TICK_MAX ticks. */
uint64_t upc_ticks_to_ns(upc_tick_t ticks);

#endif
