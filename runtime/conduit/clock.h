/* The clock by which conduits and the end of a job measure their patience. */
#ifndef CONDUIT_CLOCK_H
#define CONDUIT_CLOCK_H

#include <time.h>

/* Milliseconds; only differences mean something. */
static inline long long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

#endif
