/* The messages of conduit mpi: between near threads through queues in the memory that they share (conduit/queue), to and from
 * all others over MPI's point-to-point messages. A pair of threads always uses the same way, so that order holds.
 *
 * Of MPI a thread has a row of receives posted, for messages from anybody, and looks at the oldest: MPI matches in the
 * order of posting, so messages of a pair are taken in the order of sending. While only replies are wanted, requests that
 * come are put aside, and delivered later in their order.
 *
 * Flow: a thread may have so many requests under way to each far one (`credits`). A credit comes back with the reply,
 * or, for requests without one, several at once: with any message that goes that way, else in a message of its own.
 * So replies need no credit, there are never more of them than credits; what a thread must keep for requests that it
 * cannot deliver yet, and what MPI keeps for those not received yet, is bounded, and a request that waits for a credit
 * waits for a handler that never waits for a request. Messages are sent from a pool of buffers; requests leave some of
 * them for replies.
 *
 * What counts for the time of a short message: its size (Open MPI carries 10 bytes in half a cache line, but 11 in a whole
 * one, at a cost of 90 ns a round trip: hence what goes with the arguments is two bytes and the tag); that receives are
 * posted again while nothing else is to be done, and by requests that are made once (MPI_Start); and that nobody asks for
 * a second message before the first one's receiver has gone on.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduit/mpi/ranks.h"
#include "conduit/queue/queue.h"

enum {
    MAX_MEDIUM = 32768,
    POSTED = 32,       /* receives */
    TAKE = 32,         /* messages put aside that are delivered by one poll; of near threads until MPI is asked, too */
    REQUESTS_OUT = 64, /* sends under way that a request may find */
    ALL_OUT = 128,
    CREDITS_IN = 2048, /* requests that all others together may have under way to a thread */
    MOST_CREDITS = 64, /* to each */
    LONGEST_NAP_US = 250
};
const size_t conduit_max_medium = MAX_MEDIUM;

/* A message: the arguments, the payload, and a trailer. The tag says which handler, and how many arguments: in 15 bits,
 * which every MPI allows. */
enum kind { REQUEST, REPLY, CREDITS };
enum { KIND_BITS = 2, OWN = 1 << KIND_BITS, CREDITS_SHIFT = KIND_BITS + 1 };
typedef uint16_t trailer; /* kind; OWN: for the conduit, not for core; credits that come back */
_Static_assert(CONDUIT_MAX_ARGS << CONDUIT_HANDLER_BITS <= 32767, "the tag suffices");

struct buffer {
    char data[8 * CONDUIT_MAX_ARGS + MAX_MEDIUM + sizeof(trailer)];
    struct buffer *next;
    MPI_Request request; /* a send under way; or a receive made for this buffer, posted or not */
    /* Of a message received: */
    int source, tag, bytes;
    trailer trailer;
};
_Static_assert(offsetof(struct buffer, data) == 0, "malloc aligns the payload");

static MPI_Comm comm;
static struct peer {
    int credits; /* requests that may be sent */
    int owed;    /* requests delivered without a reply */
} *peers;
static int most_credits;

/* ---- buffers --------------------------------------------------------------------------------------------------- */

struct list {
    struct buffer *first, *last;
};

static void append(struct list *l, struct buffer *b) {
    b->next = NULL;
    if (l->first) l->last->next = b;
    else l->first = b;
    l->last = b;
}

static struct buffer *take_first(struct list *l) {
    struct buffer *b = l->first;
    if (b) l->first = b->next;
    return b;
}

static void push(struct buffer **stack, struct buffer *b) {
    b->next = *stack;
    *stack = b;
}

/* From those to spare, or a new one. */
static struct buffer *pop(struct buffer **stack) {
    struct buffer *b = *stack;
    if (b) {
        *stack = b->next;
        return b;
    }
    b = malloc(sizeof *b);
    if (!b) {
        fprintf(stderr, "fathom: thread %d: no memory for a message\n", ranks.me);
        conduit_end(1);
        _Exit(1);
    }
    b->request = MPI_REQUEST_NULL;
    return b;
}

/* ---- sending --------------------------------------------------------------------------------------------------- */

static struct list sending; /* oldest first */
static int out;               /* how many */
static struct buffer *spare_out;

static void reap(void) {
    while (sending.first) {
        int done;
        MPI_Test(&sending.first->request, &done, MPI_STATUS_IGNORE);
        if (!done) return;
        out--;
        push(&spare_out, take_first(&sending));
    }
}

static unsigned settle(struct peer *p) {
    unsigned n = (unsigned)p->owed;
    p->owed = 0;
    return n;
}

/* Sends n bytes of b and the trailer; b then belongs to MPI. */
static void post(struct buffer *b, size_t n, int tag, int thread, unsigned kind, unsigned credits) {
    trailer t = (trailer)(kind | credits << CREDITS_SHIFT);
    memcpy(b->data + n, &t, sizeof t);
    MPI_Isend(b->data, (int)(n + sizeof t), MPI_BYTE, thread, tag, comm, &b->request);
    int done;
    MPI_Test(&b->request, &done, MPI_STATUS_IGNORE);
    if (done) {
        push(&spare_out, b);
        return;
    }
    append(&sending, b);
    out++;
}

static int replying_to = -1; /* whose request is being delivered, and has not been replied to */

void ranks_send(const struct conduit_message *m, bool own) {
    struct peer *p = &peers[m->thread];
    int most = m->reply ? ALL_OUT : REQUESTS_OUT;
    for (unsigned round = 0; out >= most || (!m->reply && p->credits == 0); round++) {
        if (conduit_poll(m->reply)) round = 0;
        else if (round > 1000) conduit_rest(50);
        else if (round > 64) sched_yield();
        reap();
    }
    struct buffer *b = pop(&spare_out);
    size_t args = 8 * (size_t)m->nargs;
    if (args) memcpy(b->data, m->args, args);
    if (m->bytes) memcpy(b->data + args, m->payload, m->bytes);
    unsigned credits = settle(p);
    if (m->reply) {
        replying_to = -1;
        credits++;
    } else {
        p->credits--;
    }
    post(b, args + m->bytes, m->nargs << CONDUIT_HANDLER_BITS | m->handler, m->thread,
         (m->reply ? REPLY : REQUEST) | (own ? OWN : 0), credits);
}

void conduit_send(const struct conduit_message *m) {
    if ((unsigned)(m->thread - ranks.first) < (unsigned)ranks.count)
        queue_send(m);
    else
        ranks_send(m, false);
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
    post(pop(&spare_out), 0, 0, thread, CREDITS, settle(p));
}

/* ---- receiving ------------------------------------------------------------------------------------------------- */

static struct list posted; /* receives, oldest first */
static int posted_count;
static struct buffer *spare_in;
static struct list aside; /* requests put aside */

static void post_receives(void) {
    for (; posted_count < POSTED; posted_count++) {
        struct buffer *b = pop(&spare_in);
        if (b->request == MPI_REQUEST_NULL)
            MPI_Recv_init(b->data, sizeof b->data, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &b->request);
        MPI_Start(&b->request);
        append(&posted, b);
    }
}

/* The next message, if it has arrived. */
static struct buffer *receive(void) {
    MPI_Status status;
    int arrived;
    MPI_Test(&posted.first->request, &arrived, &status);
    if (!arrived) {
        post_receives();
        return NULL;
    }
    struct buffer *b = take_first(&posted);
    if (--posted_count < POSTED / 2) post_receives();
    b->source = status.MPI_SOURCE;
    b->tag = status.MPI_TAG;
    MPI_Get_count(&status, MPI_BYTE, &b->bytes);
    b->bytes -= (int)sizeof b->trailer;
    memcpy(&b->trailer, b->data + b->bytes, sizeof b->trailer);
    peers[b->source].credits += b->trailer >> CREDITS_SHIFT;
    return b;
}

static enum kind kind_of(const struct buffer *b) { return (enum kind)(b->trailer & ((1 << KIND_BITS) - 1)); }

static void deliver(struct buffer *b) {
    int nargs = b->tag >> CONDUIT_HANDLER_BITS;
    size_t args = 8 * (size_t)nargs;
    struct conduit_message m = {.thread = b->source,
                                .handler = (uint16_t)(b->tag & ((1 << CONDUIT_HANDLER_BITS) - 1)),
                                .nargs = (uint8_t)nargs,
                                .reply = kind_of(b) == REPLY,
                                .args = (const uint64_t *)b->data,
                                .payload = b->data + args,
                                .bytes = (size_t)b->bytes - args};
    if (!m.reply) replying_to = b->source;
    if (b->trailer & OWN) ranks_word_deliver(&m);
    else conduit_deliver(&m);
    if (m.reply) return;
    if (replying_to < 0) return;
    replying_to = -1;
    peers[b->source].owed++;
    return_credits(b->source);
}

/* One message that has arrived: who polls may have waited for it. Of those put aside, more. */
static int poll_far(bool replies_only) {
    int n = 0;
    if (sending.first) reap();
    for (struct buffer *b; !replies_only && n < TAKE && (b = take_first(&aside)); n++) {
        deliver(b);
        push(&spare_in, b);
    }
    for (struct buffer *b; !n && (b = receive());) {
        if (replies_only && kind_of(b) == REQUEST) {
            append(&aside, b);
            continue;
        }
        if (kind_of(b) != CREDITS) {
            deliver(b);
            n++;
        }
        push(&spare_in, b);
    }
    if (credits_wait) {
        credits_wait = false;
        for (int t = 0; t < ranks.threads; t++) return_credits(t);
    }
    return n;
}

int conduit_poll(bool replies_only) {
    static int since; /* messages of near threads since MPI was asked */
    int n = ranks.count > 1 ? queue_poll(replies_only) : 0;
    since += n;
    if (ranks.groups > 1 && (!n || since >= TAKE)) {
        since = 0;
        n += poll_far(replies_only);
    }
    if (ranks_barrier_pending && !n && !replies_only) ranks_barrier_step();
    return n;
}

/* ---- start and end --------------------------------------------------------------------------------------------- */

void ranks_messages_start(void) {
    /* MPI rings no bell. */
    if (!bells_start(ranks.first, ranks.count, ranks.groups > 1 ? LONGEST_NAP_US : INT_MAX) ||
        !queue_start(ranks.first, ranks.count))
        ranks_refuse("no memory for the message queues of %d threads\n", ranks.count);
    if (ranks.groups == 1) return;
    MPI_Comm_dup(ranks.all, &comm);
    peers = calloc((size_t)ranks.threads, sizeof *peers);
    if (!peers) ranks_refuse("no memory for messages\n");
    most_credits = CREDITS_IN / ranks.threads;
    if (most_credits > MOST_CREDITS) most_credits = MOST_CREDITS;
    if (most_credits < 4) most_credits = 4;
    for (int t = 0; t < ranks.threads; t++) peers[t].credits = most_credits;
    post_receives();
}

void ranks_messages_stop(void) {
    if (ranks.groups == 1) return;
    for (struct buffer *b; (b = take_first(&posted));) {
        MPI_Cancel(&b->request);
        MPI_Wait(&b->request, MPI_STATUS_IGNORE);
        push(&spare_in, b);
    }
    for (; spare_in; spare_in = spare_in->next) MPI_Request_free(&spare_in->request);
    for (struct buffer *b; (b = take_first(&sending));) MPI_Wait(&b->request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}
