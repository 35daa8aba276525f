/* What a contender of bench/queues is: a way to get messages from one process or thread to another, and the pieces of work
 * that all contenders do. A contender in C is one file: it defines the few functions that `loops.h` asks for and includes
 * that, which makes the loops of them; one in Rust (rust/) has the same loops in Rust. `harness.c` starts the processes,
 * takes the time and checks what arrived.
 *
 * Each side does the same work whatever it runs on. The sender writes one new word into each line of a message; the
 * receiver reads one word of each line. (In bulk rows only the first line is new: the rest lies in the sender's memory
 * from the beginning, and all contenders bring a copy of it.) Data are made in place where a contender lends the place.
 */
#ifndef CONTENDER_H
#define CONTENDER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 64, MOST = 4 << 20, BATCH = 64 };

/* Rows that a contender takes part in. */
enum {
    ROUND_TRIPS = 1, /* a message there, and one back */
    STREAM = 2,      /* messages in one direction, each published by itself */
    BATCHES = 4,     /* the same, published and taken up to BATCH at a time */
    BULK = 8,        /* 64 KiB to 4 MiB in one direction, copied */
    SENDERS = 16     /* 2 to 8 senders to one queue */
};

/* How its participants come into being: forked, as threads of one process, or by a launcher (MPI). */
enum kind { PROCESSES, THREADS, LAUNCHED };

struct contender {
    const char *name;
    enum kind kind;
    int rows;
    size_t least, most; /* bytes of a message; 0: no bound */
    int unbound;        /* has threads of its own, which a participant bound to one processor would stop */

    /* `create` runs once, before participants exist (LAUNCHED: in each); `open` in each; `prepare` in each before rows
     * with messages of another size. All may be null. */
    void (*create)(int participants);
    void (*open)(int me, int participants);
    void (*prepare)(size_t bytes);
    void (*close)(void);

    /* n messages of `bytes`. The receiver returns the sum of the words that it has read. */
    uint64_t (*ping)(long n, size_t bytes), (*pong)(long n, size_t bytes);
    void (*out)(long n, size_t bytes);
    uint64_t (*in)(long n, size_t bytes);
    void (*batch_out)(long n, size_t bytes);
    uint64_t (*batch_in)(long n, size_t bytes);
    void (*bulk_out)(long n, size_t bytes);
    uint64_t (*bulk_in)(long n, size_t bytes);

    /* Sleeps until there is a message of 8 bytes, and takes it; sends one to a receiver that sleeps. */
    void (*wake_in)(void), (*wake_out)(void);

    /* Opens `queues` queues without messages; looks n times whether there is one, and returns how many times there was. */
    void (*poll_open)(int queues);
    long (*poll)(long n);

    /* Not a queue, but what queues are made of: n operations on one word by each of several processes at a time.
     * The row's name has a %d for their number. */
    const char *together_row;
    void (*together)(long n);
};

/* Where spinning participants share processors: set by the harness. */
extern int crowded;
static inline void idle(int *tries) {
    if (crowded && ++*tries >= 100) sched_yield(), *tries = 0;
}

static inline void die(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    _exit(1);
}

/* Memory that all processes forked later share. */
static inline void *shared(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (p == MAP_FAILED) die("mmap");
    return p;
}

static inline size_t lines(size_t bytes) { return (bytes + LINE - 1) / LINE; }

/* Message i. The compiler must not know that the contents could be had without memory. */
static inline void make(void *message, size_t bytes, uint64_t i) {
    for (size_t l = 0; l < lines(bytes); l++) *(volatile uint64_t *)((char *)message + l * LINE) = i + l;
}
static inline uint64_t sum(const void *message, size_t bytes) {
    uint64_t s = 0;
    for (size_t l = 0; l < lines(bytes); l++) s += *(const volatile uint64_t *)((const char *)message + l * LINE);
    return s;
}
/* What messages 0 to n - 1 add up to. */
static inline uint64_t sum_of(uint64_t n, size_t bytes) {
    uint64_t l = lines(bytes);
    return l * (n * (n - 1) / 2) + n * (l * (l - 1) / 2);
}
static inline uint64_t sum_of_bulk(uint64_t n, size_t bytes) {
    uint64_t l = lines(bytes);
    return n * (n - 1) / 2 + n * (l * (l - 1) / 2);
}

#endif
