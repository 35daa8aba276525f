/* Basic: records in a ring of bytes, with a producer's and a consumer's index that are written once for any number of
 * records. Right for one thread on each side; a shared row is locked from the first reserve to publish, a shared queue
 * from receive to release. tests/protocols/msg_basic.pml is the model, also of what happens without the lock.
 *
 * A record is a header of 8 bytes, and data rounded up to 8. Indexes count bytes in 64 bits and never wrap. A record
 * lies in one piece: if it would cross the end of the ring, a filler goes before it.
 *
 * A *run* is many records of the same size and tag with one header, which says how many follow without: so a record of
 * 8 bytes takes 8 bytes of the ring. It lies in one piece, too. The consumer's index may be within one: then `run`,
 * beside it, says what is left.
 */
#include <string.h>

#include "msg/internal.h"

enum { HEADER = 8 };
#define ONE_MORE (1ull << MSG_RECORD_MORE)

/* So far ahead of what is written or read lines are asked for. */
enum { AHEAD = 16 * MSG_LINE };

static inline uint64_t whole(uint64_t bytes) { return (bytes + 7) & ~(uint64_t)7; }

/* Of a caller that is inside. */
static struct msg_row *basic_row(msg_transmit *t, unsigned destination) {
    struct msg_row *r = msg_row_of(t, destination);
    return r && r->basic ? r : NULL;
}

/* The row in which this thread has reserved a record; it may have ended meanwhile, and another be in its place. */
static struct msg_row *reserved_row(msg_transmit *t, unsigned destination) {
    struct msg_row *r = basic_row(t, destination);
    if (r && (r->single || msg_lock_is_mine(&r->lock))) return r;
    return msg_row_reserved_once(t, destination);
}

static inline char *at_of(const struct msg_row *r, uint64_t index) {
    return (char *)r->lane.ring[0].slot + (index & (r->lane.ring[0].slots - 1));
}

/* Is there room for so many bytes behind what this side has written? */
static bool has_room(struct msg_row *r, uint64_t bytes) {
    if (r->written + bytes - r->seen <= r->lane.ring[0].slots) return true;
    r->seen = __atomic_load_n(&r->lane.in->head, __ATOMIC_ACQUIRE);
    return r->written + bytes - r->seen <= r->lane.ring[0].slots;
}

static void publish(struct msg_row *r) {
    if (r->sent == r->written) return;
    r->sent = r->written;
    __atomic_store_n(&r->out->producer, r->written, __ATOMIC_RELEASE);
    msg_fence();
    msg_row_tell(r);
}

/* The row may be written by this thread without taking its lock. */
static inline bool is_held(const struct msg_row *r) {
    return r && r->basic && (r->single || msg_lock_is_mine(&r->lock));
}

static __attribute__((noinline)) void *reserve(msg_transmit *t, unsigned destination, uint32_t bytes, uint32_t count) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = basic_row(t, destination);
    if (!r || HEADER + count * whole(bytes) > r->lane.ring[0].slots / 2) return NULL;
    bool begins = !r->single && !msg_lock_is_mine(&r->lock);
    if (begins) msg_lock_take_for_long(&r->lock);
    uint64_t record = HEADER + count * whole(bytes),
             end = r->lane.ring[0].slots - (r->written & (r->lane.ring[0].slots - 1));
    uint64_t filler = record > end ? end : 0;
    if (!has_room(r, filler + record)) {
        if (begins) msg_lock_give_after_long(&r->lock);
        if (r->far) msg_far_poll_row(r);
        return NULL;
    }
    if (filler) {
        __atomic_store_n((uint64_t *)at_of(r, r->written), 1ull << MSG_RECORD_FILLER | (filler - HEADER),
                         __ATOMIC_RELAXED);
        r->written += filler;
    }
    r->reserved = bytes;
    r->run = count;
    return at_of(r, r->written) + HEADER;
}

/* The commonest case of `reserve`, which does what is left: the row is held, and it is known that there is room before the ring's end.
 * (Why it is a function of its own: msg_express.) */
void *msg_basic_reserve(msg_transmit *t, unsigned destination, uint32_t bytes) {
    if (__builtin_expect(!msg_caller, 0)) return reserve(t, destination, bytes, 1);
    struct msg_call call = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    if (__builtin_expect(is_held(r), 1)) {
        uint64_t size = r->lane.ring[0].slots, at = r->written & (size - 1), record = HEADER + whole(bytes);
        uint64_t behind = r->written + record;
        if (__builtin_expect(at + record <= size && behind - r->seen <= size && record <= size / 2, 1)) {
            char *begin = (char *)r->lane.ring[0].slot;
            /* For each line that is left, one further ahead, if that has been read: as in a lane (lane.h). */
            uint64_t ahead = size / 4 < AHEAD ? size / 4 : AHEAD;
            if ((at ^ (at + record)) & ~(uint64_t)(MSG_LINE - 1) && behind + ahead - r->seen <= size)
                msg_want_line(begin + ((behind + ahead) & (size - 1)));
            r->reserved = bytes;
            r->run = 1;
            msg_leave(&call);
            return begin + at + HEADER;
        }
    }
    msg_leave(&call);
    return reserve(t, destination, bytes, 1);
}

static inline void add(struct msg_row *r, unsigned tag, uint32_t bytes) {
    if (bytes > r->reserved) return;
    uint64_t header = (uint64_t)(tag % MSG_TAGS) << MSG_RECORD_TAG | bytes;
    __atomic_store_n((uint64_t *)at_of(r, r->written), header, __ATOMIC_RELAXED);
    r->written += HEADER + whole(bytes);
    __atomic_store_n(&r->reserved, 0, __ATOMIC_RELEASE);
}

static __attribute__((noinline)) void add_to_reserved(msg_transmit *t, unsigned destination, unsigned tag,
                                                      uint32_t bytes) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = reserved_row(t, destination);
    if (r) add(r, tag, bytes);
}

void msg_basic_add(msg_transmit *t, unsigned destination, unsigned tag, uint32_t bytes) {
    if (__builtin_expect(!msg_caller, 0)) return add_to_reserved(t, destination, tag, bytes);
    struct msg_call call = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    bool is_mine = is_held(r);
    if (__builtin_expect(is_mine, 1)) add(r, tag, bytes);
    msg_leave(&call);
    if (__builtin_expect(!is_mine, 0)) add_to_reserved(t, destination, tag, bytes);
}

void *msg_basic_reserve_many(msg_transmit *t, unsigned destination, uint32_t bytes, uint32_t count) {
    if (!bytes || !count || count > MSG_MOST_RUN) return NULL;
    char *to = reserve(t, destination, bytes, count);
    /* Lines that the receiver has had come while the first are filled. */
    for (uint64_t at = 0; to && at < count * whole(bytes) && at < AHEAD; at += MSG_LINE) msg_want_line(to + at);
    return to;
}

void msg_basic_add_many(msg_transmit *t, unsigned destination, unsigned tag, uint32_t count) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = reserved_row(t, destination);
    if (!r || !r->reserved || !count || count > r->run) return;
    uint64_t header = (uint64_t)(tag % MSG_TAGS) << MSG_RECORD_TAG | r->reserved | (count - 1) * ONE_MORE;
    __atomic_store_n((uint64_t *)at_of(r, r->written), header, __ATOMIC_RELAXED);
    r->written += HEADER + count * whole(r->reserved);
    __atomic_store_n(&r->reserved, 0, __ATOMIC_RELEASE);
}

void msg_basic_publish(msg_transmit *t, unsigned destination) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = reserved_row(t, destination);
    if (!r) return;
    publish(r);
    if (!r->single) msg_lock_give_after_long(&r->lock);
}

int msg_basic_send(msg_transmit *t, unsigned destination, unsigned tag, const void *data, uint32_t bytes) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    if (!r) return MSG_NO_ROW;
    if (!r->basic || tag >= MSG_TAGS) return MSG_WRONG;
    if (HEADER + whole(bytes) > r->lane.ring[0].slots / 2) return MSG_TOO_LONG;
    void *to = msg_basic_reserve(t, destination, bytes);
    if (!to) return MSG_FULL;
    memcpy(to, data, bytes);
    msg_basic_add(t, destination, tag, bytes);
    msg_basic_publish(t, destination);
    return MSG_OK;
}

/* ---- receiving ---------------------------------------------------------------------------------------------------- */

/* The index of the next record. After a fork another process may have read on, and said so in `head`. */
static inline uint64_t read_of(const struct msg_lane *l) {
    uint64_t read = __atomic_load_n(&l->read, __ATOMIC_RELAXED);
    uint64_t head = __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE);
    return (int64_t)(head - read) > 0 ? head : read;
}

/* What is left of a run there; 0: a header is there. */
static inline uint64_t run_of(const struct msg_lane *l, uint64_t at) {
    return __builtin_expect(at == l->read, 1) ? l->run : __atomic_load_n(&l->lane.in->run, __ATOMIC_RELAXED);
}

/* What is left behind the record with this header, or behind so many of this run. */
static inline uint64_t behind_header(uint64_t header) { return header >> MSG_RECORD_MORE ? header : 0; }
static inline uint64_t behind(uint64_t run, uint64_t records) { return behind_header(run - records * ONE_MORE); }

uint64_t msg_basic_waiting(const struct msg_lane *l) {
    uint64_t producer = __atomic_load_n(&l->lane.out->producer, __ATOMIC_ACQUIRE);
    return producer - read_of(l);
}

/* Where the next record is depends on the length of this one, so their lines would come one after the other. */
static void fetch_ahead(const struct msg_lane *l, uint64_t from, uint64_t to, uint64_t size) {
    for (; (int64_t)(to - from) > 0; from += MSG_LINE)
        __builtin_prefetch((const char *)l->lane.ring[0].slot + (from & (size - 1)));
}

/* How much is there at least from `at` on; the producer's line, which it may be about to write, is looked at only if nothing is. */
static uint64_t there_is(struct msg_lane *l, uint64_t at, uint64_t size) {
    uint64_t waiting = __atomic_load_n(&l->known, __ATOMIC_RELAXED) - at;
    if (__builtin_expect((int64_t)waiting > 0, 1)) return waiting;
    uint64_t producer = __atomic_load_n(&l->lane.out->producer, __ATOMIC_ACQUIRE);
    __atomic_store_n(&l->known, producer, __ATOMIC_RELAXED);
    waiting = producer - at;
    if (waiting > MSG_LINE && waiting <= size)
        fetch_ahead(l, at + MSG_LINE, waiting < AHEAD ? producer : at + AHEAD, size);
    return waiting;
}

/* The next record, behind those that have been read and not released. What the sender wrote is read once and checked. */
bool msg_basic_receive(msg_queue *q, struct msg_lane *l, msg_message *m) {
    for (;;) {
        uint64_t at = read_of(l), size = q->slots, waiting = there_is(l, at, size);
        if (!waiting) return false;
        const char *record = (const char *)l->lane.ring[0].slot + (at & (size - 1));
        uint64_t run = run_of(l, at), header = run ? run : __atomic_load_n((const uint64_t *)record, __ATOMIC_RELAXED);
        uint64_t bytes = header & UINT32_MAX, gap = run ? 0 : HEADER, all = gap + whole(bytes);
        uint64_t end = size - (at & (size - 1));
        bool is_filler = header >> MSG_RECORD_FILLER & 1, has_more = header >> MSG_RECORD_MORE;
        if (waiting > size || waiting % 8 || all > waiting || all > end || (has_more && (is_filler || !bytes))) {
            __atomic_store_n(&l->broken, true, __ATOMIC_RELAXED);
            return false;
        }
        l->run = run ? behind(run, 1) : behind_header(header);
        __atomic_store_n(&l->read, at + all, __ATOMIC_RELAXED);
        /* One line further ahead for each that has been read. */
        if ((at ^ (at + all)) & ~(uint64_t)(MSG_LINE - 1) && all <= AHEAD && waiting > AHEAD + all)
            fetch_ahead(l, at + AHEAD, at + AHEAD + all, size);
        if (is_filler) continue;
        *m = (msg_message){.kind = MSG_RECORD,
                           .data = record + gap,
                           .bytes = bytes,
                           .source = l->source,
                           .queue = q->number,
                           .lane = l->number,
                           .serial = l->serial,
                           .tag = header >> MSG_RECORD_TAG & (MSG_TAGS - 1),
                           .place = at};
        return true;
    }
}

/* How many records of the run are there, at most so many. */
static inline uint64_t records_there(const struct msg_lane *l, uint64_t size, uint64_t most) {
    uint64_t all = whole(l->run & UINT32_MAX), left = l->run >> MSG_RECORD_MORE, end = size - (l->read & (size - 1));
    uint64_t waiting = __atomic_load_n(&l->known, __ATOMIC_RELAXED) - l->read;
    uint64_t records = l->run ? (waiting < end ? waiting : end) / all : 0;
    if (records > left) records = left;
    return records < most ? records : most;
}

/* Behind a record that has just been received: up to `most` more. Those of a run are checked together. */
size_t msg_basic_receive_more(msg_queue *q, struct msg_lane *l, msg_message *m, size_t most) {
    uint64_t size = q->slots;
    size_t n = 0;
    while (n < most) {
        uint64_t records = records_there(l, size, most - n), at = l->read, all = whole(l->run & UINT32_MAX);
        if (!records) {
            if (!msg_basic_receive(q, l, &m[n])) break;
            n++;
            continue;
        }
        fetch_ahead(l, at + MSG_LINE, at + (records * all < AHEAD ? records * all : AHEAD), size);
        msg_message one = {.kind = MSG_RECORD,
                           .data = (const char *)l->lane.ring[0].slot + (at & (size - 1)),
                           .bytes = l->run & UINT32_MAX,
                           .source = l->source,
                           .queue = q->number,
                           .lane = l->number,
                           .serial = l->serial,
                           .tag = l->run >> MSG_RECORD_TAG & (MSG_TAGS - 1),
                           .place = at};
        for (uint64_t i = 0; i < records; i++, one.data = (const char *)one.data + all, one.place += all) m[n++] = one;
        l->run = behind(l->run, records);
        __atomic_store_n(&l->read, at + records * all, __ATOMIC_RELAXED);
    }
    return n;
}

static __attribute__((noinline)) bool receive_next(msg_queue *q, msg_message *m) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    msg_message next;
    struct msg_lane *l = __atomic_load_n(&q->lane[m->lane], __ATOMIC_ACQUIRE);
    if (!l || l->serial != m->serial || !msg_basic_receive(q, l, &next)) return false;
    *m = next;
    return true;
}

/* The commonest case of receive_next, which does what is left: a record that is known to be there. (Only what differs from the
 * record before is written.) */
bool msg_receive_next(msg_queue *q, msg_message *m) {
    if (__builtin_expect(!q->basic || m->kind != MSG_RECORD || m->lane >= MSG_LANES, 0)) return false;
    if (__builtin_expect(!msg_caller, 0)) return receive_next(q, m);
    struct msg_call call = msg_enter();
    struct msg_lane *l = __atomic_load_n(&q->lane[m->lane], __ATOMIC_ACQUIRE);
    if (__builtin_expect(l && l->serial == m->serial, 1)) {
        uint64_t at = read_of(l), size = q->slots, waiting = __atomic_load_n(&l->known, __ATOMIC_RELAXED) - at;
        const char *begin = (const char *)l->lane.ring[0].slot, *record = begin + (at & (size - 1));
        if (__builtin_expect((int64_t)waiting > 0 && waiting <= size && waiting % 8 == 0 && at == l->read, 1)) {
            uint64_t run = l->run, gap = run ? 0 : HEADER;
            uint64_t header = run ? run : __atomic_load_n((const uint64_t *)record, __ATOMIC_RELAXED);
            uint64_t bytes = header & UINT32_MAX, all = gap + whole(bytes), end = size - (at & (size - 1));
            bool is_usual = all <= waiting && all <= end && all <= MSG_LINE && bytes;
            if (__builtin_expect(is_usual && !(header >> MSG_RECORD_FILLER & 1), 1)) {
                l->run = run ? behind(run, 1) : behind_header(header);
                __atomic_store_n(&l->read, at + all, __ATOMIC_RELAXED);
                if ((at ^ (at + all)) & ~(uint64_t)(MSG_LINE - 1) && waiting > AHEAD + all)
                    __builtin_prefetch(begin + ((at + AHEAD) & (size - 1)));
                m->data = record + gap;
                m->bytes = bytes;
                m->tag = header >> MSG_RECORD_TAG & (MSG_TAGS - 1);
                m->place = at;
                msg_leave(&call);
                return true;
            }
        }
    }
    msg_leave(&call);
    return receive_next(q, m);
}

/* All that was read is out of use. True: who waits for room may have some now. */
bool msg_basic_release(msg_queue *q, struct msg_lane *l) {
    uint64_t before = __atomic_load_n(&l->lane.in->head, __ATOMIC_RELAXED);
    __atomic_store_n(&l->lane.in->run, l->run, __ATOMIC_RELAXED);
    __atomic_store_n(&l->lane.in->head, l->read, __ATOMIC_RELEASE);
    return (before ^ l->read) & ~(uint64_t)(q->slots / 4 - 1);
}
