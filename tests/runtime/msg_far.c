/* Far rows (runtime/msg/far.c) without a job: three endpoints of one process are three sites, and the wire between them is a
 * list, which the test delivers, holds up, or forges.
 *
 *     msg_far calls       every mechanism, room by credits, tickets, closing
 *     msg_far forged      what a site sends that has no such row, or that makes no sense, is refused
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msg/far.h"
#include "msg_test.h"

enum { SITES = 3, MOST = 4096 };

/* ---- the wire ------------------------------------------------------------------------------------------------------ */

struct packet {
    struct packet *next;
    int from, to;
    uint64_t numbers[MSG_FAR_ARGUMENTS];
    size_t bytes;
    _Alignas(8) char data[MOST];
};
static struct packet *first, **last = &first;
static msg_endpoint *at[SITES];
static int here, room = 1 << 20, sent; /* the site that calls; packets that may be under way */

static bool is_mine(void) { return true; }
static bool may_send(int site) { return site >= 0 && sent < room; }
static void send_packet(int site, const uint64_t *numbers, const void *data, size_t bytes) {
    struct packet *p = calloc(1, sizeof *p);
    CHECK(p && bytes <= MOST && sent < room);
    p->from = here, p->to = site, p->bytes = bytes;
    memcpy(p->numbers, numbers, sizeof p->numbers);
    if (bytes) memcpy(p->data, data, bytes);
    *last = p;
    last = &p->next;
    sent++;
}
static void step(void) { msg_far_step(at[here]->far); }
static bool poll_none(void) {
    step();
    return false;
}
static void stir(void) {}
static void nap(const uint32_t *word, uint32_t old) { (void)word, (void)old; }
static const struct msg_wire wire = {.is_mine = is_mine,
                                     .may_send = may_send,
                                     .send = send_packet,
                                     .step = step,
                                     .poll = poll_none,
                                     .stir = stir,
                                     .nap = nap,
                                     .ended = stir,
                                     .most = MOST};

/* Delivers what is under way, in order; and lets every site step until nothing is. */
static void deliver_all(void) {
    int before = here;
    for (int idle = 0; idle < 200;) {
        for (here = 0; here < SITES; here++)
            if (at[here]) step();
        struct packet *p = first;
        if (!p) {
            idle++; /* heads that no quarter tells are told after a number of steps */
            continue;
        }
        idle = 0;
        first = p->next;
        if (!first) last = &first;
        sent--;
        here = p->to;
        CHECK(msg_far_deliver(at[p->to]->far, p->from, p->numbers, p->data, p->bytes));
        free(p);
    }
    here = before;
}

static void begin(void) {
    for (int i = 0; i < SITES; i++) CHECK((at[i] = msg_endpoint_create()) && msg_far_create(at[i], &wire));
}

static int connect_row(msg_transmit *t, int site, unsigned destination, int to, msg_queue *q, uint32_t source) {
    struct msg_offer offer;
    int number = msg_far_reserve(at[site]->far);
    CHECK(number >= 0);
    CHECK(msg_far_answer(q, site, number, source, t->region ? t->region->memory.bytes : 0, 0, &offer) == MSG_OK);
    CHECK(msg_far_finish(t, destination, to, number, &offer, 0) == MSG_OK);
    return number;
}

static bool deliver_one(void) {
    struct packet *p = first;
    if (!p) return false;
    first = p->next;
    if (!first) last = &first;
    sent--;
    CHECK(msg_far_deliver(at[p->to]->far, p->from, p->numbers, p->data, p->bytes));
    free(p);
    return true;
}

/* What is longer than the wire takes at once arrives in pieces: a record, and a run. The receiver, which looks after
 * each, gets nothing of it before it is there. */
static void records_in_pieces(const char *region) {
    enum { LONG = 10001, RUN = 700, EACH = 17 };
    msg_queue *q = msg_queue_create(at[1], 5, 65536, MSG_BASIC | MSG_SINGLE);
    msg_transmit *t = msg_transmit_create(at[0], 1, 1, 0);
    connect_row(t, 0, 0, 1, q, 72);
    for (int round = 0; round < 20; round++) {
        msg_message m;
        int pieces = 0;
        here = 0;
        if (round % 2 == 0) {
            CHECK(msg_basic_send(t, 0, 3, region, LONG) == MSG_OK);
        } else {
            char *to = msg_basic_reserve_many(t, 0, EACH, RUN);
            CHECK(to);
            for (int i = 0; i < RUN; i++) memcpy(to + 24 * i, region + i, EACH);
            msg_basic_add_many(t, 0, 4, RUN);
            msg_basic_publish(t, 0);
        }
        here = 1;
        while (first) {
            CHECK(!msg_receive(q, &m));
            CHECK(deliver_one());
            pieces++;
            here = 0, step(), here = 1;
        }
        CHECK(pieces > 2);
        if (round % 2 == 0) {
            CHECK(msg_receive(q, &m) && m.bytes == LONG && m.tag == 3 && memcmp(m.data, region, LONG) == 0);
        } else {
            CHECK(msg_receive(q, &m));
            for (int i = 0; i < RUN; i++) {
                CHECK(m.bytes == EACH && m.tag == 4 && memcmp(m.data, region + i, EACH) == 0);
                CHECK(msg_receive_next(q, &m) == (i + 1 < RUN));
            }
        }
        msg_release(q, &m);
        deliver_all();
    }
    here = 0;
}

/* ---- calls --------------------------------------------------------------------------------------------------------- */

static void calls(void) {
    begin();
    msg_queue *q = msg_queue_create(at[1], 3, 8, 0), *basic = msg_queue_create(at[1], 4, 256, MSG_BASIC);
    CHECK(q && basic && msg_set_window(q, 20000) == MSG_OK);
    msg_transmit *t = msg_transmit_create(at[0], 0, 2, 0);
    char *region = msg_region_memory(msg_region_create(t, 65536));
    connect_row(t, 0, 0, 1, q, 70);
    connect_row(t, 0, 1, 1, basic, 71);
    msg_message m;
    /* Full at once, whatever is under way; and room again when the receiver's word has come. */
    for (uint64_t i = 0; i < 8; i++) CHECK(msg_express(t, 0, (unsigned)i, ~i) == MSG_OK);
    CHECK(msg_express(t, 0, 0, 1) == MSG_FULL && !msg_receive(q, &m));
    deliver_all();
    CHECK(msg_express(t, 0, 0, 1) == MSG_FULL);
    here = 1;
    for (uint64_t i = 0; i < 8; i++) CHECK(msg_receive(q, &m) && m.word == ~i && m.tag == i && m.source == 70);
    here = 0;
    CHECK(msg_express(t, 0, 0, 1) == MSG_FULL);
    deliver_all();
    CHECK(msg_express(t, 0, 0, 1) == MSG_OK);
    deliver_all();
    here = 1;
    CHECK(msg_receive(q, &m) && m.word == 1);
    here = 0;
    /* Data that travel with their slot, and longer ones ahead of it, while the wire takes one packet at a time. */
    for (int i = 0; i < 65536; i++) region[i] = (char)(i * 7 + i / 251);
    static const uint32_t sizes[] = {0, 1, 100, 1024, 1025, 5000, 60000};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t ticket;
        room = i % 2 ? 1 : 1 << 20;
        CHECK(msg_tag_on(t, 0, 5, 0xfedc0000u + i, region + 64, sizes[i], &ticket) == MSG_OK);
        deliver_all();
        here = 1;
        CHECK(msg_receive(q, &m) && m.kind == MSG_DATA && m.bytes == sizes[i] && m.word == 0xfedc0000u + i);
        CHECK(memcmp(m.data, region + 64, sizes[i]) == 0);
        here = 0;
        deliver_all();
        CHECK(!msg_is_released(t, 0, ticket));
        here = 1;
        msg_release(q, &m);
        here = 0;
        deliver_all();
        CHECK(msg_is_released(t, 0, ticket));
    }
    room = 1 << 20;
    CHECK(msg_send(t, 0, 1, region, 1000, NULL) == MSG_OK);
    deliver_all();
    here = 1;
    CHECK(msg_receive(q, &m) && m.bytes == 1000 && memcmp(m.data, region, 1000) == 0);
    msg_release(q, &m);
    here = 0;
    deliver_all();
    /* Bulk, and its message behind the data. */
    msg_job job;
    CHECK(msg_bulk(t, 0, 9, 4321, 128, region + 1, 19000, &job) == MSG_OK && msg_bulk_is_done(&job));
    deliver_all();
    here = 1;
    CHECK(msg_receive(q, &m) && m.kind == MSG_BULK && m.word == 4321 && m.bytes == 19000);
    CHECK(memcmp(m.data, region + 1, 19000) == 0);
    msg_release(q, &m);
    here = 0;
    deliver_all();
    CHECK(msg_is_released(t, 0, job.ticket));
    CHECK(msg_bulk(t, 0, 9, 0, 19968, region, 600, &job) == MSG_TOO_LONG);
    /* Records, also one that needs all the ring when the last word of the receiver was no quarter's. */
    for (uint32_t n = 1; n < 60; n++) {
        CHECK(msg_basic_send(t, 1, n % 32, region, n * 2) == MSG_OK);
        deliver_all();
        here = 1;
        CHECK(msg_receive(basic, &m) && m.bytes == n * 2 && m.source == 71 && memcmp(m.data, region, m.bytes) == 0);
        msg_release(basic, &m);
        here = 0;
        deliver_all();
    }
    records_in_pieces(region);
    msg_endpoint_close(at[0]);
    at[0] = NULL;
    msg_endpoint_close(at[1]);
    msg_endpoint_close(at[2]);
}

/* ---- forged -------------------------------------------------------------------------------------------------------- */

static bool says(int from, uint64_t what, uint64_t address, uint64_t second, uint64_t third, const void *data,
                 size_t bytes) {
    uint64_t numbers[MSG_FAR_ARGUMENTS] = {address << 8 | what, second, third};
    return msg_far_deliver(at[1]->far, from, numbers, data, bytes);
}

static void forged(void) {
    begin();
    msg_queue *q = msg_queue_create(at[1], 3, 8, 0), *basic = msg_queue_create(at[1], 4, 256, MSG_BASIC);
    msg_transmit *t = msg_transmit_create(at[0], 0, 2, 0), *back = msg_transmit_create(at[1], 0, 1, 0);
    msg_queue *other = msg_queue_create(at[0], 0, 8, 0);
    connect_row(t, 0, 0, 1, q, 70);
    connect_row(t, 0, 1, 1, basic, 71);
    int row = connect_row(back, 1, 0, 0, other, 72);
    struct msg_slot good = {.stamp = 1ull << MSG_ROUND_SHIFT | 6, .word = 11}, late = good, far = good, many = good,
                    data[2] = {good};
    late.stamp += 1ull << MSG_ROUND_SHIFT;
    many.stamp |= MSG_SLOT_MANY << MSG_KIND_SHIFT;
    far.stamp |= MSG_SLOT_TAG_ON << MSG_KIND_SHIFT;
    far.word = 1ull << MSG_LINE_SHIFT | 8ull << MSG_BYTES_SHIFT;
    data[0].stamp |= MSG_SLOT_COPIED << MSG_KIND_SHIFT;
    data[0].word = (uint64_t)MSG_CELLS * MSG_MOST_COPY / MSG_LINE << MSG_LINE_SHIFT | 8ull << MSG_BYTES_SHIFT;
    uint64_t lane = 3 << 16, ring = 4 << 16;
    msg_message m;
    /* Site 2 has no row: what it says about site 0's lane, or about our row to site 0, reaches nobody. */
    says(2, 0, lane, 0, 0, &good, sizeof good);
    CHECK(!msg_receive(q, &m));
    CHECK(msg_express(back, 0, 1, 2) == MSG_OK);
    CHECK(!says(2, 2, (uint64_t)row, 1, 0, NULL, 0));
    /* Site 0's own, but nonsense. */
    CHECK(!says(0, 0, lane, 1, 0, &good, sizeof good));    /* another place than the next */
    CHECK(!says(0, 0, lane, 0, 0, &late, sizeof late));    /* a round that is not this place's */
    CHECK(!says(0, 0, lane, 0, 0, &many, sizeof many));    /* a batch */
    CHECK(!says(0, 0, lane, 0, 0, &good, 15));             /* half a slot */
    CHECK(!says(0, 0, lane, 0, 0, &far, 24));              /* in a region that there is not */
    CHECK(!says(0, 0, lane, 0, 0, data, sizeof data));     /* behind the cells */
    CHECK(!says(0, 0, ring, 0, 0, &good, sizeof good));    /* a slot for a Basic queue */
    CHECK(!says(0, 1, lane, 0 << 8 | 3, 0, &good, 16));    /* a window that there is not */
    CHECK(!says(0, 1, lane, 0 << 8 | 9, 0, &good, 16));    /* a memory that there is not */
    CHECK(!says(0, 1, ring, 250 << 8 | 0, 16, &good, 16)); /* across the ring's end */
    CHECK(!says(0, 1, ring, 0 << 8 | 0, 24, &good, 16));   /* an index that does not fit the bytes */
    CHECK(!says(0, 2, (uint64_t)row, 100, 0, NULL, 0) &&
          !says(0, 2, (uint64_t)row, 100 << MSG_WORDS_BITS, 0, NULL, 0));    /* more taken than was sent */
    CHECK(!says(0, 2, (uint64_t)row, 0, 0, &(uint64_t){8ull << 40 | 1}, 8)); /* a slot that there is not */
    CHECK(!says(0, 2, 1 << 20, 0, 0, NULL, 0));                              /* a row that there is not */
    CHECK(!says(0, 7, lane, 0, 0, NULL, 0));
    CHECK(!msg_receive(q, &m) && !msg_receive(basic, &m));
    /* And what makes sense arrives after all that. */
    CHECK(says(0, 0, lane, 0, 0, &good, sizeof good) && msg_receive(q, &m) && m.word == 11 && m.source == 70);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "calls"))
        calls();
    else if (!strcmp(what, "forged"))
        forged();
    else
        return 2;
    return 0;
}
