/* A job as sets of near threads that are far from each other: what conduits share whose threads are partly near and
 * partly far. Messages go through queues in shared memory between the near threads of a set, and also between the sets of a
 * computer if the conduit has memory for that. To all others the conduit supplies the wire, which carries buffers.
 * messages.c makes the conduit's messages of both (cluster_send to cluster_rest_beside), words.c the accesses to single words
 * of far threads, barrier.c the barrier. Users: conduit mpi and conduit libfabric, whose wire.c each is all that knows the network. */
#ifndef CONDUIT_CLUSTER_H
#define CONDUIT_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conduit/conduit.h"

struct cluster {
    int me, threads;
    int first, count;               /* the near threads */
    int queued_first, queued_count; /* the threads that share queues: the near ones, or more */
    bool has_wire;                  /* there are others */
    int groups, group;              /* sets of near threads; which one is this thread's */
    const int *leader;              /* of each set: its first thread */
};
extern struct cluster cluster; /* supplied by the conduit, before cluster_start */
/* Supplied by the conduit: a message about a start that fails; the process exits. */
_Noreturn void cluster_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline bool cluster_is_near(int thread) { return (unsigned)(thread - cluster.first) < (unsigned)cluster.count; }
/* Do messages to it go through a queue? */
static inline bool cluster_is_queued(int thread) {
    return (unsigned)(thread - cluster.queued_first) < (unsigned)cluster.queued_count;
}
/* Is one of them not near? */
static inline bool cluster_is_wide(void) { return cluster.queued_count > cluster.count; }
/* Supplied by the conduit: zeroed memory that the threads with common queues share, or null. All call it in the same
 * order. */
void *cluster_shared(size_t bytes);

/* ---- the wire, supplied by the conduit --------------------------------------------------------------------------- */

enum { CLUSTER_MAX_MEDIUM = 32768 };

/* A message. The sender gives the wire the thread, bytes, tag (15 bits, which every MPI has room for) and mark (13 bits);
 * so does the wire the receiver. */
struct wire_buffer {
    void *own[8]; /* the wire's */
    void *kept;   /* the wire's, null at first; stays while the buffer is used for one message after the other */
    struct wire_buffer *next;
    int thread; /* to whom, or from whom */
    int bytes;  /* of data */
    uint16_t tag, mark;
    uint64_t head;                                            /* the wire's, in front of the data */
    char data[8 * CONDUIT_MAX_ARGS + CLUSTER_MAX_MEDIUM + 8]; /* arguments and payload, and 8 bytes for the wire */
};
_Static_assert(offsetof(struct wire_buffer, data) % 8 == 0, "the payload is aligned");

struct wire_list {
    struct wire_buffer *first, *last;
};

static inline void wire_append(struct wire_list *l, struct wire_buffer *b) {
    b->next = NULL;
    if (l->first)
        l->last->next = b;
    else
        l->first = b;
    l->last = b;
}

static inline struct wire_buffer *wire_take_first(struct wire_list *l) {
    struct wire_buffer *b = l->first;
    if (b) l->first = b->next;
    return b;
}

/* A stack of those to spare. */
static inline void wire_push(struct wire_buffer **stack, struct wire_buffer *b) {
    b->next = *stack;
    *stack = b;
}

/* From those to spare, or a new one; the job ends if there is no memory. */
struct wire_buffer *wire_pop(struct wire_buffer **stack);

/* All inside the engine (conduit/progress.h). Messages from one thread to another arrive once each, in order. */

/* Begins to send. True: the buffer is free at once; else wire_sent returns it later. */
bool wire_send(struct wire_buffer *b);
/* A buffer that is free again, or null. */
struct wire_buffer *wire_sent(void);
/* The next message, or null if none has arrived. */
struct wire_buffer *wire_receive(void);
/* Has been received and delivered. */
void wire_return(struct wire_buffer *b);
/* Has the thread's process ended, so that nothing will be received there? */
bool wire_is_gone(int thread);
/* Why no second POSIX thread of a process can use the wire, or null. */
const char *wire_obstacle(void);

/* ---- messages.c -------------------------------------------------------------------------------------------------- */

/* The longest sleep while messages may come that ring no bell, in microseconds. */
enum { CLUSTER_NAP_US = 250 };

/* A conduit's functions for messages and progress, by the same names. */
bool cluster_send(const struct conduit_message *m);
enum conduit_sent cluster_try_send(const struct conduit_message *m);
int cluster_poll(bool replies_only);
bool cluster_needs_progress(const char **obstacle);
int cluster_progress(void);
void cluster_rest_beside(long us);

/* As cluster_send, over the wire; `own`: for cluster_own_deliver at the other side, by the handler's number. */
bool cluster_send_far(const struct conduit_message *m, bool own);
bool cluster_has_room(int thread); /* for a request */
void cluster_set_of(int thread, int *first, int *count);
/* The overrides prepare and send_prepared; over the wire, in its buffer. */
void *cluster_prepare(int thread, size_t n, int nargs);
bool cluster_send_prepared(const struct conduit_message *m);
/* Messages over the wire, so far. */
struct cluster_traffic {
    int64_t sent, received;
};
/* At the end, when nobody waits for a message any more: lets in those on their way. Collective. */
void cluster_deliver_all(void);
/* Supplied by the conduit: the sum of all threads' traffic. Collective; polls while it waits. False: a thread has left without
 * a word, so that there is none. */
bool cluster_sum(struct cluster_traffic mine, struct cluster_traffic *sum);
/* Sends a tag (of 15 bits) and a few words over the wire to cluster_told at a thread, which may run in any call of the
 * conduit there. Never waits: false if there is no room now. The caller sees to it that few are under way. */
bool cluster_tell(int thread, unsigned tag, const uint64_t *words, int count);
void cluster_told(int thread, unsigned tag, const uint64_t *words, int count);

/* ---- words.c ----------------------------------------------------------------------------------------------------- */

enum cluster_own { CLUSTER_WORD_PUT, CLUSTER_WORD_GET, CLUSTER_WORD_DONE, CLUSTER_NAP };
enum { CLUSTER_WORD_BYTES = 16 };
struct cluster_word {
    void *dst; /* of a get */
    size_t bytes;
    bool answered;
};
bool cluster_is_word(uint64_t at, size_t n);
/* Such a word in memory that this process has mapped, in one access; v has one word, or two. */
void cluster_word_store(void *at, const uint64_t *v, size_t n);
void cluster_word_load(uint64_t *v, void *at, size_t n);
void cluster_word_put(struct cluster_word *w, uint64_t dst, const void *src, size_t n);
void cluster_word_get(struct cluster_word *w, void *dst, uint64_t src, size_t n);
/* The thread sleeps in its next poll: for measurements of what completes without its help. */
void cluster_nap(int thread, int us);
void cluster_own_deliver(const struct conduit_message *m);
/* Says that this thread accesses memory of one whose process has ended, and ends the job. */
_Noreturn void cluster_refuse_access(int thread);

/* ---- barrier.c --------------------------------------------------------------------------------------------------- */

/* Has a barrier begun that is not complete? Then polls call cluster_barrier_step. */
extern bool cluster_barrier_pending;
void cluster_barrier_step(void);
void cluster_barrier_notify(const struct conduit_ballot *mine);
bool cluster_barrier_try(struct conduit_ballot *all);
void cluster_barrier_start(void);
/* Of the first threads of the sets, which meet in rounds, a wire may have a faster way than messages; set before the first
 * barrier. */
enum { CLUSTER_ROUNDS = 20 };
_Static_assert(CONDUIT_MAX_FAR <= 1 << CLUSTER_ROUNDS, "enough rounds");
struct cluster_rounds {
    void (*tell)(int round, int thread, const struct conduit_ballot *mine);
    /* Has this round's arrived? Then it is merged into *heard. With `waits` it may look some times in a row. */
    bool (*hear)(int round, bool waits, struct conduit_ballot *heard);
};
extern const struct cluster_rounds *cluster_rounds; /* null: messages */

/* FATHOM_NODE_MAX: how many threads of a computer share memory at most; CONDUIT_MAX_NEAR if it says nothing, and 0 if what it
 * says is not valid, which cluster_refuse_node_max explains. */
int cluster_node_max(void);
_Noreturn void cluster_refuse_node_max(void);

/* ---- start ------------------------------------------------------------------------------------------------------- */

/* In each thread, once the conduit has memory that threads share: the queues, the bells, the barrier and the messages. The
 * wire may be opened before or after it. */
void cluster_start(void);

#endif
