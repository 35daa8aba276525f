/* A ring of places in shared memory: any number of senders put messages in, one taker takes them out.
 *
 * A place is a pair of cache lines, a control word and fifteen more. A short message needs the first line only, and so
 * travels once; of a longer one the second line travels beside the first. A sender claims a place by compare-and-swap,
 * and only when the place is free; so it knows beforehand whether there is room, and may do something else if there is
 * none. It fills the place and publishes it by writing the control word last. The control word carries the place's
 * number, and the taker takes the place when it finds the number that it waits for; so nobody has to clear a line. Places
 * are counted in 64 bits and never wrap. In the control word there are 14 bits of the count, and a bit that is always set
 * because a line that nobody has written yet is zero. 14 bits suffice: a control word is written in every round, so that
 * it holds either the number that is waited for or the one RING_PLACES before.
 *
 * The taker publishes how far places are free again (`head`). A sender looks there only when what it last saw says that
 * the ring may be full. It can ask to be told when there is room (ring_await).
 *
 * A sender that is stopped between claiming and publishing must not stop the others. So the taker, when it has found
 * nothing for a while, looks beyond its place (ring_seek_ahead) and remembers which places it has taken ahead. What one
 * sender sends stays in order nevertheless: a sender publishes a place before it claims the next, the claim is a release,
 * and the taker acquires `tail` before it looks beyond a place. (All of these are read-modify-writes of `tail`; so whoever
 * reads the last one synchronizes with all before.) Only a stopped sender's own place is not free again, and so the ring
 * fills up when RING_PLACES - 1 messages have passed it.
 *
 * There are 64 places so that the lines stay in the first-level caches of both processors, and one word says which of
 * them were taken ahead.
 */
#ifndef CONDUIT_QUEUE_RING_H
#define CONDUIT_QUEUE_RING_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RING_PLACES = 64,
    RING_WORDS = 15, /* of a place, beside the control word */
    RING_NUMBER_BITS = 15,
    RING_REST_BITS = 49, /* of the control word are the sender's */
    RING_SENDERS = 16384 /* that can ask for room */
};

struct ring_line {
    _Alignas(128) uint64_t control; /* number; the rest */
    uint64_t word[RING_WORDS];
};

/* Starts as zeroes. */
struct ring {
    _Alignas(128) uint64_t tail; /* places claimed */
    struct {
        _Alignas(128) uint64_t head; /* places free again */
        uint32_t is_awaited;         /* there may be a bit in: */
        uint64_t awaiting[RING_SENDERS / 64];
    };
    _Alignas(4096) struct ring_line line[RING_PLACES];
};

static inline uint64_t ring_number(uint64_t place) {
    return 1u << (RING_NUMBER_BITS - 1) | (place & ((1u << (RING_NUMBER_BITS - 1)) - 1));
}
static inline struct ring_line *ring_line(struct ring *r, uint64_t place) { return &r->line[place % RING_PLACES]; }

/* Fetches a line that will be written, while other things are done. (For __builtin_prefetch(p, 1) gcc and clang emit a
 * prefetch for reading, unless told that the processor is newer than 2014.) */
static inline void ring_prefetch(const void *line) {
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

/* ---- a sender ---------------------------------------------------------------------------------------------------- */

/* Claims a place if one is free. *seen is the head as this sender last saw it, at first 0. */
static inline bool ring_claim(struct ring *r, uint64_t *seen, uint64_t *place) {
    uint64_t tail = __atomic_load_n(&r->tail, __ATOMIC_RELAXED);
    ring_prefetch(ring_line(r, tail));
    do {
        /* As a signed difference: a tail read before others claimed may be behind the head. The claim then fails. */
        if (__builtin_expect((int64_t)(tail - *seen) >= RING_PLACES, 0)) {
            *seen = __atomic_load_n(&r->head, __ATOMIC_ACQUIRE);
            if ((int64_t)(tail - *seen) >= RING_PLACES) return false;
        }
    } while (!__atomic_compare_exchange_n(&r->tail, &tail, tail + 1, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
    *place = tail;
    return true;
}

static inline void ring_publish(struct ring_line *line, uint64_t place, uint64_t rest) {
    __atomic_store_n(&line->control, ring_number(place) << RING_REST_BITS | rest, __ATOMIC_RELEASE);
}

/* Has what was sent at `place` been taken, and is it out of use? */
static inline bool ring_is_over(const struct ring *r, uint64_t *seen, uint64_t place) {
    if ((int64_t)(*seen - place) > 0) return true;
    *seen = __atomic_load_n(&r->head, __ATOMIC_ACQUIRE);
    return (int64_t)(*seen - place) > 0;
}

/* Asks the taker to wake this sender when there is room. The sender has armed its bell before: whoever takes the request
 * must find it armed, for the room may have gone to another sender. Then comes the fence that bells need, then ring_claim,
 * and if that fails the sender may sleep (bell.c). */
static inline void ring_await(struct ring *r, unsigned sender) {
    __atomic_fetch_or(&r->awaiting[sender / 64], 1ull << sender % 64, __ATOMIC_RELEASE);
    __atomic_fetch_or(&r->is_awaited, 1, __ATOMIC_RELEASE); /* a store would end the release sequences of others */
}

/* ---- the taker --------------------------------------------------------------------------------------------------- */

struct ring_taker {
    struct ring *ring;
    uint64_t next;  /* the first place that has not been taken */
    uint64_t ahead; /* places behind it that have: bit place % RING_PLACES */
};
_Static_assert(RING_PLACES == 64, "one word says which places were taken ahead");

/* Gives the control word of a place if the place has been published, else 0. */
static inline uint64_t ring_look(const struct ring_taker *t, uint64_t place) {
    uint64_t control = __atomic_load_n(&ring_line(t->ring, place)->control, __ATOMIC_ACQUIRE);
    return control >> RING_REST_BITS == ring_number(place) ? control : 0;
}

static inline bool ring_is_ahead(const struct ring_taker *t, uint64_t place) {
    return t->ahead >> place % RING_PLACES & 1;
}

/* Takes a place that has been published. Its contents stay until ring_free. */
static inline void ring_take(struct ring_taker *t, uint64_t place) {
    if (__builtin_expect(place != t->next, 0)) {
        t->ahead |= 1ull << place % RING_PLACES;
        return;
    }
    t->next++;
    while (__builtin_expect(t->ahead != 0, 0) && ring_is_ahead(t, t->next)) {
        t->ahead &= ~(1ull << t->next % RING_PLACES);
        t->next++;
    }
}

/* The next place has not been published. Finds a later one that has. */
static inline bool ring_seek_ahead(const struct ring_taker *t, uint64_t *place) {
    uint64_t tail = __atomic_load_n(&t->ring->tail, __ATOMIC_ACQUIRE);
    for (uint64_t p = t->next; (int64_t)(tail - p) > 0; p++) {
        if (ring_is_ahead(t, p) || !ring_look(t, p)) continue;
        *place = p;
        return true;
    }
    return false;
}

/* Nothing that was taken is in use any more. Then, after the fence that bells need, the taker wakes those that
 * ring_awaiting names. */
static inline void ring_free(struct ring_taker *t) { __atomic_store_n(&t->ring->head, t->next, __ATOMIC_RELEASE); }

static inline bool ring_is_awaited(const struct ring_taker *t) {
    return __atomic_load_n(&t->ring->is_awaited, __ATOMIC_RELAXED);
}

/* Before the first ring_awaiting: whoever asks from now on is found the next time. */
static inline void ring_begin_waking(struct ring_taker *t) {
    __atomic_exchange_n(&t->ring->is_awaited, 0, __ATOMIC_ACQUIRE);
}

/* Those of senders 64 * i to 64 * i + 63 that have asked, as a set; they have to ask anew. */
static inline uint64_t ring_awaiting(struct ring_taker *t, int i) {
    uint64_t *set = &t->ring->awaiting[i];
    return __atomic_load_n(set, __ATOMIC_RELAXED) ? __atomic_exchange_n(set, 0, __ATOMIC_ACQUIRE) : 0;
}

#endif
