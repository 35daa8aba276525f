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
static inline void count(const msg_queue *q, uint64_t *counter) {
    if (q->single)
        __atomic_store_n(counter, *counter + 1, __ATOMIC_RELEASE);
    else
        __atomic_fetch_add(counter, 1, __ATOMIC_RELEASE);
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
    const char *begin = kind == MSG_SLOT_TAG_ON ? l->region : l->cells;
    uint64_t all = kind == MSG_SLOT_TAG_ON ? l->region_bytes : (uint64_t)MSG_CELLS * MSG_MOST_COPY;
    if (!begin || kind > MSG_SLOT_COPIED || kind < MSG_SLOT_DATA || at > all || bytes > all - at) return false;
    m->kind = MSG_DATA;
    m->word = (word & 0xffff) | (stamp >> MSG_HIGH_SHIFT & 0xffff) << 16;
    m->data = begin + at;
    m->bytes = bytes;
    return true;
}

bool msg_lane_receive(msg_queue *q, unsigned lane, msg_message *m) {
    struct msg_lane *l = __atomic_load_n(&q->lane[lane], __ATOMIC_ACQUIRE);
    uint64_t word, stamp;
    if (__builtin_expect(!l || __atomic_load_n(&l->broken, __ATOMIC_RELAXED), 0)) return false;
    if (q->basic) return msg_basic_receive(q, l, m);
    if (q->single) {
        if (!lane_take_single(&l->lane, &word, &stamp, &m->place)) return false;
    } else if (!lane_take(&l->lane, &word, &stamp, &m->place)) {
        return false;
    }
    if (__builtin_expect(lane_is_quarter(&l->lane, m->place), 0)) {
        msg_fence();
        tell_of_room(l);
    }
    m->source = l->source;
    m->queue = q->number;
    m->lane = (uint16_t)lane;
    m->tag = (uint8_t)msg_tag_of(stamp);
    unsigned kind = msg_kind_of(stamp);
    if (__builtin_expect(kind == MSG_SLOT_EXPRESS, 1)) {
        m->kind = MSG_EXPRESS;
        m->word = word;
        m->data = NULL;
        m->bytes = stamp >> MSG_HIGH_SHIFT & 0xffff;
        return true;
    }
    if (refer(l, m, word, stamp, kind)) {
        count(q, &l->lent);
        return true;
    }
    __atomic_store_n(&l->broken, true, __ATOMIC_RELAXED);
    return false;
}

bool msg_lane_has(const msg_queue *q, unsigned lane) {
    struct msg_lane *l = __atomic_load_n(&q->lane[lane], __ATOMIC_ACQUIRE);
    uint64_t word, stamp;
    if (!l || __atomic_load_n(&l->broken, __ATOMIC_RELAXED)) return false;
    if (q->basic) return msg_basic_waiting(l) != 0;
    for (uint64_t h = __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE);;) {
        if (lane_find(&l->lane, h, &word, &stamp)) return true;
        uint64_t now = __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE);
        if (now == h) return false;
        h = now;
    }
}

static bool give_empty(const msg_queue *q, msg_message *m) {
    *m = (msg_message){.word = q->empty_word, .tag = q->empty_tag, .kind = MSG_EMPTY, .queue = q->number};
    return false;
}

/* A message of the lanes whose bits are set, from lane `turn` on, so that no sender is served twice while others wait. */
bool msg_queue_take(msg_queue *q, msg_message *m) {
    unsigned lanes = __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE);
    if (lanes <= 1) return lanes && msg_lane_receive(q, 0, m);
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
            if (lane >= lanes || !msg_lane_receive(q, lane, m)) continue;
            __atomic_store_n(&q->turn, lane + 1, __ATOMIC_RELAXED);
            return true;
        }
    }
    return false;
}

bool msg_receive(msg_queue *q, msg_message *m) {
    if (q->basic && !q->single) msg_lock_take(&q->lock);
    if (__builtin_expect(msg_queue_take(q, m), 1)) return true;
    /* With several lanes, what is seen are bits: see poll.c for who might have cleared them. */
    bool found = __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE) > 1 && msg_queue_guard(q) && msg_queue_take(q, m);
    if (found) return true;
    if (q->endpoint->far && msg_far_poll(q->endpoint->far) && msg_queue_take(q, m)) return true;
    if (q->basic && !q->single) msg_lock_give(&q->lock);
    return give_empty(q, m);
}

void msg_release(msg_queue *q, const msg_message *m) {
    if (m->kind != MSG_DATA && m->kind != MSG_BULK && m->kind != MSG_RECORD) return;
    struct msg_lane *l = __atomic_load_n(&q->lane[m->lane], __ATOMIC_ACQUIRE);
    if (!l) return;
    if (m->kind != MSG_RECORD) {
        lane_release(&l->lane, m->place);
        if (__builtin_expect(l->far != NULL, 0)) msg_far_released(l, m->place);
        count(q, &l->returned);
        return;
    }
    if (msg_basic_release(q, l)) {
        msg_fence();
        tell_of_room(l);
    }
    if (!q->single) msg_lock_give(&q->lock);
}

bool msg_receive_next(msg_queue *q, msg_message *m) {
    msg_message next;
    if (!q->basic || m->kind != MSG_RECORD || !msg_basic_receive(q, q->lane[m->lane], &next)) return false;
    *m = next;
    return true;
}

bool msg_lane_state(const msg_queue *q, unsigned lane, uint32_t *source, uint64_t *waiting, uint64_t *room) {
    const struct msg_lane *l = lane < MSG_LANES ? __atomic_load_n(&q->lane[lane], __ATOMIC_ACQUIRE) : NULL;
    if (!l) return false;
    *source = l->source;
    *room = q->slots;
    if (q->basic) {
        *waiting = msg_basic_waiting(l);
        return true;
    }
    uint64_t h = __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE), word, stamp, n = 0;
    while (n < q->slots && lane_find(&l->lane, h + n, &word, &stamp)) n++;
    *waiting = n;
    return true;
}
