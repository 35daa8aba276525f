/* The trace that a thread of an explained program leaves: a file that is mapped from the start, so that what has been
 * counted is in it however the thread ends. crates/explain/src/file.rs reads what is declared here; all numbers are
 * those of this computer (little endian, 64 bits), times are ticks of the processor's counter.
 */
#ifndef FATHOM_EXPLAIN_TRACE_H
#define FATHOM_EXPLAIN_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "gas.h"
#include "lang/explain.h"

enum {
    TRACE_VERSION = 6,
    TRACE_LOCKS = 256,
    TRACE_OBJECTS = 1024,
    TRACE_EVENTS = 8192,
    TRACE_CHOICES = 8,
    TRACE_SERVED = 4
};
/* Samples that a site has room for: multiples of 16. Large programs have fewer, all together so many. */
enum { TRACE_MOST_SAMPLES = 128, TRACE_LEAST_SAMPLES = 32, TRACE_ALL_SAMPLES = 1 << 17 };

/* Sections follow in the order of their offsets. */
struct trace_header {
    char magic[8]; /* "FATHOMX\n" */
    uint64_t version, header_bytes;
    uint64_t thread, threads, near_first, near_count;
    uint64_t sites, state; /* enum trace_state */
    /* The same two instants by the ticks and by CLOCK_MONOTONIC: the thread's start, and the last that it took note of. */
    uint64_t start_ticks, start_ns, last_ticks, last_ns;
    uint64_t started_unix_ns, static_delta;
    uint64_t text_at, text_bytes; /* a line for every site */
    uint64_t stats_at, hits_at, moved_at, samples_at, locks_at, objects_at, events_at, bytes;
    uint64_t locks, objects, objects_lost;
    uint64_t events, events_from_ticks; /* entries in use; those shorter than this have been left out */
    uint64_t events_lost, events_lost_ticks;
    uint64_t look_ticks;  /* what looking at the clock twice takes, already taken off */
    uint64_t processors;  /* that the thread's computer has for it */
    uint64_t fence_ticks; /* what a full fence takes */
    uint64_t choices_at;
    uint64_t processor_ns; /* that the thread has had one, by the last note of the time */
    uint64_t site_samples; /* that there is room for */
    uint64_t served_at;    /* TRACE_SERVED numbers a site: fathom_site.served */
    char conduit[16], host[64], boot[40], program[512], table[256];
};
enum trace_state { TRACE_RUNNING, TRACE_ENDED };

struct trace_stat {
    uint64_t calls;                                        /* of what is a call */
    uint64_t timed, ticks;                                 /* those that were timed for themselves */
    uint64_t sampled, sampled_ticks, sampled_longest;      /* those that stand for others, too */
    uint64_t began;                                        /* ticks; not 0 while a timed call is under way */
    uint64_t own_loads, own_ticks, near_loads, near_ticks; /* accesses that were timed */
    uint64_t samples;                                      /* in use */
    uint64_t object;                                       /* offset of the static object in a segment; 0: none */
    uint64_t bytes;                                        /* of an access */
};
struct trace_sample {
    uint64_t address;
    uint64_t number; /* of the accesses to that thread, from 0 */
    uint32_t weight; /* accesses that it stands for by itself: those of a run */
    uint32_t epoch;  /* barriers that the thread had passed */
};
/* Which mechanisms the runtime took for a call, as it said itself when it took them, and why: of those that were timed. */
struct trace_choice {
    char decision[16], mechanism[16]; /* words of the tuning table (gas_tuning.h) */
    uint64_t first, stride;           /* the shape, as the decision asks */
    uint64_t least, most, calls;      /* bytes; how many there were */
    uint64_t built_in;                /* 1: as without a table */
    char ranges[96];                  /* what the decision says for the shape; empty: the conduit decides */
};
struct trace_lock {
    uint64_t address;
    uint64_t taken, waited, held, longest; /* ticks, but for the first */
    uint64_t held_timed;
    uint64_t shortest;
    uint64_t since; /* when it was taken; 0: it is not held */
    uint64_t site;
};
struct trace_object {
    uint64_t address, nblocks, nbytes, site;
};
struct trace_event {
    uint64_t begin, end, site, other; /* other: a thread, a barrier's number, or ~0 */
};
#define TRACE_BARRIER (1ul << 63) /* in `other`: the other bits count the barriers at this place */

extern struct trace_header *trace; /* null: none is open */
/* Of the timed call under way: what the runtime says that it takes is noted for it. */
extern struct fathom_site *trace_noted;
/* What timing a load takes that hits the first cache. */
extern uint64_t trace_load_ticks;

static inline uint64_t trace_ticks(void) {
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t now;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(now)::"memory");
    return now;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}
/* How long loading a byte takes. */
static inline uint64_t trace_time_load(const volatile char *at) {
#ifdef __x86_64__
    __builtin_ia32_lfence();
    uint64_t begin = trace_ticks();
    __builtin_ia32_lfence();
    (void)*at;
    __builtin_ia32_lfence();
#else
    uint64_t begin = trace_ticks();
    (void)*at;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
    return trace_ticks() - begin;
}
static inline void *trace_part(uint64_t at) { return (char *)trace + at; }
static inline struct trace_stat *trace_stat(const struct fathom_site *s) {
    return (struct trace_stat *)trace_part(trace->stats_at) + s->index;
}
static inline struct trace_sample *trace_samples(const struct fathom_site *s) {
    return (struct trace_sample *)trace_part(trace->samples_at) + s->index * trace->site_samples;
}
/* Bytes that calls have moved, by the thread that has the object. */
static inline uint64_t *trace_moved(const struct fathom_site *s) {
    return (uint64_t *)trace_part(trace->moved_at) + s->index * trace->threads;
}

/* Opens the trace and gives every site its counters; lang/start.c calls it in each thread of a program with sites. */
void fathom_explain_start(struct fathom_site *const *sites, long count);
void trace_event(const struct fathom_site *s, uint64_t begin, uint64_t end, uint64_t other);
/* Takes note of the time, if the last note is old. */
void trace_note_time(uint64_t ticks);

/* explain.c, for calls that another file makes: around a call that moves n bytes between this thread and that of p,
 * which are counted; around a far access, whose site has just been set; around a barrier; after an allocation. */
struct fathom_span trace_transfer_begin(struct fathom_site *s, fathom_ptr p, uint64_t n);
void trace_transfer_end(const struct fathom_span *span, fathom_ptr p);
struct fathom_span trace_far_begin(void);
void trace_far_end(const struct fathom_span *span, fathom_ptr p);
struct fathom_span trace_barrier_begin(struct fathom_site *s);
void trace_barrier_end(const struct fathom_span *span);
void trace_allocated(struct fathom_site *s, fathom_ptr p, uint64_t nblocks, uint64_t nbytes);

#endif
