// threads: 1 2 4
/* 7.5: ticks advance, convert to nanoseconds that agree with the system's clock, and never overflow. */
#include "check.h"
#include <time.h>
#include <upc_tick.h>

static uint64_t clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(void) {
    CHECK(UPC_TICK_MIN == 0);
    CHECK(UPC_TICK_MAX == (upc_tick_t)-1);
    CHECK((upc_tick_t)-1 > 0);
    CHECK_EQ(0, upc_ticks_to_ns(0));

    uint64_t before = clock_ns();
    upc_tick_t start = upc_ticks_now();
    struct timespec pause = {0, 60 * 1000 * 1000};
    nanosleep(&pause, NULL);
    upc_tick_t end = upc_ticks_now();
    uint64_t after = clock_ns();
    CHECK(end > start);
    uint64_t ns = upc_ticks_to_ns(end - start);
    CHECK(ns >= 60 * 1000 * 1000 - 100 * 1000);
    CHECK(ns <= after - before + (after - before) / 1000);

    /* Linear up to the largest value, which is centuries. */
    uint64_t one = upc_ticks_to_ns((upc_tick_t)1 << 40), many = upc_ticks_to_ns((upc_tick_t)1 << 60);
    CHECK(one > 0 && many / one >= (1 << 20) - 1 && many / one <= (1 << 20) + 1);
    CHECK(upc_ticks_to_ns(UPC_TICK_MAX) > many * 15);

    upc_tick_t last = upc_ticks_now();
    for (int i = 0; i < 100000; i++) {
        upc_tick_t now = upc_ticks_now();
        CHECK(now >= last);
        last = now;
    }
    return 0;
}
