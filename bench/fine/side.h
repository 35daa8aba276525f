/* What the two programs here share: several forms of the same work, which take turns in rounds, and how they are reported. A line is
 *
 *     SUBJECT  FORM  ROUND  NANOSECONDS for each element
 *
 * run.sh makes medians and ratios of these lines. With BALE defined, bale's forms are linked to the program. Its libraries run with
 * FATHOM_COMM=off only: conveyors wait for a relaxed write in a loop without a call, which is sent milliseconds later where writes are
 * gathered. */
#ifndef FINE_SIDE_H
#define FINE_SIDE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

enum { MOST = 64 }; /* threads */

struct form {
    const char *name;
    enum { ALWAYS, OFF } when; /* OFF: with FATHOM_COMM=off alone */
    /* n elements; returns seconds if it has measured them itself, otherwise 0. */
    double (*run)(long n);
    long n;
};

static double round_of(const struct form *f) {
    upc_barrier;
    upc_tick_t from = upc_ticks_now();
    double own = f->run(f->n);
    upc_barrier;
    double ns = (double)upc_ticks_to_ns(upc_ticks_now() - from);
    return (own > 0 ? own * 1e9 : ns) / (double)f->n;
}

static int is_left_out(const struct form *f) {
    const char *comm = getenv("FATHOM_COMM");
    return f->when == OFF && comm && strcmp(comm, "off");
}

/* A random number below n; each thread has a seed of its own. */
static long below(uint64_t *seed, long n) {
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (long)(*seed % (uint64_t)n);
}

static void *room(size_t bytes) {
    void *p = malloc(bytes);
    if (!p) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        upc_global_exit(1);
    }
    return memset(p, 0, bytes);
}

/* The arguments: elements of the table and accesses, each by thread; how many of the accesses the plain loop makes, which is slow where
 * nothing is gathered; and rounds. */
static long table_elements = 1 << 14, accesses = 1 << 20, loop_accesses;
static int rounds = 5;
static void take_arguments(int argc, char **argv) {
    if (argc > 1) table_elements = atol(argv[1]);
    if (argc > 2) loop_accesses = accesses = atol(argv[2]);
    if (argc > 3) loop_accesses = atol(argv[3]);
    if (argc > 4) rounds = atoi(argv[4]);
    if (!loop_accesses || loop_accesses > accesses) loop_accesses = accesses;
    if (THREADS <= MOST && table_elements > 0 && table_elements <= 1L << 31 && accesses > 0 && rounds > 0) return;
    if (MYTHREAD == 0)
        fprintf(stderr, "%s [ELEMENTS [ACCESSES [ACCESSES OF THE LOOP [ROUNDS]]]], at most %d threads\n", argv[0],
                MOST);
    upc_global_exit(1);
}

#endif
