/* What the kernels of local memory share: chains of pointers through memory, in an order that the request chooses. */
#pragma once
#include "probe/probe.h"

enum { MOST_CHAINS = 16 };

/* Cycles of pointers: each place holds the address of the next. */
struct chains {
    void **start[MOST_CHAINS];
    int count;
    long length; /* places on each chain */
};

/* Lays the chains that the request describes (see memory.c) through memory that stays for the next request. False if there
 * are none, and the reply says why.
 */
bool lay_chains(const struct request *request, struct reply *reply, struct chains *chains);

/* n dependent loads along a chain; where it ends. */
void **walk(void **p, long n);

/* Numbers below n, the same in every run. */
uint64_t random_below(uint64_t n);

/* Memory that stays from one request to the next, of the kind asked for. NULL if there is none, and the reply says why. */
char *keep_memory(const struct request *request, struct reply *reply, size_t bytes);

#if defined(__x86_64__)
/* Loads before it are done; loads after it have not started. Ticks of a clock of constant rate. */
static inline uint64_t tick(void) {
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
    return (uint64_t)high << 32 | low;
}
#elif defined(__aarch64__)
static inline uint64_t tick(void) {
    uint64_t t;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(t)::"memory");
    return t;
}
#else
static inline uint64_t tick(void) { return (uint64_t)now_ns(); }
#endif

/* The kernels of the other files of local memory. */
void run_conflicts(const struct request *request, struct reply *reply);
void run_sweep(const struct request *request, struct reply *reply);
void run_stores(const struct request *request, struct reply *reply);
void run_moments(const struct request *request, struct reply *reply);
void run_visits(const struct request *request, struct reply *reply);
void run_turns(const struct request *request, struct reply *reply);
void run_rows(const struct request *request, struct reply *reply);
void run_system(const struct request *request, struct reply *reply);
