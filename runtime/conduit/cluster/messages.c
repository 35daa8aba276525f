/* Messages through queues between the threads that share memory for them (conduit/queue), to and from all others over
 * the conduit's wire. A pair of threads always uses the same way, so that order holds.
 *
 * What cannot be delivered when it comes is put aside, and delivered later in its order: requests while only replies are
 * wanted; and while the thread computes and its progress thread receives (conduit/progress.h), whatever is not a service.
 *
 * Flow, over the wire: a thread may have so many requests under way to each other one (`credits`). A credit comes back with the reply,
 * or, for requests without one, several at once: with any message that goes that way, else in a message of its own.
 * So replies need no credit, there are never more of them than credits; what a thread must keep for requests that it
 * cannot deliver yet, and what the wire keeps for those not received yet, is bounded, and a request that waits for a credit
 * waits for a handler that never waits for a request. Messages are sent from a pool of buffers; requests leave some of
 * them for replies.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conduit/cluster/cluster.h"
#include "conduit/progress.h"
#include "conduit/queue/queue.h"

enum {
    TAKE = 32, /* messages put aside that are delivered by one poll; of the queues until the wire is asked, too */
    REQUESTS_OUT = 64, /* sends under way that a request may find */
    ALL_OUT = 128,
    CREDITS_IN = 2048, /* requests that all others together may have under way to a thread */
    MOST_CREDITS = 256 /* to each: while it naps, a sender can go on for a while */
};

/* A message: the arguments, the payload, and a mark. The tag says which handler, and how many arguments. */
enum kind { REQUEST, REPLY, CREDITS, TOLD };
/* Of a mark, of 13 bits: kind; OWN: for the conduit, not for core; credits that come back */
enum { KIND_BITS = 2, OWN = 1 << KIND_BITS, CREDITS_SHIFT = KIND_BITS + 1 };
_Static_assert(MOST_CREDITS < 1 << (13 - CREDITS_SHIFT), "the mark suffices");
_Static_assert(CONDUIT_MAX_ARGS << CONDUIT_HANDLER_BITS <= 32767, "the tag suffices");

#ifdef FATHOM_REFERENCE
enum { IS_REFERENCE = 1 };
#else
enum { IS_REFERENCE = 0 };
#endif

struct peer {
    int credits; /* requests that may be sent */
    int owed;    /* requests delivered without a reply */
};
static struct peer *peers;
static int most_credits;
static struct cluster_traffic traffic;

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

struct wire_buffer *wire_pop(struct wire_buffer **stack) {
    struct wire_buffer *b = *stack;
    if (b) {
        *stack = b->next;
        return b;
    }
    b = malloc(sizeof *b);
    if (!b) {
        fprintf(stderr, "fathom: thread %d: no memory for a message\n", cluster.me);
        conduit_built.end(1);
        _Exit(1);
    }
    b->kept = NULL;
    return b;
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static int out; /* under way */
static struct wire_buffer *spare_out;

static void reap(void) {
    for (struct wire_buffer *b; out && (b = wire_sent()); out--) wire_push(&spare_out, b);
}

static unsigned settle(struct peer *p) {
    unsigned n = (unsigned)p->owed;
    p->owed = 0;
    return n;
}

static void post(struct wire_buffer *b, size_t n, int tag, int thread, unsigned kind, unsigned credits) {
    b->thread = thread;
    b->bytes = (int)n;
    b->tag = (uint16_t)tag;
    b->mark = (uint16_t)(kind | credits << CREDITS_SHIFT);
    traffic.sent++;
    if (wire_send(b))
        wire_push(&spare_out, b);
    else
        out++;
}

static int replying_to = -1; /* whose request is being delivered, and has not been replied to */

static int serve_far(bool services);

/* Delivers meanwhile, as conduit.h says. The progress thread does not deliver while it replies, only receives: so that a
 * wire gets on for which large messages are no sooner gone than they are received. False: there will be no room. */
static bool wait_for_room(const struct conduit_message *m) {
    struct peer *p = &peers[m->thread];
    int most = m->reply ? ALL_OUT : REQUESTS_OUT;
    for (unsigned round = 0; out >= most || (!m->reply && p->credits == 0); round++) {
        if (conduit_is_beside() ? serve_far(!m->reply) : cluster_poll(m->reply))
            round = 0;
        else if (wire_is_gone(m->thread))
            return false;
        else if (round > 1000 && !conduit_is_beside() && !conduit_has_pthreads) /* a bell is for one */
            bells_rest(50);
        else if (round > 64)
            sched_yield();
        reap();
    }
    return true;
}

static bool wire_has_room(int thread) {
    if (out >= REQUESTS_OUT) reap();
    return out < REQUESTS_OUT && peers[thread].credits > 0;
}

bool cluster_has_room(int thread) {
    bool entered = conduit_enter();
    bool has = cluster_is_queued(thread) ? queue_has_room(&queue_own, thread) : wire_has_room(thread);
    conduit_leave(entered);
    return has;
}

/* In a buffer that has the payload, or null. */
static bool send_in(struct wire_buffer *b, const struct conduit_message *m, bool own) {
    bool entered = conduit_enter();
    struct peer *p = &peers[m->thread];
    bool room = wait_for_room(m);
    if (room) {
        size_t args = 8 * (size_t)m->nargs;
        if (!b) {
            b = wire_pop(&spare_out);
            if (m->bytes) memcpy(b->data + args, m->payload, m->bytes);
        }
        if (args) memcpy(b->data, m->args, args);
        unsigned credits = settle(p);
        if (m->reply) {
            if (replying_to >= 0) credits++; /* a long reply is several messages */
            replying_to = -1;
        } else {
            p->credits--;
        }
        post(b, args + m->bytes, m->nargs << CONDUIT_HANDLER_BITS | m->handler, m->thread,
             (m->reply ? REPLY : REQUEST) | (own ? OWN : 0), credits);
    }
    conduit_leave(entered);
    return room;
}

bool cluster_send_far(const struct conduit_message *m, bool own) { return send_in(NULL, m, own); }

enum conduit_sent cluster_try_send(const struct conduit_message *m) {
    bool entered = conduit_enter();
    enum conduit_sent sent = CONDUIT_FULL;
    if (cluster_is_queued(m->thread))
        sent = queue_try(&queue_own, m);
    else if (wire_has_room(m->thread))
        sent = send_in(NULL, m, false) ? CONDUIT_SENT : CONDUIT_GONE;
    else if (wire_is_gone(m->thread))
        sent = CONDUIT_GONE;
    conduit_leave(entered);
    return sent;
}

void *cluster_prepare(int thread, size_t n, int nargs) {
    bool entered = conduit_enter();
    size_t args = 8 * (size_t)nargs;
    void *at = cluster_is_queued(thread) ? queue_prepare(&queue_own, n, nargs) : wire_pop(&spare_out)->data + args;
    conduit_leave(entered);
    return at;
}

bool cluster_send_prepared(const struct conduit_message *m) {
    bool entered = conduit_enter(), sent;
    size_t before = offsetof(struct wire_buffer, data) + 8 * (size_t)m->nargs;
    if (cluster_is_queued(m->thread))
        sent = queue_send_prepared(&queue_own, m);
    else
        sent = send_in((struct wire_buffer *)((uintptr_t)m->payload - before), m, false);
    conduit_leave(entered);
    return sent;
}

bool cluster_send(const struct conduit_message *m) {
    if (!cluster_is_queued(m->thread)) return cluster_send_far(m, false);
    bool entered = conduit_enter();
    bool sent = queue_send(&queue_own, m);
    conduit_leave(entered);
    return sent;
}

/* A message of its own for credits that nothing else has taken along; tried again later if there is no room. */
static bool credits_wait;

static void return_credits(int thread) {
    struct peer *p = &peers[thread];
    if (p->owed * 2 < most_credits) return;
    if (out >= ALL_OUT) {
        credits_wait = true;
        return;
    }
    post(wire_pop(&spare_out), 0, 0, thread, CREDITS, settle(p));
}

bool cluster_tell(int thread, unsigned tag, const uint64_t *words, int count) {
    if (out >= ALL_OUT) reap();
    if (out >= ALL_OUT) return false;
    struct wire_buffer *b = wire_pop(&spare_out);
    size_t bytes = (size_t)count * sizeof *words;
    if (bytes) memcpy(b->data, words, bytes);
    post(b, bytes, (int)tag, thread, TOLD, settle(&peers[thread]));
    return true;
}

/* ---- receiving --------------------------------------------------------------------------------------------------- */

static struct wire_list aside[2]; /* put aside: requests, replies */
static bool aside_has_news;       /* requests that the progress thread has not looked at */

static enum kind kind_of(const struct wire_buffer *b) { return (enum kind)(b->mark & ((1 << KIND_BITS) - 1)); }

/* The next message, if one has arrived that brings more than credits. */
static struct wire_buffer *receive(void) {
    for (struct wire_buffer *b; (b = wire_receive()); wire_return(b)) {
        peers[b->thread].credits += b->mark >> CREDITS_SHIFT;
        if (kind_of(b) != CREDITS) return b;
        traffic.received++;
    }
    return NULL;
}

static struct conduit_message message_in(const struct wire_buffer *b) {
    int nargs = b->tag >> CONDUIT_HANDLER_BITS;
    size_t args = 8 * (size_t)nargs;
    return (struct conduit_message){.thread = b->thread,
                                    .handler = (uint16_t)(b->tag & ((1 << CONDUIT_HANDLER_BITS) - 1)),
                                    .nargs = (uint8_t)nargs,
                                    .reply = kind_of(b) == REPLY,
                                    .args = (const uint64_t *)b->data,
                                    .payload = b->data + args,
                                    .bytes = (size_t)b->bytes - args};
}

/* And gives the buffer back. */
static void deliver(struct wire_buffer *b) {
    traffic.received++;
    if (kind_of(b) == TOLD) {
        cluster_told(b->thread, b->tag, (const uint64_t *)b->data, b->bytes / (int)sizeof(uint64_t));
        wire_return(b);
        return;
    }
    struct conduit_message m = message_in(b);
    if (!m.reply) replying_to = b->thread;
    if (b->mark & OWN)
        cluster_own_deliver(&m);
    else
        conduit_deliver(&m);
    wire_return(b);
    if (m.reply || replying_to < 0) return;
    replying_to = -1;
    peers[m.thread].owed++;
    return_credits(m.thread);
}

static void put_aside(struct wire_buffer *b) {
    bool reply = kind_of(b) == REPLY;
    wire_append(&aside[reply], b);
    if (!reply) aside_has_news = true;
}

static int deliver_aside(bool reply, int most) {
    int n = 0;
    for (struct wire_buffer *b; n < most && (b = wire_take_first(&aside[reply])); n++) deliver(b);
    return n;
}

static void return_credits_late(void) {
    if (!credits_wait) return;
    credits_wait = false;
    for (int t = 0; t < cluster.threads; t++) return_credits(t);
}

/* One message that has arrived: who polls may have waited for it, and to look for a second one costs that thread time. Of
 * those put aside, more. */
static int poll_far(bool replies_only) {
    if (out) reap();
    int n = deliver_aside(true, TAKE);
    if (!replies_only) n += deliver_aside(false, TAKE - n);
    for (struct wire_buffer *b; !n && (b = receive());) {
        if (replies_only && kind_of(b) == REQUEST) {
            put_aside(b);
        } else {
            deliver(b);
            n++;
        }
    }
    return_credits_late();
    return n;
}

/* Also in the progress thread, which waits for room in a queue: what it keeps then is delivered here later. */
static int poll_queue(bool replies_only) {
    int n = conduit_deliver_kept(&replies_only);
    return n + queue_poll(&queue_own, replies_only || (conduit_is_beside() && conduit_kept_enough()));
}

int cluster_poll(bool replies_only) {
    static int since, unstepped; /* messages of the queues since the wire was asked; polls since the barrier got on */
    bool entered = conduit_enter();
    /* What the progress thread has put aside is delivered now, and not by the next poll: a caller may poll once only. */
    int n = 0, taken = conduit_polled();
    if (cluster.queued_count > 1) n += poll_queue(replies_only);
    since += n;
    if (cluster.has_wire && (!n || since >= TAKE)) {
        since = 0;
        n += conduit_is_beside() ? serve_far(!replies_only) : poll_far(replies_only);
    }
    /* A barrier waits while there are messages, but not for the end of a flood: who sends it may wait for the barrier. */
    if (cluster_barrier_pending && !replies_only && (!n || ++unstepped >= TAKE)) {
        unstepped = 0;
        cluster_barrier_step();
    }
    conduit_leave(entered);
    return n + taken;
}

/* ---- while this thread computes ---------------------------------------------------------------------------------- */

static bool is_service(const struct wire_buffer *b) {
    if (kind_of(b) != REQUEST) return false;
    struct conduit_message m = message_in(b);
    return (b->mark & OWN) || conduit_may_deliver(&m);
}

/* Those services that the thread itself has put aside. Replying may put more aside. */
static int serve_aside(void) {
    if (!aside_has_news) return 0;
    struct wire_list all = aside[false], left = {NULL, NULL};
    aside[false] = left;
    aside_has_news = false;
    int n = 0;
    for (struct wire_buffer *b; (b = wire_take_first(&all));) {
        if (!is_service(b)) {
            wire_append(&left, b);
            continue;
        }
        deliver(b);
        n++;
    }
    for (struct wire_buffer *b; (b = wire_take_first(&aside[false]));) wire_append(&left, b);
    aside[false] = left;
    return n;
}

/* Takes the next message: serves it, if services are wanted, or puts it aside. */
static int serve_far(bool services) {
    if (out) reap();
    int n = services ? serve_aside() : 0;
    struct wire_buffer *b = n ? NULL : receive();
    if (!b) return n;
    if (kind_of(b) == TOLD || (services && is_service(b)))
        deliver(b);
    else
        put_aside(b);
    return n + 1;
}

bool cluster_needs_progress(const char **obstacle) {
    const char *why = wire_obstacle();
    if (why) *obstacle = why;
    return IS_REFERENCE || cluster.groups > 1;
}

/* Of the queues, too, if they bring messages of threads that are not near: what is not a service, core keeps. */
int cluster_progress(void) {
    bool serves_queue = IS_REFERENCE ? cluster.queued_count > 1 : cluster_is_wide();
    int n = serves_queue ? queue_poll(&queue_own, conduit_kept_enough()) : 0;
    if (cluster.has_wire) {
        for (int more = 1; more && n < TAKE && !(n && conduit_is_wanted()); n += more) more = serve_far(true);
        return_credits_late();
    }
    if (cluster_barrier_pending) {
        cluster_barrier_step();
        n += !cluster_barrier_pending;
    }
    return n;
}

void cluster_rest_beside(long us) { nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL); }

void cluster_set_of(int thread, int *first, int *count) {
    int low = 0, behind = cluster.groups; /* the last one that begins at or before the thread */
    while (behind - low > 1) {
        int middle = low + (behind - low) / 2;
        if (cluster.leader[middle] <= thread)
            low = middle;
        else
            behind = middle;
    }
    *first = cluster.leader[low];
    *count = (low + 1 < cluster.groups ? cluster.leader[low + 1] : cluster.threads) - *first;
}

/* ---- start and end --------------------------------------------------------------------------------------- */

int cluster_node_max(void) {
    const char *text = getenv("FATHOM_NODE_MAX");
    if (!text || !*text) return CONDUIT_MAX_NEAR;
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno || *end || n < 1) return 0;
    return n < CONDUIT_MAX_NEAR ? (int)n : CONDUIT_MAX_NEAR;
}

_Noreturn void cluster_refuse_node_max(void) {
    const char *text = getenv("FATHOM_NODE_MAX");
    cluster_refuse(
        "FATHOM_NODE_MAX=%s: expected the number of threads of a computer that may share memory, at least 1\n",
        text && *text ? text : "?");
}

void cluster_start(void) {
    int first = cluster.queued_first, count = cluster.queued_count;
    struct queue_memory *queues = cluster_shared(queue_bytes(count));
    struct bells_of bells = {first, count, cluster.first, cluster.count};
    if (!queues ||
        !bells_start(cluster_shared(bells_bytes(count)), bells, cluster.has_wire ? CLUSTER_NAP_US : INT_MAX) ||
        !queue_open(&queue_own, queues, cluster.me, first, count, wire_is_gone))
        cluster_refuse("no memory for the message queues of %d threads\n", count);
    cluster_barrier_start();
    if (!cluster.has_wire) return;
    peers = calloc((size_t)cluster.threads, sizeof *peers);
    if (!peers) cluster_refuse("no memory for messages\n");
    most_credits = CREDITS_IN / cluster.threads;
    if (most_credits > MOST_CREDITS) most_credits = MOST_CREDITS;
    if (most_credits < 4) most_credits = 4;
    for (int t = 0; t < cluster.threads; t++) peers[t].credits = most_credits;
}

/* All have arrived if as many have been received as sent, twice in a row (Mattern 1987: counts that were taken at different
 * moments agree once by accident). */
void cluster_deliver_all(void) {
    struct cluster_traffic before, sum = {0};
    do {
        before = sum;
        if (!cluster_sum(traffic, &sum)) return;
    } while (sum.sent != sum.received || sum.sent != before.sent || sum.received != before.received);
    while (cluster_poll(false)) {} /* and what was in the queues before that, which the wire has overtaken */
}
