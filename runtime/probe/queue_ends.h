/* The two ends of the message queues that the area queues measures (queues.c): threads 0 and 1 each have an endpoint with
 * one receive queue and one transmit queue, whose row 0 leads to the other. They connect as programs do that are no parts
 * of one job, by a Unix socket; so no conduit has to know the queues.
 */
#pragma once
#include "include/msg.h"
#include "probe/together.h"

enum queue_mechanism { EXPRESS, TAG_ON, IN_PLACE, BASIC, COPY, BULK };

/* The most places for data, which are used in turn. */
enum { QUEUE_PLACES = 32, QUEUE_EXPRESS_BYTES = 8 };

/* What is measured, as the request says it. */
struct queue_plan {
    enum queue_mechanism mechanism;
    size_t bytes; /* of a message; of Express a multiple of 8: so many messages */
    bool single;  /* one thread at a time uses each queue: MSG_SINGLE, and no lock */
    bool flushes; /* software writes sent data back and drops received data from the caches */
    size_t place; /* bytes from one place for data to the next */
    unsigned places;
    unsigned burst; /* messages that are sent before any is taken, where overheads are measured */
};

struct queue_end {
    const struct queue_plan *plan;
    msg_endpoint *endpoint;
    msg_queue *inbox;
    msg_transmit *outbox;
    char *memory; /* places for data: in the region, or Bulk's source */
    uint64_t ticket[QUEUE_PLACES];
    msg_job job[QUEUE_PLACES];
    bool is_used[QUEUE_PLACES];
    unsigned at;
    uint64_t sent, taken; /* messages: each carries its number */
    double end_ns;        /* no call waits longer */
    bool is_late, is_wrong;
};

/* Makes this thread's end and connects it with the other's, who calls the other of the two with the same plan and name. False:
 * `why` has the reason. */
bool queue_listen(struct queue_end *e, const struct queue_plan *plan, int listener, char why[200]);
bool queue_call(struct queue_end *e, const struct queue_plan *plan, const char *name, char why[200]);
void queue_close(struct queue_end *e);
/* A socket with a name of its own on this computer; -1: there is none. */
int queue_listener(char name[64]);

/* Sends the next message; waits for room. Takes the next message, reads all of it, checks it and releases it. False: it is too late. */
bool queue_send(struct queue_end *e);
bool queue_take(struct queue_end *e);
/* Another look at something, or too late. */
bool queue_patience(struct queue_end *e, unsigned *looks);
