/* Message queues between the threads of a job: the calls of fathom_queues.h, over runtime/msg and the messages of core.
 *
 * `queues` has the endpoint, who is admitted, and the two ways to connect; `near` moves the descriptors of a ring
 * between two processes of one computer; `wire` carries what msg/far.c sends between others. Requests are services (core_service):
 * a thread that computes is reached by way of its progress thread.
 */
#ifndef QUEUES_H
#define QUEUES_H

#include "core/core.h"
#include "fathom_queues.h"
#include "msg/far.h"

enum {
    QUEUES_DIAL = QUEUES_FIRST, /* (waiter, queue, region's bytes, row, start): to a queue that is not near */
    QUEUES_DIAL_NEAR,           /* (waiter, queue), payload: the address to which descriptors go */
    QUEUES_FINISH,              /* (waiter, key), for the last step of the same */
    QUEUES_ANSWER,              /* (waiter, enum queues_answer), payload: by the waiter's question, or why not */
    QUEUES_CARRY                /* numbers and payload of msg/far.c */
};

/* Called in each thread, before any other can send to it. */
void fathom_queues_start(void);

enum queues_answer { QUEUES_YES, QUEUES_NO, QUEUES_NOT_NEAR /* descriptors do not get there */ };
struct queues_waiter {
    bool done;
    enum queues_answer answer;
    size_t bytes;
    _Alignas(8) char payload[256];
};
/* Sends a request with the waiter as its first argument, and waits for its answer. */
enum queues_answer queues_ask(struct queues_waiter *w, int thread, int handler, const void *payload, size_t bytes,
                              const uint64_t *args, int nargs);
void queues_reply(gas_token token, uint64_t waiter, enum queues_answer answer, const void *payload, size_t bytes);
/* No, because of msg_error. */
void queues_refuse(gas_token token, uint64_t waiter);

/* The thread's endpoint; null: none yet, or no more. */
extern msg_endpoint *queues_endpoint;
/* The queue of this number, and the source that the thread has there; null: see msg_error. */
msg_queue *queues_admitted(uint64_t number, int thread, uint32_t *source);

/* near.c */
void queues_near_start(void);
/* Connects a row to a near thread's queue. QUEUES_NO: see msg_error. */
enum queues_answer queues_near_connect(msg_transmit *t, unsigned destination, int thread, int queue);

/* wire.c */
void queues_wire_start(void);
const struct msg_wire *queues_wire(void);
void queues_wire_begin(struct msg_far *f);
/* Where new rows begin to count: for tests of what happens where counters wrap. */
extern uint64_t fathom_queues_begin_at;

#endif
