/* What the files of this room share: an endpoint with its queues and rows, in the private memory of its process. */
#ifndef MSG_INTERNAL_H
#define MSG_INTERNAL_H

#include <pthread.h>

#include "include/msg.h"
#include "msg/bell.h"
#include "msg/inside.h"
#include "msg/lane.h"

/* A file in memory that is mapped here. */
struct msg_memory {
    void *at;
    size_t bytes;
    int fd; /* -1: none, or closed */
};

/* Makes one, with what nobody may do to it any more; false: see msg_error. */
enum { MSG_SEAL_SIZE = 1, MSG_SEAL_OTHERS = 2 /* nobody else can write it */ };
bool msg_memory_make(struct msg_memory *m, const char *name, size_t bytes, int seals);
/* Maps a peer's, after checking that it has these seals and at least so many bytes; takes the descriptor over. */
bool msg_memory_map(struct msg_memory *m, int fd, const char *name, size_t bytes, int seals, bool writable);
void msg_memory_unmap(struct msg_memory *m);

int msg_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What an earlier call should have made: calls that set something up say so if it has not. */
static inline bool msg_is_null(const void *made, const char *what) {
    if (!made) msg_fail("%s is null: the call that makes it has failed, or was not made", what);
    return !made;
}

/* A short lock of this process's threads: Basic rows and queues that are shared. */
struct msg_lock {
    uint32_t state;     /* 0 free, 1 held, 2 held and awaited */
    const void *holder; /* while it is held from one call to another */
};
void msg_lock_wait(struct msg_lock *l);
void msg_lock_wake(struct msg_lock *l);
static inline void msg_lock_take(struct msg_lock *l) {
    uint32_t free = 0;
    if (!__atomic_compare_exchange_n(&l->state, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) msg_lock_wait(l);
}
static inline void msg_lock_give(struct msg_lock *l) {
    if (__atomic_exchange_n(&l->state, 0, __ATOMIC_RELEASE) == 2) msg_lock_wake(l);
}

/* Held from one call to another, by the thread that made the first. */
extern _Thread_local char msg_thread;
static inline bool msg_lock_is_mine(const struct msg_lock *l) {
    return __atomic_load_n(&l->holder, __ATOMIC_RELAXED) == &msg_thread;
}
static inline void msg_lock_take_for_long(struct msg_lock *l) {
    msg_lock_take(l);
    __atomic_store_n(&l->holder, &msg_thread, __ATOMIC_RELAXED);
}
static inline void msg_lock_give_after_long(struct msg_lock *l) {
    __atomic_store_n(&l->holder, NULL, __ATOMIC_RELAXED);
    msg_lock_give(l);
}

struct msg_broker;

/* A lane or a row that has ended (retire.c). */
struct msg_retired {
    struct msg_retired *next;
    struct msg_lane *lane;
    msg_queue *queue;    /* the lane's; it is freed before what remains in the list when the endpoint ends */
    struct msg_row *row; /* or this */
    unsigned destination;
    uint64_t grace; /* free when this period is over */
};

/* A row that is connected: the sending side of a lane. */
struct msg_row {
    struct lane_sender lane;
    /* What every message looks at (msg_row_tells): the words of the bell that have the lane's and the queue's bit. */
    const uint64_t *from, *ready;
    uint64_t from_bit, ready_bit;
    struct msg_bell *bell;
    uint16_t queue, number; /* at the receiver: queue, and lane of it */
    bool single, basic, has_region;
    struct msg_out *out;
    bool gone; /* its receiver has ended: who waits for room need not */
    int event; /* the lane's event descriptor: the sender's end of a pair of sockets */
    struct msg_memory of_out, of_in, of_bell, of_window;
    char *window;
    uint64_t window_bytes;
    msg_transmit *transmit;
    struct msg_far_row *far; /* null: sender and receiver share memory */
    struct msg_retired retired;
    uint32_t jobs; /* Bulk: that have begun and are not done */
    /* Of a row that the broker has made: how it is given back. */
    int (*hang_up)(struct msg_broker *b, msg_transmit *t, unsigned destination);
    struct msg_broker *broker;

    /* msg_send and batches: */
    char *cells;
    _Alignas(64) uint32_t free_cells; /* a set */
    uint64_t cell_place[MSG_CELLS];   /* of the message that last used a cell that is not free (express.c: IS_BATCH) */

    /* Basic: */
    struct msg_lock lock;
    uint64_t written, sent, seen; /* bytes: by this side, published, and the consumer as last seen */
    uint32_t reserved, run;       /* bytes of a record; of msg_basic_reserve_many how many records */
};

/* States of a msg_job. */
enum { MSG_JOB_STARTED = 1, MSG_JOB_DONE, MSG_JOB_FAR /* started, on a far row */, MSG_JOB_COPIED };

/* What resident.c knows of a lane. */
struct msg_use {
    uint32_t moves;   /* to and fro, ever */
    bool is_resident; /* under the endpoint's lock, as what follows */
    uint64_t place;   /* the next to be taken then */
    int64_t at_ns;    /* not resident: when it last moved into the large ring */
    double rate;      /* resident: messages in a period */
};

/* The receiving side of a lane. */
struct msg_lane {
    struct lane_taker lane;
    const char *window;
    size_t window_bytes;
    uint32_t source;
    uint16_t number;
    uint32_t serial; /* of the lanes that the queue has had: tells it from others of its number */
    bool broken;     /* what its sender wrote made no sense */
    struct msg_use use;
    int event;               /* the other end; of a far lane an eventfd */
    bool may_bring;          /* the sender can put descriptors in there: before Linux 6.16 */
    bool of_broker;          /* which says when it ends */
    uint32_t emptying;       /* LANE_IS_EMPTIED while a thread does it, or LANE_IS_FOUL */
    uint64_t lent, returned; /* messages with data: received, released; what the sender wrote says nothing about that */
    uint64_t read;           /* Basic: bytes read, not yet released */
    uint64_t known;          /* Basic: the producer as last seen */
    uint64_t run;            /* Basic: what is left at `read` of a run of records (0: a header is there) */
    struct msg_far_lane *far; /* null: sender and receiver share memory */
    struct msg_retired retired;
    struct msg_memory of_out, of_in, of_region, of_window;
};

/* Of its event descriptor: foul is one in which the sender has put a descriptor. */
enum { LANE_IS_EMPTIED = 1, LANE_IS_FOUL };

struct msg_queue {
    msg_endpoint *endpoint;
    uint16_t number;
    bool single, basic;
    uint8_t empty_tag;
    uint32_t slots;
    size_t window_bytes; /* of lanes to come */
    uint64_t empty_word;
    uint32_t lanes; /* that exist: the array below is filled up to here */
    uint32_t begun; /* ever */
    struct msg_lane *lane[MSG_LANES];
    struct msg_lane *setting_up[MSG_LANES]; /* the numbers that are in use */
    _Alignas(64) uint32_t turn;             /* a hint: the lane to look at first */
    uint32_t in_turn;                       /* messages that have come from it in turn */
    uint32_t vain;                          /* polls that found nothing behind its bit */
    uint32_t patience;                      /* so many more of them than the least, and the bit is cleared */
    uint32_t cleared;                       /* the endpoint's `empties` then, and 1; 0: a message has come since */
    uint32_t guarded;                       /* the lane that msg_receive looked at itself */
    uint64_t emptied;                       /* where the only lane was last found empty */
    struct msg_lock lock;                   /* Basic */
};

struct msg_transmit {
    msg_endpoint *endpoint;
    uint16_t number;
    bool single;
    unsigned destinations;
    struct msg_region *region;
    uint32_t given_back; /* rows whose data may still be in use (retire.c) */
    struct msg_row *row[];
};

struct msg_region {
    struct msg_memory memory;
};

/* How msg_send sends data that lie in the region, if it is given a ticket (choice.c): range i serves below below[i] bytes,
 * if none before it does; the last serves the rest. */
enum { MSG_RANGES = 4 };
struct msg_choice {
    uint64_t below[MSG_RANGES - 1];
    bool copies[MSG_RANGES];
    char *from; /* the tuning table's file; null: there is none, or it says nothing */
};

/* Lanes that stay in their large rings (resident.c). */
enum { MSG_USUAL_RESIDENTS = 16 };
struct msg_residents {
    uint32_t most, count;
    uint32_t lock; /* 1: a thread is here; others go on without */
    int64_t began_ns;
    struct {
        uint16_t queue, lane;
    } of[MSG_MOST_RESIDENTS];
};

struct msg_endpoint {
    struct msg_memory of_bell;
    struct msg_bell *bell;
    msg_queue *queue[MSG_QUEUES];
    msg_transmit *transmit[MSG_QUEUES];
    struct msg_choice choice;
    int epoll, event;              /* msg_fd, and what this process signals to itself; -1: msg_fd was not called */
    uint64_t armed[MSG_SET_WORDS]; /* queues whose lanes are armed, also those that come: msg_arm */
    struct msg_residents residents;
    pthread_mutex_t setting_up;
    struct msg_service *service;            /* bulk.c; null: there is none yet */
    struct msg_retired *retired;            /* retire.c */
    bool is_tidied;                         /* by a thread, now */
    struct msg_far *far;                    /* far.c; null: all its rows and queues are of this computer */
    void (*leave_brokers)(msg_endpoint *e); /* broker.c; null: it has no connection to one */
    _Alignas(64) uint32_t empties;          /* polls that found nothing: when to look at a lane itself */
    uint32_t guarded;                       /* the queue and lane looked at last */
    uint32_t spins;                         /* that have paid lately */
};

/* endpoint.c */
struct msg_row *msg_row_new(void);
struct msg_lane *msg_lane_new(void);
void msg_row_free(struct msg_row *r);
void msg_lane_free(struct msg_lane *l);

/* far.c: what the other files call where a row, a lane or an endpoint is far. Whoever waits for something lets the wire
 * deliver: true if anything has come. */
bool msg_far_poll(struct msg_far *f);
/* Sleeps while the word is `old`, a fraction of a millisecond at most, and polls. False: this thread cannot poll; it has
 * not slept. */
bool msg_far_nap(struct msg_far *f, const uint32_t *word, uint32_t old);
void msg_far_poll_row(struct msg_row *r);
void msg_far_room(struct msg_lane *l);
void msg_far_released(struct msg_lane *l, uint64_t place);
int msg_far_bulk(struct msg_row *r, msg_job *job);
void msg_far_close(struct msg_far *f);
void msg_far_free(struct msg_far *f);
void msg_far_row_free(struct msg_row *r);
void msg_far_lane_free(struct msg_lane *l);
/* Wakes the receiver's epoll, or has a far row's message sent. */
void msg_row_signal(struct msg_row *r);

/* Whom the row's messages are told to. */
static inline void msg_row_tells(struct msg_row *r, struct msg_bell *b, unsigned queue, unsigned lane) {
    r->bell = b;
    r->queue = (uint16_t)queue;
    r->number = (uint16_t)lane;
    r->from = &b->from[queue][lane / 64];
    r->ready = &b->ready[queue / 64];
    r->from_bit = 1ull << lane % 64;
    r->ready_bit = 1ull << queue % 64;
}

/* sleep.c: the bits are set, sleepers woken, the descriptor signalled. */
void msg_row_tell_all(struct msg_row *r);

/* A message for a lane has been published, and a fence executed. Mostly the bits are set and nobody sleeps, which is found out by
 * four loads and one branch. (fd_armed is always set in a far row.) */
static inline bool msg_row_is_told(const struct msg_row *r) {
    uint64_t clear = ~__atomic_load_n(r->from, __ATOMIC_ACQUIRE) & r->from_bit;
    clear |= ~__atomic_load_n(r->ready, __ATOMIC_ACQUIRE) & r->ready_bit;
    clear |= __atomic_load_n(&r->bell->asleep, __ATOMIC_RELAXED);
    clear |= __atomic_load_n(&r->lane.in->fd_armed, __ATOMIC_RELAXED);
    return clear == 0;
}
static inline void msg_row_tell(struct msg_row *r) {
    if (__builtin_expect(!msg_row_is_told(r), 0)) msg_row_tell_all(r);
}

static inline struct msg_row *msg_row_of(const msg_transmit *t, unsigned destination) {
    if (__builtin_expect(destination >= t->destinations, 0)) return NULL;
    return __atomic_load_n(&t->row[destination], __ATOMIC_ACQUIRE);
}

/* choice.c: reads the tuning table; false: the one that FATHOM_TUNING names cannot be read. */
bool msg_choice_read(struct msg_choice *c);
static inline bool msg_choice_copies(const struct msg_choice *c, uint64_t bytes) {
    return c->copies[(bytes >= c->below[0]) + (bytes >= c->below[1]) + (bytes >= c->below[2])];
}
/* express.c: are the data in the region of `t`, at the beginning of a line? */
bool msg_is_in_region(const msg_transmit *t, const void *data, uint32_t bytes);
/* express.c: sends a slot; false: it is full. msg_row_put does so beside the threads that send by a MSG_SINGLE row. */
bool msg_row_send(struct msg_row *r, uint64_t word, uint64_t stamp, uint64_t *place);
bool msg_row_put(struct msg_row *r, uint64_t word, uint64_t stamp, uint64_t *place);
/* resident.c: a taker has followed the lane into its other ring. */
void msg_lane_moved(msg_queue *q, struct msg_lane *l, bool into_large);
/* sleep.c */
bool msg_row_wait(struct msg_row *r, int timeout_ms);
/* Has its receiver ended? The broker says so of its rows; of others it is asked, by a system call, and nobody else would know. */
bool msg_row_is_deserted(const struct msg_row *r);
/* retire.c. Before the first call on an endpoint: */
void msg_callers_prepare(void);
/* A grace period is over when every thread that was inside a call when it began has left that call. The next to begin, which
 * msg_grace_is_over sees to: */
uint64_t msg_grace_ask(void);
bool msg_grace_is_over(uint64_t period);
/* Takes a lane whose sender has ended, or a row, away from threads that may be in a call with it; frees what nobody uses any
 * more, or all. Has everything been received that had been sent when `sent` was read, and released? */
void msg_lane_retire(msg_queue *q, struct msg_lane *l);
void msg_row_retire(msg_transmit *t, unsigned destination, struct msg_row *r);
/* The same of a row whose receiver goes on. False: another thread has done it. */
bool msg_row_give_back(msg_transmit *t, unsigned destination, struct msg_row *r);
/* Has all been sent that ever will be by a row that has been given back? `r` is only looked for, and may have been freed. */
bool msg_row_is_silent(msg_endpoint *e, const struct msg_row *r);
struct msg_row *msg_row_reserved_once(msg_transmit *t, unsigned destination);
void msg_retired_free(msg_endpoint *e, bool all);
/* Takes lanes away whose senders have given their rows back, if all has been received and released, and frees what can be.
 * with_dead: those of processes that are gone, too, which costs a system call for each lane. */
void msg_queue_tidy(msg_queue *q, bool with_dead);
/* Have data that were sent in place by rows that have been given back been released? */
bool msg_retired_is_released(msg_transmit *t, unsigned destination, uint64_t ticket);
/* A message of a lane that has ended is out of use. */
void msg_retired_release(msg_queue *q, const msg_message *m);
bool msg_lane_is_drained(const msg_queue *q, const struct msg_lane *l, uint64_t sent);
/* Messages (Basic: bytes) received and sent, ever, as either side sees them. */
void msg_lane_count(const msg_queue *q, const struct msg_lane *l, uint64_t *taken, uint64_t *sent);
void msg_row_count(const struct msg_row *r, uint64_t *taken, uint64_t *sent);
/* bulk.c: ends the service thread. */
void msg_service_end(msg_endpoint *e);
/* receive.c: a message of a lane or a queue, if there is one; whether a lane has one. */
bool msg_lane_receive(msg_queue *q, unsigned lane, msg_message *m);
bool msg_queue_take(msg_queue *q, msg_message *m);
/* It has been found empty: pauses if it was not so before. */
void msg_queue_rest(msg_queue *q);
bool msg_lane_has(const msg_queue *q, unsigned lane);
/* basic.c */
bool msg_basic_receive(msg_queue *q, struct msg_lane *l, msg_message *m);
size_t msg_basic_receive_more(msg_queue *q, struct msg_lane *l, msg_message *m, size_t most);
bool msg_basic_release(msg_queue *q, struct msg_lane *l);
uint64_t msg_basic_waiting(const struct msg_lane *l);
/* poll.c: now and then looks at a lane itself; true: it has a message. */
bool msg_queue_guard(msg_queue *q);
/* A lane is in the queue's array from now on: its descriptor is armed if the queue's are. */
void msg_lane_arm(msg_queue *q, struct msg_lane *l);
/* The lane's sender has ended, perhaps between sending and telling: if something is there, whoever sleeps is told. */
void msg_lane_rouse(msg_queue *q, struct msg_lane *l);

#endif
