/* Receiving: from one lane, from a queue with many, and giving data back.
 *
 * What a sender has written is nonsense if it names data where there are none. Such a lane is broken from then on: it
 * never has messages again, and the others of its queue go on.
 */
#include "msg/internal.h"

/* Somebody waits for room in this lane: behind a fence that follows the storing of the index. */
static inline void tell_of_room(struct msg_lane *l) {
    if (__builtin_expect(__atomic_load_n(&l->lane.out->awaits_room, __ATOMIC_RELAXED) == 0, 1)) return;
    if (l->far)
        msg_far_room(l);
    else
        bell_room(l->lane.in);
}

/* Whether a lane may be taken away depends on data that are still in use (retire.c). */
static inline void count(const msg_queue *q, uint64_t *counter, size_t n) {
    if (q->single)
        __atomic_store_n(counter, *counter + n, __ATOMIC_RELEASE);
    else
        __atomic_fetch_add(counter, n, __ATOMIC_RELEASE);
}

/* The data that a slot refers to; false: there are none. */
static bool refer(const struct msg_lane *l, msg_message *m, uint64_t word, uint64_t stamp, unsigned kind) {
    if (kind == MSG_SLOT_BULK) {
        uint64_t at = (word >> MSG_BULK_BYTES_BITS) * MSG_LINE, bytes = word & ((1ull << MSG_BULK_BYTES_BITS) - 1);
        if (!l->window || at > l->window_bytes || bytes > l->window_bytes - at) return false;
        m->kind = MSG_BULK;
        m->word = stamp >> MSG_HIGH_SHIFT & 0xffff;
        m->data = l->window + at;
        m->bytes = bytes;
        return true;
    }
    uint64_t at = (word >> MSG_LINE_SHIFT) * MSG_LINE, bytes = word >> MSG_BYTES_SHIFT & MSG_MOST_TAG_ON;
    const char *begin = kind == MSG_SLOT_TAG_ON ? l->lane.region : (const char *)l->lane.cells;
    uint64_t all = kind == MSG_SLOT_TAG_ON ? l->lane.region_bytes : (uint64_t)MSG_CELLS * MSG_CELL_BYTES;
    if (!begin || kind > MSG_SLOT_COPIED || kind < MSG_SLOT_DATA || at > all || bytes > all - at) return false;
    m->kind = MSG_DATA;
    m->word = (word & 0xffff) | (stamp >> MSG_HIGH_SHIFT & 0xffff) << 16;
    m->data = begin + at;
    m->bytes = bytes;
    return true;
}

/* The Express message that was found at `head`. The bytes are the sender's claim, and the receiver copies so many of the word. */
static inline void give_word(const msg_queue *q, const struct msg_lane *l, const struct lane_found *f, uint64_t head,
                             msg_message *m) {
    uint64_t bytes = f->stamp >> MSG_HIGH_SHIFT & 0xffff;
    *m = (msg_message){.word = f->word,
                       .bytes = bytes < sizeof f->word ? bytes : sizeof f->word,
                       .source = l->source,
                       .queue = q->number,
                       .tag = (uint8_t)msg_tag_of(f->stamp),
                       .kind = MSG_EXPRESS,
                       .lane = l->number,
                       .serial = l->serial,
                       .place = lane_spot_of(head)};
}

/* The message that was found at `head`; false: what the sender wrote names nothing. */
static inline bool hand_over(const msg_queue *q, const struct msg_lane *l, const struct lane_found *f, uint64_t head,
                             msg_message *m) {
    unsigned kind = msg_kind_of(f->stamp);
    give_word(q, l, f, head, m);
    return __builtin_expect(kind == MSG_SLOT_EXPRESS, 1) || refer(l, m, f->word, f->stamp, kind);
}

static __attribute__((noinline)) void turned(msg_queue *q, struct msg_lane *l, uint64_t from, uint64_t to) {
    msg_fence();
    tell_of_room(l);
    if (lane_has_moved(from, to)) msg_lane_moved(q, l, lane_spot_of(to) & 1);
}
static inline void took(msg_queue *q, struct msg_lane *l, uint64_t from, uint64_t to) {
    if (__builtin_expect(lane_has_turned(&l->lane, from, to), 0)) turned(q, l, from, to);
}

static inline struct msg_lane *lane_of(const msg_queue *q, unsigned lane) {
    struct msg_lane *l = __atomic_load_n(&q->lane[lane], __ATOMIC_ACQUIRE);
    if (__builtin_expect(!l || __atomic_load_n(&l->broken, __ATOMIC_RELAXED), 0)) return NULL;
    return l;
}

/* It was found at `head` and has been taken. */
static inline bool receive_taken(msg_queue *q, struct msg_lane *l, const struct lane_found *f, uint64_t head,
                                 msg_message *m) {
    took(q, l, head, f->next);
    if (__builtin_expect(hand_over(q, l, f, head, m), 1)) {
        if (__builtin_expect(m->kind != MSG_EXPRESS, 0)) {
            lane_want_data(&l->lane, head, f);
            count(q, &l->lent, 1);
        }
        return true;
    }
    __atomic_store_n(&l->broken, true, __ATOMIC_RELAXED);
    return false;
}

static inline bool receive_slot(msg_queue *q, struct msg_lane *l, msg_message *m) {
    struct lane_found f = {0};
    uint64_t head = 0;
    bool is_one = q->single ? lane_take_single(&l->lane, &f, &head) : lane_take(&l->lane, &f, &head);
    return is_one && receive_taken(q, l, &f, head, m);
}

/* Express messages that follow each other in one round of one ring, from *head on: how many, at most so many. What is told apart from
 * them (the end of a ring, batches, data, a move) is left to whoever looks at each message. */
static inline size_t find_words(const msg_queue *q, const struct msg_lane *l, uint64_t *head, msg_message *m,
                                size_t most) {
    uint64_t place = lane_place_of(*head), spot = lane_spot_of(*head);
    const struct lane_ring *ring = lane_ring_of(l->lane.ring, spot);
    const struct msg_slot *slot = lane_slot(ring, place);
    uint64_t round = lane_stamp(place, ring->shift), left = ring->slots - (place & (ring->slots - 1));
    const uint64_t free_bits = 0xffffull << MSG_HIGH_SHIFT | (MSG_TAGS - 1);
    size_t n = 0;
    if (*head & MSG_MOST_WORDS) return 0; /* within a batch */
    for (; n < most && n < left; n++) {
        struct lane_found f = {.stamp = __atomic_load_n(&slot[n].stamp, __ATOMIC_ACQUIRE)};
        if ((f.stamp ^ round) & ~free_bits) break;
        f.word = __atomic_load_n(&slot[n].word, __ATOMIC_RELAXED);
        give_word(q, l, &f, *head + (n << MSG_PLACE_SHIFT), &m[n]);
    }
    *head += n << MSG_PLACE_SHIFT;
    return n;
}

/* The words of a batch that `f` has found at *head; 0: it is none. */
static inline size_t find_batch(const msg_queue *q, const struct msg_lane *l, uint64_t *head,
                                const struct lane_found *f, msg_message *m, size_t most) {
    const uint64_t *words;
    if (msg_kind_of(f->stamp) != MSG_SLOT_MANY) return 0;
    uint64_t left = lane_find_words(&l->lane, *head, f, &words), n = left < most ? left : most;
    struct lane_found one = {.stamp = f->stamp ^ (uint64_t)LANE_OTHER_KIND << MSG_KIND_SHIFT};
    for (uint64_t i = 0; i < n; i++) {
        one.word = __atomic_load_n(&words[i], __ATOMIC_RELAXED);
        give_word(q, l, &one, *head, &m[i]);
    }
    *head = n == left ? f->next : *head + n;
    return n;
}

bool msg_lane_receive(msg_queue *q, unsigned lane, msg_message *m) {
    struct msg_lane *l = lane_of(q, lane);
    if (!l) return false;
    return q->basic ? msg_basic_receive(q, l, m) : receive_slot(q, l, m);
}

/* Up to `most` messages of a lane, taken together. What makes no sense is left for receive_slot. */
static size_t receive_slots(msg_queue *q, struct msg_lane *l, msg_message *m, size_t most) {
    for (;;) {
        uint64_t first = __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE), head = first;
        struct lane_found f;
        size_t n = 0;
        for (size_t more; n < most; n += more) {
            if ((more = find_words(q, l, &head, m + n, most - n))) continue;
            if (!lane_find_slot(&l->lane, head, &f)) break;
            if ((more = find_batch(q, l, &head, &f, m + n, most - n))) continue;
            if (!hand_over(q, l, &f, head, &m[n])) break;
            head = f.next;
            more = 1;
        }
        if (!n) return receive_slot(q, l, m);
        if (!lane_take_to(&l->lane, first, head, q->single)) continue;
        took(q, l, first, head);
        size_t lent = 0;
        for (size_t i = 0; i < n; i++) lent += m[i].kind != MSG_EXPRESS;
        if (lent) count(q, &l->lent, lent);
        return n;
    }
}

bool msg_lane_has(const msg_queue *q, unsigned lane) {
    struct msg_lane *l = lane_of(q, lane);
    struct lane_found f;
    if (!l) return false;
    if (q->basic) return msg_basic_waiting(l) != 0;
    for (uint64_t h = __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE);;) {
        if (lane_find(&l->lane, h, &f)) return true;
        uint64_t now = __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE);
        if (now == h) return false;
        h = now;
    }
}

/* A receiver that looks again at once, behind a sender that is filling a line of slots, takes the line away from it, and
 * gives it back for the next message: two transfers for each message, where a line has four. So a queue that is found empty
 * behind a stream is left alone for about the time of two transfers, and its senders fill more meanwhile. A stream is at least
 * two messages since it was last found empty: who waits for the answer to each message never pauses. The count is a hint,
 * and the pause no step of the protocol. */
enum { RESTS = 4 };
static __attribute__((noinline)) void rest_behind(uint64_t messages) {
    for (int i = 0; messages > 1 && i < RESTS; i++) msg_pause();
}
static inline void rest_behind_lane(msg_queue *q, uint64_t head) {
    uint64_t place = lane_place_of(head), before = __atomic_load_n(&q->emptied, __ATOMIC_RELAXED);
    if (__builtin_expect(place == before, 1)) return;
    __atomic_store_n(&q->emptied, place, __ATOMIC_RELAXED);
    rest_behind(place - before);
}
void msg_queue_rest(msg_queue *q) {
    struct msg_lane *only = __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE) == 1 ? lane_of(q, 0) : NULL;
    if (q->basic) return;
    if (only) return rest_behind_lane(q, __atomic_load_n(&only->lane.in->head, __ATOMIC_RELAXED));
    uint32_t in_turn = __atomic_load_n(&q->in_turn, __ATOMIC_RELAXED);
    if (!in_turn) return;
    __atomic_store_n(&q->in_turn, 0, __ATOMIC_RELAXED);
    rest_behind(in_turn);
}

static inline bool give_empty(const msg_queue *q, msg_message *m) {
    *m = (msg_message){.word = q->empty_word, .tag = q->empty_tag, .kind = MSG_EMPTY, .queue = q->number};
    return false;
}

/* What follows is the same for one message and for several. */
static inline size_t of_lane(msg_queue *q, unsigned lane, msg_message *m, size_t most) {
    if (most == 1) return msg_lane_receive(q, lane, m);
    struct msg_lane *l = lane_of(q, lane);
    return l ? receive_slots(q, l, m, most) : 0;
}

/* The next call begins with this lane, or behind it when so many in turn have come from there: lines of slots are
 * taken one after the other, and no sender is served for long while others wait. */
enum { TURN = 64 };
static inline void count_turn(msg_queue *q, unsigned lane, unsigned turn, size_t n) {
    uint32_t in_turn = (lane == turn ? __atomic_load_n(&q->in_turn, __ATOMIC_RELAXED) : 0) + (uint32_t)n;
    bool over = in_turn >= TURN;
    __atomic_store_n(&q->in_turn, over ? 0 : in_turn, __ATOMIC_RELAXED);
    if (over || lane != turn) __atomic_store_n(&q->turn, lane + over, __ATOMIC_RELAXED);
}

/* Messages of one of the lanes whose bits are set, from lane `turn` on. */
static size_t of_lanes(msg_queue *q, unsigned lanes, msg_message *m, size_t most) {
    const uint64_t *from = q->endpoint->bell->from[q->number];
    unsigned turn = __atomic_load_n(&q->turn, __ATOMIC_RELAXED), words = (lanes + 63) / 64;
    if (turn >= lanes) turn = 0;
    for (unsigned i = 0; i <= words; i++) {
        unsigned w = (turn / 64 + i) % words;
        uint64_t bits = __atomic_load_n(&from[w], __ATOMIC_ACQUIRE), before = (1ull << turn % 64) - 1;
        if (i == 0) bits &= ~before;
        if (i == words) bits &= before;
        for (; bits; bits &= bits - 1) {
            unsigned lane = 64 * w + (unsigned)__builtin_ctzll(bits);
            size_t n = lane < lanes ? of_lane(q, lane, m, most) : 0;
            if (!n) continue;
            count_turn(q, lane, turn, n);
            return n;
        }
    }
    return 0;
}

static inline size_t of_queue(msg_queue *q, msg_message *m, size_t most) {
    unsigned lanes = __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE);
    if (__builtin_expect(lanes > 1, 0)) return of_lanes(q, lanes, m, most);
    return lanes ? of_lane(q, 0, m, most) : 0;
}

bool msg_queue_take(msg_queue *q, msg_message *m) { return of_queue(q, m, 1); }

/* With several lanes, what is seen are bits: see poll.c for who might have cleared them. */
static bool is_guarded(msg_queue *q) { return __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE) > 1 && msg_queue_guard(q); }

static __attribute__((noinline)) bool receive_other(msg_queue *q, msg_message *m) {
    bool locks = q->basic && !q->single;
    if (locks && msg_lock_is_mine(&q->lock))
        return give_empty(q, m); /* this thread has not released: it would wait for itself */
    if (locks) msg_lock_take_for_long(&q->lock);
    if (of_queue(q, m, 1) || (is_guarded(q) && of_queue(q, m, 1))) return true;
    if (q->endpoint->far && msg_far_poll(q->endpoint->far) && of_queue(q, m, 1)) return true;
    if (locks) msg_lock_give_after_long(&q->lock);
    msg_queue_rest(q);
    return give_empty(q, m);
}

static __attribute__((noinline)) bool receive_any(msg_queue *q, msg_message *m) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    return receive_other(q, m);
}

static __attribute__((noinline)) bool turned_and_leave(msg_queue *q, struct msg_lane *l, uint64_t from, uint64_t to,
                                                       struct msg_call call) {
    turned(q, l, from, to);
    msg_leave(&call);
    return true;
}

/* A message that has data or is a batch: `f`, found at `head`. */
static __attribute__((noinline)) bool receive_slot_and_leave(msg_queue *q, struct msg_lane *l, msg_message *m,
                                                             struct lane_found f, uint64_t head, struct msg_call call) {
    lane_want_data(&l->lane, head, &f);
    bool is_one = msg_kind_of(f.stamp) != MSG_SLOT_MANY && lane_take_to(&l->lane, head, f.next, q->single)
                      ? receive_taken(q, l, &f, head, m)
                      : receive_slot(q, l, m);
    msg_leave(&call);
    return is_one || receive_any(q, m);
}

/* The commonest case: an Express message, or none, of the only sender; or one of the sender whose turn it is. All else
 * is for receive_any, which begins anew. (Why nothing lives across a call: msg_express.) */
bool msg_receive(msg_queue *q, msg_message *m) {
    if (__builtin_expect(!msg_caller || q->basic, 0)) return receive_any(q, m);
    struct msg_call call = msg_enter();
    bool is_only = __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE) == 1;
    uint32_t turn = is_only ? 0 : __atomic_load_n(&q->turn, __ATOMIC_RELAXED);
    uint32_t in_turn = is_only ? 0 : __atomic_load_n(&q->in_turn, __ATOMIC_RELAXED) + 1;
    struct msg_lane *l = turn < MSG_LANES && in_turn < TURN ? lane_of(q, turn) : NULL;
    if (__builtin_expect(l != NULL, 1)) {
        uint64_t head = __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE);
        struct lane_found f;
        if (!lane_find_slot(&l->lane, head, &f)) {
            bool is_empty = q->single || __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE) == head;
            if (is_only && is_empty && !q->endpoint->far) {
                msg_leave(&call);
                rest_behind_lane(q, head);
                return give_empty(q, m);
            }
        } else if (__builtin_expect(msg_kind_of(f.stamp) != MSG_SLOT_EXPRESS, 0)) {
            if (!is_only) __atomic_store_n(&q->in_turn, in_turn, __ATOMIC_RELAXED);
            return receive_slot_and_leave(q, l, m, f, head, call);
        } else if (__builtin_expect(lane_take_to(&l->lane, head, f.next, q->single), 1)) {
            if (!is_only) __atomic_store_n(&q->in_turn, in_turn, __ATOMIC_RELAXED);
            give_word(q, l, &f, head, m);
            if (__builtin_expect(lane_has_turned(&l->lane, head, f.next), 0))
                return turned_and_leave(q, l, head, f.next, call);
            msg_leave(&call);
            return true;
        }
    }
    msg_leave(&call);
    return receive_any(q, m);
}

size_t msg_receive_many(msg_queue *q, msg_message *m, size_t most) {
    if (!most) return 0;
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    size_t n;
    if (q->basic) {
        n = receive_other(q, m);
        struct msg_lane *l = n && q->single ? __atomic_load_n(&q->lane[m->lane], __ATOMIC_ACQUIRE) : NULL;
        return l && l->serial == m->serial ? n + msg_basic_receive_more(q, l, m + n, most - n) : n;
    }
    if ((n = of_queue(q, m, most)) || (is_guarded(q) && (n = of_queue(q, m, most)))) return n;
    if (q->endpoint->far && msg_far_poll(q->endpoint->far) && (n = of_queue(q, m, most))) return n;
    msg_queue_rest(q);
    return give_empty(q, m);
}

void msg_release(msg_queue *q, const msg_message *m) {
    if (m->kind != MSG_DATA && m->kind != MSG_BULK && m->kind != MSG_RECORD) return;
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_lane *l = __atomic_load_n(&q->lane[m->lane], __ATOMIC_ACQUIRE);
    if (__builtin_expect(!l || l->serial != m->serial, 0)) {
        /* It has ended, and its sender has gone on writing behind its end. */
        msg_retired_release(q, m);
    } else if (m->kind == MSG_RECORD) {
        if (msg_basic_release(q, l)) {
            msg_fence();
            tell_of_room(l);
        }
    } else {
        lane_release(&l->lane, m->place);
        count(q, &l->returned, 1);
        /* Without a fence, so that a sender who begins to sleep just now may be missed: it naps for a millisecond only. */
        if (__builtin_expect(l->far != NULL, 0))
            msg_far_released(l, m->place);
        else
            tell_of_room(l);
    }
    if (m->kind == MSG_RECORD && !q->single) msg_lock_give_after_long(&q->lock);
}

bool msg_lane_state(const msg_queue *q, unsigned lane, uint32_t *source, uint64_t *waiting, uint64_t *room) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    const struct msg_lane *l = lane < MSG_LANES ? __atomic_load_n(&q->lane[lane], __ATOMIC_ACQUIRE) : NULL;
    if (!l) return false;
    *source = l->source;
    *room = q->slots;
    if (q->basic) {
        *waiting = msg_basic_waiting(l);
        return true;
    }
    *waiting = lane_waiting(l->lane.ring, l->lane.rings, __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE));
    return true;
}
