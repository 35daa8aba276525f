/* A lane's slots: one ring from one row of a destination table to one receive queue. Any number of threads put messages
 * in, any number take them out, none ever waits for another.
 *
 * Places are counted from 0 in 64 bits. Place p is slot p % slots, in round p / slots + 1; the slot's stamp carries the
 * round. Sending replaces the slot's whole content, that of the round before, by one compare-and-swap. Receiving reads the
 * slot, then advances `head` by one: if that succeeds, nobody had taken the place before, so that no sender may have
 * written it meanwhile. tests/protocols/msg_express.pml is the model of both, tests/runtime/msg_lane.c the test.
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
    uint32_t slots, shift;
};

static inline uint64_t lane_round(uint64_t place, uint32_t shift) { return ((place >> shift) + 1) & MSG_ROUNDS; }

/* ---- sending ------------------------------------------------------------------------------------------------------ */

/* Has the slot's former message been taken, so that place `t` may be filled? */
static inline bool lane_has_room(struct lane_sender *s, uint64_t t) {
    uint64_t seen = __atomic_load_n(&s->seen, __ATOMIC_ACQUIRE);
    if (__builtin_expect((int64_t)(t - seen) < (int64_t)s->slots, 1)) return true;
    seen = __atomic_load_n(&s->in->head, __ATOMIC_ACQUIRE);
    /* A head beyond all that was sent is a receiver's mistake, or malice: it gains nothing. */
    __atomic_store_n(&s->seen, seen, __ATOMIC_RELEASE);
    return (int64_t)(t - seen) < (int64_t)s->slots;
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
        old.stamp = __atomic_load_n(&slot->stamp, __ATOMIC_ACQUIRE);
        old.word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
        uint64_t ahead = (msg_round_of(old.stamp) - (t >> s->shift)) & MSG_ROUNDS;
        if (__builtin_expect(ahead != 0, 0)) { /* others have filled it, in this round or a later one */
            t += 1 + (ahead - 1) * s->slots;
            continue;
        }
        if (!lane_has_room(s, t) || !lane_is_released(s, t, old.stamp)) return false;
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
    if (stamp >> MSG_KIND_SHIFT & 7) s->with_data = t + 1;
    __atomic_store_n(&slot->word, word, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->stamp, lane_round(t, s->shift) << MSG_ROUND_SHIFT | stamp, __ATOMIC_RELEASE);
    s->tail = t + 1;
    *place = t;
    return true;
}

/* Has the message sent at `place` been taken? (And its data released, if it has any: lane_is_done.) */
static inline bool lane_is_taken(struct lane_sender *s, uint64_t place) {
    uint64_t head = __atomic_load_n(&s->in->head, __ATOMIC_ACQUIRE);
    return (int64_t)(head - place) > 0;
}

static inline bool lane_is_done(struct lane_sender *s, uint64_t place) {
    /* The slot is used again only when the data were released; so a later round's release says so, too. */
    uint64_t round = __atomic_load_n(&s->in->released[place & (s->slots - 1)], __ATOMIC_ACQUIRE);
    uint64_t past = (round - lane_round(place, s->shift)) & MSG_ROUNDS;
    if (past < MSG_ROUNDS / 2) return true;
    uint64_t now = msg_round_of(__atomic_load_n(&s->slot[place & (s->slots - 1)].stamp, __ATOMIC_ACQUIRE));
    return now != lane_round(place, s->shift);
}

/* ---- receiving ---------------------------------------------------------------------------------------------------- */

static inline bool lane_find(const struct lane_taker *r, uint64_t h, uint64_t *word, uint64_t *stamp) {
    const struct msg_slot *slot = &r->slot[h & (r->slots - 1)];
    *stamp = __atomic_load_n(&slot->stamp, __ATOMIC_ACQUIRE);
    if (msg_round_of(*stamp) != lane_round(h, r->shift)) return false;
    *word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
    return true;
}

/* Takes the next message, in any thread. False: there is none. */
static inline bool lane_take(struct lane_taker *r, uint64_t *word, uint64_t *stamp, uint64_t *place) {
    uint64_t h = __atomic_load_n(&r->in->head, __ATOMIC_ACQUIRE);
    for (;;) {
        if (!lane_find(r, h, word, stamp)) {
            uint64_t now = __atomic_load_n(&r->in->head, __ATOMIC_ACQUIRE);
            if (now == h) return false;
            h = now;
            continue;
        }
        if (__atomic_compare_exchange_n(&r->in->head, &h, h + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) break;
    }
    *place = h;
    return true;
}

/* The same for a queue that one thread uses at a time. */
static inline bool lane_take_single(struct lane_taker *r, uint64_t *word, uint64_t *stamp, uint64_t *place) {
    uint64_t h = __atomic_load_n(&r->in->head, __ATOMIC_RELAXED);
    if (!lane_find(r, h, word, stamp)) return false;
    __atomic_store_n(&r->in->head, h + 1, __ATOMIC_RELEASE);
    *place = h;
    return true;
}

/* The data of the message taken at `place` are out of use. */
static inline void lane_release(struct lane_taker *r, uint64_t place) {
    __atomic_store_n(&r->in->released[place & (r->slots - 1)], lane_round(place, r->shift), __ATOMIC_RELEASE);
}

/* Those who wait for room are told at each quarter of the ring, which whoever empties a full one passes. */
static inline bool lane_is_quarter(const struct lane_taker *r, uint64_t place) {
    return ((place + 1) & (r->slots / 4 - 1)) == 0;
}

#endif
