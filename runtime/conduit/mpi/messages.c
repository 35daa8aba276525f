/* The messages of conduit mpi: between near threads through queues in the memory that they share (conduit/queue), to and from
 * all others over MPI's point-to-point messages. A pair of threads always uses the same way, so that order holds.
 *
 * Of MPI a thread has a row of receives posted, for messages from anybody, and looks at the oldest: MPI matches in the
 * order of posting, so messages of a pair are taken in the order of sending. What cannot be delivered when it comes is put
 * aside, and delivered later in its order: requests while only replies are wanted; and while the thread computes and its
 * progress thread receives (conduit/progress.h), whatever is not a service.
 *
 * Flow: a thread may have so many requests under way to each far one (`credits`). A credit comes back with the reply,
 * or, for requests without one, several at once: with any message that goes that way, else in a message of its own.
 * So replies need no credit, there are never more of them than credits; what a thread must keep for requests that it
 * cannot deliver yet, and what MPI keeps for those not received yet, is bounded, and a request that waits for a credit
 * waits for a handler that never waits for a request. Messages are sent from a pool of buffers; requests leave some of
 * them for replies.
 *
 * The latency of a short message depends on three things. (1) Its size: Open MPI sends up to 10 bytes in half a cache
 * line; 11 need a full line and cost 90 ns more per round trip, so the trailer is two bytes and the rest is in the tag.
 * (2) Receives are persistent requests, posted again only when there is nothing else to do. (3) Nobody tests for a second
 * message before the first one has been handled.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conduit/mpi/ranks.h"
#include "conduit/progress.h"
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
static struct ranks_traffic traffic;

struct ranks_traffic ranks_traffic(void) {
    return traffic;
}

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

struct list {
    struct buffer *first, *last;
};

static void append(struct list *l, struct buffer *b) {
    b->next = NULL;
    if (l->first)
        l->last->next = b;
    else
        l->first = b;
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

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static struct list sending; /* oldest first */
static int out;             /* how many */
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
    traffic.sent++;
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

static int serve_far(bool services);

/* Delivers meanwhile, as conduit.h says. The progress thread does not deliver while it replies, only receives: so that MPI,
 * for which large messages are no sooner gone than they are received, gets on. */
static void wait_for_room(const struct conduit_message *m) {
    struct peer *p = &peers[m->thread];
    int most = m->reply ? ALL_OUT : REQUESTS_OUT;
    for (unsigned round = 0; out >= most || (!m->reply && p->credits == 0); round++) {
        if (conduit_is_beside() ? serve_far(!m->reply) : conduit_poll(m->reply))
            round = 0;
        else if (round > 1000 && !conduit_is_beside() && !conduit_has_pthreads) /* a bell is for one */
            conduit_rest(50);
        else if (round > 64)
            sched_yield();
        reap();
    }
}

bool ranks_has_room(int thread) {
    bool entered = conduit_enter();
    if (out >= REQUESTS_OUT) reap();
    bool has = out < REQUESTS_OUT && peers[thread].credits > 0;
    conduit_leave(entered);
    return has;
}

void ranks_send(const struct conduit_message *m, bool own) {
    bool entered = conduit_enter();
    struct peer *p = &peers[m->thread];
    wait_for_room(m);
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
    conduit_leave(entered);
}

/* A process that has ended ends the job (end.c), so that a message to nobody needs no notice here. */
bool conduit_send(const struct conduit_message *m) {
    if ((unsigned)(m->thread - ranks.first) >= (unsigned)ranks.count) {
        ranks_send(m, false);
        return true;
    }
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
    post(pop(&spare_out), 0, 0, thread, CREDITS, settle(p));
}

/* ---- receiving --------------------------------------------------------------------------------------------------- */

static struct list posted; /* receives, oldest first */
static int posted_count;
static struct buffer *spare_in;
static struct list aside[2]; /* put aside: requests, replies */
static bool aside_has_news;  /* requests that the progress thread has not looked at */

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
    traffic.received++;
    b->source = status.MPI_SOURCE;
    b->tag = status.MPI_TAG;
    MPI_Get_count(&status, MPI_BYTE, &b->bytes);
    b->bytes -= (int)sizeof b->trailer;
    memcpy(&b->trailer, b->data + b->bytes, sizeof b->trailer);
    peers[b->source].credits += b->trailer >> CREDITS_SHIFT;
    return b;
}

static enum kind kind_of(const struct buffer *b) { return (enum kind)(b->trailer & ((1 << KIND_BITS) - 1)); }

static struct conduit_message message_in(const struct buffer *b) {
    int nargs = b->tag >> CONDUIT_HANDLER_BITS;
    size_t args = 8 * (size_t)nargs;
    return (struct conduit_message){.thread = b->source,
                                    .handler = (uint16_t)(b->tag & ((1 << CONDUIT_HANDLER_BITS) - 1)),
                                    .nargs = (uint8_t)nargs,
                                    .reply = kind_of(b) == REPLY,
                                    .args = (const uint64_t *)b->data,
                                    .payload = b->data + args,
                                    .bytes = (size_t)b->bytes - args};
}

/* And gives the buffer back. */
static void deliver(struct buffer *b) {
    struct conduit_message m = message_in(b);
    if (!m.reply) replying_to = b->source;
    if (b->trailer & OWN)
        ranks_word_deliver(&m);
    else
        conduit_deliver(&m);
    push(&spare_in, b);
    if (m.reply || replying_to < 0) return;
    replying_to = -1;
    peers[m.thread].owed++;
    return_credits(m.thread);
}

static void put_aside(struct buffer *b) {
    bool reply = kind_of(b) == REPLY;
    append(&aside[reply], b);
    if (!reply) aside_has_news = true;
}

static int deliver_aside(bool reply, int most) {
    int n = 0;
    for (struct buffer *b; n < most && (b = take_first(&aside[reply])); n++) deliver(b);
    return n;
}

static void return_credits_late(void) {
    if (!credits_wait) return;
    credits_wait = false;
    for (int t = 0; t < ranks.threads; t++) return_credits(t);
}

/* One message that has arrived: who polls may have waited for it. Of those put aside, more. */
static int poll_far(bool replies_only) {
    if (sending.first) reap();
    int n = deliver_aside(true, TAKE);
    if (!replies_only) n += deliver_aside(false, TAKE - n);
    for (struct buffer *b; !n && (b = receive());) {
        if (kind_of(b) == CREDITS) {
            push(&spare_in, b);
        } else if (replies_only && kind_of(b) == REQUEST) {
            put_aside(b);
        } else {
            deliver(b);
            n++;
        }
    }
    return_credits_late();
    return n;
}

static int poll_near(bool replies_only) {
    int n = IS_REFERENCE ? conduit_deliver_kept(&replies_only) : 0;
    return n + queue_poll(&queue_own, replies_only);
}

int conduit_poll(bool replies_only) {
    static int since; /* messages of near threads since MPI was asked */
    bool entered = conduit_enter();
    /* What the progress thread has put aside is delivered now, and not by the next poll: a caller may poll once only. */
    int n = 0, taken = conduit_polled();
    if (ranks.count > 1) n += poll_near(replies_only);
    since += n;
    if (ranks.groups > 1 && (!n || since >= TAKE)) {
        since = 0;
        n += poll_far(replies_only);
    }
    if (ranks_barrier_pending && !n && !replies_only) ranks_barrier_step();
    conduit_leave(entered);
    return n + taken;
}

/* ---- while this thread computes ---------------------------------------------------------------------------------- */

static bool is_service(const struct buffer *b) {
    if (kind_of(b) != REQUEST) return false;
    struct conduit_message m = message_in(b);
    return (b->trailer & OWN) || conduit_may_deliver(&m);
}

/* Those services that the thread itself has put aside. Replying may put more aside. */
static int serve_aside(void) {
    if (!aside_has_news) return 0;
    struct list all = aside[false], left = {NULL, NULL};
    aside[false] = left;
    aside_has_news = false;
    int n = 0;
    for (struct buffer *b; (b = take_first(&all));) {
        if (!is_service(b)) {
            append(&left, b);
            continue;
        }
        deliver(b);
        n++;
    }
    for (struct buffer *b; (b = take_first(&aside[false]));) append(&left, b);
    aside[false] = left;
    return n;
}

/* Takes the next message: serves it, if services are wanted, or puts it aside. */
static int serve_far(bool services) {
    if (sending.first) reap();
    int n = services ? serve_aside() : 0;
    for (struct buffer *b; !n && (b = receive());) {
        if (kind_of(b) == CREDITS) {
            push(&spare_in, b);
        } else {
            if (services && is_service(b))
                deliver(b);
            else
                put_aside(b);
            n++;
        }
    }
    return n;
}

bool conduit_needs_progress(const char **obstacle) {
    int level;
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_SERIALIZED)
        *obstacle =
            "this MPI can be called by one POSIX thread of a process only (MPI_THREAD_SERIALIZED is not granted)";
    return IS_REFERENCE || ranks.groups > 1;
}

int conduit_progress(void) {
    int n = IS_REFERENCE && ranks.count > 1 ? queue_poll(&queue_own, conduit_kept_enough()) : 0;
    if (ranks.groups == 1) return n;
    for (int more = 1; more && n < TAKE && !(n && conduit_is_wanted()); n += more) more = serve_far(true);
    return_credits_late();
    if (ranks_barrier_pending) {
        ranks_barrier_step();
        n += !ranks_barrier_pending;
    }
    return n;
}

bool conduit_wakes_beside = false;
void conduit_rest_beside(long us) { nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL); }
void conduit_stir(void) {}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

void ranks_messages_start(void) {
    /* MPI rings no bell. */
    struct queue_memory *queues = queue_share(ranks.count);
    if (!queues || !bells_start(ranks.first, ranks.count, ranks.groups > 1 ? LONGEST_NAP_US : INT_MAX) ||
        !queue_open(&queue_own, queues, ranks.me, ranks.first, ranks.count, NULL))
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
