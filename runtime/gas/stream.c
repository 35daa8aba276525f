/* Streams of bytes between members of a team, over active messages. Collectives between far threads are built on them.
 *
 * A stream goes from one member to another. Data that arrives before it is wanted is kept; data that is wanted already
 * goes straight to its place. A sender may be a limited number of messages ahead of its receiver: the receiver gives
 * credit as it takes messages. A message may arrive before the receiver has heard of the team (another member was
 * faster in splitting one), so streams are found by the team's number, and made when either side first needs them.
 *
 * Long data does not go through messages if the sender can write the receiver's memory: the receiver says where it
 * wants the data, the sender puts it there and says so. Where the place is not in the receiver's segment, the data goes
 * as messages after all.
 */
#include <stdlib.h>
#include <string.h>

#include "gas/calls.h"
#include "gas/collective.h"
#include "gas/transfer.h"

enum { WINDOW = 16, FEW_BITS = 5, MOST_BYTES = 32768 };

struct packet {
    struct packet *next;
    size_t bytes;
    _Alignas(8) char data[];
};

/* This thread's two streams with another on one team, one in each direction. */
struct gas_stream {
    uint64_t team;
    int thread;
    struct gas_stream *next; /* in the bucket */

    uint64_t told,
        heard; /* messages with data and about their places, so that others know when none is under way: calls.c */

    unsigned credit; /* messages that may still be sent */
    unsigned sent;
    uint64_t sent_in[WINDOW]; /* message k, the last ones: in which call, by its number from 1 */
    bool invited;             /* the other waits for long data, at this place (0: as messages) */
    fathom_ptr place;

    struct packet *first, **last; /* arrived and not wanted yet */
    char *want;                   /* where the next data goes, if none is kept before it */
    size_t want_bytes;
    unsigned taken; /* messages, since credit was last given */
};

/* A thread of many has few streams, as a rule: a table for all would be pages of its own. */
static struct gas_stream *few[1 << FEW_BITS], **buckets = few;
static unsigned bits = FEW_BITS;
static size_t streams;

static void *room(size_t n) {
    void *p = malloc(n);
    if (!p) core_fatal("no memory for a collective operation");
    return p;
}

static struct gas_stream **bucket(uint64_t team, int thread) {
    return &buckets[((team + (uint64_t)thread) * 0x9e3779b97f4a7c15ul) >> (64 - bits)];
}

static void grow(void) {
    struct gas_stream **old = buckets;
    size_t count = (size_t)1 << bits;
    bits += 2;
    size_t bytes = sizeof *buckets << bits;
    buckets = memset(room(bytes), 0, bytes);
    for (size_t i = 0; i < count; i++)
        for (struct gas_stream *s = old[i], *next; s; s = next) {
            struct gas_stream **b = bucket(s->team, s->thread);
            next = s->next;
            s->next = *b;
            *b = s;
        }
    if (old != few) free(old);
}

static struct gas_stream *find(uint64_t team, int thread) {
    struct gas_stream **b = bucket(team, thread), *s = *b;
    while (s && (s->team != team || s->thread != thread)) s = s->next;
    if (s) return s;
    if (++streams > (size_t)2 << bits) grow();
    b = bucket(team, thread);
    s = room(sizeof *s);
    *s = (struct gas_stream){.team = team, .thread = thread, .next = *b, .credit = WINDOW};
    s->last = &s->first;
    *b = s;
    return s;
}

static void on_stream(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs;
    struct gas_stream *s = find(args[0], gas_token_source(token));
    s->heard++;
    if (!s->first && s->want_bytes) { /* a message belongs to one operation, so all of it is wanted */
        memcpy(s->want, payload, bytes);
        s->want += bytes;
        s->want_bytes -= bytes;
        s->taken++;
        return;
    }
    struct packet *p = room(sizeof *p + bytes);
    p->next = NULL;
    p->bytes = bytes;
    memcpy(p->data, payload, bytes);
    *s->last = p;
    s->last = &p->next;
}

static void on_credit(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    find(args[0], gas_token_source(token))->credit += (unsigned)args[1];
}

static void on_invitation(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    struct gas_stream *s = find(args[0], gas_token_source(token));
    s->heard++;
    s->invited = true;
    s->place = args[1];
}

static void on_landed(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    struct gas_stream *s = find(args[0], gas_token_source(token));
    s->heard++;
    s->want_bytes = 0;
}

void gas_stream_start(void) {
    core_handler(GAS_SYNC_INVITATION, on_invitation);
    core_handler(GAS_SYNC_LANDED, on_landed);
    core_handler(GAS_SYNC_STREAM, on_stream);
    core_handler(GAS_SYNC_CREDIT, on_credit);
}

/* Takes the data that arrived before it was wanted. */
static void take_kept(struct gas_stream *s) {
    while (s->first && s->want_bytes) {
        struct packet *p = s->first;
        memcpy(s->want, p->data, p->bytes);
        s->want += p->bytes;
        s->want_bytes -= p->bytes;
        s->taken++;
        s->first = p->next;
        if (!s->first) s->last = &s->first;
        free(p);
    }
}

static void give_credit(struct gas_stream *s) {
    if (s->taken < WINDOW / 2) return;
    uint64_t args[] = {s->team, s->taken};
    s->taken = 0;
    core_request(s->thread, GAS_SYNC_CREDIT, NULL, 0, args, 2);
}

/* The call in which the receiver takes so many of the messages that are out that it gives credit. */
static uint64_t in_which_credit_comes(const struct gas_stream *s) {
    return s->sent_in[(s->sent - WINDOW + WINDOW / 2 - 1) % WINDOW];
}

/* Counted before it leaves. */
static void tell(struct gas_stream *s, int handler, const void *payload, size_t n, const uint64_t *args, int nargs) {
    __atomic_store_n(&s->told, s->told + 1, __ATOMIC_RELAXED);
    core_request(s->thread, handler, payload, n, args, nargs);
}

uint64_t gas_stream_told(gas_team t, int rank) {
    const struct gas_stream *s = t->streams ? __atomic_load_n(&t->streams[rank], __ATOMIC_ACQUIRE) : NULL;
    return s ? __atomic_load_n(&s->told, __ATOMIC_RELAXED) : 0;
}
uint64_t gas_stream_heard(gas_team t, int rank) { return t->streams[rank] ? t->streams[rank]->heard : 0; }

static struct gas_stream *stream_with(gas_team t, int rank) {
    if (rank < 0) return NULL;
    if (!t->streams[rank]) __atomic_store_n(&t->streams[rank], find(t->id, gas_team_member(t, rank)), __ATOMIC_RELEASE);
    return t->streams[rank];
}

static const struct core_ranges *stream_ranges(int thread) {
    return &core_tuning.agreed.stream[!core_is_near(thread) && gas_is_elsewhere(thread)];
}
static void took(struct gas_stream *s, size_t n, enum core_mechanism way) {
    const struct core_ranges *by = stream_ranges(s->thread);
    core_took(by, (size_t)(by - core_tuning.agreed.stream), 0, n, way);
}

/* Do n bytes go by a put from this thread to another, or the other way? Both sides must give the same answer. */
static bool by_put(int thread, size_t n) {
    bool is_near = core_is_near(thread);
    if (n == 0 || (!is_near && !core_overrides.put_begin)) return false;
    enum core_mechanism way = core_choose(stream_ranges(thread), n);
    if (way != CORE_AUTO) return way == CORE_DIRECT;
    return is_near || !core_overrides.is_better || core_overrides.is_better(true, true, thread, n);
}

static void invite(struct gas_stream *s, const void *dst, size_t n) {
    fathom_ptr place = fathom_word(dst);
    bool in_segment = fathom_is_shared(dst) && fathom_thread_of(place) == fathom_mythread &&
                      fathom_offset_of(place) + n <= core_memory.segment_bytes;
    uint64_t args[] = {s->team, in_segment ? place : 0};
    tell(s, GAS_SYNC_INVITATION, NULL, 0, args, 2);
}

void gas_stream_move(gas_team t, int to, const void *src, size_t n, int from, void *dst, size_t m) {
    struct gas_stream *out = stream_with(t, to), *in = stream_with(t, from);
    const char *next = src;
    size_t most = conduit_max_medium() < MOST_BYTES ? conduit_max_medium() : MOST_BYTES;
    if (!out) n = 0;
    bool waits = n && by_put(out->thread, n);
    if (n && !waits) took(out, n, CORE_MESSAGE);
    if (in) {
        in->want = dst;
        in->want_bytes = m;
        if (by_put(in->thread, m)) invite(in, dst, m);
        take_kept(in);
    }
    for (unsigned round = 0;;) {
        if (waits && out->invited) {
            waits = out->invited = false;
            took(out, n, out->place ? CORE_DIRECT : CORE_MESSAGE);
            if (out->place) {
                gas_put(out->place, src, n);
                tell(out, GAS_SYNC_LANDED, NULL, 0, &t->id, 1);
                n = 0;
            }
        }
        while (n && !waits && out->credit) {
            size_t bytes = n < most ? n : most;
            out->credit--;
            out->sent_in[out->sent++ % WINDOW] = t->calls->count;
            tell(out, GAS_SYNC_STREAM, next, bytes, &t->id, 1);
            next += bytes;
            n -= bytes;
            round = 0;
        }
        if (in) give_credit(in);
        if (!n && (!in || !in->want_bytes)) return;
        if (!core_wait(&round)) continue;
        if (in && in->want_bytes) {
            if (gas_calls_look_up(t, from, t->calls->count)) gas_calls_end_job(t, from);
        } else {
            gas_calls_look_up_made(t, to, waits ? t->calls->count : in_which_credit_comes(out), false);
        }
    }
}

/* Streams with no data under way: the team's members have met in a barrier. Credit may still come and makes the stream
 * anew, which does no harm: the number is not used again. */
void gas_stream_close(gas_team t) {
    for (int r = 0; r < t->size; r++) {
        if (!t->streams[r]) continue;
        struct gas_stream **s = bucket(t->id, gas_team_member(t, r));
        while (*s != t->streams[r]) s = &(*s)->next;
        *s = (*s)->next;
        free(t->streams[r]);
    }
}
