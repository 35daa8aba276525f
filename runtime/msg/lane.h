/* A lane's slots: one or two rings from one row of a destination table to one receive queue. Any number of threads put messages
 * in, any number take them out, none ever waits for another.
 *
 * Places are counted from 0 in 64 bits. Place p of a ring is slot p % slots, in round p / slots + 1; the slot's stamp carries the
 * round. Sending replaces the slot's whole content, that of a round before, by one compare-and-swap. Receiving reads the
 * slot, then advances `head` by one: if that succeeds, nobody had taken the place before, so that no sender may have
 * written it meanwhile. tests/protocols/msg_express.pml is the model of both, tests/runtime/msg_lane.c the test.
 *
 * A slot may stand for a batch of words, which lie in a cell of the sender's: one compare-and-swap sends them all. They are
 * taken one at a time, or several: the lowest bits of `head` count those of the batch at the head that have been taken.
 *
 * Two rings. All places of a lane are one sequence, and each place is in one of the rings, the first in the small one. A stamp with
 * MSG_LAST says that the next place is in the other ring. So which ring a place is in is decided when all places before it are
 * filled, and never changes; a *spot* is a place with its ring (2 * place + ring). `tail` and `head` are spots. Senders as well as
 * takers go on where the message before says: nobody waits for a move, and nothing can be put behind it in the ring that has been left.
 * While the lane is in one ring, slots of the other keep the round in which they were filled: a slot is free if the place that it
 * was filled for is before the one to be filled and has been taken, whatever its round. In the small ring, a message behind which no slot
 * is free is the last. tests/protocols/msg_move.pml is the model.
 *
 * Orders. A slot is published by a release and read by an acquire of its stamp. `head` is advanced by a release, behind the
 * reads of the slot, and the sender acquires it before it writes the slot anew. `tail`, a hint of where the next free place
 * is, is stored by a release when its thread knows all places before it to be filled.
 */
#ifndef MSG_LANE_H
#define MSG_LANE_H

#include "msg/layout.h"

/* Slots are written by the sending side alone, `released` by the receiving side alone. */
struct lane_ring {
    const struct msg_slot *slot;
    const uint64_t *released;
    uint32_t slots;
    uint16_t limit; /* with less than so many places that have not been taken there is room, and no reason to look */
    uint8_t shift;
    uint8_t ahead; /* a sender that begins a line asks for the one so many slots further on */
};

/* The sending side, in memory of the sender alone. */
struct lane_sender {
    struct lane_ring ring[2];
    const struct msg_in *in;
    uint32_t rings;
    bool keeps;                      /* ring[0] is a small one */
    _Alignas(64) uint64_t tail;      /* a spot, as a hint: all places before it are filled */
    uint64_t seen;                   /* a hint: head was at least this place */
    uint64_t with_data;              /* MSG_SINGLE: behind the last spot with data */
    uint64_t recent;                 /* MSG_SINGLE: less than so far behind it a slot's former message may have data */
    bool at_heels;                   /* the large ring was nearly full, and the receiver was taking: lane_look */
    uint64_t clear;                  /* a hint: the small ring's places before this one may be filled (lane_is_clear) */
    bool has_grown;                  /* the large ring has been used */
    struct msg_slot kept[MSG_SMALL]; /* a hint: what is in the slots of ring[0] (lane_put_at) */
};

/* The receiving side, in memory of the receiver alone. */
struct lane_taker {
    struct lane_ring ring[2];
    const struct msg_out *out;
    struct msg_in *in;
    const uint64_t *cells;
    const char *region; /* null: the sender has none */
    uint64_t region_bytes;
    uint64_t last;  /* MSG_LAST if there are two rings: a lane of one has no other, whatever its sender says */
    uint64_t turns; /* the bits of `head` that change when there is something to be said: lane_has_turned */
    uint32_t rings;
};

/* Where a ring is nearly full and its receiver takes, a sender that looks for room at each place it has filled takes
 * the lines of `head` and of the slots from the receiver, once for each message: three transfers. It waits for about
 * the time of two before it looks again: what it sends is behind all that waits anyway, and the next look finds room
 * for many. */
enum { LANE_PAUSES = 8 };
/* So many messages are sent into the large ring before it is looked whether the lane should leave it. */
enum { LANE_MOST_LIMIT = 256 };
/* A line that another processor has used comes in the time of many messages. */
enum { LANE_MOST_AHEAD = 32 };

/* In the calls that send and receive one word, which are some ten nanoseconds. */
#define LANE_INLINE __attribute__((always_inline))

/* Fills `ring` and returns how many there are: one of `slots` at `large`, or two. */
static inline uint32_t lane_rings(struct lane_ring ring[2], uint32_t rings, const struct msg_out *out,
                                  const struct msg_slot *large, const struct msg_in *in, uint32_t slots) {
    uint32_t most = rings == 2 ? LANE_MOST_LIMIT : 1 << 15;
    struct lane_ring of_large = {.slot = large,
                                 .released = in->released + (rings == 2 ? MSG_SMALL : 0),
                                 .slots = slots,
                                 .limit = (uint16_t)(slots < most ? slots : most),
                                 .shift = (uint8_t)__builtin_ctz(slots),
                                 .ahead = (uint8_t)(slots / 4 < LANE_MOST_AHEAD ? slots / 4 : LANE_MOST_AHEAD)};
    if (rings == 2)
        ring[0] = (struct lane_ring){.slot = out->small,
                                     .released = in->released,
                                     .slots = MSG_SMALL,
                                     .limit = MSG_SMALL - 1,
                                     .shift = (uint8_t)__builtin_ctz(MSG_SMALL),
                                     .ahead = MSG_SMALL / 4};
    ring[rings - 1] = of_large;
    return rings;
}

static inline uint64_t lane_round(uint64_t place, uint32_t shift) { return ((place >> shift) + 1) & MSG_ROUNDS; }

/* ---- spots -------------------------------------------------------------------------------------------------------- */

static inline uint64_t lane_place(uint64_t spot) { return spot >> 1; }
static inline uint64_t lane_next(uint64_t spot, uint64_t stamp) { return (spot + 2) ^ (stamp / MSG_LAST); }
static inline uint64_t lane_spot_of(uint64_t head) { return head >> MSG_WORDS_BITS; }
static inline uint64_t lane_head_at(uint64_t spot) { return spot << MSG_WORDS_BITS; }

/* Places are counted in 63 bits, and in `head` in 56: how far `place` is behind that of `head`. */
static inline uint64_t lane_place_of(uint64_t head) { return head >> MSG_PLACE_SHIFT; }
static inline int64_t lane_distance(uint64_t place, uint64_t head) {
    return (int64_t)((place - (head >> MSG_PLACE_SHIFT)) << MSG_PLACE_SHIFT) >> MSG_PLACE_SHIFT;
}

/* The ring of a spot. By a branch, which is predicted, so that the slot's address does not wait for this bit: hence the barrier. */
static inline const struct lane_ring *lane_ring_of(const struct lane_ring ring[2], uint64_t spot) {
    const struct lane_ring *of = &ring[0];
    if (spot & 1) {
        of = &ring[1];
        __asm__ volatile("" : "+r"(of));
    }
    return of;
}

static inline const struct msg_slot *lane_slot(const struct lane_ring *ring, uint64_t place) {
    return &ring->slot[place & (ring->slots - 1)];
}

/* How many rounds a stamp is ahead of the one before the place's: from 1 on, the slot is filled, for this place (1) or one of a later
 * round; up to 0 it has what was there before. (What is below the round in the stamp is shifted out.) */
static inline int64_t lane_ahead(uint64_t stamp, uint64_t place, uint32_t shift) {
    return (int64_t)((stamp << 1) - (place >> shift << (MSG_ROUND_SHIFT + 1))) >> (MSG_ROUND_SHIFT + 1);
}

/* A stamp of the place's round, without anything else. */
static inline uint64_t lane_stamp(uint64_t place, uint32_t shift) {
    return ((place >> shift) + 1) << (MSG_ROUND_SHIFT + 1) >> 1;
}

/* ---- sending ------------------------------------------------------------------------------------------------------ */

/* No message has been sent; the first goes to `spot`. */
static inline void lane_begin(struct lane_sender *s, uint64_t spot) {
    s->tail = spot;
    s->seen = lane_head_at(spot & ~1ull);
    s->clear = lane_place(spot);
    s->recent = s->rings == 2 ? 1ull << 63 : 2ull * s->ring[0].slots;
    s->with_data = spot - s->recent;
    s->keeps = s->ring[0].slots <= MSG_SMALL;
    for (uint32_t i = 0; s->keeps && i < s->ring[0].slots; i++) s->kept[i] = s->ring[0].slot[i];
}

/* Have the data of this round's message at the place been released? */
static inline bool lane_has_release(const struct lane_ring *ring, uint64_t place, uint64_t round) {
    return __atomic_load_n(&ring->released[place & (ring->slots - 1)], __ATOMIC_ACQUIRE) == round;
}

/* Are the data of the slot's former message out of use? */
static inline bool lane_is_released(const struct lane_ring *ring, uint64_t place, uint64_t former) {
    if (__builtin_expect(msg_kind_of(former) < MSG_SLOT_DATA, 1)) return true;
    return lane_has_release(ring, place, msg_round_of(former));
}

enum lane_answer { LANE_GOES, LANE_GOES_LAST, LANE_IS_FULL, LANE_HAS_DATA /* full until data are released */ };

/* How far the content is ahead, as lane_ahead. A slot of a ring that has not been used for more than half of all rounds seems to be
 * ahead, by as much as is left of them: it is not, if it would be of a place that nobody can have reached, because no more messages wait
 * than the rings have slots. Then it counts as of the round before. */
static inline LANE_INLINE int64_t lane_ahead_at(const struct lane_sender *s, const struct lane_ring *ring,
                                                uint64_t place, uint64_t stamp) {
    int64_t ahead = lane_ahead(stamp, place, ring->shift);
    if (__builtin_expect(ahead <= 1, 1)) return ahead;
    uint64_t head = __atomic_load_n(&s->in->head, __ATOMIC_ACQUIRE), of = place + (uint64_t)(ahead - 1) * ring->slots;
    return lane_distance(of, head) >= (int64_t)ring->slots + MSG_SMALL ? 0 : ahead;
}

/* May the place be filled, as far as its slot's former message goes? LANE_GOES also if it has been filled. */
static inline enum lane_answer lane_look_at(struct lane_sender *s, const struct lane_ring *ring, uint64_t place,
                                            uint64_t seen) {
    uint64_t stamp = __atomic_load_n(&lane_slot(ring, place)->stamp, __ATOMIC_ACQUIRE);
    int64_t ahead = lane_ahead_at(s, ring, place, stamp);
    if (ahead > 0) return LANE_GOES;
    if (lane_distance(place + (uint64_t)(ahead - 1) * ring->slots, seen) >= 0) return LANE_IS_FULL;
    return lane_is_released(ring, place, stamp) ? LANE_GOES : LANE_HAS_DATA;
}

/* May the lane come back into the small ring behind this place? */
static inline bool lane_small_is_free(struct lane_sender *s, uint64_t place, uint64_t seen) {
    const struct lane_ring *small = &s->ring[0];
    for (uint64_t p = place + 1; p <= place + MSG_SMALL; p++)
        if (lane_ahead_at(s, small, p, __atomic_load_n(&lane_slot(small, p)->stamp, __ATOMIC_ACQUIRE)) > 0 ||
            lane_look_at(s, small, p, seen) != LANE_GOES)
            return false;
    return true;
}

/* The receiver writes a line of releases with each message that has data, and `head`: a look at each place would want both lines from it for
 * every message. So a look goes on to the places behind, as far as they may be filled, too, and what it has found is kept. It stays
 * right: nothing but a message to such a place fills its slot. False: not even the next place may be filled.
 * tests/protocols/msg_kept.pml is the model. */
static inline bool lane_clear(struct lane_sender *s, uint64_t place, uint64_t seen) {
    struct lane_ring *small = &s->ring[0];
    /* Without data there is room anyway, and no such look at the places that follow. */
    uint64_t most = __atomic_load_n(&small->limit, __ATOMIC_RELAXED) ? 2 : MSG_SMALL, n = 1;
    while (n < most && lane_look_at(s, small, place + n, seen) == LANE_GOES) n++;
    if (n == 1) return false;
    __atomic_store_n(&s->clear, place + n, __ATOMIC_RELEASE);
    return true;
}

/* Is the spot in the small ring, and it as well as the one behind may be filled without a look? */
static inline bool lane_is_clear(const struct lane_sender *s, uint64_t spot) {
    uint64_t clear = __atomic_load_n(&s->clear, __ATOMIC_ACQUIRE);
    return !(spot & 1) && (int64_t)((clear - lane_place(spot)) << 1) > 2; /* places have 63 bits */
}

/* What is to be done at a spot: more exactly than by the limit. LANE_GOES_LAST: with MSG_LAST, because no slot is free behind it in the
 * small ring; or because the receiver wants the lane in its large ring, or does not and all has been taken (a lane in which
 * something waits would soon be back). Full is only the large ring, when the oldest of at least `slots` messages is in the way. */
static __attribute__((noinline, unused)) enum lane_answer lane_look(struct lane_sender *s, uint64_t spot) {
    struct lane_ring *ring = &s->ring[spot & 1];
    uint64_t place = lane_place(spot), seen = __atomic_load_n(&s->seen, __ATOMIC_ACQUIRE);
    bool is_small = s->rings == 2 && ring == &s->ring[0];
    uint64_t before = seen;
    if (is_small || lane_distance(place, seen) >= __atomic_load_n(&ring->limit, __ATOMIC_RELAXED)) {
        bool is_large = s->rings == 2 && !is_small;
        if (is_large && __atomic_load_n(&s->at_heels, __ATOMIC_RELAXED))
            for (int i = 0; i < LANE_PAUSES; i++) msg_pause();
        seen = __atomic_load_n(&s->in->head, __ATOMIC_ACQUIRE);
        /* A head beyond all that was sent is a receiver's mistake, or malice: it gains nothing. */
        seen &= ~(lane_head_at(2) - 1);
        __atomic_store_n(&s->seen, seen, __ATOMIC_RELEASE);
        bool is_nearly_full = lane_distance(place, seen) > (int64_t)(ring->slots - ring->slots / 8);
        if (is_large) __atomic_store_n(&s->at_heels, is_nearly_full && seen != before, __ATOMIC_RELAXED);
    }
    int64_t backlog = lane_distance(place, seen);
    if (s->rings == 1) return backlog < ring->slots ? LANE_GOES : LANE_IS_FULL;
    enum lane_answer answer = lane_look_at(s, ring, place, seen);
    if (answer != LANE_GOES) return answer;
    bool is_resident = __atomic_load_n(&s->in->is_resident, __ATOMIC_RELAXED);
    if (is_small && !is_resident && lane_clear(s, place, seen)) return LANE_GOES;
    if (is_small) {
        __atomic_store_n(&s->has_grown, true, __ATOMIC_RELAXED);
        return LANE_GOES_LAST;
    }
    /* Looks again behind so many more. */
    uint64_t limit = (backlog < 0 ? 0 : (uint64_t)backlog) + LANE_MOST_LIMIT;
    if (limit > ring->slots) limit = ring->slots;
    __atomic_store_n(&ring->limit, (uint16_t)(limit < UINT16_MAX ? limit : UINT16_MAX), __ATOMIC_RELAXED);
    return !is_resident && backlog <= 0 && lane_small_is_free(s, place, seen) ? LANE_GOES_LAST : LANE_GOES;
}

/* Of the commonest case: there is room at the spot, and no reason to look. (Heads are compared: nothing is in the lower bits of
 * `seen`, and the ring's bit of the spot changes no comparison with a whole place.) */
static inline bool lane_has_room(const struct lane_sender *s, const struct lane_ring *ring, uint64_t spot) {
    uint64_t seen = __atomic_load_n(&s->seen, __ATOMIC_ACQUIRE);
    int64_t limit = __atomic_load_n(&ring->limit, __ATOMIC_RELAXED);
    return (int64_t)(lane_head_at(spot) - seen) < limit << MSG_PLACE_SHIFT;
}

/* A message with data goes into the small ring: from now on it is looked whether those in its slots have been released, and
 * the lane moves on if they are kept. */
static inline void lane_note_data(struct lane_sender *s, uint64_t spot, uint64_t stamp) {
    if (__builtin_expect(msg_kind_of(stamp) < MSG_SLOT_DATA || spot & 1 || s->rings == 1, 1)) return;
    __atomic_store_n(&s->ring[0].limit, 0, __ATOMIC_RELAXED);
}

/* A line that the receiver has comes in the time of many messages, and a sender waits for it at each atomic operation. Not if what is there may
 * not have been taken: the receiver is about to read it. */
static inline void lane_want_ahead(const struct lane_sender *s, const struct lane_ring *ring, uint64_t spot) {
    enum { LINE_SLOTS = MSG_LINE / sizeof(struct msg_slot) };
    uint64_t place = lane_place(spot), room = ring->slots - ring->ahead;
    if (place % LINE_SLOTS) return;
    if (lane_head_at(spot) - __atomic_load_n(&s->seen, __ATOMIC_RELAXED) < room << MSG_PLACE_SHIFT)
        msg_want_line(lane_slot(ring, place + ring->ahead));
}

/* What has become of a message that was to go to a spot. */
enum lane_put {
    LANE_SENT,
    LANE_FILLED /* by others */,
    LANE_KEPT /* data of its former message */,
    LANE_LOST /* try again */
};

/* Fills the slot, for which there is room otherwise; `last` is 0 or MSG_LAST. *next: the spot behind, if it is filled
 * now. is_free: lane_look has found its former message's data released. (What it looked at is what is there, unless
 * the place has been filled.)
 *
 * The receiver has read the slot, and on some processors has its line alone since. To read it first and then swap costs two transfers there.
 * So a sender keeps what it has put into a small ring, and swaps that: `guesses`. What is kept may be wrong, because another thread
 * or process has sent since, or just now: then the swap fails, and what is there is read. */
static inline LANE_INLINE enum lane_put lane_put_at(struct lane_sender *s, const struct lane_ring *ring, uint64_t spot,
                                                    bool guesses, bool is_free, uint64_t last, uint64_t word,
                                                    uint64_t stamp, uint64_t *next) {
    uint64_t place = lane_place(spot);
    struct msg_slot *slot = (struct msg_slot *)lane_slot(ring, place), old;
    bool keeps = !(spot & 1) && s->keeps;
    struct msg_slot *kept = &s->kept[place & (ring->slots - 1) & (MSG_SMALL - 1)];
    /* With data the swap waits until they are written. To read the slot costs nothing meanwhile; to ask for its line does, because a receiver
     * that polls takes it back, and it would travel twice. */
    bool has_data = msg_kind_of(stamp) >= MSG_SLOT_DATA;
    const struct msg_slot *from = guesses && keeps && !has_data ? kept : slot;
    if (!has_data) msg_want_line(slot);
    lane_want_ahead(s, ring, spot);
    old.stamp = __atomic_load_n(&from->stamp, __ATOMIC_ACQUIRE);
    old.word = __atomic_load_n(&from->word, __ATOMIC_RELAXED);
    int64_t ahead = lane_ahead(old.stamp, place, ring->shift);
    if (__builtin_expect(ahead > 0, 0) &&
        (ahead = lane_ahead_at(s, ring, place, old.stamp)) > 0) { /* in this round or a later one */
        *next = lane_next(spot + 2 * (uint64_t)(ahead - 1) * ring->slots, old.stamp);
        return LANE_FILLED;
    }
    if (__builtin_expect(!is_free && !lane_is_released(ring, place, old.stamp), 0)) return LANE_KEPT;
    lane_note_data(s, spot, stamp);
    struct msg_slot new = {lane_stamp(place, ring->shift) | stamp | last, word};
    if (__builtin_expect(!msg_swap_slot(slot, old, new), 0)) return LANE_LOST;
    if (keeps) {
        __atomic_store_n(&kept->stamp, new.stamp, __ATOMIC_RELAXED);
        __atomic_store_n(&kept->word, new.word, __ATOMIC_RELAXED);
    }
    *next = lane_next(spot, last);
    return LANE_SENT;
}

static __attribute__((noinline, unused)) bool lane_put_other(struct lane_sender *s, uint64_t word, uint64_t stamp,
                                                             uint64_t *spot) {
    uint64_t t = __atomic_load_n(&s->tail, __ATOMIC_ACQUIRE);
    for (;;) {
        const struct lane_ring *ring = lane_ring_of(s->ring, t);
        enum lane_answer answer = LANE_GOES;
        uint64_t next = t;
        /* First, so that a sender that finds it full leaves the slot's line to the receiver. */
        bool looks = !lane_has_room(s, ring, t);
        if (looks) answer = lane_look(s, t);
        if (answer >= LANE_IS_FULL) return false;
        switch (lane_put_at(s, ring, t, false, looks && s->rings == 2, answer == LANE_GOES_LAST ? MSG_LAST : 0, word,
                            stamp, &next)) {
        case LANE_SENT:
            __atomic_store_n(&s->tail, next, __ATOMIC_RELEASE);
            *spot = t;
            return true;
        case LANE_FILLED: t = next; break;
        case LANE_KEPT: return false;
        case LANE_LOST: break;
        }
    }
}

/* The commonest case alone; false: lane_put_other has to see. */
static inline LANE_INLINE bool lane_put_first(struct lane_sender *s, uint64_t word, uint64_t stamp, uint64_t *spot) {
    uint64_t t = __atomic_load_n(&s->tail, __ATOMIC_ACQUIRE), next;
    const struct lane_ring *ring = lane_ring_of(s->ring, t);
    bool looks = !lane_has_room(s, ring, t);
    if (__builtin_expect(looks, 0) && !lane_is_clear(s, t)) return false;
    if (__builtin_expect(lane_put_at(s, ring, t, true, looks, 0, word, stamp, &next) != LANE_SENT, 0)) return false;
    __atomic_store_n(&s->tail, next, __ATOMIC_RELEASE);
    *spot = t;
    return true;
}

/* Sends a message of a word and a stamp without round, from any thread. False: there is no room, and nothing has changed.
 * The spot says later whether the message has been taken or released. */
static inline bool lane_put(struct lane_sender *s, uint64_t word, uint64_t stamp, uint64_t *spot) {
    return lane_put_first(s, word, stamp, spot) || lane_put_other(s, word, stamp, spot);
}

/* The same for a row that one thread uses at a time: the slot, for which there is room otherwise, is filled unless its former
 * message's data are in use. */
static inline LANE_INLINE bool lane_put_single_at(struct lane_sender *s, const struct lane_ring *ring, uint64_t t,
                                                  bool is_free, uint64_t last, uint64_t word, uint64_t stamp) {
    uint64_t place = lane_place(t);
    struct msg_slot *slot = (struct msg_slot *)lane_slot(ring, place);
    lane_want_ahead(s, ring, t);
    /* Looking at a slot costs a transfer of its line: only where the last round had data, or any before the lane moved. */
    if (__builtin_expect(!is_free && t - s->with_data < s->recent, 0) &&
        !lane_is_released(ring, place, __atomic_load_n(&slot->stamp, __ATOMIC_RELAXED)))
        return false;
    if (msg_kind_of(stamp) >= MSG_SLOT_DATA) {
        s->with_data = t + 2;
        lane_note_data(s, t, stamp);
    }
    __atomic_store_n(&slot->word, word, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->stamp, lane_stamp(place, ring->shift) | stamp | last, __ATOMIC_RELEASE);
    s->tail = lane_next(t, last);
    return true;
}

static inline LANE_INLINE bool lane_put_single_first(struct lane_sender *s, uint64_t word, uint64_t stamp,
                                                     uint64_t *spot) {
    uint64_t t = *spot = s->tail;
    const struct lane_ring *ring = lane_ring_of(s->ring, t);
    bool looks = !lane_has_room(s, ring, t);
    if (__builtin_expect(looks, 0) && !lane_is_clear(s, t)) return false;
    return lane_put_single_at(s, ring, t, looks, 0, word, stamp);
}

static __attribute__((noinline, unused)) bool lane_put_single_other(struct lane_sender *s, uint64_t word,
                                                                    uint64_t stamp, uint64_t *spot) {
    uint64_t t = *spot = s->tail, last = 0;
    const struct lane_ring *ring = lane_ring_of(s->ring, t);
    bool looks = !lane_has_room(s, ring, t);
    if (looks) {
        enum lane_answer answer = lane_look(s, t);
        if (answer >= LANE_IS_FULL) return false;
        if (answer == LANE_GOES_LAST) last = MSG_LAST;
    }
    return lane_put_single_at(s, ring, t, looks && s->rings == 2, last, word, stamp);
}

static inline bool lane_put_single(struct lane_sender *s, uint64_t word, uint64_t stamp, uint64_t *spot) {
    return lane_put_single_first(s, word, stamp, spot) || lane_put_single_other(s, word, stamp, spot);
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

/* Has the message sent at the spot, the last one if it is a batch, been taken? (And its data released, if it has any:
 * lane_is_done.) */
static inline bool lane_is_taken(const struct lane_sender *s, uint64_t spot) {
    return lane_distance(lane_place(spot), __atomic_load_n(&s->in->head, __ATOMIC_ACQUIRE)) < 0;
}

/* The slot of a spot in the small ring may be filled for a place of a later round, as somebody has seen (lane_clear): so its message is
 * done. This costs no transfer of a line, and it is what a sender finds who uses its places in turn. */
static inline bool lane_is_seen_done(const struct lane_sender *s, uint64_t spot) {
    uint64_t clear = __atomic_load_n(&s->clear, __ATOMIC_ACQUIRE);
    return !(spot & 1) && (int64_t)((clear - lane_place(spot) - MSG_SMALL) << 1) > 0;
}

static inline bool lane_is_done(struct lane_sender *s, uint64_t spot) {
    if (lane_is_seen_done(s, spot)) return true;
    const struct lane_ring *ring = &s->ring[spot & (s->rings - 1)];
    uint64_t place = lane_place(spot), mine = lane_round(place, ring->shift);
    /* The slot is used again only when the data were released. First, because this line is the sender's own, and a look at the
     * releases takes theirs from the receiver. (A release of another round says nothing: it may be older by more than half of
     * all rounds, and so seem to be a later one's.) */
    if (msg_round_of(__atomic_load_n(&lane_slot(ring, place)->stamp, __ATOMIC_ACQUIRE)) != mine) return true;
    return lane_has_release(ring, place, mine);
}

/* Does the receiver not yet have, or still use, data in place of this slot? */
static inline bool lane_lends_slot(const struct lane_ring *ring, uint64_t place) {
    uint64_t stamp = __atomic_load_n(&lane_slot(ring, place)->stamp, __ATOMIC_ACQUIRE);
    return msg_kind_of(stamp) == MSG_SLOT_TAG_ON && !lane_has_release(ring, place, msg_round_of(stamp));
}

/* Of the message at the spot? It may be another lane's. */
static inline bool lane_lends(const struct lane_sender *s, uint64_t spot) {
    const struct lane_ring *ring = &s->ring[spot & (s->rings - 1)];
    return lane_lends_slot(ring, lane_place(spot));
}

/* Of any? Nothing is being sent. */
static inline bool lane_lends_any(const struct lane_sender *s) {
    for (uint32_t k = 0; k < s->rings; k++) {
        const struct lane_ring *ring = &s->ring[k];
        if (k == 1 && !__atomic_load_n(&s->has_grown, __ATOMIC_RELAXED)) break; /* a look would make its pages */
        for (uint32_t i = 0; i < ring->slots; i++)
            if (lane_lends_slot(ring, i)) return true;
    }
    return false;
}

/* ---- receiving ---------------------------------------------------------------------------------------------------- */

/* A message, and where `head` goes when it is taken. */
struct lane_found {
    uint64_t word, stamp, next;
};

/* The words of the batch in slot `f` from the head on, and how many they are; 0: the sender's numbers make no sense. */
static inline uint64_t lane_find_words(const struct lane_taker *r, uint64_t head, const struct lane_found *f,
                                       const uint64_t **words) {
    uint64_t cell = f->word >> MSG_WORDS_BITS, count = f->word & MSG_MOST_WORDS, i = head & MSG_MOST_WORDS;
    if (cell >= MSG_CELLS || i >= count) return 0;
    const uint64_t *from = r->cells + cell * MSG_CELL_WORDS;
    if (i == 0) /* all of the batch's lines at once */
        for (uint64_t k = MSG_LINE / 8; k < count; k += MSG_LINE / 8) __builtin_prefetch(from + k);
    *words = from + i;
    return count - i;
}

enum { LANE_OTHER_KIND = MSG_SLOT_MANY ^ MSG_SLOT_EXPRESS };

/* One of a batch. If the sender's numbers make no sense, the kind stays MSG_SLOT_MANY, which no message has. */
static inline void lane_find_in_cell(const struct lane_taker *r, uint64_t head, struct lane_found *f) {
    const uint64_t *from;
    uint64_t left = lane_find_words(r, head, f, &from);
    if (left == 0) return;
    f->word = __atomic_load_n(from, __ATOMIC_RELAXED);
    f->stamp ^= (uint64_t)LANE_OTHER_KIND << MSG_KIND_SHIFT;
    if (left > 1) f->next = head + 1;
}

/* The rings are set up. */
static inline void lane_take_begin(struct lane_taker *r) {
    uint64_t quarter = r->ring[r->rings - 1].slots / 4;
    r->last = r->rings == 2 ? MSG_LAST : 0;
    r->turns = ~(lane_head_at(2 * quarter) - 1) | lane_head_at(1);
}

/* Is the stamp one of the place's round? (The place's own, as nobody else can know a later one while this is not taken.) */
static inline bool lane_is_of(uint64_t stamp, uint64_t place, uint32_t shift) {
    return ((stamp ^ lane_stamp(place, shift)) << 1) >> (MSG_ROUND_SHIFT + 1) == 0;
}

/* Where `head` goes behind a message with this stamp, or behind all of a batch. */
static inline uint64_t lane_behind(const struct lane_taker *r, uint64_t head, uint64_t stamp) {
    enum { PLACE = 1 << MSG_PLACE_SHIFT };
    return ((head & ~(uint64_t)MSG_MOST_WORDS) + PLACE) ^ (stamp & r->last) >> (63 - MSG_WORDS_BITS);
}

/* The slot at `head`; false: nothing yet. */
static inline LANE_INLINE bool lane_find_slot(const struct lane_taker *r, uint64_t head, struct lane_found *f) {
    const struct lane_ring *ring = lane_ring_of(r->ring, lane_spot_of(head));
    uint64_t place = lane_place_of(head);
    const struct msg_slot *slot = lane_slot(ring, place);
    f->stamp = __atomic_load_n(&slot->stamp, __ATOMIC_ACQUIRE);
    if (!lane_is_of(f->stamp, place, ring->shift)) return false;
    f->word = __atomic_load_n(&slot->word, __ATOMIC_RELAXED);
    f->next = lane_behind(r, head, f->stamp);
    return true;
}

/* The message at `head`: the slot, or a word of its batch. */
static inline bool lane_find(const struct lane_taker *r, uint64_t head, struct lane_found *f) {
    if (!lane_find_slot(r, head, f)) return false;
    if (__builtin_expect(msg_kind_of(f->stamp) == MSG_SLOT_MANY, 0)) lane_find_in_cell(r, head, f);
    return true;
}

/* Asks for what is needed next of a message that has data, before it is taken: the atomic operation that takes it lets no later read
 * begin, so a receiver would wait for one after the other. That is the first page of the data, and the line of its release, which the
 * sender has if it has looked. And once more behind it: a processor drops requests while its buffers for lines on their way are all
 * in use, which are 10 to 24. What the sender wrote is a hint here, and is checked when the message has been taken. (Always
 * inlined: gcc takes a function that only prefetches for one that does nothing.) */
static inline LANE_INLINE void lane_want_data(const struct lane_taker *r, uint64_t head, const struct lane_found *f) {
    unsigned kind = msg_kind_of(f->stamp);
    if (__builtin_expect(kind < MSG_SLOT_DATA, 1)) return;
    const struct lane_ring *ring = lane_ring_of(r->ring, lane_spot_of(head));
    msg_want_line(&ring->released[lane_place_of(head) & (ring->slots - 1)]);
    if (kind > MSG_SLOT_COPIED) return;
    const char *from = kind == MSG_SLOT_TAG_ON ? r->region : (const char *)r->cells;
    uint64_t all = kind == MSG_SLOT_TAG_ON ? r->region_bytes : (uint64_t)MSG_CELLS * MSG_CELL_BYTES;
    uint64_t at = (f->word >> MSG_LINE_SHIFT) * MSG_LINE, end = at + (f->word >> MSG_BYTES_SHIFT & MSG_MOST_TAG_ON);
    if (end > all) end = all;
    if (end > at + MSG_PAGE) end = at + MSG_PAGE;
    for (; at < end; at += MSG_LINE) __builtin_prefetch(from + at);
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
        lane_want_data(r, h, f);
        if (__atomic_compare_exchange_n(&r->in->head, &h, f->next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) break;
    }
    *head = h;
    return true;
}

/* The same for a queue that one thread uses at a time. */
static inline bool lane_take_single(struct lane_taker *r, struct lane_found *f, uint64_t *head) {
    uint64_t h = __atomic_load_n(&r->in->head, __ATOMIC_RELAXED);
    if (!lane_find(r, h, f)) return false;
    lane_want_data(r, h, f);
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

/* The data of the message taken at the spot are out of use. */
static inline void lane_release(struct lane_taker *r, uint64_t spot) {
    const struct lane_ring *ring = &r->ring[spot & (r->rings - 1)];
    uint64_t place = lane_place(spot);
    __atomic_store_n((uint64_t *)&ring->released[place & (ring->slots - 1)], lane_round(place, ring->shift),
                     __ATOMIC_RELEASE);
}

/* Between these two, is there something to be said? Those who wait for room are told at each quarter of the ring, which whoever
 * empties a full one passes; and moves are counted. */
static inline bool lane_has_turned(const struct lane_taker *r, uint64_t from, uint64_t to) {
    return (from ^ to) & r->turns;
}
static inline bool lane_has_moved(uint64_t from, uint64_t to) { return (from ^ to) & lane_head_at(1); }

/* ---- counting, on either side --------------------------------------------------------------------------------------- */

/* How many messages there are from `head` on (a batch counts as one). */
static inline uint64_t lane_waiting(const struct lane_ring *rings, uint32_t count, uint64_t head) {
    uint64_t n = 0, most = rings[0].slots + (uint64_t)(count == 2 ? rings[1].slots : 0), spot = lane_spot_of(head);
    for (; n < most; n++) {
        const struct lane_ring *ring = &rings[spot & (count - 1)];
        uint64_t stamp = __atomic_load_n(&lane_slot(ring, lane_place(spot))->stamp, __ATOMIC_ACQUIRE);
        if (msg_round_of(stamp) != lane_round(lane_place(spot), ring->shift)) break;
        spot = lane_next(spot, count == 2 ? stamp : 0);
    }
    return n;
}

#endif
