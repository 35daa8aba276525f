/* Rows whose queue is on another computer: the seam between the queues and whatever carries their messages there, a *wire*.
 * runtime/queues is the wire of a Fathom job, over the active messages of its conduit; another (libfabric, by itself) would
 * fill the same struct.
 *
 * Sender and receiver of a row see the same two memories as on one computer (layout.h), each a copy of its own: `out`,
 * written by the sender, follows at the receiver, and `in`, written by the receiver, follows at the sender. So every call of
 * msg.h does what it does on one computer. The copy of `in` at the sender is late, never early: its `head` is the row's credit.
 *
 * Threads. msg_far_step, msg_far_deliver, and setting up and freeing are for one thread at a time, which the wire sees to (its
 * *engine*). All other threads only mark, with the bells of struct msg_far, what is to be sent.
 */
#ifndef MSG_FAR_H
#define MSG_FAR_H

#include "msg/channel.h"

enum { MSG_FAR_ARGUMENTS = 3 };

struct msg_wire {
    /* May this thread send and poll, here and now? */
    bool (*is_mine)(void);
    /* Would `send` to this site return without waiting? */
    bool (*may_send)(int site);
    /* Sends numbers and data to a site, whose msg_far_deliver gets them; once each, and in order between two sites. */
    void (*send)(int site, const uint64_t *numbers, const void *data, size_t bytes);
    /* Enters the engine and calls msg_far_step. Only if is_mine. */
    void (*step)(void);
    /* Lets what has come be delivered, and steps; true: something has come. Only if is_mine. */
    bool (*poll)(void);
    /* Another thread has something to be sent: wakes those for whom is_mine is true. */
    void (*stir)(void);
    /* Sleeps while *word is `old`, or until something comes, a fraction of a millisecond at most. */
    void (*nap)(const uint32_t *word, uint32_t old);
    /* The endpoint closes: delivers nothing to it any more. */
    void (*ended)(void);
    size_t most; /* bytes of data in one send, at least 4096 */
};

/* Makes an endpoint's far part. */
struct msg_far *msg_far_create(msg_endpoint *e, const struct msg_wire *wire);

/* Setting up a row: the sender reserves a number (negative: see msg_error), the receiver makes a lane and an offer for it,
 * and the sender completes the row with that offer. */
int msg_far_reserve(struct msg_far *f);
void msg_far_withdraw(struct msg_far *f, int number);
int msg_far_answer(msg_queue *q, int site, int number, uint32_t source, uint64_t region_bytes, uint64_t start,
                   struct msg_offer *offer);
int msg_far_finish(msg_transmit *t, unsigned destination, int site, int number, const struct msg_offer *offer,
                   uint64_t start);

/* What a site has sent; false: it makes no sense, and the two
 * sides do not agree any more. */
bool msg_far_deliver(struct msg_far *f, int site, const uint64_t *numbers, const void *data, size_t bytes);
/* Sends what is marked, as far as the wire takes it. */
void msg_far_step(struct msg_far *f);
/* Is anything left to be sent? */
bool msg_far_is_idle(const struct msg_far *f);

#endif
