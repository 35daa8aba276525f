/* Messages between threads through queues in memory that they share, and the bells that wake a thread that rests. A part of
 * conduits whose threads share memory: bell.c has what conduit.h says of waiting (but for cores); queue.c
 * is the whole of the messages where all threads are near, else one of two ways. The threads that share queues are the near
 * ones, or more: those of a computer, of which each set is near (conduit/cluster). */
#ifndef CONDUIT_QUEUE_H
#define CONDUIT_QUEUE_H

#include "conduit/conduit.h"
#include "conduit/queue/ring.h"
#include "conduit/queue/stage.h"

enum { QUEUE_MAX_MEDIUM = 65536 };

/* What a thread gives to those that share queues; of each there is one for requests and one for replies. */
struct queue_memory {
    struct ring ring[2];
    struct stage_memory stage[2];
};

/* A thread's ends of all queues: it takes from its own, and sends into everybody's. */
struct queue_ends {
    struct queue_memory *memory; /* of all that share queues */
    int me, first, count;        /* numbers of threads, and how many share queues */
    bool (*is_gone)(int thread);
    struct ring_taker taker[2];
    bool seeks[2];     /* a sender has stopped, and others have passed it */
    unsigned patience; /* polls in vain until the taker looks beyond its places */
    struct stage stage[2];
    bool has_prepared;   /* a part of the stage is being filled: queue_prepare */
    uint64_t (*seen)[2]; /* heads of the others' rings */
};

/* Bytes of the queues of `count` threads: zeroed memory that they share. */
static inline size_t queue_bytes(int count) { return (size_t)count * sizeof(struct queue_memory); }
/* Makes the ends of thread `me`, one of `count` threads that are numbered from `first` on. is_gone, or null, says
 * whether a thread's process has ended. False: no memory. */
bool queue_open(struct queue_ends *e, struct queue_memory *memory, int me, int first, int count,
                bool (*is_gone)(int thread));

/* Is there room for a request of any size? */
bool queue_has_room(struct queue_ends *e, int thread);
/* Sends if there is room; else nothing has happened. Never waits. */
bool queue_try_send(struct queue_ends *e, const struct conduit_message *m);
enum conduit_sent queue_try(struct queue_ends *e, const struct conduit_message *m);
/* As the overrides prepare and send_prepared: in a part of the stage. */
void *queue_prepare(struct queue_ends *e, size_t n, int nargs);
bool queue_send_prepared(struct queue_ends *e, const struct conduit_message *m);
/* As a conduit's send and poll. */
bool queue_send(struct queue_ends *e, const struct conduit_message *m);
int queue_poll_all(struct queue_ends *e, bool replies_only);
static inline int queue_poll(struct queue_ends *e, bool replies_only) {
    if (--e->patience && !ring_look(&e->taker[0], e->taker[0].next) && !ring_look(&e->taker[1], e->taker[1].next))
        return 0;
    return queue_poll_all(e, replies_only);
}
/* Has something arrived that queue_poll would deliver? If so the next queue_poll does. Asked before a sleep. */
bool queue_can_poll(struct queue_ends *e);

/* This process's thread. */
extern struct queue_ends queue_own;

/* ---- bells ------------------------------------------------------------------------------------------------------- */

/* A conduit's functions for waiting, by the same names. */
bool bells_rest(int us);
bool bells_sleep(const uint32_t *word, uint32_t old, uint32_t mask, int ms);
void bells_ring(int thread);
void bells_wake(const uint32_t *word, int count, uint32_t mask);
bool bells_is_armed(void);
void bells_nudge(void);
void bells_watch(const uint32_t *word);
void bells_unwatch(const uint32_t *word);

/* Who has a bell: the threads that share queues; and which of them are near, so that they sleep on the same words. */
struct bells_of {
    int first, count;
    int near_first, near_count;
};
/* Bytes of the bells of `count` threads: zeroed memory that they share. */
size_t bells_bytes(int count);
/* By each of them or before they are forked. False: the conduit has no memory. If every message rings, no nap is too long. */
bool bells_start(void *memory, struct bells_of of, int longest_nap_us);
/* Rings the bells of all near threads. */
void bells_ring_all(void);
/* The two halves of a first call of bells_rest, for who has to say in between that it is to be rung: whatever happens
 * after bell_fence ends the next bells_rest. */
void bell_arm(void);
void bell_fence(void);
/* Orders a change before the look whether somebody has asked to be woken for it. (Sleepers have the other half: bell.c.)
 * While the way is 0, sleepers execute the fence for both. The way is read behind the change, so that a change which a
 * membarrier finds done needs no fence, and one that comes after it executes one. */
extern uint32_t *bells_way;
static inline void bells_change_before_look(void) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(bells_way, __ATOMIC_RELAXED), 0)) __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
/* Sleeps of this thread that had to end by themselves although there was something to wake it: each is a lost wake-up (for
 * tests). */
extern unsigned long bells_missed;

#endif
