/* What the contenders of Fathom share: an endpoint for each participant, with one receive queue and one transmit queue, whose
 * row 0 leads to the other's receive queue (of participants from 1 on: to that of participant 0).
 *
 * Processes connect themselves through Unix sockets, as programs do that are no parts of one job. Built with SINGLE, both
 * ends of every queue belong to one thread (MSG_SINGLE); else any thread may use them.
 */
#ifndef OURS_H
#define OURS_H

#include "contender.h"

#include <sys/socket.h>

#include "msg.h"

enum { MOST_SENDERS = 8, PATIENCE_MS = 10000 };

#ifdef SINGLE
enum { FLAGS = MSG_SINGLE };
#define NAME(mechanism) mechanism ", one thread"
#else
enum { FLAGS = 0 };
#define NAME(mechanism) mechanism
#endif

static msg_endpoint *endpoint;
static msg_queue *inbox;
static msg_transmit *outbox;
static msg_region *region;
static msg_set set;
static size_t window; /* bytes, of each sender's in the receive queue */
/* Between participant 0 and each other one. */
static int ends[MOST_SENDERS + 1][2];

static inline void msg_die(const char *what) {
    fprintf(stderr, "%s: %s\n", what, msg_error());
    _exit(1);
}

static inline void create(int participants) {
    for (int k = 1; k < participants; k++)
        if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends[k])) die("socketpair");
}

static inline void dial(int socket) {
    if (msg_dial(outbox, 0, socket, PATIENCE_MS) != MSG_OK) msg_die("msg_dial");
}
static inline void answer(int socket, uint32_t source) {
    if (msg_answer(inbox, source, socket, PATIENCE_MS) != MSG_OK) msg_die("msg_answer");
}

/* `slots` and `flags` of the receive queue; `in_place` bytes of region. */
static inline void open_endpoint(int me, int participants, uint32_t slots, unsigned flags, size_t in_place) {
    if (!(endpoint = msg_endpoint_create())) msg_die("msg_endpoint_create");
    if (!(inbox = msg_queue_create(endpoint, 0, slots, flags | FLAGS))) msg_die("msg_queue_create");
    if (window && msg_set_window(inbox, window) != MSG_OK) msg_die("msg_set_window");
    if (!(outbox = msg_transmit_create(endpoint, 0, 1, FLAGS))) msg_die("msg_transmit_create");
    if (in_place && !(region = msg_region_create(outbox, in_place))) msg_die("msg_region_create");
    msg_set_init(&set, endpoint);
    msg_set_add(&set, inbox);
    if (me == 0) {
        for (int k = 1; k < participants; k++) answer(ends[k][0], (uint32_t)k);
        dial(ends[1][0]);
    } else {
        dial(ends[me][1]);
        if (me == 1) answer(ends[1][1], 0);
    }
}

static inline void close_(void) { msg_endpoint_close(endpoint); }

static inline void must(int status, const char *what) {
    if (status == MSG_OK) return;
    fprintf(stderr, "%s: status %d\n", what, status);
    _exit(1);
}

/* Polls of queues that have a sender each, and no message. */
static msg_set many;
static inline void poll_open(int queues) {
    msg_endpoint *e = msg_endpoint_create();
    msg_transmit *t = e ? msg_transmit_create(e, 0, (unsigned)queues, FLAGS) : NULL;
    if (!t) msg_die("msg_transmit_create");
    msg_set_init(&many, e);
    for (int i = 0; i < queues; i++) {
        msg_queue *q = msg_queue_create(e, i, 0, FLAGS);
        if (!q || msg_connect(t, (unsigned)i, q, (uint32_t)i) != MSG_OK) msg_die("msg_connect");
        msg_set_add(&many, q);
    }
}
static inline long poll_all(long n) {
    msg_message m;
    long full = 0;
    for (long i = 0; i < n; i++) full += msg_poll(&many, &m);
    return full;
}

#endif
