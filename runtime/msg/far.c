/* Far rows: how the two memories of a lane follow each other over a wire (far.h).
 *
 * What goes over the wire. SLOTS: slots from a place on, each followed by its data if these are short. BYTES: longer data in
 * pieces, ahead of their slot; bytes of a Basic ring, with the producer's index; pieces of Bulk data. TAKEN: the receiver's
 * head, and the slots whose data have been released. A SLOTS message has as many slots as there are when it is built, so
 * messages that are sent faster than the wire takes them travel together.
 *
 * There is always room. The sender puts a message into its own ring only if the copy of `head` allows it, that of the
 * receiver is never behind that, and both rings have the same size: so what arrives has a place, and a receiver that does
 * not take it keeps nothing waiting but this row. That is why a full queue blocks no other, and why the wire never has
 * to refuse.
 *
 * When TAKEN is sent: at each quarter of a ring, when data have been released, and after IDLE looks at a lane whose head is
 * not the one that the sender knows. The last is for senders of large Basic records, which need to know of all room, and
 * for whoever waits for a single message to be taken.
 *
 * Marks. A row that has something to send, and a lane that has to answer, are bits in two bells, set and cleared by the
 * protocol of bell.h: publish, fence, set the bit; clear the bit, fence, look.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "msg/far.h"

enum { SLOTS, BYTES, TAKEN };
enum { RING, CELLS, REGION, WINDOW, RING_PIECE /* with more of the same publication behind it */ }; /* where BYTES go */
enum {
    IDLE = 64,     /* looks at a lane before it tells a head that no quarter has told */
    LOOKS = 4,     /* lanes that a step looks at */
    BATCHES = 4,   /* of one row, before the next has its turn */
    INLINE = 2048, /* longest data that travel with their slot */
    MOST_ROWS = MSG_QUEUES * MSG_LANES
};

struct msg_far_row {
    struct msg_far *far;
    struct msg_row *row;
    int site, number;       /* here */
    uint32_t address;       /* there: queue << 16 | lane */
    struct lane_taker ring; /* the row's own, from which it is sent */
    uint64_t sent;          /* places that have gone (Basic: bytes) */
    uint64_t until;         /* Basic: the producer's index that `sent` is on its way to */
    uint32_t ahead;         /* bytes of the next slot's data that have gone */
    msg_job *first, **last;
    uint64_t job_sent; /* bytes of the first job */
};

struct msg_far_lane {
    struct msg_far *far;
    struct msg_lane *lane;
    msg_queue *queue;
    int site, number;  /* of the row there */
    uint64_t next;     /* the place that comes next (Basic: the byte) */
    uint64_t told;     /* the head that the sender knows */
    uint32_t idle, at; /* looks in vain; where it stands among the lanes */
    bool any_released;
    uint64_t *released; /* a bit for each slot whose release has not been told */
};

struct msg_far {
    msg_endpoint *endpoint;
    const struct msg_wire *wire;
    struct msg_bell *to_send, *to_answer; /* ready and from alone */
    struct msg_far_row **rows;            /* by number; null: reserved, or withdrawn */
    bool *reserved;
    int rows_room;
    struct msg_far_lane **lanes;
    uint32_t lanes_count, lanes_room, look;
    uint32_t jobs; /* Bulk, not done: another thread's pass through `lock` */
    struct msg_lock lock;
    bool stepping;
    size_t inline_most;
    char *buffer; /* a message that is being made */
};

static void *zeroes(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p != MAP_FAILED) return p;
    msg_fail("no memory for a row to another computer (%zu bytes)", bytes);
    return NULL;
}

static bool own_memory(struct msg_memory *m, size_t bytes) {
    *m = (struct msg_memory){.at = bytes ? zeroes(bytes) : NULL, .bytes = bytes, .fd = -1};
    return m->at || !bytes;
}

/* What `head` is at a place (Basic: a byte). Batches in cells do not travel, so no far lane is ever within one; and it has one
 * ring. */
static uint64_t head_at(bool basic, uint64_t place) { return basic ? place : place << MSG_PLACE_SHIFT; }

static uint64_t whole(uint64_t bytes) { return (bytes + 7) & ~(uint64_t)7; }

struct msg_far *msg_far_create(msg_endpoint *e, const struct msg_wire *wire) {
    struct msg_far *f = calloc(1, sizeof *f);
    if (!f) {
        msg_fail("no memory for queues to other computers");
        return NULL;
    }
    f->endpoint = e;
    f->wire = wire;
    f->inline_most = wire->most / 4 < INLINE ? wire->most / 4 : INLINE;
    f->to_send = zeroes(sizeof *f->to_send);
    f->to_answer = zeroes(sizeof *f->to_answer);
    f->buffer = malloc(wire->most);
    if (f->to_send && f->to_answer && f->buffer) return e->far = f;
    msg_fail("no memory for queues to other computers");
    msg_far_free(f);
    return NULL;
}

void msg_far_free(struct msg_far *f) {
    if (f->to_send) munmap(f->to_send, sizeof *f->to_send);
    if (f->to_answer) munmap(f->to_answer, sizeof *f->to_answer);
    free(f->buffer);
    free(f->rows);
    free(f->reserved);
    free(f->lanes);
    free(f);
}

/* ---- setting up --------------------------------------------------------------------------------------------------- */

int msg_far_reserve(struct msg_far *f) {
    int number = 0;
    while (number < f->rows_room && f->reserved[number]) number++;
    if (number == MOST_ROWS) {
        msg_fail("this endpoint has %d rows to other computers already, the most that there can be", MOST_ROWS);
        return -1;
    }
    if (number == f->rows_room) {
        int room = f->rows_room ? 2 * f->rows_room : 64;
        struct msg_far_row **rows = realloc(f->rows, (size_t)room * sizeof *rows);
        if (rows) f->rows = rows;
        bool *reserved = rows ? realloc(f->reserved, (size_t)room * sizeof *reserved) : NULL;
        if (!reserved) {
            msg_fail("no memory for %d rows to other computers", room);
            return -1;
        }
        f->reserved = reserved;
        memset(f->rows + f->rows_room, 0, (size_t)(room - f->rows_room) * sizeof *rows);
        memset(f->reserved + f->rows_room, 0, (size_t)(room - f->rows_room) * sizeof *reserved);
        f->rows_room = room;
    }
    f->reserved[number] = true;
    return number;
}

void msg_far_withdraw(struct msg_far *f, int number) {
    f->rows[number] = NULL;
    f->reserved[number] = false;
}

/* A ring whose first place is `start`: as if what the round before held had been taken and released. */
static void begin_ring(struct msg_slot *slot, struct msg_in *in, uint32_t slots, uint64_t start) {
    uint64_t round = start >> __builtin_ctz(slots) & MSG_ROUNDS;
    for (uint32_t i = 0; round && i < slots; i++) {
        slot[i].stamp = round << MSG_ROUND_SHIFT;
        in->released[i] = round;
    }
}

/* `start` is a multiple of 64 KiB: places, or bytes of a Basic ring, are counted from there. Only tests need another than 0. */
int msg_far_answer(msg_queue *q, int site, int number, uint32_t source, uint64_t region_bytes, uint64_t start,
                   struct msg_offer *offer) {
    struct msg_far *f = q->endpoint->far;
    struct msg_far_lane *fl = calloc(1, sizeof *fl);
    struct msg_lane *l = fl ? msg_lane_new() : NULL;
    if (!l || !msg_lane_number(q, l)) {
        if (!l) msg_fail("no memory for a sender");
        if (l) msg_lane_free(l);
        free(fl);
        return MSG_FAILED;
    }
    l->source = source;
    l->lane.region_bytes = q->basic ? 0 : region_bytes;
    l->window_bytes = q->window_bytes;
    *fl = (struct msg_far_lane){.far = f, .lane = l, .queue = q, .site = site, .number = number, .at = UINT32_MAX};
    l->far = fl;
    l->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (l->event < 0) msg_fail("cannot make an event descriptor: %s", strerror(errno));
    bool good = l->event >= 0 && own_memory(&l->of_in, msg_in_bytes(q->basic, q->slots)) &&
                own_memory(&l->of_out, msg_out_bytes(q->basic, q->slots)) &&
                own_memory(&l->of_region, l->lane.region_bytes) && own_memory(&l->of_window, l->window_bytes);
    if (good && !q->basic) good = (fl->released = calloc(q->slots / 64 + 1, sizeof(uint64_t)));
    if (good && f->lanes_count == f->lanes_room) {
        uint32_t room = f->lanes_room ? 2 * f->lanes_room : 64;
        struct msg_far_lane **lanes = realloc(f->lanes, room * sizeof *lanes);
        if ((good = lanes)) f->lanes = lanes, f->lanes_room = room;
    }
    if (good) {
        struct msg_out *out = l->of_out.at;
        struct msg_in *in = l->of_in.at;
        l->window = l->of_window.at;
        out->awaits_room = 1; /* always: so the receiver tells us at each quarter */
        in->head = fl->told = head_at(q->basic, start);
        out->producer = l->read = l->known = fl->next = start;
        if (!q->basic) begin_ring((struct msg_slot *)((char *)l->of_out.at + MSG_PAGE), in, q->slots, start);
        good = msg_lane_begin(q, l);
    }
    if (!good) {
        msg_offer_withdraw(q, l);
        return MSG_FAILED;
    }
    fl->at = f->lanes_count;
    f->lanes[f->lanes_count++] = fl;
    *offer = (struct msg_offer){.magic = MSG_MAGIC_OFFER,
                                .version = MSG_VERSION,
                                .slots = q->slots,
                                .basic = q->basic,
                                .queue = q->number,
                                .lane = l->number,
                                .rings = 1,
                                .window_bytes = q->window_bytes};
    return MSG_OK;
}

int msg_far_finish(msg_transmit *t, unsigned destination, int site, int number, const struct msg_offer *offer,
                   uint64_t start) {
    struct msg_far *f = t->endpoint->far;
    struct msg_far_row *fr = calloc(1, sizeof *fr);
    struct msg_row *r = fr ? msg_row_new() : NULL;
    if (!r) {
        free(fr);
        return msg_fail("no memory for a row to another computer");
    }
    *fr = (struct msg_far_row){.far = f, .row = r, .site = site, .number = number, .sent = start, .until = start};
    fr->address = (uint32_t)offer->queue << 16 | offer->lane;
    fr->last = &fr->first;
    r->far = fr;
    if (!own_memory(&r->of_out, msg_out_bytes(offer->basic, offer->slots)) ||
        !own_memory(&r->of_in, msg_in_bytes(offer->basic, offer->slots))) {
        msg_row_free(r);
        return MSG_FAILED;
    }
    msg_row_begin(r, t, offer);
    struct msg_in *in = r->of_in.at;
    in->fd_armed = 1; /* always: see msg_row_tell */
    in->head = head_at(offer->basic, start);
    r->out->producer = r->written = r->sent = r->seen = start;
    if (!r->basic) {
        lane_begin(&r->lane, 2 * start);
        begin_ring((struct msg_slot *)r->lane.ring[0].slot, in, offer->slots, start);
    }
    fr->ring = (struct lane_taker){.ring = {r->lane.ring[0]}, .out = r->out, .in = in, .rings = 1};
    lane_take_begin(&fr->ring);
    /* What it tells is told to the wire. */
    msg_row_tells(r, f->to_send, number / MSG_LANES, number % MSG_LANES);
    f->rows[number] = fr;
    return msg_accept_finish(t, destination, r);
}

void msg_far_row_free(struct msg_row *r) {
    struct msg_far_row *fr = r->far;
    if (fr->far->rows[fr->number] == fr) msg_far_withdraw(fr->far, fr->number);
    free(fr);
}

void msg_far_lane_free(struct msg_lane *l) {
    struct msg_far_lane *fl = l->far;
    struct msg_far *f = fl->far;
    if (fl->at != UINT32_MAX) {
        f->lanes[fl->at] = f->lanes[--f->lanes_count];
        f->lanes[fl->at]->at = fl->at;
    }
    free(fl->released);
    free(fl);
}

/* ---- marking, in any thread --------------------------------------------------------------------------------------- */

static void mark(struct msg_far *f, struct msg_bell *b, unsigned queue, unsigned lane) {
    msg_fence();
    bell_set(b->from[queue], lane);
    bell_set(b->ready, queue);
    if (!f->wire->is_mine()) f->wire->stir();
}

/* A row has been told of a message (its bits are set), or a lane's epoll waits. */
__attribute__((cold)) void msg_row_signal(struct msg_row *r) {
    if (!r->far)
        bell_signal_peer(r->event);
    else if (r->far->far->wire->is_mine())
        r->far->far->wire->step();
    else
        r->far->far->wire->stir();
}

void msg_far_room(struct msg_lane *l) {
    struct msg_far *f = l->far->far;
    mark(f, f->to_answer, l->far->queue->number, l->number);
    if (f->wire->is_mine()) f->wire->step();
}

/* Told with the next step: who has released one message often releases more. */
void msg_far_released(struct msg_lane *l, uint64_t place) {
    struct msg_far_lane *fl = l->far;
    uint32_t slot = (uint32_t)(lane_place(place) & (l->lane.ring[0].slots - 1));
    __atomic_fetch_or(&fl->released[slot / 64], 1ull << slot % 64, __ATOMIC_RELEASE);
    __atomic_store_n(&fl->any_released, true, __ATOMIC_RELEASE);
    mark(fl->far, fl->far->to_answer, fl->queue->number, l->number);
}

bool msg_far_poll(struct msg_far *f) { return f->wire->is_mine() && f->wire->poll(); }

void msg_far_poll_row(struct msg_row *r) { msg_far_poll(r->far->far); }

bool msg_far_nap(struct msg_far *f, const uint32_t *word, uint32_t old) {
    if (!f->wire->is_mine()) return false;
    f->wire->nap(word, old);
    f->wire->poll();
    return true;
}

int msg_far_bulk(struct msg_row *r, msg_job *job) {
    struct msg_far_row *fr = r->far;
    struct msg_far *f = fr->far;
    msg_lock_take(&f->lock);
    job->next = NULL;
    *fr->last = job;
    fr->last = &job->next;
    msg_lock_give(&f->lock);
    mark(f, f->to_send, r->queue, r->number);
    if (f->wire->is_mine()) f->wire->step();
    return MSG_OK;
}

/* ---- sending ------------------------------------------------------------------------------------------------------ */

static uint64_t head_of(unsigned what, uint32_t address) { return (uint64_t)address << 8 | what; }

static void send_bytes(struct msg_far_row *fr, unsigned where, uint64_t offset, const void *data, size_t bytes,
                       uint64_t producer) {
    uint64_t numbers[MSG_FAR_ARGUMENTS] = {head_of(BYTES, fr->address), offset << 8 | where, producer};
    fr->far->wire->send(fr->site, numbers, data, bytes);
}

/* The data that a slot of this side's names; null: none that travel with it. */
static const char *data_of(const struct msg_row *r, uint64_t word, uint64_t stamp, uint32_t *bytes, uint64_t *offset) {
    unsigned kind = msg_kind_of(stamp);
    *bytes = word >> MSG_BYTES_SHIFT & MSG_MOST_TAG_ON;
    *offset = (word >> MSG_LINE_SHIFT) * MSG_LINE;
    if (kind == MSG_SLOT_TAG_ON) return (const char *)r->transmit->region->memory.at + *offset;
    return kind == MSG_SLOT_COPIED ? r->cells + *offset : NULL;
}

/* Each of these sends what there is, and says whether nothing is left; false: the wire takes no more now, or it was another
 * row's turn. */
static bool send_slots(struct msg_far_row *fr) {
    struct msg_far *f = fr->far;
    for (int batch = 0; batch < BATCHES; batch++) {
        if (!f->wire->may_send(fr->site)) return false;
        uint64_t first = fr->sent, offset;
        struct lane_found found;
        size_t n = 0;
        bool went_ahead = false;
        while (lane_find(&fr->ring, head_at(false, fr->sent), &found)) {
            uint64_t word = found.word, stamp = found.stamp;
            uint32_t bytes;
            const char *data = data_of(fr->row, word, stamp, &bytes, &offset);
            bool with = data && bytes <= f->inline_most;
            if (data && !with && fr->ahead < bytes) {
                if (n) break; /* what stands before it goes first */
                uint32_t piece = bytes - fr->ahead < f->wire->most ? bytes - fr->ahead : (uint32_t)f->wire->most;
                send_bytes(fr, msg_kind_of(stamp) == MSG_SLOT_COPIED ? CELLS : REGION, offset + fr->ahead,
                           data + fr->ahead, piece, 0);
                fr->ahead += piece;
                went_ahead = true;
                break;
            }
            size_t all = sizeof(struct msg_slot) + (with ? whole(bytes) : 0);
            if (n + all > f->wire->most) break;
            memcpy(f->buffer + n, &(struct msg_slot){.stamp = stamp, .word = word}, sizeof(struct msg_slot));
            if (with) memcpy(f->buffer + n + sizeof(struct msg_slot), data, bytes);
            n += all;
            fr->sent++;
            fr->ahead = 0;
        }
        if (n)
            f->wire->send(fr->site, (uint64_t[MSG_FAR_ARGUMENTS]){head_of(SLOTS, fr->address), first}, f->buffer, n);
        else if (!went_ahead)
            return true;
    }
    return false;
}

static bool send_ring(struct msg_far_row *fr) {
    struct msg_far *f = fr->far;
    uint64_t size = fr->ring.ring[0].slots;
    for (int batch = 0; batch < BATCHES; batch++) {
        if (fr->sent == fr->until) fr->until = __atomic_load_n(&fr->row->out->producer, __ATOMIC_ACQUIRE);
        uint64_t all = fr->until - fr->sent;
        if (!all) return true;
        if (!f->wire->may_send(fr->site)) return false;
        uint64_t at = fr->sent & (size - 1), piece = all < size - at ? all : size - at;
        if (piece > f->wire->most) piece = f->wire->most / 8 * 8;
        fr->sent += piece;
        /* The receiver sees a record or a run when all of it is there: only what was published has whole ones. */
        unsigned where = fr->sent == fr->until ? RING : RING_PIECE;
        send_bytes(fr, where, at, (const char *)fr->ring.ring[0].slot + at, piece, fr->sent);
    }
    return false;
}

/* Pieces of the first Bulk job, and at the end its message, which is put into the ring like any other. */
static bool send_jobs(struct msg_far_row *fr) {
    struct msg_far *f = fr->far;
    for (int batch = 0; batch < BATCHES; batch++) {
        msg_lock_take(&f->lock);
        msg_job *job = fr->first;
        msg_lock_give(&f->lock);
        if (!job) return true;
        if (!f->wire->may_send(fr->site)) return false;
        if (fr->job_sent < job->bytes) {
            uint64_t piece = job->bytes - fr->job_sent < f->wire->most ? job->bytes - fr->job_sent : f->wire->most;
            send_bytes(fr, WINDOW, job->offset + fr->job_sent, (const char *)job->data + fr->job_sent, piece, 0);
            fr->job_sent += piece;
            continue;
        }
        uint64_t word = job->offset / MSG_LINE << MSG_BULK_BYTES_BITS | job->bytes;
        if (!lane_put(&fr->row->lane, word, job->stamp, &job->ticket)) return false;
        fr->job_sent = 0;
        msg_lock_take(&f->lock);
        fr->first = job->next;
        if (!fr->first) fr->last = &fr->first;
        msg_lock_give(&f->lock);
        __atomic_store_n(&job->state, MSG_JOB_DONE, __ATOMIC_RELEASE); /* from now on the job is the caller's */
        if (!send_slots(fr)) return false;
    }
    return false;
}

static bool send_row(struct msg_far *f, unsigned number) {
    struct msg_far_row *fr = number < (unsigned)f->rows_room ? f->rows[number] : NULL;
    if (!fr) return true;
    return fr->row->basic ? send_ring(fr) : send_slots(fr) && send_jobs(fr);
}

/* ---- answering ---------------------------------------------------------------------------------------------------- */

/* A release: slot (16 bits), round (40 bits). */
enum { RELEASED_SHIFT = 40 };

static bool answer(struct msg_far_lane *fl) {
    struct msg_far *f = fl->far;
    struct msg_lane *l = fl->lane;
    do {
        if (!f->wire->may_send(fl->site)) return false;
        uint64_t *list = (uint64_t *)f->buffer, head = __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE);
        size_t n = 0, most = f->wire->most / sizeof *list;
        bool any = __atomic_exchange_n(&fl->any_released, false, __ATOMIC_ACQ_REL);
        msg_fence_behind_swap();
        for (uint32_t w = 0; any && w <= (l->lane.ring[0].slots - 1) / 64; w++) {
            if (!__atomic_load_n(&fl->released[w], __ATOMIC_RELAXED)) continue;
            if (n + 64 > most) {
                __atomic_store_n(&fl->any_released, true, __ATOMIC_RELEASE);
                break;
            }
            for (uint64_t bits = __atomic_exchange_n(&fl->released[w], 0, __ATOMIC_ACQ_REL); bits; bits &= bits - 1) {
                uint64_t slot = 64 * w + (unsigned)__builtin_ctzll(bits);
                list[n++] = slot << RELEASED_SHIFT | __atomic_load_n(&l->lane.in->released[slot], __ATOMIC_ACQUIRE);
            }
        }
        if (!n && head == fl->told) return true;
        fl->told = head;
        fl->idle = 0;
        f->wire->send(fl->site, (uint64_t[MSG_FAR_ARGUMENTS]){head_of(TAKEN, (uint32_t)fl->number), head}, list,
                      n * sizeof *list);
    } while (__atomic_load_n(&fl->any_released, __ATOMIC_ACQUIRE));
    return true;
}

static bool answer_lane(struct msg_far *f, unsigned queue, unsigned lane) {
    msg_queue *q = __atomic_load_n(&f->endpoint->queue[queue], __ATOMIC_ACQUIRE);
    struct msg_lane *l = q ? __atomic_load_n(&q->lane[lane], __ATOMIC_ACQUIRE) : NULL;
    return !l || !l->far || answer(l->far);
}

/* Lanes that have taken something and not reached a quarter. */
static void look_at_lanes(struct msg_far *f) {
    for (uint32_t i = 0; i < LOOKS && i < f->lanes_count; i++) {
        if (++f->look >= f->lanes_count) f->look = 0;
        struct msg_far_lane *fl = f->lanes[f->look];
        if (__atomic_load_n(&fl->lane->lane.in->head, __ATOMIC_RELAXED) == fl->told || ++fl->idle < IDLE) continue;
        fl->idle = 0;
        bell_set(f->to_answer->from[fl->queue->number], fl->lane->number);
        bell_set(f->to_answer->ready, fl->queue->number);
    }
}

/* For each bit that is set: clears it, and does what it is for; sets it again if that is not finished. */
static void serve(struct msg_far *f, struct msg_bell *b, bool is_row) {
    for (unsigned w = 0; w < MSG_SET_WORDS; w++)
        for (uint64_t ready = __atomic_load_n(&b->ready[w], __ATOMIC_ACQUIRE); ready; ready &= ready - 1) {
            unsigned queue = 64 * w + (unsigned)__builtin_ctzll(ready);
            bell_clear(b->ready, queue);
            for (unsigned v = 0; v < MSG_SET_WORDS; v++)
                for (uint64_t bits = __atomic_load_n(&b->from[queue][v], __ATOMIC_ACQUIRE); bits; bits &= bits - 1) {
                    unsigned lane = 64 * v + (unsigned)__builtin_ctzll(bits);
                    bell_clear(b->from[queue], lane);
                    if (is_row ? send_row(f, queue * MSG_LANES + lane) : answer_lane(f, queue, lane)) continue;
                    bell_set(b->from[queue], lane);
                    bell_set(b->ready, queue);
                }
        }
}

void msg_far_step(struct msg_far *f) {
    if (f->stepping) return; /* the wire delivers while it sends, and has come back to us */
    f->stepping = true;
    look_at_lanes(f);
    serve(f, f->to_answer, false);
    serve(f, f->to_send, true);
    f->stepping = false;
}

bool msg_far_is_idle(const struct msg_far *f) {
    uint64_t any = 0;
    for (unsigned w = 0; w < MSG_SET_WORDS; w++) any |= __atomic_load_n(&f->to_send->ready[w], __ATOMIC_ACQUIRE);
    return !any;
}

/* What has been sent is on its way before the endpoint is gone. A Bulk message whose row is full is not. */
void msg_far_close(struct msg_far *f) {
    if (f->wire->is_mine())
        for (int i = 0; i < 1000000 && !msg_far_is_idle(f); i++) f->wire->poll();
    f->wire->ended();
}

/* ---- delivering --------------------------------------------------------------------------------------------------- */

static struct msg_lane *lane_of(struct msg_far *f, int site, uint32_t address, msg_queue **queue) {
    unsigned number = address >> 16, lane = address & 0xffff;
    msg_queue *q = number < MSG_QUEUES ? __atomic_load_n(&f->endpoint->queue[number], __ATOMIC_ACQUIRE) : NULL;
    struct msg_lane *l = q && lane < MSG_LANES ? q->lane[lane] : NULL;
    *queue = q;
    return l && l->far && l->far->site == site ? l : NULL;
}

static void tell(struct msg_far *f, const msg_queue *q, const struct msg_lane *l) {
    msg_fence();
    bell_tell(f->endpoint->bell, q->number, l->number);
    if (__atomic_load_n(&l->lane.in->fd_armed, __ATOMIC_RELAXED)) bell_signal(l->event);
}

/* Where so many bytes go; null: not there. */
static char *place_for(const msg_queue *q, struct msg_lane *l, unsigned where, uint64_t offset, size_t bytes) {
    char *begin = where == REGION   ? l->of_region.at
                  : where == WINDOW ? l->of_window.at
                  : where == CELLS  ? (char *)l->of_out.at + ((const char *)l->lane.cells - (char *)l->of_out.at)
                                    : (char *)l->of_out.at + MSG_PAGE;
    size_t all = where == REGION   ? l->lane.region_bytes
                 : where == WINDOW ? l->window_bytes
                 : where > WINDOW  ? 0
                 : q->basic        ? (where == RING ? q->slots : 0)
                 : where == CELLS  ? (size_t)MSG_CELLS * MSG_CELL_BYTES
                                   : 0;
    return begin && offset <= all && bytes <= all - offset ? begin + offset : NULL;
}

static bool deliver_slots(struct msg_far *f, msg_queue *q, struct msg_lane *l, uint64_t place, const char *data,
                          size_t bytes) {
    struct msg_far_lane *fl = l->far;
    struct msg_slot *slots = (struct msg_slot *)((char *)l->of_out.at + MSG_PAGE);
    if (q->basic || place != fl->next) return false;
    while (bytes) {
        struct msg_slot s;
        if (bytes < sizeof s) return false;
        memcpy(&s, data, sizeof s);
        data += sizeof s, bytes -= sizeof s;
        uint64_t head = __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE);
        if (lane_distance(fl->next, head) >= (int64_t)l->lane.ring[0].slots ||
            msg_round_of(s.stamp) != lane_round(fl->next, l->lane.ring[0].shift))
            return false;
        unsigned kind = msg_kind_of(s.stamp);
        if (kind == MSG_SLOT_MANY || s.stamp & MSG_LAST) return false; /* its cell, or other ring, would be here */
        uint32_t n = s.word >> MSG_BYTES_SHIFT & MSG_MOST_TAG_ON;
        if ((kind == MSG_SLOT_TAG_ON || kind == MSG_SLOT_COPIED) && n <= f->inline_most) {
            char *to =
                place_for(q, l, kind == MSG_SLOT_COPIED ? CELLS : REGION, (s.word >> MSG_LINE_SHIFT) * MSG_LINE, n);
            if (!to || bytes < whole(n)) return false;
            memcpy(to, data, n);
            data += whole(n), bytes -= whole(n);
        }
        struct msg_slot *to = &slots[fl->next & (l->lane.ring[0].slots - 1)];
        __atomic_store_n(&to->word, s.word, __ATOMIC_RELAXED);
        __atomic_store_n(&to->stamp, s.stamp, __ATOMIC_RELEASE);
        fl->next++;
    }
    tell(f, q, l);
    return true;
}

static bool deliver_bytes(struct msg_far *f, msg_queue *q, struct msg_lane *l, uint64_t where, uint64_t producer,
                          const char *data, size_t bytes) {
    struct msg_far_lane *fl = l->far;
    bool is_piece = (where & 0xff) == RING_PIECE && q->basic, is_ring = is_piece || (where & 0xff) == RING;
    char *to = place_for(q, l, is_ring ? RING : where & 0xff, where >> 8, bytes);
    if (!to) return false;
    if (!is_ring) {
        memcpy(to, data, bytes);
        return true;
    }
    uint64_t head = __atomic_load_n(&l->lane.in->head, __ATOMIC_ACQUIRE), size = q->slots;
    if ((fl->next & (size - 1)) != where >> 8 || producer != fl->next + bytes || producer - head > size) return false;
    memcpy(to, data, bytes);
    fl->next = producer;
    if (is_piece) return true;
    __atomic_store_n(&((struct msg_out *)l->of_out.at)->producer, producer, __ATOMIC_RELEASE);
    tell(f, q, l);
    return true;
}

static bool deliver_taken(struct msg_far *f, int site, uint32_t number, uint64_t head, const uint64_t *list,
                          size_t bytes) {
    struct msg_far_row *fr = number < (uint32_t)f->rows_room ? f->rows[number] : NULL;
    if (!fr) return number < (uint32_t)f->rows_room; /* closed meanwhile */
    struct msg_in *in = fr->row->of_in.at;
    int64_t left = fr->row->basic ? (int64_t)(fr->sent - head) : lane_distance(fr->sent, head);
    bool is_within = !fr->row->basic && head & ((1 << MSG_PLACE_SHIFT) - 1); /* a batch, or another ring */
    if (fr->site != site || bytes % sizeof *list || is_within || left < 0 || (int64_t)(head - in->head) < 0)
        return false;
    for (size_t i = 0; i < bytes / sizeof *list; i++) {
        uint64_t slot = list[i] >> RELEASED_SHIFT;
        if (fr->row->basic || slot >= fr->ring.ring[0].slots) return false;
        __atomic_store_n(&in->released[slot], list[i] & MSG_ROUNDS, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&in->head, head, __ATOMIC_RELEASE);
    msg_fence();
    if (__atomic_load_n(&fr->row->out->awaits_room, __ATOMIC_RELAXED)) bell_room(in);
    if (fr->first) mark(f, f->to_send, fr->row->queue, fr->row->number); /* a Bulk message may have waited for room */
    return true;
}

bool msg_far_deliver(struct msg_far *f, int site, const uint64_t *numbers, const void *data, size_t bytes) {
    unsigned what = numbers[0] & 0xff;
    uint32_t address = (uint32_t)(numbers[0] >> 8);
    if (what == TAKEN) return deliver_taken(f, site, address, numbers[1], data, bytes);
    msg_queue *q;
    struct msg_lane *l = lane_of(f, site, address, &q);
    if (!l) return true; /* closed meanwhile */
    if (what == SLOTS) return deliver_slots(f, q, l, numbers[1], data, bytes);
    return what == BYTES && deliver_bytes(f, q, l, numbers[1], numbers[2], data, bytes);
}
