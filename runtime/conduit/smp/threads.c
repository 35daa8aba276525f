/* The start of conduit smp: what threads share is prepared, then they are forked (conduit/launch). All are near, and so
 * the queues (conduit/queue) are all that there is to messages. In a reference build data travel in them, too, and there
 * is a progress thread. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "conduit/launch/launch.h"
#include "conduit/progress.h"
#include "conduit/queue/queue.h"
#include "conduit/segments.h"
#include "conduit/smp/nodes.h"
#include "conduit/smp/smp.h"

static int threads_wanted = 1;

int smp_start(int wanted, int *argc, char ***argv) {
    (void)argc, (void)argv;
    conduit_near.count = threads_wanted = wanted ? wanted : 1;
    return threads_wanted;
}

int smp_threads_here(void) { return threads_wanted; }
size_t smp_least(size_t mine) { return mine; }

int smp_spawn(int threads) {
    struct queue_memory *queues = smp_shared(queue_bytes(threads));
    if (!queues || !bells_start(smp_shared(bells_bytes(threads)), (struct bells_of){0, threads, 0, threads}, INT_MAX)) {
        fprintf(stderr, "fathom: no memory for the message queues of %d threads: %s\n", threads, strerror(errno));
        exit(1);
    }
    smp_barrier_prepare(threads);
    nodes_plan(threads);
    int me = launch_threads(threads);
    bool is_shared = conduit_near.count == threads;
    nodes_bind(me, threads, is_shared ? segments_at(me) : NULL, smp_segment_bytes);
    bool has_ends = queue_open(&queue_own, queues, me, 0, threads, launch_is_gone);
    if (!has_ends || !smp_segment_renew()) {
        const char *what = has_ends ? "segment" : "message queue";
        if (launch_end(1)) fprintf(stderr, "fathom: thread %d: no memory for its %s: %s\n", me, what, strerror(errno));
        _exit(1);
    }
    return me;
}

#ifndef FATHOM_CONDUIT_DISTRIBUTED
bool smp_send(const struct conduit_message *m) { return queue_send(&queue_own, m); }
enum conduit_sent smp_try_send(const struct conduit_message *m) { return queue_try(&queue_own, m); }
int smp_poll(bool replies_only) { return queue_poll(&queue_own, replies_only); }
#else
bool smp_send(const struct conduit_message *m) {
    bool entered = conduit_enter();
    bool sent = queue_send(&queue_own, m);
    conduit_leave(entered);
    return sent;
}

enum conduit_sent smp_try_send(const struct conduit_message *m) {
    bool entered = conduit_enter();
    enum conduit_sent sent = queue_try(&queue_own, m);
    conduit_leave(entered);
    return sent;
}

int smp_poll(bool replies_only) {
    bool entered = conduit_enter();
    int n = conduit_polled() + conduit_deliver_kept(&replies_only);
    n += queue_poll(&queue_own, replies_only);
    conduit_leave(entered);
    return n;
}

bool smp_needs_progress(const char **obstacle) {
    (void)obstacle;
    return true;
}

int smp_progress(void) { return queue_poll(&queue_own, conduit_kept_enough()); }

void smp_rest_beside(long us) { nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL); }
#endif
