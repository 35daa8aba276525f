/* Messages through shared memory. Each thread has two rings (ring.h), for requests and for replies, into which all that share
 * queues send and from which it takes. A message is one place: what that has no room for lies in the sender's stage
 * (stage.h).
 *
 * Waiting for room. A sender that finds none, in the ring or in its own stage, delivers what comes to itself, by whatever
 * way (poll), and looks again; after a while it asks to be told and sleeps. It arms its bell, asks, looks once
 * more, and then sleeps. The taker publishes the room, then looks whether somebody has asked, and rings. That is the
 * order of things that bells need, with the same fence (bell.c). If the receiver's process has ended the message is
 * dropped; the caller is told. A model checks all that exhaustively: tests/protocols/ring.pml.
 *
 * Why nobody waits for ever. A thread waits for room only in these cases.
 *   1. A handler of a reply: never, for it may send nothing.
 *   2. A handler of a request, which sends a reply: until there is room for replies in the requester's ring and in its own
 *      stage of replies. Both become free when replies are delivered, and by nothing else. Every thread delivers
 *      replies whenever it polls, also while it waits for room of either kind; and their handlers end, by 1.
 *   3. The program, which sends a request: until there is room for requests. That becomes free when requests have been
 *      handled. Every thread handles requests whenever it polls or waits outside of handlers; and their handlers end,
 *      by 2. Requests do not take room that replies need.
 * So only a thread that does not poll for long, because it computes or is stopped, lets others wait: those that send to
 * it; and those that send large messages to anybody, if what they have sent to that thread fills their stage.
 */
#include "conduit/queue/queue.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conduit/progress.h"

enum {
    STAGED_ARGS = RING_WORDS - 1, /* in the place, behind the name of the staged part; the rest is staged */
    STAGED_HEAD = 128,            /* bytes of the part for those */
    TAKE = 32,                    /* messages of a kind that one poll delivers */
    COPY_FIRST_FROM = 4096,       /* bytes: copied before a place is claimed, so that nobody waits for the copying */
    VAIN = 1024,                  /* polls until the taker looks beyond its place, which takes the tail away */
    SPINS = 200,
    YIELDS = 10,
    NAP_US = 50,        /* where the bell is not the sender's alone */
    LOOK_UP_US = 100000 /* how often a sleeper looks whether its receiver is gone */
};
_Static_assert(STAGED_HEAD >= 8 * (CONDUIT_MAX_ARGS - STAGED_ARGS), "the head holds the arguments that are left");
_Static_assert(2 * (QUEUE_MAX_MEDIUM + STAGED_HEAD + STAGE_UNIT) <= (STAGE_UNITS - STAGE_SMALL) * STAGE_UNIT,
               "the largest message fits twice");

struct queue_ends queue_own;

/* ---- the control word -------------------------------------------------------------------------------------------- */

/* Below the number: sender (27 bits), handler (10), arguments (5), bytes of payload in the place (7) or STAGED. */
enum { SENDER_BITS = 27, SENDER_SHIFT = 22, HANDLER_SHIFT = 12, ARGS_SHIFT = 7, STAGED = 127 };
_Static_assert(SENDER_SHIFT + SENDER_BITS == RING_REST_BITS && HANDLER_SHIFT + CONDUIT_HANDLER_BITS == SENDER_SHIFT &&
                   CONDUIT_MAX_ARGS < 32 && 8 * RING_WORDS < STAGED,
               "the fields suffice");

static inline uint64_t control_of(const struct queue_ends *e, const struct conduit_message *m, size_t bytes) {
    return (uint64_t)e->me << SENDER_SHIFT | (uint64_t)m->handler << HANDLER_SHIFT | (uint64_t)m->nargs << ARGS_SHIFT |
           bytes;
}

/* A staged part's unit and its bytes of payload. */
static inline uint64_t part_name(int unit, size_t bytes) { return (uint64_t)unit << 32 | bytes; }

/* Where the payload starts in its part. */
static inline size_t head_of(int nargs) { return nargs > STAGED_ARGS ? STAGED_HEAD : 0; }

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static bool is_gone(const struct queue_ends *e, int thread) { return e->is_gone && e->is_gone(thread); }

struct stage_owner {
    struct queue_ends *e;
    int kind;
};

static bool is_part_over(void *context, const struct stage_part *p) {
    const struct stage_owner *o = context;
    struct queue_ends *e = o->e;
    if (p->receiver == STAGE_PREPARED) return false;
    return ring_is_over(&e->memory[p->receiver].ring[o->kind], &e->seen[p->receiver][o->kind], p->place) ||
           is_gone(e, e->first + (int)p->receiver);
}

static void fill_part(char *part, const struct conduit_message *m) {
    if (m->nargs > STAGED_ARGS) memcpy(part, m->args + STAGED_ARGS, 8 * (size_t)(m->nargs - STAGED_ARGS));
    char *to = part + head_of(m->nargs);
    if (m->bytes && to != m->payload) memcpy(to, m->payload, m->bytes);
}

static struct stage_memory *own_stage(const struct queue_ends *e, int kind) {
    return &e->memory[e->me - e->first].stage[kind];
}

/* The unit in which the payload has been prepared, or -1. */
static int prepared_unit(const struct queue_ends *e, const struct conduit_message *m) {
    uintptr_t at = (uintptr_t)m->payload - head_of(m->nargs) - (uintptr_t)own_stage(e, m->reply)->unit;
    if (at >= sizeof own_stage(e, m->reply)->unit) return -1;
    const struct stage_part *p = &e->stage[m->reply].part[at / STAGE_UNIT];
    return p->units && p->receiver == STAGE_PREPARED ? (int)(at / STAGE_UNIT) : -1;
}

/* Wherever a part lies that is being filled, beside it there is room for the largest message: else who has to send
 * one first would wait for ever. So there is one such part at a time, and not too large. */
enum {
    LARGEST = (QUEUE_MAX_MEDIUM + STAGED_HEAD + STAGE_UNIT - 1) / STAGE_UNIT,
    MOST_PREPARED = STAGE_UNITS - STAGE_SMALL - 2 * LARGEST + 1
};
_Static_assert(MOST_PREPARED > 1, "something can be prepared");

void *queue_prepare(struct queue_ends *e, size_t n, int nargs) {
    if (8 * (size_t)nargs + n <= 8 * RING_WORDS) return NULL; /* goes in a place */
    unsigned units = stage_units(head_of(nargs) + n);
    if (e->has_prepared || units > MOST_PREPARED) return NULL;
    int unit = stage_find(&e->stage[0], units, is_part_over, &(struct stage_owner){e, 0});
    if (unit < 0) return NULL;
    stage_take(&e->stage[0], (unsigned)unit, units, STAGE_PREPARED, 0);
    e->has_prepared = true;
    return own_stage(e, 0)->unit[unit] + head_of(nargs);
}

static __attribute__((noinline)) bool try_send_staged(struct queue_ends *e, const struct conduit_message *m, int to) {
    int kind = m->reply;
    struct stage *s = &e->stage[kind];
    int unit = prepared_unit(e, m);
    bool is_prepared = unit >= 0;
    unsigned units = is_prepared ? s->part[unit].units : stage_units(head_of(m->nargs) + m->bytes);
    if (unit < 0) unit = stage_find(s, units, is_part_over, &(struct stage_owner){e, kind});
    if (unit < 0) return false;
    char *part = own_stage(e, kind)->unit[unit];
    bool copy_first = m->bytes >= COPY_FIRST_FROM;
    if (copy_first) fill_part(part, m);
    struct ring *r = &e->memory[to].ring[kind];
    uint64_t place;
    if (!ring_claim(r, &e->seen[to][kind], &place)) return false;
    stage_take(s, (unsigned)unit, units, (unsigned)to, place);
    if (is_prepared) e->has_prepared = false;
    /* The claim waits for all stores before; so claimed first, the transfers of line and part go on together. */
    if (!copy_first) fill_part(part, m);
    struct ring_line *l = ring_line(r, place);
    l->word[0] = part_name(unit, m->bytes);
    for (int i = 0; i < m->nargs && i < STAGED_ARGS; i++) l->word[1 + i] = m->args[i];
    ring_publish(l, place, control_of(e, m, STAGED));
    bells_ring(m->thread);
    return true;
}

bool queue_try_send(struct queue_ends *e, const struct conduit_message *m) {
    int to = m->thread - e->first, nargs = m->nargs;
    if (__builtin_expect(8 * (size_t)nargs + m->bytes > 8 * RING_WORDS, 0)) return try_send_staged(e, m, to);
    struct ring *r = &e->memory[to].ring[m->reply];
    uint64_t place;
    if (__builtin_expect(!ring_claim(r, &e->seen[to][m->reply], &place), 0)) return false;
    struct ring_line *l = ring_line(r, place);
    for (int i = 0; i < nargs; i++) l->word[i] = m->args[i];
    if (m->bytes) memcpy(l->word + nargs, m->payload, m->bytes);
    ring_publish(l, place, control_of(e, m, m->bytes));
    bells_ring(m->thread);
    return true;
}

bool queue_has_room(struct queue_ends *e, int thread) {
    const struct ring *r = &e->memory[thread - e->first].ring[0];
    uint64_t head = __atomic_load_n(&r->head, __ATOMIC_ACQUIRE), tail = __atomic_load_n(&r->tail, __ATOMIC_RELAXED);
    return (int64_t)(tail - head) < RING_PLACES &&
           stage_find(&e->stage[0], LARGEST, is_part_over, &(struct stage_owner){e, 0}) >= 0;
}

enum conduit_sent queue_try(struct queue_ends *e, const struct conduit_message *m) {
    return queue_try_send(e, m) ? CONDUIT_SENT : is_gone(e, m->thread) ? CONDUIT_GONE : CONDUIT_FULL;
}

/* ---- waiting for room -------------------------------------------------------------------------------------------- */

/* Asks all to ring whose doing may make room for the message: its receiver, and those that have something staged. */
static void ask_for_room(struct queue_ends *e, const struct conduit_message *m) {
    unsigned me = (unsigned)(e->me - e->first);
    ring_await(&e->memory[m->thread - e->first].ring[m->reply], me);
    const struct stage *s = &e->stage[m->reply];
    for (int i = 0; i < STAGE_UNITS; i++)
        if (s->part[i].units && s->part[i].receiver != STAGE_PREPARED)
            ring_await(&e->memory[s->part[i].receiver].ring[m->reply], me);
}

static bool try_again(struct queue_ends *e, const struct conduit_message *m) {
    return prepared_unit(e, m) < 0 ? queue_try_send(e, m) : try_send_staged(e, m, m->thread - e->first);
}

/* Looks once more after having asked. */
static bool send_or_sleep(struct queue_ends *e, const struct conduit_message *m) {
    bell_arm();
    ask_for_room(e, m);
    bell_fence();
    if (conduit_built.poll(m->reply)) return false;
    if (try_again(e, m)) return true;
    bells_rest(LOOK_UP_US);
    return false;
}

/* Where one POSIX thread of the process sends while another rests on its bell. */
static void nap(void) {
    int before = errno;
    nanosleep(&(struct timespec){0, NAP_US * 1000}, NULL);
    errno = before;
}

/* The bell is the thread's own; so its progress thread, which may have to send a reply, cannot sleep, and yields. */
static __attribute__((noinline)) bool send_when_possible(struct queue_ends *e, const struct conduit_message *m) {
    unsigned spins = conduit_built.threads_here() > conduit_built.cores() ? 0 : SPINS, round = 0;
    while (!try_again(e, m)) {
        if (conduit_built.poll(m->reply)) {
            round = 0;
        } else if (is_gone(e, m->thread)) {
            return false;
        } else if (round++ < spins) {
            conduit_pause();
        } else if (round < spins + YIELDS || conduit_is_beside()) {
            sched_yield();
        } else if (conduit_has_pthreads) {
            nap();
        } else if (send_or_sleep(e, m)) {
            return true;
        }
    }
    return true;
}

bool queue_send(struct queue_ends *e, const struct conduit_message *m) {
    return __builtin_expect(queue_try_send(e, m), 1) || send_when_possible(e, m);
}

bool queue_send_prepared(struct queue_ends *e, const struct conduit_message *m) {
    return try_again(e, m) || send_when_possible(e, m);
}

/* ---- taking ------------------------------------------------------------------------------------------------------ */

static void deliver(struct queue_ends *e, int kind, const struct ring_line *l, uint64_t control) {
    unsigned in_line = control & ((1u << ARGS_SHIFT) - 1);
    struct conduit_message m = {.thread = (int)(control >> SENDER_SHIFT & ((1u << SENDER_BITS) - 1)),
                                .handler = (uint16_t)(control >> HANDLER_SHIFT & ((1u << CONDUIT_HANDLER_BITS) - 1)),
                                .nargs = (uint8_t)(control >> ARGS_SHIFT & 31),
                                .reply = kind,
                                .args = l->word};
    uint64_t all[CONDUIT_MAX_ARGS];
    if (__builtin_expect(in_line == STAGED, 0)) {
        uint64_t name = l->word[0];
        const char *part = e->memory[m.thread - e->first].stage[kind].unit[name >> 32];
        m.bytes = (uint32_t)name;
        m.payload = part + head_of(m.nargs);
        m.args = l->word + 1;
        if (m.nargs > STAGED_ARGS) {
            memcpy(all, l->word + 1, 8 * STAGED_ARGS);
            memcpy(all + STAGED_ARGS, part, 8 * (size_t)(m.nargs - STAGED_ARGS));
            m.args = all;
        }
    } else if (in_line) {
        m.bytes = in_line;
        m.payload = l->word + m.nargs;
    }
    conduit_deliver(&m);
}

/* Delivers the next message, or one behind it if its sender has stopped. The place may be used again when the handler
 * has returned. (A handler may take messages of the other kind, while it waits to reply, but of its own only if it has left for
 * good, by exit.) */
static inline bool take(struct queue_ends *e, int kind) {
    struct ring_taker *t = &e->taker[kind];
    uint64_t place = t->next, control = ring_look(t, place);
    if (__builtin_expect(!control, 0)) {
        if (!e->seeks[kind] || !ring_seek_ahead(t, &place)) return false;
        control = ring_look(t, place);
    } else {
        e->seeks[kind] = false;
    }
    ring_take(t, place);
    deliver(e, kind, ring_line(t->ring, place), control);
    ring_free(t);
    return true;
}

static __attribute__((noinline)) void wake_senders(struct queue_ends *e, struct ring_taker *t) {
    ring_begin_waking(t);
    for (int i = 0; i < (e->count + 63) / 64; i++)
        for (uint64_t set = ring_awaiting(t, i); set; set &= set - 1)
            bells_ring(e->first + 64 * i + __builtin_ctzll(set));
}

static bool can_take(struct queue_ends *e, int kind) {
    struct ring_taker *t = &e->taker[kind];
    uint64_t place;
    if (ring_look(t, t->next)) return true;
    e->seeks[kind] = ring_seek_ahead(t, &place);
    if (e->seeks[kind]) e->patience = 1;
    return e->seeks[kind];
}

static inline int take_some(struct queue_ends *e, int kind) {
    int n = 0;
    while (n < TAKE && take(e, kind)) n++;
    if (n) {
        bells_change_before_look();
        if (__builtin_expect(ring_is_awaited(&e->taker[kind]), 0)) wake_senders(e, &e->taker[kind]);
    }
    return n;
}

bool queue_can_poll(struct queue_ends *e) {
    bool replies = can_take(e, 1), requests = can_take(e, 0);
    return replies || requests;
}

int queue_poll_all(struct queue_ends *e, bool replies_only) {
    if (!e->patience) {
        e->patience = VAIN;
        queue_can_poll(e);
    }
    int n = take_some(e, 1);
    if (!replies_only) n += take_some(e, 0);
    if (__builtin_expect(e->seeks[0] || e->seeks[1], 0)) e->patience = 1;
    return n;
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

bool queue_open(struct queue_ends *e, struct queue_memory *memory, int me, int first, int count,
                bool (*is_gone)(int thread)) {
    *e = (struct queue_ends){
        .memory = memory, .me = me, .first = first, .count = count, .is_gone = is_gone, .patience = VAIN};
    e->seen = calloc((size_t)count, sizeof *e->seen);
    for (int kind = 0; kind < 2; kind++) e->taker[kind].ring = &memory[me - first].ring[kind];
    return e->seen && count <= RING_SENDERS;
}
