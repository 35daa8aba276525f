/* A barrier that has begun ends in a flood of messages (conduit/cluster): whatever a thread waits for, each poll may find a
 * message, and who sends them may wait for the barrier. The wire here has another one at any time, and another thread's part of the
 * barrier arrives in the flood. Counted are
 * polls, in which the barrier must end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conduit/cluster/cluster.h"
#include "conduit/progress.h"
#include "conduit_alone.h"

enum { MOST = 64 };

struct cluster cluster = {
    .threads = 2, .count = 1, .queued_count = 1, .has_wire = true, .groups = 2, .leader = (const int[]){0, 1}};
static uint64_t delivered;
static struct wire_buffer in;

_Noreturn void cluster_refuse(const char *format, ...) {
    fputs(format, stderr);
    exit(1);
}
static void *shared(size_t bytes) {
    bytes = (bytes + 4095) / 4096 * 4096;
    return memset(aligned_alloc(4096, bytes), 0, bytes);
}
void *cluster_shared(size_t bytes) { return shared(bytes); }
static int cores(void) { return 2; }
static int threads_here(void) { return 1; }
static bool claim_report(void) { return true; }
static bool end(int status) { return status != 0; }
static bool is_ending(void) { return false; }
static void deliver(const struct conduit_message *m) { delivered += m->nargs == 0; }
void (*conduit_deliver)(const struct conduit_message *m) = deliver;
bool conduit_may_deliver(const struct conduit_message *m) { return m->thread >= 0; }
bool cluster_sum(struct cluster_traffic mine, struct cluster_traffic *sum) {
    *sum = mine;
    return true;
}

/* No progress thread. */
struct conduit_engine conduit_engine;
_Thread_local bool conduit_beside;
void conduit_wait_to_enter(void) {}
int conduit_deliver_kept(bool *replies_only) { return replies_only ? 0 : -1; }
bool conduit_kept_enough(void) { return false; }
static size_t least(size_t mine) { return mine; }

const struct conduit conduit_built = {.name = "flood",
                                      .shared_memory = shared,
                                      .cores = cores,
                                      .threads_here = threads_here,
                                      .least = least,
                                      .poll = cluster_poll,
                                      .claim_report = claim_report,
                                      .end = end,
                                      .is_ending = is_ending};

bool wire_send(struct wire_buffer *b) { return b->thread >= 0; }
struct wire_buffer *wire_sent(void) {
    return NULL;
}
struct wire_buffer *wire_receive(void) { /* a request without arguments, from thread 1, for handler 0 */
    in.thread = 1;
    return &in;
}
void wire_return(struct wire_buffer *b) { b->next = NULL; }
bool wire_is_gone(int thread) { return thread < 0; }
const char *wire_obstacle(void) { return NULL; }

static bool has_arrived;
static void tell(int round, int thread, const struct conduit_ballot *mine) { (void)round, (void)thread, (void)mine; }
static bool hear(int round, bool waits, struct conduit_ballot *heard) {
    (void)round, (void)waits, (void)heard;
    return has_arrived;
}
static const struct cluster_rounds rounds = {tell, hear};

int main(void) {
    cluster_rounds = &rounds;
    conduit_near.count = 1;
    cluster_start();
    for (int phase = 0; phase < 100; phase++) {
        int polls = 0;
        has_arrived = false;
        cluster_barrier_notify(&(struct conduit_ballot){.kinds = 1});
        for (int i = 0; i < phase; i++) conduit_poll(false);
        if (!cluster_barrier_pending) {
            fprintf(stderr, "barrier %d ended before the other thread's part arrived\n", phase);
            return 1;
        }
        for (has_arrived = true; cluster_barrier_pending; polls++) {
            if (polls == MOST) {
                fprintf(stderr, "barrier %d has not ended after %d polls, each of which found a message\n", phase,
                        polls);
                return 1;
            }
            conduit_poll(false);
        }
        struct conduit_ballot all;
        if (!cluster_barrier_try(&all)) {
            fprintf(stderr, "barrier %d is over, but a try does not say so\n", phase);
            return 1;
        }
    }
    if (!delivered) return 1;
    fputs("good\n", stdout);
    return 0;
}
