/* Clocks: upc_tick.h (UPC 1.3, 7.5) and bupc_ticks.
 *
 * Where the processor has a counter that runs at one rate whatever the core does (x86: an invariant time stamp counter;
 * ARM: the virtual counter), a tick is one of its counts, read in about twenty cycles; elsewhere, and on a simulated
 * machine, it is a nanosecond of the job's clock. The counter's rate is measured against CLOCK_MONOTONIC, over the time
 * from the program's start to the first conversion and 20 ms at least: an error of a few millionths. It is measured
 * once, so that conversions by one thread are consistent with each other.
 */
#include "upc_tick.h"

#include <stdint.h>
#include <time.h>

#include "bupc_extensions.h"
#include "gas/gas_internal.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <x86intrin.h>

static bool counter_is_invariant(void) {
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
}
static inline uint64_t counter(void) { return __rdtsc(); }
/* Nothing that is being timed may start before the counter was read. */
static inline void counter_was_read(void) { __builtin_ia32_lfence(); }

#elif defined(__aarch64__)

/* The counter may be slow, 24 MHz for one, and a tick is at most a nanosecond, so that UPC_TICK_MAX is one that nanoseconds
 * can express: a count is a power of two of ticks. */
static int ticks_shift;
static bool counter_is_invariant(void) {
    uint64_t hz;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    while (hz && hz << ticks_shift < 1100000000) ticks_shift++; /* the rate is measured: stay clear of 10^9 */
    return hz != 0;                                             /* Arm ARM, D11.1.2: a fixed frequency */
}
/* Without the barrier the processor may read the counter before the instructions in front of it. */
static inline uint64_t counter(void) {
    uint64_t t;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(t)::"memory");
    return t << ticks_shift;
}
static inline void counter_was_read(void) { __asm__ volatile("isb" ::: "memory"); }

#endif

#if defined(__x86_64__) || defined(__aarch64__)

enum { CALIBRATION_NS = 20 * 1000 * 1000, READINGS = 16 };

/* One moment on both clocks. */
struct moment {
    uint64_t count, ns;
};

static bool has_counter;
static struct moment start;
static uint64_t ns_per_tick; /* times 2^shift; 0 before the first conversion */
static int shift;

/* The reading of the pair that took least time is the one that was not interrupted. */
static struct moment moment_now(void) {
    struct moment best = {0, 0};
    uint64_t width = UINT64_MAX;
    for (int i = 0; i < READINGS; i++) {
        uint64_t before = counter(), ns = core_clock_ns(), after = counter();
        if (after - before < width) {
            width = after - before;
            best = (struct moment){before + width / 2, ns};
        }
    }
    return best;
}

static __attribute__((constructor)) void note_start(void) {
    has_counter = counter_is_invariant();
    if (has_counter) start = moment_now();
}

static void calibrate(void) {
    while (core_clock_ns() - start.ns < CALIBRATION_NS) {
        struct timespec pause = {0, CALIBRATION_NS / 8};
        nanosleep(&pause, NULL);
    }
    struct moment end = moment_now();
    unsigned __int128 ns = end.ns - start.ns;
    uint64_t ticks = end.count - start.count;
    /* As many bits of fraction as leave the ratio in 64. */
    for (shift = 63; (ns << shift) / ticks > UINT64_MAX; shift--) continue;
    ns_per_tick = (uint64_t)((ns << shift) / ticks);
}

static bool counts(void) { return has_counter && !core_overrides.now_ns; }

upc_tick_t upc_ticks_now(void) {
    if (!counts()) return core_clock_ns();
    uint64_t now = counter();
    counter_was_read();
    return now;
}

uint64_t upc_ticks_to_ns(upc_tick_t ticks) {
    if (!counts()) return ticks;
    if (!ns_per_tick) calibrate();
    return (uint64_t)((unsigned __int128)ticks * ns_per_tick >> shift);
}

#else

upc_tick_t upc_ticks_now(void) { return core_clock_ns(); }
uint64_t upc_ticks_to_ns(upc_tick_t ticks) { return ticks; }

#endif

/* ---- the bupc_ names --------------------------------------------------------------------------------------------- */

bupc_tick_t bupc_ticks_now(void) { return upc_ticks_now(); }
uint64_t bupc_ticks_to_ns(bupc_tick_t ticks) { return upc_ticks_to_ns(ticks); }
uint64_t bupc_ticks_to_us(bupc_tick_t ticks) { return upc_ticks_to_ns(ticks) / 1000; }

/* The least positive difference of two successive readings. */
double bupc_tick_granularityus(void) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 1000; i++) {
        upc_tick_t a = upc_ticks_now(), b;
        do b = upc_ticks_now();
        while (b == a);
        if (b - a < least) least = b - a;
    }
    /* Of 1000 such steps, because one may be less than a nanosecond. */
    return (double)upc_ticks_to_ns(least * 1000) / 1e6;
}

double bupc_tick_overheadus(void) {
    enum { CALLS = 1000 };
    upc_tick_t first = upc_ticks_now(), last = first;
    for (int i = 0; i < CALLS; i++) last = upc_ticks_now();
    return (double)upc_ticks_to_ns(last - first) / 1000.0 / CALLS;
}

double bupc_tick_granularity(void) { return bupc_tick_granularityus(); }
double bupc_tick_overhead(void) { return bupc_tick_overheadus(); }
