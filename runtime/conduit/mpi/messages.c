/* The messages of conduit mpi, over MPI's point-to-point messages.
 *
 * A thread has a ring of receives posted, for messages from anybody, and looks at the oldest: MPI matches in the order of
 * posting, so messages of a pair are taken in the order of sending. While only replies are wanted, requests that come
 * are put aside, and delivered later in their order.
 *
 * Flow: a thread may have so many requests under way to each other one (`credits`). A credit comes back with the reply,
 * or, for requests without one, several at once: with any message that goes that way, else in a message of its own.
 * So replies need no credit, there are never more of them than credits; what a thread must keep for requests that it
 * cannot deliver yet, and what MPI keeps for those not received yet, is bounded, and a request that waits for a credit
 * waits for a handler that never waits for a request. Messages are sent from a pool of buffers; requests leave some of
 * them for replies.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduit/mpi/ranks.h"

enum {
    MAX_MEDIUM = 16384,
    RING = 32,         /* receives posted */
    TAKE = 32,         /* messages delivered by one poll */
    REQUESTS_OUT = 64, /* sends under way that a request may find */
    ALL_OUT = 128,
    CREDITS_IN = 2048, /* requests that all others together may have under way to a thread */
    TAG = 1
};
const size_t conduit_max_medium = MAX_MEDIUM;

enum kind { REQUEST, REPLY, CREDITS };

struct wire {
    uint16_t handler;
    uint8_t nargs, kind;
    uint16_t credits; /* that come back with this message */
    bool own; /* the conduit's, not core's */
};

struct buffer {
    struct wire head;
    uint64_t args[CONDUIT_MAX_ARGS]; /* nargs of them, then the payload */
    char payload[MAX_MEDIUM];
    int source, bytes;    /* of a message received */
    struct buffer *next;
    MPI_Request sending;
};

static MPI_Comm comm;
static struct peer {
    int credits; /* requests that may be sent */
    int owed;    /* requests delivered without a reply */
} *peers;
static int most_credits;

/* ---- buffers --------------------------------------------------------------------------------------------------- */

static struct buffer *spare;

static struct buffer *take_spare(void) {
    struct buffer *b = spare;
    if (b) {
        spare = b->next;
        return b;
    }
    b = malloc(sizeof *b);
    if (!b) {
        fprintf(stderr, "fathom: thread %d: no memory for a message\n", ranks.me);
        conduit_end(1);
        _Exit(1);
    }
    return b;
}

static void give_spare(struct buffer *b) {
    b->next = spare;
    spare = b;
}

/* ---- sending --------------------------------------------------------------------------------------------------- */

static struct buffer *out_first, *out_last; /* under way, oldest first */
static int out;

static void reap(void) {
    while (out_first) {
        struct buffer *b = out_first;
        int done;
        MPI_Test(&b->sending, &done, MPI_STATUS_IGNORE);
        if (!done) return;
        out_first = b->next;
        out--;
        give_spare(b);
    }
}

static uint16_t settle(struct peer *p) {
    uint16_t n = (uint16_t)p->owed;
    p->owed = 0;
    return n;
}

/* Sends the first n bytes of b, which then belongs to MPI. */
static void post(struct buffer *b, size_t n, int thread) {
    MPI_Isend(b, (int)n, MPI_BYTE, thread, TAG, comm, &b->sending);
    int done;
    MPI_Test(&b->sending, &done, MPI_STATUS_IGNORE);
    if (done) {
        give_spare(b);
        return;
    }
    b->next = NULL;
    if (out_first) out_last->next = b;
    else out_first = b;
    out_last = b;
    out++;
}

static int replying_to = -1; /* whose request is being delivered, and has not been replied to */

void conduit_send(const struct conduit_message *m) { ranks_send(m, false); }

void ranks_send(const struct conduit_message *m, bool own) {
    struct peer *p = &peers[m->thread];
    int most = m->reply ? ALL_OUT : REQUESTS_OUT;
    for (unsigned round = 0; out >= most || (!m->reply && p->credits == 0); round++) {
        if (conduit_poll(m->reply)) round = 0;
        else if (round > 1000) conduit_rest(50);
        else if (round > 64) sched_yield();
        reap();
    }
    struct buffer *b = take_spare();
    b->head = (struct wire){.handler = m->handler, .nargs = m->nargs, .kind = m->reply ? REPLY : REQUEST, .own = own};
    if (m->reply) {
        replying_to = -1;
        b->head.credits = (uint16_t)(settle(p) + 1);
    } else {
        p->credits--;
        b->head.credits = settle(p);
    }
    char *end = (char *)b->args;
    size_t args = 8 * (size_t)m->nargs;
    if (args) memcpy(end, m->args, args);
    if (m->bytes) memcpy(end + args, m->payload, m->bytes);
    post(b, sizeof b->head + args + m->bytes, m->thread);
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
    struct buffer *b = take_spare();
    b->head = (struct wire){.kind = CREDITS, .credits = settle(p)};
    post(b, sizeof b->head, thread);
}

/* ---- receiving ------------------------------------------------------------------------------------------------- */

static struct slot {
    MPI_Request request;
    struct buffer *buffer; /* null while its message is being delivered */
} ring[RING];
static unsigned oldest, newest; /* posted are those from oldest up to newest */

static struct buffer *aside_first, *aside_last; /* requests put aside */

static void post_receive(void) {
    struct slot *s = &ring[newest++ % RING];
    s->buffer = take_spare();
    MPI_Irecv(s->buffer, offsetof(struct buffer, source), MPI_BYTE, MPI_ANY_SOURCE, TAG, comm, &s->request);
}

/* The next message, if it has arrived. */
static struct buffer *receive(void) {
    struct slot *s = &ring[oldest % RING];
    MPI_Status status;
    int arrived;
    MPI_Test(&s->request, &arrived, &status);
    if (!arrived) return NULL;
    struct buffer *b = s->buffer;
    oldest++;
    b->source = status.MPI_SOURCE;
    MPI_Get_count(&status, MPI_BYTE, &b->bytes);
    peers[b->source].credits += b->head.credits;
    return b;
}

static void deliver(struct buffer *b) {
    size_t args = 8 * (size_t)b->head.nargs;
    struct conduit_message m = {.thread = b->source,
                                .handler = b->head.handler,
                                .nargs = b->head.nargs,
                                .reply = b->head.kind == REPLY,
                                .args = b->args,
                                .payload = (char *)b->args + args,
                                .bytes = (size_t)b->bytes - sizeof b->head - args};
    if (!m.reply) replying_to = b->source;
    if (b->head.own) ranks_word_deliver(&m);
    else conduit_deliver(&m);
    if (m.reply) return;
    if (replying_to < 0) return;
    replying_to = -1;
    peers[b->source].owed++;
    return_credits(b->source);
}

static void put_aside(struct buffer *b) {
    b->next = NULL;
    if (aside_first) aside_last->next = b;
    else aside_first = b;
    aside_last = b;
}

static struct buffer *take_aside(void) {
    struct buffer *b = aside_first;
    if (b) aside_first = b->next;
    return b;
}

int conduit_poll(bool replies_only) {
    int n = 0;
    if (out_first) reap();
    while (n < TAKE) {
        struct buffer *b = replies_only ? NULL : take_aside();
        bool received = !b;
        if (!b && !(b = receive())) break;
        if (replies_only && b->head.kind == REQUEST) {
            put_aside(b);
            post_receive();
            continue;
        }
        if (b->head.kind != CREDITS) {
            deliver(b);
            n++;
        }
        give_spare(b);
        if (received) post_receive();
    }
    if (credits_wait) {
        credits_wait = false;
        for (int t = 0; t < ranks.threads; t++) return_credits(t);
    }
    if (ranks_barrier_pending && !n && !replies_only) ranks_barrier_step();
    return n;
}

/* ---- start and end --------------------------------------------------------------------------------------------- */

void ranks_messages_start(void) {
    MPI_Comm_dup(ranks.all, &comm);
    peers = calloc((size_t)ranks.threads, sizeof *peers);
    if (!peers) ranks_refuse("no memory for messages\n");
    most_credits = CREDITS_IN / ranks.threads;
    if (most_credits > 64) most_credits = 64;
    if (most_credits < 4) most_credits = 4;
    for (int t = 0; t < ranks.threads; t++) peers[t].credits = most_credits;
    while (newest - oldest < RING) post_receive();
}

void ranks_messages_stop(void) {
    while (oldest != newest) {
        struct slot *s = &ring[oldest++ % RING];
        MPI_Cancel(&s->request);
        MPI_Wait(&s->request, MPI_STATUS_IGNORE);
    }
    while (out_first) {
        struct buffer *b = out_first;
        out_first = b->next;
        MPI_Wait(&b->sending, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
}
