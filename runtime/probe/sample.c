/* Timing: the clock, and samples of an operation that takes a few nanoseconds.
 *
 * A sample times enough operations for the clock's grain not to count, and no more: the shorter it is, the better the chance that
 * nothing disturbs it. Calibration must end on any host: it is bounded in time by the clock, and in operations where the clock
 * says nothing.
 */
#define _GNU_SOURCE
#include "probe/request.h"

#include <fathom_work.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define SAMPLE_US 500              /* some 10^4 times the cost of reading the clock, and shorter than a time slice */
#define MOST_OPERATIONS (1L << 28) /* at a tenth of a nanosecond each: 27 ms */

double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

bool time_is_simulated(void) { return strcmp(gas_conduit(), "sim") == 0; }

double clock_cost(void) {
    double least = 1e9;
    for (int i = 0; i < 1000; i++) {
        double start = now_ns(), cost = now_ns() - start;
        if (cost < least) least = cost;
    }
    return least;
}

/* How often the system took the processor away from this thread. */
static long switches(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static double timed(void (*body)(void *, long), void *argument, long n) {
    double start = now_ns();
    body(argument, n);
    return now_ns() - start;
}

/* How many operations take about `wanted_ns`, a multiple of `step`; 0 if the clock does not advance. */
static long calibrate(void (*body)(void *, long), void *argument, double wanted_ns, double end_ns, long step) {
    long n = step;
    for (;;) {
        double ns = timed(body, argument, n);
        if (now_ns() >= end_ns) return n;
        if (ns >= wanted_ns) { /* or it was the first time that was long, or an interrupt */
            ns = timed(body, argument, n);
            if (ns >= wanted_ns / 2) return n;
        }
        if (n >= MOST_OPERATIONS) return ns > 0 ? n : 0;
        /* Twice as many, and once the time says something, what is missing: a little less, to come from below. */
        double factor = ns > wanted_ns / 50 ? wanted_ns / ns * 1.02 : 2;
        long more = (long)((double)n * (factor < 16 ? factor : 16)) + 1;
        n = (more < MOST_OPERATIONS ? more : MOST_OPERATIONS) + step - 1;
        n -= n % step;
    }
}

/* Lets so much time go by, and serves messages. */
static void rest(double ns) {
    if (time_is_simulated()) { /* an operation takes 1 ns: `fathom probe` sees to it */
        fathom_declare_work(ns, 0);
        return;
    }
    for (double end = now_ns() + ns; now_ns() < end;) gas_poll();
}

static void take_samples(const struct request *request, struct reply *reply, void (*body)(void *argument, long n),
                         void (*nothing)(void *argument, long n), void *argument, double least_ns, long step) {
    int samples = request_samples(request);
    double limit_ns = request_limit_s(request) * 1e9, start = now_ns(), end = start + limit_ns;
    double wanted_ns = (double)request_number(request, "sample_us", SAMPLE_US) * 1e3;
    if (wanted_ns < least_ns) wanted_ns = least_ns;
    if (wanted_ns > limit_ns / (samples + 1)) wanted_ns = limit_ns / (samples + 1);
    double pause_ns = (double)request_number(request, "pause_ns", 0);
    if (pause_ns > 0) timed(body, argument, step); /* the first is not like the others */
    long n = pause_ns > 0 ? step : calibrate(body, argument, wanted_ns, start + limit_ns / 2, step);
    if (n == 0) {
        reply_impossible(reply, REASON_UNSEEN, "the clock does not advance");
        return;
    }
    /* Disturbance only ever adds: of the loop that does nothing, the least counts. */
    double overhead = 0;
    for (int i = 0; nothing && i < 5; i++) {
        double ns = timed(nothing, argument, n);
        if (i == 0 || ns < overhead) overhead = ns;
    }
    if (overhead < 0) overhead = 0;
    long before = switches();
    for (int i = 0; i < samples && (i == 0 || now_ns() < end); i++) {
        if (pause_ns > 0) rest(pause_ns);
        reply_sample(reply, timed(body, argument, n) / (double)n);
    }
    reply_subtract(reply, overhead / (double)n);
    reply_fact(reply, "operations", (double)n);
    reply_fact(reply, "overhead_ns", overhead / (double)n);
    reply_fact(reply, "switches", (double)(switches() - before));
}

void sample_long(const struct request *request, struct reply *reply, void (*body)(void *argument, long n),
                 void (*nothing)(void *argument, long n), void *argument, double least_ns) {
    take_samples(request, reply, body, nothing, argument, least_ns, 1);
}

void sample_steps(const struct request *request, struct reply *reply, void (*body)(void *argument, long n),
                  void *argument, long step) {
    take_samples(request, reply, body, NULL, argument, 0, step);
}

void sample(const struct request *request, struct reply *reply, void (*body)(void *argument, long n),
            void (*nothing)(void *argument, long n), void *argument) {
    take_samples(request, reply, body, nothing, argument, 0, 1);
}

/* ---- kernels: the clock, and the processor's frequency ----------------------------------------------------------- */

static void read_clock(void *argument, long n) {
    (void)argument;
    for (long i = 0; i < n; i++) {
        double t = now_ns();
        USED(t);
    }
}

/* What reading the clock costs; the fact `resolution_ns`: its least step other than 0. */
static void clock_kernel(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    sample(request, reply, read_clock, NULL, NULL);
    double least = 0, last = now_ns();
    for (int i = 0; i < 10000; i++) {
        double now = now_ns();
        if (now > last && (least == 0 || now - last < least)) least = now - last;
        last = now;
    }
    reply_fact(reply, "resolution_ns", least);
}

/* n additions, each of which needs the one before: one a cycle on every processor of today. */
static void add(void *argument, long n) {
    unsigned long sum = *(unsigned long *)argument, one = 1;
    __asm__("" : "+r"(one));
    for (; n >= 16; n -= 16) {
#define ADD                                                                                                            \
    __asm__ volatile("" : "+r"(sum));                                                                                  \
    sum += one;
        ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
#undef ADD
    }
    USED(sum);
}

double cycle_ns(void) {
    static double clock_ns;
    if (clock_ns == 0) clock_ns = clock_cost();
    double least = 0;
    for (int i = 0; i < 3; i++) { /* an interrupt hits one of them at most */
        unsigned long start = 0;
        double ns = timed(add, &start, 1 << 13) - clock_ns;
        if (i == 0 || ns < least) least = ns;
    }
    return least / (1 << 13);
}

/* Nanoseconds of a dependent addition, which is a cycle: changes with the processor's frequency, and with nothing else. */
static void frequency_kernel(const struct request *request, struct reply *reply) {
    unsigned long start = 0;
    if (gas_me() == 0) sample(request, reply, add, NULL, &start);
}

const struct kernel kernels_sample[] = {{"clock", clock_kernel}, {"frequency", frequency_kernel}, {NULL, NULL}};
