/* Message queues between threads and processes of a computer, after StarT-Voyager's (docs/queues.md). C11 or C++17; needs
 * neither UPC nor the rest of Fathom: link with libfathom-msg.a (pkg-config fathom-msg).
 *
 * A process has endpoints. An endpoint has receive queues and transmit queues, up to 512 of each. A transmit queue has a
 * table of destinations: row d, if it has been connected, names one receive queue somewhere, and says as which source the
 * receiver sees what is sent there. A sender names destinations by their numbers in its own table.
 *
 * Each call says in its comment which threads may call it at once. "Any" means that no thread ever waits for another.
 * Calls that set something up return a null pointer or MSG_FAILED, and msg_error() says why.
 */
#ifndef MSG_H
#define MSG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct msg_endpoint msg_endpoint;
typedef struct msg_queue msg_queue;       /* receives */
typedef struct msg_transmit msg_transmit; /* sends */
typedef struct msg_region msg_region;     /* memory from which data are sent in place */

/* What calls that send or receive return. */
enum msg_status {
    MSG_OK = 0,
    MSG_FULL,     /* there is no room; nothing has been sent */
    MSG_NO_ROW,   /* this destination has not been connected */
    MSG_TOO_LONG, /* more bytes than this row or mechanism takes */
    MSG_WRONG,    /* an argument does not fit: see the call's comment */
    MSG_FAILED    /* msg_error() says why */
};

enum {
    MSG_MOST_QUEUES = 512,        /* of an endpoint: receive queues, and as many transmit queues */
    MSG_MOST_SENDERS = 512,       /* rows that lead to one receive queue */
    MSG_MOST_DESTINATIONS = 4096, /* of a transmit queue */
    MSG_MOST_RESIDENTS = 512,     /* senders of an endpoint's queues: msg_set_residents */
    MSG_TAGS = 32,
    MSG_MOST_SLOTS = 65536
};

enum msg_flags {
    MSG_SINGLE = 1, /* one thread at a time uses this queue; it costs less */
    MSG_BASIC = 2   /* a queue for Basic messages; without it for Express and Tag-On */
};

/* How a message came. */
enum msg_kind {
    MSG_EMPTY,   /* none has come; word and tag are the queue's or set's Empty message */
    MSG_EXPRESS, /* word and tag */
    MSG_DATA,    /* Tag-On, or a copy by msg_send: word (32 bits), tag, data; to be released */
    MSG_BULK,    /* data have come into this sender's window: word (16 bits), tag, data; to be released */
    MSG_RECORD,  /* Basic: tag and data; to be released */
    MSG_READY    /* from msg_poll: `queue` has Basic messages; word is the number of bytes that wait */
};

typedef struct msg_message {
    uint64_t word;
    const void *data; /* valid until msg_release */
    uint64_t bytes;
    uint32_t source; /* who sent it, as whoever connected the row has said; no sender can forge it */
    uint16_t queue;
    uint8_t tag; /* 0 to 31 */
    uint8_t kind;
    uint16_t lane; /* these three for msg_release */
    uint32_t serial;
    uint64_t place;
} msg_message;

/* ---- setting up: one thread at a time for each endpoint ------------------------------------------------------------ */

/* Why the last call of this thread that set something up has failed: one line, without a newline. */
const char *msg_error(void);

msg_endpoint *msg_endpoint_create(void);
/* No thread may be using its queues. Peers find their rows full until they wait for room, and their queues empty. */
void msg_endpoint_close(msg_endpoint *e);

/* Receive queue `number`: 0 is the one that msg_poll prefers. `slots`: how many messages of one sender it takes before it
 * is full (a batch of msg_express_many counts as one), a power of two from 4 to 65536, or 0 for 16384; of a Basic queue bytes, from
 * 256 to 1 GiB, or 0 for 64 KiB. */
msg_queue *msg_queue_create(msg_endpoint *e, int number, uint32_t slots, unsigned flags);

/* A sender to a queue of at least 64 slots begins with a small ring of 32, and uses the queue's `slots`, a larger and
 * slower memory, only while more messages wait. The senders of this endpoint's queues that need that most often are
 * resident: they stay in the large memory, at most `most` of them, 0 to 512; 16 unless set. Neither changes what is
 * sent or received, or when a queue is full. Any thread. */
int msg_set_residents(msg_endpoint *e, unsigned most);

/* The message that receiving from the empty queue gives: at first word 0, tag 0. */
void msg_set_empty(msg_queue *q, unsigned tag, uint64_t word);

/* Each sender that is connected to `q` from now on has a window of so many bytes (rounded up to pages, at most 16 GiB) of its own
 * in this process's memory, into which it sends Bulk data. */
int msg_set_window(msg_queue *q, size_t bytes);

/* Transmit queue `number`, with rows 0 to destinations - 1, none of them connected. */
msg_transmit *msg_transmit_create(msg_endpoint *e, int number, unsigned destinations, unsigned flags);

/* Memory for data that are sent in place: `bytes` are rounded up to pages, at most 16 GiB. The receivers of rows of `t` that
 * are connected afterwards can read all of it. */
msg_region *msg_region_create(msg_transmit *t, size_t bytes);
void *msg_region_memory(const msg_region *r);

/* Connects a row to a queue in this process (also for threads, and before a fork: then the parts of the job use it).
 * `source` is what the receiver sees. */
int msg_connect(msg_transmit *t, unsigned destination, msg_queue *q, uint32_t source);

/* The same between two processes that have the ends of a Unix socket, one call in each. They wait for each other, at most
 * `timeout_ms`. The answering side says who the source is. */
int msg_dial(msg_transmit *t, unsigned destination, int socket, int timeout_ms);
int msg_answer(msg_queue *q, uint32_t source, int socket, int timeout_ms);

/* Gives back a row, however it has been connected (msg_connect, msg_dial, msg_broker_open), while threads may be sending. From now on
 * it returns MSG_NO_ROW, and it can be connected anew. All that was sent before is received, and a Bulk job that has begun is done.
 * Data that were sent in place stay until msg_is_released says so, as ever. The receiver's place for this sender is free when it
 * has received and released all, and is used by the next sender. MSG_FAILED: the row is not connected; it leads to another computer; or
 * it is the broker's, and has Bulk jobs that are not done. After a fork the row ends for both processes. */
int msg_disconnect(msg_transmit *t, unsigned destination);

/* ---- sending: any threads, or one at a time with MSG_SINGLE --------------------------------------------------------- */

/* Express: a word and five bits. MSG_OK, MSG_FULL, MSG_NO_ROW; MSG_WRONG if the row leads to a Basic queue or the tag is not
 * below 32. */
int msg_express(msg_transmit *t, unsigned destination, unsigned tag, uint64_t word);

/* So many words with the same tag, in order; returns how many have been sent. Other threads' messages may come between. From 4
 * words on they are published together, by one atomic operation for up to 127, and fill one place of the queue. */
size_t msg_express_many(msg_transmit *t, unsigned destination, unsigned tag, const uint64_t *words, size_t count);

/* Tag-On: an Express message of 32 bits and five, and `bytes` at `data`, which lie in the transmit queue's region, at a
 * multiple of 64; at most 1 MiB - 1. They are not copied, and must stay as they are until msg_is_released(…, *ticket).
 * Multicast: call it for each destination. */
int msg_tag_on(msg_transmit *t, unsigned destination, unsigned tag, uint32_t word, const void *data, uint32_t bytes,
               uint64_t *ticket);
bool msg_is_released(msg_transmit *t, unsigned destination, uint64_t ticket);

/* Chooses by size and place: up to 8 bytes go as Express (the word has them in its low bytes), data in the region as Tag-On
 * (*ticket is set), other data are copied, up to MSG_MOST_COPY bytes. A tuning table (docs/tuning.md, `msg-send`) may say
 * that short data in the region are copied, too. `ticket` may be null: then data in the region are
 * copied, too. *ticket is MSG_NO_TICKET if the data may be changed at once. */
enum { MSG_MOST_COPY = 1024 };
#define MSG_NO_TICKET UINT64_MAX
int msg_send(msg_transmit *t, unsigned destination, unsigned tag, const void *data, uint32_t bytes, uint64_t *ticket);

/* Basic: records in a ring of bytes. Space for one record, or null: there is no room now, the row does not exist, or the
 * record is longer than half the ring. On a shared queue the row is locked until msg_basic_publish. */
void *msg_basic_reserve(msg_transmit *t, unsigned destination, uint32_t bytes);
/* The record is complete, with at most the bytes that were reserved. */
void msg_basic_add(msg_transmit *t, unsigned destination, unsigned tag, uint32_t bytes);
/* Many records of the same size and tag, which lie one behind the other in `count` pieces of `bytes`, each rounded up
 * to 8, with one header for all: a record of 8 bytes takes 8 bytes. 1 to MSG_MOST_RUN records of at least 1 byte; null
 * also if all together are longer than half the ring. */
enum { MSG_MOST_RUN = 65536 };
void *msg_basic_reserve_many(msg_transmit *t, unsigned destination, uint32_t bytes, uint32_t count);
/* The first `count` of them, at most as many as were reserved, are complete. Each is received like any other record. */
void msg_basic_add_many(msg_transmit *t, unsigned destination, unsigned tag, uint32_t count);
/* All records that have been added are sent: once for any number of them. */
void msg_basic_publish(msg_transmit *t, unsigned destination);
/* Reserve, copy, add, publish. MSG_TOO_LONG if it never fits. */
int msg_basic_send(msg_transmit *t, unsigned destination, unsigned tag, const void *data, uint32_t bytes);

/* Bulk: `bytes` from anywhere go to `offset` of the row's window (a multiple of 64), by the endpoint's service thread, while this
 * thread goes on. Then the receiver gets a message of 16 bits and five; other messages may overtake it. MSG_OK: it has begun, and
 * the data and *job must stay until msg_bulk_is_done. MSG_TOO_LONG: not within the window. MSG_WRONG also on a transmit queue
 * with MSG_SINGLE, because the service thread sends, too. Jobs of an endpoint are done one after the other, but
 * those of a full row wait, and the others go on. */
typedef struct msg_job {
    uint32_t state;  /* private */
    uint64_t ticket; /* once it is done: for msg_is_released, when this part of the window may be written again */
    struct msg_job *next;
    void *row;
    const void *data;
    uint64_t bytes, offset;
    uint64_t stamp;
} msg_job;
int msg_bulk(msg_transmit *t, unsigned destination, unsigned tag, uint16_t word, uint64_t offset, const void *data,
             uint64_t bytes, msg_job *job);
bool msg_bulk_is_done(const msg_job *job);

/* The same by the calling thread, which returns when the data have been copied and the message is on its way: for whoever would
 * only wait for msg_bulk. *ticket: for msg_is_released. MSG_FULL: there is no room for the message now; it has not been sent, but the
 * window's bytes may have been written. Also on a transmit queue with MSG_SINGLE. MSG_WRONG also if the receiver is on another
 * computer. */
int msg_bulk_copy(msg_transmit *t, unsigned destination, unsigned tag, uint16_t word, uint64_t offset, const void *data,
                  uint64_t bytes, uint64_t *ticket);

/* Waits until the row's queue has taken something, or for `timeout_ms` (-1: for ever). True: there may be room; or the receiver
 * has ended, which is found after 100 ms, and from then on the row returns MSG_NO_ROW. (Not found while a process that was forked
 * after msg_connect lives on: it has the receiver's end, too.) */
bool msg_wait_for_room(msg_transmit *t, unsigned destination, int timeout_ms);

/* ---- receiving: any threads, or one at a time with MSG_SINGLE ------------------------------------------------------- */

/* The next message, or the Empty message. True if it is one. Messages of kind MSG_DATA, MSG_BULK and MSG_RECORD must be released.
 * Of a Basic queue that is not MSG_SINGLE: the queue is locked until msg_release; for the thread that has not released it
 * is empty until then. */
bool msg_receive(msg_queue *q, msg_message *m);
void msg_release(msg_queue *q, const msg_message *m);

/* Up to `most` messages that are there already, of one sender and in order; returns how many. 0: m[0] is the Empty message. They are
 * taken by one atomic operation. Each that has data is to be released; those of a Basic queue all by one msg_release of the
 * last one (and there is one at most, unless the queue is MSG_SINGLE). */
size_t msg_receive_many(msg_queue *q, msg_message *m, size_t most);

/* Of a Basic queue with MSG_SINGLE: the next record of the same sender as *m, in *m; those before it stay, and one
 * msg_release of the last releases all. False: there is none, and *m stays as it is. */
bool msg_receive_next(msg_queue *q, msg_message *m);

/* ---- OnePoll: many queues at once ---------------------------------------------------------------------------------- */

typedef struct msg_set {
    msg_endpoint *endpoint;
    uint64_t mask[8]; /* queue q is bit q % 64 of word q / 64 */
    uint64_t empty_word;
    uint8_t empty_tag;
    uint8_t first, last; /* words of mask that are not 0 */
} msg_set;

void msg_set_init(msg_set *s, msg_endpoint *e);
void msg_set_add(msg_set *s, const msg_queue *q);
void msg_set_remove(msg_set *s, const msg_queue *q);

/* The next message of the first queue of the set that has one, by number; of a Basic queue a message of kind MSG_READY. True
 * if there is one; otherwise the set's Empty message. Costs the same for any number of empty queues. */
bool msg_poll(const msg_set *s, msg_message *m);

/* The same, and sleeps while there is none, at most `timeout_ms` (-1: for ever). Several threads may sleep. */
bool msg_wait(const msg_set *s, msg_message *m, int timeout_ms);

/* For poll and epoll: a descriptor that is readable when a message comes for an armed set. msg_arm returns false if there may be
 * messages already, which the caller polls for instead of sleeping. After the sleep: msg_disarm. One thread at a time. */
int msg_fd(msg_endpoint *e);
bool msg_arm(const msg_set *s);
void msg_disarm(const msg_set *s);

/* ---- looking ------------------------------------------------------------------------------------------------------- */

/* How msg_send would send this, and why, in a sentence: "Tag-On: 512 bytes lie in the region (…)". Sends nothing. Returns its length,
 * as snprintf does. `ticket`: whether msg_send would be given one. */
int msg_explain_send(const msg_transmit *t, unsigned destination, const void *data, uint32_t bytes, bool ticket,
                     char *text, size_t room);

/* How many messages (Basic: bytes) of one sender wait, and of how many; false: there is no such sender. */
bool msg_lane_state(const msg_queue *q, unsigned lane, uint32_t *source, uint64_t *waiting, uint64_t *room);

/* How often a sender has moved between its small and its large ring, and whether it is resident; false: there is no such sender. */
bool msg_lane_use(const msg_queue *q, unsigned lane, uint32_t *moves, bool *is_resident);

#ifdef __cplusplus
}
#endif
#endif
