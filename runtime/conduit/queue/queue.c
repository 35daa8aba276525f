/* Messages between near threads: each has two queues, for requests and for replies, into which all near threads put and
 * from which it takes (N-to-1). A sender obtains its place by fetch-and-increment, so that any number of them send
 * without a lock; the place then belongs to it alone until it publishes what it wrote (SEEDS A1.9: the slot by remote
 * fetch&increment, the control word last).
 *
 * A place is one cache line: a control word and seven arguments, so that a short message is one line that travels
 * once. What does not fit lies in the place's piece: more arguments, the payload; a large payload takes several places,
 * whose pieces are adjacent (behind the last piece there is room for one message that would wrap round).
 *
 * The control word carries the number of the place, counted on for ever, so that what an earlier round left in the line
 * is not taken for new and nobody has to clear it. The taker publishes how far it has got; a sender looks there only when
 * what it last saw says that the queue may be full. While it waits for room it delivers what comes to itself, by
 * whatever way (conduit_poll).
 */
#include <sched.h>
#include <string.h>

#include "conduit/queue/queue.h"
#include "lang/prelude.h"

enum {
    PLACES = 256,
    LINE_ARGS = 7,
    PIECE = 1024,
    PAYLOAD_ARGS = LINE_ARGS - 1, /* beside the number of bytes of a payload */
    PIECE_HEAD = 128, /* of the first piece of a message with more arguments: those that the line has no room for */
    MAX_MEDIUM = QUEUE_MAX_MEDIUM,
    TAKE = 32 /* messages delivered by one poll */
};
_Static_assert(PIECE_HEAD >= 8 * (CONDUIT_MAX_ARGS - PAYLOAD_ARGS), "the head holds the arguments that are left");
_Static_assert((MAX_MEDIUM + PIECE_HEAD + PIECE - 1) / PIECE < PLACES / 2, "the largest message fits twice");

struct line {
    _Alignas(64) uint64_t control;
    uint64_t args[LINE_ARGS];
};

struct queue {
    _Alignas(128) uint64_t tail; /* places given out */
    _Alignas(128) uint64_t head; /* places taken */
    _Alignas(128) struct line line[PLACES];
    _Alignas(4096) char piece[PLACES * PIECE + MAX_MEDIUM + PIECE_HEAD + PIECE];
};

static struct inbox {
    struct queue queue[2]; /* requests, replies */
} *inboxes; /* of the near threads */
static int first;
static uint64_t seen_head[CONDUIT_MAX_THREADS][2];
static uint64_t taken[2];

/* ---- the control word ------------------------------------------------------------------------------------------ */

/* number + 1 (32 bits), handler (10), sender (10), arguments (5), has a piece (1) */
static uint64_t control_of(uint64_t place, const struct conduit_message *m, bool has_piece) {
    return (uint64_t)(uint32_t)(place + 1) << 32 | (uint64_t)m->handler << 16 | (uint64_t)fathom_mythread << 6 |
           (uint64_t)m->nargs << 1 | has_piece;
}
_Static_assert(CONDUIT_MAX_THREADS <= 1024 && CONDUIT_MAX_ARGS < 32 && CONDUIT_HANDLER_BITS <= 16, "the fields suffice");

static char *piece_of(struct queue *q, uint64_t place) { return q->piece + place % PLACES * PIECE; }

/* Where the payload starts in its piece. */
static size_t head_of(int nargs) { return nargs > PAYLOAD_ARGS ? PIECE_HEAD : 0; }

static uint64_t places_for(size_t bytes, int nargs, bool has_piece) {
    return has_piece ? (head_of(nargs) + bytes + PIECE - 1) / PIECE : 1;
}

/* ---- sending --------------------------------------------------------------------------------------------------- */

static void relax(unsigned round) {
    if (round < 64)
        conduit_pause();
    else
        sched_yield();
}

static void wait_for_room(struct queue *q, uint64_t *seen, uint64_t end, bool reply) {
    for (unsigned round = 0; end - (*seen = __atomic_load_n(&q->head, __ATOMIC_ACQUIRE)) > PLACES; round++) {
        if (conduit_poll(reply)) round = 0;
        relax(round);
    }
}

void queue_send(const struct conduit_message *m) {
    int to = m->thread - first;
    struct queue *q = &inboxes[to].queue[m->reply];
    uint64_t *seen = &seen_head[to][m->reply];
    bool has_piece = m->bytes || m->nargs > LINE_ARGS;
    uint64_t places = places_for(m->bytes, m->nargs, has_piece);
    uint64_t place = __atomic_fetch_add(&q->tail, places, __ATOMIC_RELAXED);
    if (__builtin_expect(place + places - *seen > PLACES, 0)) wait_for_room(q, seen, place + places, m->reply);

    struct line *l = &q->line[place % PLACES];
    if (__builtin_expect(!has_piece, 1)) {
        for (int i = 0; i < m->nargs; i++) l->args[i] = m->args[i];
    } else {
        char *piece = piece_of(q, place);
        int in_line = m->nargs < PAYLOAD_ARGS ? m->nargs : PAYLOAD_ARGS;
        memcpy(l->args, m->args, 8 * (size_t)in_line);
        l->args[PAYLOAD_ARGS] = m->bytes;
        if (m->nargs > in_line) memcpy(piece, m->args + in_line, 8 * (size_t)(m->nargs - in_line));
        if (m->bytes) memcpy(piece + head_of(m->nargs), m->payload, m->bytes);
        /* The taker skips these; but no line may keep a number for 2^32 places. */
        for (uint64_t i = 1; i < places; i++)
            __atomic_store_n(&q->line[(place + i) % PLACES].control, 0, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&l->control, control_of(place, m, has_piece), __ATOMIC_RELEASE);
    /* The line that is written next was read by the taker last: fetch it while nobody waits for it. */
    __asm__ volatile("prefetchw %0" : : "m"(q->line[(place + places) % PLACES]));
    conduit_ring(m->thread);
}

/* ---- taking ---------------------------------------------------------------------------------------------------- */

/* Delivers the next message if it is there. */
static bool take(struct queue *q, bool reply) {
    uint64_t place = taken[reply];
    struct line *l = &q->line[place % PLACES];
    uint64_t control = __atomic_load_n(&l->control, __ATOMIC_ACQUIRE);
    if ((uint32_t)(control >> 32) != (uint32_t)(place + 1)) return false;
    struct conduit_message m = {.thread = (int)(control >> 6 & 1023),
                                .handler = (uint16_t)(control >> 16),
                                .nargs = (uint8_t)(control >> 1 & 31),
                                .reply = reply,
                                .args = l->args};
    uint64_t all[CONDUIT_MAX_ARGS];
    uint64_t places = 1;
    if (control & 1) {
        char *piece = piece_of(q, place);
        m.bytes = l->args[PAYLOAD_ARGS];
        m.payload = piece + head_of(m.nargs);
        places = places_for(m.bytes, m.nargs, true);
        if (m.nargs > PAYLOAD_ARGS) {
            memcpy(all, l->args, 8 * PAYLOAD_ARGS);
            memcpy(all + PAYLOAD_ARGS, piece, 8 * (size_t)(m.nargs - PAYLOAD_ARGS));
            m.args = all;
        }
    }
    taken[reply] += places; /* before the handler runs: it may take more, while it waits to reply */
    conduit_deliver(&m);
    return true;
}

static struct queue *own_queue(bool reply) { return &inboxes[fathom_mythread - first].queue[reply]; }

static bool has_next(bool reply) {
    uint64_t place = taken[reply];
    uint64_t control = __atomic_load_n(&own_queue(reply)->line[place % PLACES].control, __ATOMIC_ACQUIRE);
    return (uint32_t)(control >> 32) == (uint32_t)(place + 1);
}

bool queue_has_messages(void) { return has_next(true) || has_next(false); }

/* A message's place may be used again when its handler has returned, and those of all before it. */
static int take_some(bool reply) {
    static int depth[2];
    struct queue *q = own_queue(reply);
    int n = 0;
    depth[reply]++;
    while (n < TAKE && take(q, reply)) {
        n++;
        if (depth[reply] == 1) __atomic_store_n(&q->head, taken[reply], __ATOMIC_RELEASE);
    }
    depth[reply]--;
    return n;
}

int queue_poll(bool replies_only) {
    int n = take_some(true);
    return replies_only ? n : n + take_some(false);
}

/* ---- start ----------------------------------------------------------------------------------------------------- */

bool queue_start(int first_near, int count) {
    first = first_near;
    inboxes = conduit_shared((size_t)count * sizeof *inboxes);
    return inboxes;
}
