// threads: 1 2
/* bupc_ticks: the clock as older programs read it; declared by <upc.h> alone. */
#include "check.h"
#include <time.h>

int main(void) {
    bupc_tick_t start = bupc_ticks_now();
    struct timespec pause = {0, 30 * 1000 * 1000};
    nanosleep(&pause, NULL);
    bupc_tick_t ticks = bupc_ticks_now() - start;
    CHECK(bupc_ticks_to_us(ticks) >= 29900 && bupc_ticks_to_us(ticks) < 10 * 1000 * 1000);
    CHECK_EQ(bupc_ticks_to_us(ticks), bupc_ticks_to_ns(ticks) / 1000);
    CHECK(bupc_tick_granularityus() > 0 && bupc_tick_granularityus() < 1000);
    CHECK(bupc_tick_overheadus() > 0 && bupc_tick_overheadus() < 1000);
    CHECK(bupc_tick_granularity() > 0 && bupc_tick_overhead() > 0);
    CHECK(BUPC_TICK_MIN == 0 && BUPC_TICK_MAX > ticks);
    return 0;
}
