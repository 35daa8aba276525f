/* The start of conduit smp: what threads share is prepared, then they are forked (conduit/launch). All are near, and so
 * the queues (conduit/queue) are all that there is to messages. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conduit/launch/launch.h"
#include "conduit/queue/queue.h"
#include "conduit/smp/smp.h"

const char conduit_name[] = "smp";
static int threads_wanted = 1;

int conduit_start(int wanted, int *argc, char ***argv) {
    (void)argc, (void)argv;
    conduit_near.count = threads_wanted = wanted ? wanted : 1;
    return threads_wanted;
}

int conduit_threads_here(void) { return threads_wanted; }
size_t conduit_least(size_t mine) { return mine; }

int conduit_spawn(int threads) {
    if (!bells_start(0, threads, INT_MAX) || !queue_start(0, threads)) {
        fprintf(stderr, "fathom: no memory for the message queues of %d threads: %s\n", threads, strerror(errno));
        exit(1);
    }
    smp_barrier_prepare(threads);
    return launch_threads(threads);
}

const size_t conduit_max_medium = QUEUE_MAX_MEDIUM;
void conduit_send(const struct conduit_message *m) { queue_send(m); }
int conduit_poll(bool replies_only) { return queue_poll(replies_only); }

int conduit_cores(void) {
    static int cores; /* asked once: the answer is wanted in waiting loops */
    if (!cores) {
        cpu_set_t set;
        const char *said = getenv("FATHOM_CORES"); /* for tests of what depends on it */
        if (said && atoi(said) > 0) {
            cores = atoi(said);
        } else if (sched_getaffinity(0, sizeof set, &set) == 0) {
            cores = CPU_COUNT(&set);
        } else { /* more processors than a cpu_set_t holds */
            long n = sysconf(_SC_NPROCESSORS_ONLN);
            cores = n > 0 ? (int)n : 1;
        }
    }
    return cores;
}

/* Processes of one computer have nothing to take leave of. */
void conduit_finish(int status) { (void)status; }
