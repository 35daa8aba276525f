/* A lane's slots: one ring from one row of a destination table to one receive queue. Any number of threads put messages
 * in, any number take them out, none ever waits for another.
 *
 * Places are counted from 0 in 64 bits. Place p is slot p % slots, in round p / slots + 1; the slot's stamp carries the
 * round. Sending replaces the slot's whole content, that of the round before, by one compare-and-swap. Receiving reads the
 * slot, then advances `head` by one: if that succeeds, nobody had taken the place before, so that no sender may have
 * written it meanwhile. tests/protocols/msg_express.pml is the model of both, tests/runtime/msg_lane.c the test.
 *
 * A slot may stand for a batch of words, which lie in a cell of the sender's: one compare-and-swap sends them all. They are
 * taken one at a time, or several: the lowest bits of `head` count those of the batch at the head that have been taken.
 *
 * Orders. A slot is published by a release and read by an acquire of its stamp. `head` is advanced by a release, behind the
 * reads of the slot, and the sender acquires it before it writes the slot anew. `tail`, a hint of where the next free place
 * is, is stored by a release when its thread knows all places before it to be filled: so whoever takes it over never meets
 * a slot in a state older than that.
 */
#ifndef MSG_LANE_H
#define MSG_LANE_H

#include "msg/layout.h"

/* The sending side, in memory of the sender alone. */
struct lane_sender {
    struct msg_slot *slot;
    const struct msg_in *in;
    uint32_t slots, shift;
    _Alignas(64) uint64_t tail; /* a hint: all places before it are filled */
    uint64_t seen;              /* a hint: head was at least this */
    uint64_t with_data;         /* MSG_SINGLE: behind the last place with data */
};

/* The receiving side, in memory of the receiver alone. */
struct lane_taker {
    const struct msg_slot *slot;
    const struct msg_out *out;
    struct msg_in *in;
    const uint64_t *cells;
    uint32_t slots, shift;
};

static inline uint64_t lane_round(uint64_t place, uint32_t shift) { return ((place >> shift) + 1) & MSG_ROUNDS; }

/* Places are counted in 64 bits, and in `head` in 57: how far `place` is behind that of `head`. */
static inline uint64_t lane_place_of(uint64_t head) { return head >> MSG_WORDS_BITS; }
static inline int64_t lane_distance(uint64_t place, uint64_t head) {
    return (int64_t)((place << MSG_WORDS_BITS) - (head & ~(uint64_t)MSG_MOST_WORDS)) >> MSG_WORDS_BITS;
}

/* ---- sending ------------------------------------------------------------------------------------------------------ */

/* Has the slot's former message been taken, so that place `t` may be filled? */
static inline bool lane_has_room(struct lane_sender *s, uint64_t t) {
    uint64_t seen = __atomic_load_n(&s->seen, __ATOMIC_ACQUIRE);
    if (__builtin_expect(lane_distance(t, seen) < (int64_t)s->slots, 1)) return true;
    seen = __atomic_load_n(&s->in->head, __ATOMIC_ACQUIRE);
    /* A head beyond all that was sent is a receiver's mistake, or malice: it gains nothing. */
    __atomic_store_n(&s->seen, seen, __ATOMIC_RELEASE);
    return lane_distance(t, seen) < (int64_t)s->slots;
}

/* Are the data of the slot's former message out of use? */
static inline bool lane_is_released(const struct lane_sender *s, uint64_t t, uint64_t former) {
    if (__builtin_expect(msg_kind_of(former) < MSG_SLOT_DATA, 1)) return true;
    return __atomic_load_n(&s->in->released[t & (s->slots - 1)], __ATOMIC_ACQUIRE) == msg_round_of(former);
}

/* Sends a message of a word and a stamp without round, from any thread. False: there is no room, and nothing has changed.
 * The place says later whether the message has been taken or released. */
static inline bool lane_put(struct lane_sender *s, uint64_t word, uint64_t stamp, uint64_t *place) {
    uint64_t t = __atomic_load_n(&s->tail, __ATOMIC_ACQUIRE);
    for (;;) {
        struct msg_slot *slot = &s->slot[t & (s->slots - 1)], old;
        /* First, so that a sender that finds it full leaves the slot's line to the receiver. */
        if (!lane_has_room(s, t)) return false;
        msg_want_line(slot);
        old.stamp = __atomic_load_n(&slot->stamp, __ATOMIC_ACQUIRE);
        old.word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
        uint64_t ahead = (msg_round_of(old.stamp) - (t >> s->shift)) & MSG_ROUNDS;
        if (__builtin_expect(ahead != 0, 0)) { /* others have filled it, in this round or a later one */
            t += 1 + (ahead - 1) * s->slots;
            continue;
        }
        if (!lane_is_released(s, t, old.stamp)) return false;
        struct msg_slot new = {lane_round(t, s->shift) << MSG_ROUND_SHIFT | stamp, word};
        if (__builtin_expect(msg_swap_slot(slot, old, new), 1)) break;
    }
    __atomic_store_n(&s->tail, t + 1, __ATOMIC_RELEASE);
    *place = t;
    return true;
}

/* The same for a row that one thread uses at a time. */
static inline bool lane_put_single(struct lane_sender *s, uint64_t word, uint64_t stamp, uint64_t *place) {
    uint64_t t = s->tail;
    struct msg_slot *slot = &s->slot[t & (s->slots - 1)];
    if (!lane_has_room(s, t)) return false;
    /* Looking at a slot costs a transfer of its line: only where the last round had data. */
    if (__builtin_expect(t - s->with_data < s->slots, 0) &&
        !lane_is_released(s, t, __atomic_load_n(&slot->stamp, __ATOMIC_RELAXED)))
        return false;
    if (msg_kind_of(stamp) >= MSG_SLOT_DATA) s->with_data = t + 1;
    __atomic_store_n(&slot->word, word, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->stamp, lane_round(t, s->shift) << MSG_ROUND_SHIFT | stamp, __ATOMIC_RELEASE);
    s->tail = t + 1;
    *place = t;
    return true;
}

/* A batch of 2 to MSG_MOST_WORDS words is put into a cell that is free, and sent as a slot of kind MSG_SLOT_MANY with
 * this word. Receivers that come too late may read the cell while it is filled anew, as they may read a slot: what they
 * have read does not count, because `head` has moved. */
static inline uint64_t lane_fill(uint64_t *cells, unsigned cell, const uint64_t *words, unsigned count) {
    uint64_t *to = cells + cell * MSG_CELL_WORDS;
    for (unsigned i = 0; i < count; i += MSG_LINE / 8) msg_want_line(to + i);
    for (unsigned i = 0; i < count; i++) __atomic_store_n(&to[i], words[i], __ATOMIC_RELAXED);
    return (uint64_t)cell << MSG_WORDS_BITS | count;
}

/* Has the message sent at `place`, the last one if it is a batch, been taken? (And its data released, if it has any:
 * lane_is_done.) */
static inline bool lane_is_taken(const struct lane_sender *s, uint64_t place) {
    return lane_distance(place, __atomic_load_n(&s->in->head, __ATOMIC_ACQUIRE)) < 0;
}

static inline bool lane_is_done(const struct lane_sender *s, uint64_t place) {
    /* The slot is used again only when the data were released; so a later round's release says so, too. */
    uint64_t round = __atomic_load_n(&s->in->released[place & (s->slots - 1)], __ATOMIC_ACQUIRE);
    uint64_t past = (round - lane_round(place, s->shift)) & MSG_ROUNDS;
    if (past < MSG_ROUNDS / 2) return true;
    uint64_t now = msg_round_of(__atomic_load_n(&s->slot[place & (s->slots - 1)].stamp, __ATOMIC_ACQUIRE));
    return now != lane_round(place, s->shift);
}

/* ---- receiving ---------------------------------------------------------------------------------------------------- */

/* A message, and where `head` goes when it is taken. */
struct lane_found {
    uint64_t word, stamp, next;
};

/* One of a batch. If the sender's numbers make no sense, the kind stays MSG_SLOT_MANY, which no message has. */
static inline void lane_find_in_cell(const struct lane_taker *r, uint64_t head, struct lane_found *f) {
    uint64_t cell = f->word >> MSG_WORDS_BITS, count = f->word & MSG_MOST_WORDS, i = head & MSG_MOST_WORDS;
    if (cell >= MSG_CELLS || i >= count) return;
    const uint64_t *from = r->cells + cell * MSG_CELL_WORDS;
    if (i == 0) /* all of the batch's lines at once */
        for (uint64_t k = MSG_LINE / 8; k < count; k += MSG_LINE / 8) __builtin_prefetch(from + k);
    f->word = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
    f->stamp ^= (uint64_t)(MSG_SLOT_MANY ^ MSG_SLOT_EXPRESS) << MSG_KIND_SHIFT;
    if (i + 1 < count) f->next = head + 1;
}

/* What is at `head`; false: nothing yet. */
static inline bool lane_find(const struct lane_taker *r, uint64_t head, struct lane_found *f) {
    uint64_t h = lane_place_of(head);
    const struct msg_slot *slot = &r->slot[h & (r->slots - 1)];
    f->stamp = __atomic_load_n(&slot->stamp, __ATOMIC_ACQUIRE);
    if (msg_round_of(f->stamp) != lane_round(h, r->shift)) return false;
    f->word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
    f->next = (head | MSG_MOST_WORDS) + 1;
    if (__builtin_expect(msg_kind_of(f->stamp) == MSG_SLOT_MANY, 0)) lane_find_in_cell(r, head, f);
    return true;
}

/* Takes the next message, in any thread; *head is where it was. False: there is none. */
static inline bool lane_take(struct lane_taker *r, struct lane_found *f, uint64_t *head) {
    uint64_t h = __atomic_load_n(&r->in->head, __ATOMIC_ACQUIRE);
    for (;;) {
        if (!lane_find(r, h, f)) {
            uint64_t now = __atomic_load_n(&r->in->head, __ATOMIC_ACQUIRE);
            if (now == h) return false;
            h = now;
            continue;
        }
        if (__atomic_compare_exchange_n(&r->in->head, &h, f->next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) break;
    }
    *head = h;
    return true;
}

/* The same for a queue that one thread uses at a time. */
static inline bool lane_take_single(struct lane_taker *r, struct lane_found *f, uint64_t *head) {
    uint64_t h = __atomic_load_n(&r->in->head, __ATOMIC_RELAXED);
    if (!lane_find(r, h, f)) return false;
    __atomic_store_n(&r->in->head, f->next, __ATOMIC_RELEASE);
    *head = h;
    return true;
}

/* Takes all messages from `head`, where a thread has found the first of them, to `next`, where it has found no more or
 * wants no more. False: another thread has taken some of them, and what was found does not count. */
static inline bool lane_take_to(struct lane_taker *r, uint64_t head, uint64_t next, bool single) {
    if (!single)
        return __atomic_compare_exchange_n(&r->in->head, &head, next, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    __atomic_store_n(&r->in->head, next, __ATOMIC_RELEASE);
    return true;
}

/* The data of the message taken at `place` are out of use. */
static inline void lane_release(struct lane_taker *r, uint64_t place) {
    __atomic_store_n(&r->in->released[place & (r->slots - 1)], lane_round(place, r->shift), __ATOMIC_RELEASE);
}

/* Those who wait for room are told at each quarter of the ring, which whoever empties a full one passes. */
static inline bool lane_is_quarter(const struct lane_taker *r, uint64_t from, uint64_t to) {
    uint64_t quarter = r->slots / 4;
    return (lane_place_of(from) ^ lane_place_of(to)) & ~(quarter - 1);
}

#endif
