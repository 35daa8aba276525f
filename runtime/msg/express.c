/* Sending words and data in place: Express, Tag-On, and msg_send, which chooses. All are slots of a lane (lane.h), so that
 * what one thread sends to a row by any of them stays in order.
 */
#include <string.h>

#include "msg/internal.h"

_Static_assert((int)MSG_MOST_COPY <= (int)MSG_CELL_BYTES, "a copy fits into a cell");

/* Behind the publication: the fence that the bell needs, and the bell. */
static inline void tell(struct msg_row *r) {
    if (r->single)
        msg_fence();
    else
        msg_fence_behind_swap();
    msg_row_tell(r);
}

/* The answer if there is no room: a far row's may have come back, and not been looked at. */
static __attribute__((noinline, cold)) int full(struct msg_row *r) {
    if (r->far) msg_far_poll_row(r);
    return MSG_FULL;
}

static __attribute__((noinline)) bool put(struct msg_row *r, uint64_t word, uint64_t stamp, uint64_t *place) {
    return r->single ? lane_put_single(&r->lane, word, stamp, place) : lane_put(&r->lane, word, stamp, place);
}

bool msg_row_send(struct msg_row *r, uint64_t word, uint64_t stamp, uint64_t *place) {
    if (!put(r, word, stamp, place)) return false;
    tell(r);
    return true;
}

bool msg_row_put(struct msg_row *r, uint64_t word, uint64_t stamp, uint64_t *place) {
    if (!lane_put(&r->lane, word, stamp, place)) return false;
    tell(r);
    return true;
}

static __attribute__((noinline)) int express(msg_transmit *t, unsigned destination, unsigned tag, uint64_t word) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    uint64_t place;
    if (!r) return MSG_NO_ROW;
    if (r->basic || tag >= MSG_TAGS) return MSG_WRONG;
    if (!put(r, word, tag, &place)) return full(r);
    tell(r);
    return MSG_OK;
}

static __attribute__((noinline)) int tell_and_leave(struct msg_row *r, struct msg_call call) {
    msg_row_tell_all(r);
    msg_leave(&call);
    return MSG_OK;
}

/* The commonest case of `express`, which does what is left. Nothing lives across a call here, so no register has to be saved: to be
 * written to memory, just before an atomic operation that waits for it. */
int msg_express(msg_transmit *t, unsigned destination, unsigned tag, uint64_t word) {
    if (__builtin_expect(!msg_caller, 0)) return express(t, destination, tag, word);
    struct msg_call call = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    uint64_t place;
    if (__builtin_expect(r && !r->basic && tag < MSG_TAGS, 1)) {
        bool is_sent;
        if (r->single) {
            is_sent = lane_put_single_first(&r->lane, word, tag, &place);
            msg_fence();
        } else {
            is_sent = lane_put_first(&r->lane, word, tag, &place);
            msg_fence_behind_swap();
        }
        if (__builtin_expect(is_sent, 1)) {
            if (__builtin_expect(!msg_row_is_told(r), 0)) return tell_and_leave(r, call);
            msg_leave(&call);
            return MSG_OK;
        }
    }
    msg_leave(&call);
    return express(t, destination, tag, word);
}

/* ---- data in place ------------------------------------------------------------------------------------------------ */

static uint64_t reference(uint64_t line, uint32_t bytes, uint32_t word) {
    return line << MSG_LINE_SHIFT | (uint64_t)bytes << MSG_BYTES_SHIFT | (word & 0xffff);
}

static uint64_t data_stamp(unsigned kind, unsigned tag, uint32_t word) {
    return (uint64_t)(word >> 16) << MSG_HIGH_SHIFT | kind << MSG_KIND_SHIFT | tag;
}

/* Where the data lie in the region, in lines; -1: not there, or at no line's beginning. */
static int64_t line_of(const msg_transmit *t, const void *data, uint32_t bytes) {
    if (!t->region) return -1;
    uintptr_t begin = (uintptr_t)t->region->memory.at, at = (uintptr_t)data;
    if (at < begin || at - begin > t->region->memory.bytes || bytes > t->region->memory.bytes - (at - begin)) return -1;
    return (at - begin) % MSG_LINE ? -1 : (int64_t)((at - begin) / MSG_LINE);
}

bool msg_is_in_region(const msg_transmit *t, const void *data, uint32_t bytes) { return line_of(t, data, bytes) >= 0; }

int msg_tag_on(msg_transmit *t, unsigned destination, unsigned tag, uint32_t word, const void *data, uint32_t bytes,
               uint64_t *ticket) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    if (!r) return MSG_NO_ROW;
    if (bytes > MSG_MOST_TAG_ON) return MSG_TOO_LONG;
    int64_t line = line_of(t, data, bytes);
    if (line < 0 || r->basic || tag >= MSG_TAGS || !r->has_region || !ticket) return MSG_WRONG;
    if (!put(r, reference((uint64_t)line, bytes, word), data_stamp(MSG_SLOT_TAG_ON, tag, word), ticket)) return full(r);
    tell(r);
    return MSG_OK;
}

static inline bool has_given_back(const msg_transmit *t) { return __atomic_load_n(&t->given_back, __ATOMIC_ACQUIRE); }

bool msg_is_released(msg_transmit *t, unsigned destination, uint64_t ticket) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    if (!r || r->basic || ticket == MSG_NO_TICKET || lane_is_done(&r->lane, ticket))
        return __builtin_expect(!has_given_back(t), 1) || msg_retired_is_released(t, destination, ticket);
    if (!r->far) return false;
    msg_far_poll_row(r);
    return lane_is_done(&r->lane, ticket);
}

/* ---- cells -------------------------------------------------------------------------------------------------------- */

/* Of a place that a cell is used by: it is a batch, and so the cell is free when that has been taken. One word has place
 * and kind, so that nobody who reclaims cells joins the one with another message's other. */
#define IS_BATCH (1ull << 63)

/* Cells whose messages have been released, or taken if they are batches, are free again. Several threads may try; the one
 * that takes the place away from a cell frees it. */
static void reclaim(struct msg_row *r) {
    for (unsigned i = 0; i < MSG_CELLS; i++) {
        uint64_t place = __atomic_load_n(&r->cell_place[i], __ATOMIC_ACQUIRE);
        if (place == MSG_NO_TICKET) continue;
        if (!(place & IS_BATCH ? lane_is_taken(&r->lane, place) : lane_is_done(&r->lane, place))) continue;
        if (__atomic_compare_exchange_n(&r->cell_place[i], &place, MSG_NO_TICKET, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            __atomic_fetch_or(&r->free_cells, 1u << i, __ATOMIC_RELEASE);
    }
}

/* A cell of this thread's; -1: all are in use. */
static int take_cell(struct msg_row *r) {
    uint32_t free = __atomic_load_n(&r->free_cells, __ATOMIC_ACQUIRE);
    if (!free) {
        reclaim(r);
        free = __atomic_load_n(&r->free_cells, __ATOMIC_ACQUIRE);
    }
    while (free) {
        int i = __builtin_ctz(free);
        if (__atomic_compare_exchange_n(&r->free_cells, &free, free & ~(1u << i), false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return i;
    }
    return -1;
}

static void give_cell(struct msg_row *r, int i) { __atomic_fetch_or(&r->free_cells, 1u << i, __ATOMIC_RELEASE); }

/* The cell is in use until the message at `place` is done. */
static void use_cell(struct msg_row *r, int i, uint64_t place) {
    __atomic_store_n(&r->cell_place[i], place, __ATOMIC_RELEASE);
}

/* Is a cell in use that will be free without a release? */
static bool has_batches(const struct msg_row *r) {
    for (unsigned i = 0; i < MSG_CELLS; i++) {
        uint64_t place = __atomic_load_n(&r->cell_place[i], __ATOMIC_RELAXED);
        if (place != MSG_NO_TICKET && place & IS_BATCH) return true;
    }
    return false;
}

/* ---- many words --------------------------------------------------------------------------------------------------- */

/* So many words are worth a cell. */
enum { LEAST_BATCH = 4 };

/* A batch, as one slot: how many words of it have been sent. */
static size_t put_batch(struct msg_row *r, unsigned tag, const uint64_t *words, size_t count) {
    int i = take_cell(r);
    if (i < 0) return 0;
    if (count > MSG_MOST_WORDS) count = MSG_MOST_WORDS;
    uint64_t place, word = lane_fill((uint64_t *)r->cells, (unsigned)i, words, (unsigned)count);
    if (!put(r, word, MSG_SLOT_MANY << MSG_KIND_SHIFT | tag, &place)) {
        give_cell(r, i);
        return 0;
    }
    use_cell(r, i, place | IS_BATCH);
    return count;
}

size_t msg_express_many(msg_transmit *t, unsigned destination, unsigned tag, const uint64_t *words, size_t count) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    uint64_t place;
    size_t sent = 0;
    if (!r || r->basic || tag >= MSG_TAGS) return 0;
    while (sent < count) {
        /* To other computers slots travel many in a message anyway (far.c). */
        size_t left = count - sent, n = left < LEAST_BATCH || r->far ? 0 : put_batch(r, tag, words + sent, left);
        /* No cell is free. One that has a batch will be when that has been taken: until then it is full. If all are copies
         * that the receiver keeps, words go one by one. */
        if (!n && left >= LEAST_BATCH && !r->far && has_batches(r)) break;
        if (!n && !put(r, words[sent], tag, &place)) break;
        sent += n ? n : 1;
    }
    if (sent) tell(r);
    if (sent < count && r->far) msg_far_poll_row(r);
    return sent;
}

/* ---- copies of data ----------------------------------------------------------------------------------------------- */

static int send_copy(struct msg_row *r, unsigned tag, const void *data, uint32_t bytes) {
    int i = take_cell(r);
    if (i < 0) return full(r);
    uint64_t place;
    memcpy(r->cells + (size_t)i * MSG_CELL_BYTES, data, bytes);
    uint64_t line = (uint64_t)i * (MSG_CELL_BYTES / MSG_LINE);
    if (!put(r, reference(line, bytes, 0), data_stamp(MSG_SLOT_COPIED, tag, 0), &place)) {
        give_cell(r, i);
        return full(r);
    }
    use_cell(r, i, place);
    tell(r);
    return MSG_OK;
}

int msg_send(msg_transmit *t, unsigned destination, unsigned tag, const void *data, uint32_t bytes, uint64_t *ticket) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    if (!r) return MSG_NO_ROW;
    if (ticket) *ticket = MSG_NO_TICKET;
    if (r->basic) return msg_basic_send(t, destination, tag, data, bytes);
    if (tag >= MSG_TAGS) return MSG_WRONG;
    if (bytes <= sizeof(uint64_t)) {
        uint64_t word = 0, place;
        memcpy(&word, data, bytes);
        if (!put(r, word, (uint64_t)bytes << MSG_HIGH_SHIFT | tag, &place)) return full(r);
        tell(r);
        return MSG_OK;
    }
    bool in_place = ticket && r->has_region && bytes <= MSG_MOST_TAG_ON && line_of(t, data, bytes) >= 0;
    /* The table may prefer a copy; if there is no cell for it, the data go as they lie. */
    if (in_place && bytes <= MSG_MOST_COPY && msg_choice_copies(&t->endpoint->choice, bytes) &&
        send_copy(r, tag, data, bytes) == MSG_OK)
        return MSG_OK;
    if (in_place) return msg_tag_on(t, destination, tag, 0, data, bytes, ticket);
    return bytes <= MSG_MOST_COPY ? send_copy(r, tag, data, bytes) : MSG_TOO_LONG;
}
