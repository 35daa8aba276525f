/* Each call of msg.h, what it refuses, and that a full queue stops no other. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "msg_test.h"

/* Row 0 of `t` leads to `q`, which has 8 places and nothing in them. */
static void calls_batches(msg_transmit *t, msg_queue *q) {
    enum { WORDS = 5000, CELLS = 32 };
    static uint64_t words[WORDS];
    static msg_message some[200];
    msg_message m;
    for (uint64_t i = 0; i < WORDS; i++) words[i] = mixed(i);
    /* Of every size, alone and between others, taken one at a time and several at once. */
    for (size_t n = 0; n <= 300; n++)
        for (size_t most = 1; most <= 200; most = most * 3 + 1) {
            size_t fit = n, got = 0;
            CHECK(msg_express(t, 0, 31, n) == MSG_OK);
            CHECK(msg_express_many(t, 0, 3, words, fit) == fit && msg_express(t, 0, 30, most) == MSG_OK);
            while (got < n + 2) {
                size_t k = most == 1 ? msg_receive(q, some) : msg_receive_many(q, some, most);
                CHECK(k >= 1 && k <= most);
                for (size_t i = 0; i < k; i++, got++) {
                    uint64_t word = got == 0 ? n : got <= n ? words[got - 1] : most;
                    CHECK(some[i].kind == MSG_EXPRESS && some[i].word == word && some[i].source == 77);
                    CHECK(some[i].tag == (got == 0 ? 31 : got <= n ? 3 : 30) && !some[i].data && !some[i].bytes);
                }
            }
            CHECK(!msg_receive_many(q, some, most) && some[0].kind == MSG_EMPTY && some[0].tag == 31);
        }
    /* Full: a batch is one place, and as many are sent as there are places. The rest goes later. */
    size_t sent = msg_express_many(t, 0, 4, words, WORDS), got = 0;
    CHECK(sent == 8 * 127 && msg_express(t, 0, 0, 1) == MSG_FULL && !msg_express_many(t, 0, 4, words, 2));
    CHECK(!msg_wait_for_room(t, 0, 1));
    while (msg_receive(q, &m)) {
        CHECK(m.word == words[got++] && m.tag == 4);
        if (sent < WORDS) sent += msg_express_many(t, 0, 4, words + sent, WORDS - sent);
    }
    CHECK(sent == WORDS && got == WORDS);
}

static bool has_released;
static void *waits_for_room(void *transmit) {
    /* It may return when there is none, having looked for a millisecond. */
    do CHECK(msg_wait_for_room(transmit, 0, -1));
    while (!__atomic_load_n(&has_released, __ATOMIC_ACQUIRE));
    return NULL;
}

/* A release wakes a sender that waits for the place of the data. */
static void calls_release_wakes(void) {
    msg_endpoint *e = msg_endpoint_create();
    msg_queue *q = msg_queue_create(e, 0, 4, 0);
    msg_transmit *t = msg_transmit_create(e, 0, 1, 0);
    msg_message m[4];
    CHECK(msg_connect(t, 0, q, 1) == MSG_OK);
    for (bool woken = false; !woken;) { /* unless it was between two naps */
        pthread_t thread;
        for (int i = 0; i < 4; i++) CHECK(msg_send(t, 0, 0, m, 100, NULL) == MSG_OK && msg_receive(q, &m[i]));
        CHECK(msg_send(t, 0, 0, m, 100, NULL) == MSG_FULL);
        __atomic_store_n(&has_released, false, __ATOMIC_RELEASE);
        CHECK(pthread_create(&thread, NULL, waits_for_room, t) == 0);
        while (!__atomic_load_n(&t->row[0]->out->awaits_room, __ATOMIC_ACQUIRE)) sched_yield();
        uint32_t before = q->lane[0]->lane.in->room;
        for (int i = 0; i < 4; i++) msg_release(q, &m[i]);
        woken = q->lane[0]->lane.in->room != before;
        __atomic_store_n(&has_released, true, __ATOMIC_RELEASE);
        CHECK(pthread_join(thread, NULL) == 0);
    }
    msg_endpoint_close(e);
}

static void calls_express(unsigned flags) {
    msg_endpoint *a = msg_endpoint_create(), *b = msg_endpoint_create();
    CHECK(a && b);
    msg_queue *q = msg_queue_create(b, 5, 8, flags), *other = msg_queue_create(b, 6, 8, flags);
    msg_transmit *t = msg_transmit_create(a, 0, 4, flags);
    CHECK(q && other && t);
    CHECK(!msg_queue_create(b, 5, 8, 0) && strstr(msg_error(), "exists already"));
    CHECK(!msg_queue_create(b, 512, 8, 0) && strstr(msg_error(), "0 to 511"));
    CHECK(!msg_queue_create(b, 7, 9, 0) && strstr(msg_error(), "power of two"));
    CHECK(!msg_queue_create(b, 7, 0, 64));
    CHECK(!msg_transmit_create(a, 0, 4, 0) && !msg_transmit_create(a, 1, 0, 0) && !msg_transmit_create(a, -1, 1, 0));
    msg_set_empty(q, 31, 0xabcdef0123456789u);
    msg_message m;
    CHECK(!msg_receive(q, &m) && m.kind == MSG_EMPTY && m.tag == 31 && m.word == 0xabcdef0123456789u);
    CHECK(msg_express(t, 0, 0, 1) == MSG_NO_ROW && msg_express(t, 4, 0, 1) == MSG_NO_ROW);
    CHECK(msg_connect(t, 0, q, 77) == MSG_OK && msg_connect(t, 1, other, 78) == MSG_OK);
    CHECK(msg_connect(t, 0, q, 77) == MSG_FAILED && strstr(msg_error(), "connected already"));
    CHECK(msg_connect(t, 4, q, 77) == MSG_FAILED && strstr(msg_error(), "has no row 4"));
    CHECK(msg_express(t, 0, 32, 1) == MSG_WRONG);
    for (uint64_t i = 0; i < 8; i++) CHECK(msg_express(t, 0, (unsigned)i, ~i) == MSG_OK);
    CHECK(msg_express(t, 0, 0, 1) == MSG_FULL);
    CHECK(!msg_wait_for_room(t, 0, 1));
    CHECK(msg_express(t, 1, 9, 5) == MSG_OK); /* a full queue stops no other */
    CHECK(msg_receive(other, &m) && m.word == 5 && m.tag == 9 && m.source == 78 && m.queue == 6);
    for (uint64_t i = 0; i < 8; i++)
        CHECK(msg_receive(q, &m) && m.word == ~i && m.tag == i && m.source == 77 && m.kind == MSG_EXPRESS);
    CHECK(!msg_receive(q, &m) && msg_wait_for_room(t, 0, 0));
    calls_batches(t, q);
    msg_endpoint_close(a);
    msg_endpoint_close(b);
}

static void calls_data(unsigned flags) {
    msg_endpoint *a = msg_endpoint_create(), *b = msg_endpoint_create();
    msg_queue *q = msg_queue_create(b, 0, 16, flags), *second = msg_queue_create(b, 1, 16, flags);
    msg_transmit *t = msg_transmit_create(a, 0, 4, flags);
    CHECK(msg_connect(t, 2, second, 3) == MSG_OK); /* before there is a region */
    msg_region *r = msg_region_create(t, 100000);
    CHECK(r && !msg_region_create(t, 1));
    CHECK(msg_connect(t, 0, q, 1) == MSG_OK && msg_connect(t, 1, second, 2) == MSG_OK);
    unsigned char *data = msg_region_memory(r), apart[4096] = {1};
    fill(data, 5000, 1);
    uint64_t ticket[2], none;
    msg_message m[2];
    CHECK(msg_tag_on(t, 0, 1, 2, data + 8, 96, ticket) == MSG_WRONG);
    CHECK(msg_tag_on(t, 0, 1, 2, apart, 96, ticket) == MSG_WRONG);
    CHECK(msg_tag_on(t, 2, 1, 2, data, 96, ticket) == MSG_WRONG);
    CHECK(msg_tag_on(t, 0, 1, 2, data, 1u << 20, ticket) == MSG_TOO_LONG);
    CHECK(msg_tag_on(t, 0, 1, 2, data + 100032, 64000, ticket) == MSG_WRONG);
    static const uint32_t sizes[] = {0, 1, 96, 160, 5000};
    for (int i = 0; i < 5; i++) { /* multicast: one place, two destinations */
        for (unsigned d = 0; d < 2; d++) CHECK(msg_tag_on(t, d, 21, 0xfedcba98u, data, sizes[i], &ticket[d]) == MSG_OK);
        CHECK(msg_receive(q, &m[0]) && msg_receive(second, &m[1]));
        for (unsigned d = 0; d < 2; d++) {
            CHECK(m[d].kind == MSG_DATA && m[d].word == 0xfedcba98u && m[d].tag == 21 && m[d].bytes == sizes[i]);
            CHECK(is_filled(m[d].data, m[d].bytes, 1) && m[d].source == d + 1);
            CHECK(!msg_is_released(t, d, ticket[d]));
        }
        msg_release(second, &m[1]);
        CHECK(msg_is_released(t, 1, ticket[1]) && !msg_is_released(t, 0, ticket[0]));
        msg_release(q, &m[0]);
        CHECK(msg_is_released(t, 0, ticket[0]));
    }
    /* Chosen by size and place. Data that are not released keep their slot, and only that lane is full. */
    CHECK(msg_send(t, 0, 4, "abcdefg", 7, NULL) == MSG_OK && msg_receive(q, &m[0]));
    CHECK(m[0].kind == MSG_EXPRESS && m[0].bytes == 7 && memcmp(&m[0].word, "abcdefg", 8) == 0 && m[0].tag == 4);
    CHECK(msg_send(t, 0, 4, data, 200, &none) == MSG_OK && none != MSG_NO_TICKET && msg_receive(q, &m[0]));
    CHECK(m[0].data != data && m[0].bytes == 200 && is_filled(m[0].data, 200, 1));
    msg_release(q, &m[0]);
    CHECK(msg_send(t, 0, 4, apart, 1025, NULL) == MSG_TOO_LONG);
    for (int round = 0; round < 100; round++)
        for (uint32_t n = 9; n <= 1024; n = n * 2 + 3) {
            fill(apart, n, n + 7u);
            CHECK(msg_send(t, 0, n % 32, apart, n, &none) == MSG_OK && none == MSG_NO_TICKET);
            memset(apart, 0, n);
            CHECK(msg_receive(q, &m[0]) && m[0].bytes == n && m[0].tag == n % 32 && is_filled(m[0].data, n, n + 7u));
            msg_release(q, &m[0]);
        }
    int sent = 0;
    msg_message kept[16];
    while (sent < 16 && msg_send(t, 0, 0, data, 100, NULL) == MSG_OK) CHECK(msg_receive(q, &kept[sent++]));
    CHECK(sent == 16 && msg_send(t, 0, 0, data, 100, NULL) == MSG_FULL && msg_express(t, 0, 0, 1) == MSG_FULL);
    CHECK(msg_express(t, 1, 0, 1) == MSG_OK && msg_receive(second, &m[1]) && m[1].word == 1);
    for (int i = 15; i >= 0; i--) msg_release(q, &kept[i]);
    CHECK(msg_send(t, 0, 0, data, 100, NULL) == MSG_OK);
    msg_endpoint_close(a);
    msg_endpoint_close(b);
}

/* Runs of all sizes, by themselves and beside other records; taken one by one, or several by a call, and released
 * anywhere in a run. */
static void calls_runs(msg_transmit *t, msg_queue *q, unsigned flags) {
    CHECK(!msg_basic_reserve_many(t, 0, 0, 1) && !msg_basic_reserve_many(t, 0, 8, 0));
    CHECK(!msg_basic_reserve_many(t, 0, 8, 64) && !msg_basic_reserve_many(t, 0, 1, MSG_MOST_RUN + 1));
    for (uint64_t round = 0, seed = 0; round < 4000; round++) {
        uint32_t bytes = 1 + (uint32_t)(mixed(seed++) % 30), pieces = (bytes + 7) / 8;
        uint32_t room = 1 + (uint32_t)(mixed(seed++) % (400 / (8 * pieces))),
                 count = 1 + (uint32_t)(mixed(seed++) % room);
        bool has_other = round % 3 == 0, is_taken = round % 2;
        unsigned char *to = msg_basic_reserve_many(t, 0, bytes, room);
        CHECK(to);
        for (uint32_t i = 0; i < count; i++) fill(to + 8 * pieces * i, bytes, round + i);
        msg_basic_add_many(t, 0, round % 32, room + 1); /* more than there are: nothing is added */
        msg_basic_add_many(t, 0, round % 32, count);
        if (has_other) {
            CHECK((to = msg_basic_reserve(t, 0, 5)));
            fill(to, 5, round);
            msg_basic_add(t, 0, 31, 5);
        }
        msg_basic_publish(t, 0);
        for (uint32_t i = 0, all = count + has_other; i < all;) {
            msg_message m[7];
            size_t n = 1, most = 1 + mixed(seed++) % 7;
            if (is_taken)
                CHECK((n = msg_receive_many(q, m, most)) >= 1 && n <= most && (n == 1 || flags & MSG_SINGLE));
            else
                CHECK(msg_receive(q, m));
            for (size_t k = 0; k < n; k++, i++) {
                bool is_other = i == count;
                uint32_t size = is_other ? 5 : bytes;
                CHECK(m[k].kind == MSG_RECORD && m[k].tag == (is_other ? 31 : round % 32) && m[k].bytes == size);
                CHECK(is_filled(m[k].data, size, is_other ? round : round + i));
                bool goes_on = !is_taken && flags & MSG_SINGLE && i + 1 < all && most > 1;
                if (goes_on) CHECK(msg_receive_next(q, &m[0]) && most-- && n++);
                if (goes_on) m[k + 1] = m[0];
            }
            msg_release(q, &m[n - 1]);
        }
    }
    msg_message m;
    CHECK(!msg_receive(q, &m));
}

/* A sender writes what it likes: runs of more records than there are, of none, or fillers with more behind them. What
 * is there is received, and no more. */
static void calls_forged_runs(void) {
    static const uint64_t headers[] = {999ull << MSG_RECORD_MORE | 8, 5ull << MSG_RECORD_MORE | 9,
                                       5ull << MSG_RECORD_MORE, 1ull << MSG_RECORD_MORE | 1ull << MSG_RECORD_FILLER | 8,
                                       ~0ull};
    static const size_t come[] = {3, 1, 0, 0, 0};
    for (unsigned i = 0; i < 2 * sizeof headers / sizeof *headers; i++) {
        msg_endpoint *e = msg_endpoint_create();
        msg_queue *q = msg_queue_create(e, 0, 256, MSG_BASIC | MSG_SINGLE);
        msg_transmit *t = msg_transmit_create(e, 0, 1, 0);
        CHECK(msg_connect(t, 0, q, 9) == MSG_OK);
        struct msg_row *r = t->row[0];
        *(uint64_t *)r->lane.ring[0].slot = headers[i / 2];
        r->out->producer = r->written = r->sent = 32;
        msg_row_tell_all(r);
        msg_message m[20];
        size_t n = 0;
        if (i % 2)
            n = msg_receive_many(q, m, 20);
        else if (msg_receive(q, m))
            for (n = 1; msg_receive_next(q, m);) n++;
        CHECK(n == come[i / 2] && !msg_receive(q, m));
        msg_endpoint_close(e);
    }
}

static void calls_basic(unsigned flags) {
    msg_endpoint *a = msg_endpoint_create(), *b = msg_endpoint_create();
    msg_queue *q = msg_queue_create(b, 0, 1024, flags | MSG_BASIC);
    msg_transmit *t = msg_transmit_create(a, 0, 1, flags);
    CHECK(msg_connect(t, 0, q, 9) == MSG_OK);
    unsigned char data[600];
    msg_message m;
    CHECK(msg_express(t, 0, 0, 0) == MSG_WRONG && msg_basic_send(t, 0, 0, data, 505) == MSG_TOO_LONG);
    CHECK(!msg_basic_reserve(t, 0, 505));
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t bytes = (uint32_t)(mixed(i) % 505);
        fill(data, bytes, i);
        CHECK(msg_basic_send(t, 0, i % 32, data, bytes) == MSG_OK);
        CHECK(msg_receive(q, &m) && m.kind == MSG_RECORD && m.bytes == bytes && m.tag == i % 32 && m.source == 9);
        CHECK(is_filled(m.data, bytes, i));
        msg_release(q, &m);
    }
    /* Several records by one publication, and one release. */
    for (int round = 0; round < 100; round++) {
        for (uint64_t i = 0; i < 20; i++) {
            uint64_t *to = msg_basic_reserve(t, 0, 24);
            CHECK(to);
            to[0] = i;
            to[1] = mixed(i);
            msg_basic_add(t, 0, (unsigned)i, 16);
        }
        uint64_t source[3];
        CHECK(msg_lane_state(q, 0, (uint32_t *)source, source + 1, source + 2) && source[1] == 0);
        msg_basic_publish(t, 0);
        CHECK(msg_receive(q, &m));
        for (uint64_t i = 0; i < 20; i++) {
            const uint64_t *d = m.data;
            CHECK(m.tag == i && m.bytes == 16 && d[0] == i && d[1] == mixed(i));
            CHECK(msg_receive_next(q, &m) == (i < 19));
        }
        msg_release(q, &m);
    }
    int n = 0;
    while (msg_basic_send(t, 0, 0, data, 100) == MSG_OK) n++;
    CHECK(n == 1024 / 112 && !msg_wait_for_room(t, 0, 1));
    while (msg_receive(q, &m)) msg_release(q, &m);
    calls_runs(t, q, flags);
    msg_endpoint_close(a);
    msg_endpoint_close(b);
}

/* The service waits for room for what says that the data are there. */
static void calls_bulk_closed(void) {
    static const unsigned char data[64];
    for (int round = 0; round < 20; round++) {
        msg_endpoint *a = msg_endpoint_create(), *b = msg_endpoint_create();
        msg_queue *q = msg_queue_create(b, 0, 16, 0);
        msg_transmit *t = msg_transmit_create(a, 0, 1, 0);
        msg_job job[40];
        CHECK(msg_set_window(q, 4096) == MSG_OK && msg_connect(t, 0, q, 1) == MSG_OK);
        for (int i = 0; i < 40; i++) CHECK(msg_bulk(t, 0, 1, 2, 0, data, sizeof data, &job[i]) == MSG_OK);
        while (!msg_bulk_is_done(&job[10])) sched_yield();
        msg_endpoint_close(a);
        msg_endpoint_close(b);
    }
}

static void calls_bulk(void) {
    enum { BYTES = 3000000, JOBS = 5 };
    msg_endpoint *a = msg_endpoint_create(), *b = msg_endpoint_create();
    msg_queue *q = msg_queue_create(b, 0, 16, 0);
    msg_transmit *t = msg_transmit_create(a, 0, 2, 0), *single = msg_transmit_create(a, 1, 1, MSG_SINGLE);
    CHECK(msg_connect(t, 1, q, 1) == MSG_OK && msg_set_window(q, BYTES) == MSG_OK);
    CHECK(msg_connect(t, 0, q, 2) == MSG_OK && msg_connect(single, 0, q, 3) == MSG_OK);
    unsigned char *data = malloc(BYTES);
    msg_job job[JOBS];
    msg_message m;
    fill(data, BYTES, 3);
    CHECK(msg_bulk(t, 0, 1, 2, 32, data, 64, job) == MSG_WRONG &&
          msg_bulk(single, 0, 1, 2, 0, data, 64, job) == MSG_WRONG);
    CHECK(msg_bulk(t, 1, 1, 2, 0, data, 64, job) == MSG_TOO_LONG &&
          msg_bulk(t, 0, 1, 2, 64, data, BYTES + 4096, job) == MSG_TOO_LONG);
    for (int round = 0; round < 20; round++) {
        for (unsigned i = 0; i < JOBS; i++)
            CHECK(msg_bulk(t, 0, i, (uint16_t)(65535 - i), i * 64000u, data + i,
                           i == 4 ? BYTES - 4 * 64000 - 4 : 64000 - i, &job[i]) == MSG_OK);
        for (unsigned i = 0; i < JOBS; i++) {
            while (!msg_receive(q, &m)) sched_yield();
            CHECK(m.kind == MSG_BULK && m.tag == i && m.word == 65535 - i && m.source == 2);
            CHECK(m.bytes == (i == 4 ? BYTES - 4 * 64000 - 4 : 64000 - i) && memcmp(m.data, data + i, m.bytes) == 0);
            while (!msg_bulk_is_done(&job[i])) sched_yield();
            CHECK(!msg_is_released(t, 0, job[i].ticket));
            msg_release(q, &m);
            CHECK(msg_is_released(t, 0, job[i].ticket));
        }
    }
    /* The same by the calling thread, also of a row that belongs to one. */
    uint64_t ticket[16];
    for (msg_transmit *by = t;; by = single) {
        CHECK(msg_bulk_copy(by, 0, 1, 2, 32, data, 64, ticket) == MSG_WRONG);
        CHECK(msg_bulk_copy(by, 0, 32, 2, 0, data, 64, ticket) == MSG_WRONG);
        CHECK(msg_bulk_copy(by, 0, 1, 2, 64, data, BYTES + 4096, ticket) == MSG_TOO_LONG);
        for (unsigned i = 0; i < 16; i++)
            CHECK(msg_bulk_copy(by, 0, i, (uint16_t)i, i * 128000u, data + i, 100000 + i, &ticket[i]) == MSG_OK);
        CHECK(msg_bulk_copy(by, 0, 0, 0, 0, data, 64, ticket) == MSG_FULL);
        for (unsigned i = 0; i < 16; i++) {
            CHECK(msg_receive(q, &m) && m.kind == MSG_BULK && m.tag == i && m.word == i && m.bytes == 100000 + i);
            CHECK(m.source == (by == t ? 2 : 3) && memcmp(m.data, data + i, m.bytes) == 0);
            CHECK(!msg_is_released(by, 0, ticket[i]));
            msg_release(q, &m);
            CHECK(msg_is_released(by, 0, ticket[i]));
        }
        if (by == single) break;
    }
    /* A child has a service thread of its own, once it needs one; and ends without. */
#ifdef MSG_TSAN
    bool own_thread = false; /* ThreadSanitizer has no threads behind a fork */
#else
    bool own_thread = child_starts_threads();
#endif
    for (int bulk = 0; bulk < 1 + own_thread; bulk++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
            if (bulk) {
                CHECK(msg_bulk(t, 0, 7, 8, 0, data, 1000, job) == MSG_OK);
                while (!msg_bulk_is_done(job)) sched_yield();
            }
            msg_endpoint_close(a);
            _exit(0);
        }
        ends_well(pid);
    }
    CHECK(msg_receive(q, &m) == own_thread);
    CHECK(!own_thread || (m.tag == 7 && m.bytes == 1000 && memcmp(m.data, data, 1000) == 0));
    msg_release(q, &m);
    free(data);
    msg_endpoint_close(a);
    msg_endpoint_close(b);
}

/* What a sender says of a word, its bytes among that, is its own claim: no receiver copies more than there is. */
static void calls_forged_words(unsigned flags) {
    msg_endpoint *e = msg_endpoint_create();
    msg_queue *q = msg_queue_create(e, 0, 0, flags);
    msg_transmit *t = msg_transmit_create(e, 0, 2, 0);
    msg_message m[8];
    CHECK(msg_connect(t, 0, q, 1) == MSG_OK && msg_connect(t, 1, q, 2) == MSG_OK);
    for (unsigned d = 0; d < 2; d++)
        for (uint64_t claim = 0; claim <= 0xffff; claim += claim < 20 ? 1 : 4369) {
            uint64_t place;
            for (int i = 0; i < 3; i++) CHECK(msg_row_send(t->row[d], 7, claim << MSG_HIGH_SHIFT | 5, &place));
            CHECK(msg_receive(q, &m[0]) && msg_receive_many(q, &m[1], 7) == 2);
            for (int i = 0; i < 3; i++)
                CHECK(m[i].kind == MSG_EXPRESS && m[i].word == 7 && m[i].bytes == (claim < 8 ? claim : 8));
        }
    msg_endpoint_close(e);
}

/* Copies are in cells until they are released, batches until their last word has been taken: a cell that is in use is given to no other. */
static void calls_cells(unsigned flags) {
    enum { BYTES = 1000, WORDS = 127 };
    msg_endpoint *e = msg_endpoint_create();
    msg_queue *q = msg_queue_create(e, 0, 64, flags);
    msg_transmit *t = msg_transmit_create(e, 0, 1, flags);
    unsigned char data[BYTES];
    uint64_t seeds[MSG_CELLS], seed = 1, words[WORDS];
    msg_message kept[MSG_CELLS], m;
    CHECK(msg_connect(t, 0, q, 1) == MSG_OK);
    for (unsigned n = 0; n < 5 * MSG_CELLS; n++) {
        unsigned which = n * 7 % MSG_CELLS; /* any order */
        if (n >= MSG_CELLS) {
            CHECK(msg_send(t, 0, 0, data, BYTES, NULL) == MSG_FULL);
            CHECK(msg_express(t, 0, 1, n) == MSG_OK && msg_receive(q, &m) && m.word == n);
            for (unsigned i = 0; i < MSG_CELLS; i++) CHECK(is_filled(kept[i].data, BYTES, seeds[i]));
            msg_release(q, &kept[which]);
        }
        fill(data, BYTES, seeds[which] = seed++);
        CHECK(msg_send(t, 0, 0, data, BYTES, NULL) == MSG_OK && msg_receive(q, &kept[which]));
    }
    for (unsigned i = 0; i < MSG_CELLS; i++) msg_release(q, &kept[i]);
    for (uint64_t sent = 0, got = 0; got < 5 * MSG_CELLS * WORDS; got++) {
        while (sent < 5 * MSG_CELLS && sent - got / WORDS < MSG_CELLS) {
            for (uint64_t i = 0; i < WORDS; i++) words[i] = mixed(sent * WORDS + i);
            CHECK(msg_express_many(t, 0, 2, words, WORDS) == WORDS);
            sent++;
        }
        if (sent < 5 * MSG_CELLS) CHECK(!msg_express_many(t, 0, 2, words, WORDS));
        CHECK(msg_receive(q, &m) && m.word == mixed(got));
    }
    msg_endpoint_close(e);
}

/* A row that has sent `place` messages through its ring `used`, without data; the other has never been used. */
static void make_old(msg_transmit *t, msg_queue *q, unsigned used, uint64_t place) {
    struct lane_sender *s = &t->row[0]->lane;
    const struct lane_ring *ring = &s->ring[used];
    for (uint64_t p = place - ring->slots; p != place; p++)
        ((struct msg_slot *)lane_slot(ring, p))->stamp = (((p >> ring->shift) + 1) & MSG_ROUNDS) << MSG_ROUND_SHIFT;
    q->lane[0]->lane.in->head = lane_head_at(2 * place + used);
    lane_begin(s, 2 * place + used);
}

/* Behind half of all rounds, and just before they begin again: data that are kept are in use, and a large ring that was never needed
 * takes messages. */
static void calls_late(unsigned flags) {
    for (uint32_t slots = 4; slots <= 256; slots *= 2)
        for (int far = 0; far < 8; far++) {
            msg_endpoint *e = msg_endpoint_create();
            msg_queue *q = msg_queue_create(e, 0, slots, flags);
            msg_transmit *t = msg_transmit_create(e, 0, 1, flags);
            char data[100] = {0};
            msg_message m;
            CHECK(msg_region_create(t, 4096) && msg_connect(t, 0, q, 1) == MSG_OK);
            const struct lane_ring *last = &t->row[0]->lane.ring[t->row[0]->lane.rings - 1];
            uint64_t rounds = far / 4 ? MSG_ROUNDS - 1000 : (1ull << 38) + 5;
            make_old(t, q, 0, (rounds << (far % 2 ? last->shift : t->row[0]->lane.ring[0].shift)) + 1);
            for (int i = 0; i < 100; i++) {
                uint64_t ticket;
                CHECK(msg_tag_on(t, 0, 1, 2, msg_region_memory(t->region), 100, &ticket) == MSG_OK);
                CHECK(!msg_is_released(t, 0, ticket) && msg_receive(q, &m) && !msg_is_released(t, 0, ticket));
                msg_release(q, &m);
                CHECK(msg_is_released(t, 0, ticket));
                if (far % 4 >= 2) break; /* and then without data */
            }
            for (uint64_t round = 0; round < 3; round++) {
                uint64_t sent = 0, got = 0;
                while (sent < slots + 100 && msg_express(t, 0, 0, sent) == MSG_OK) sent++;
                CHECK(sent >= slots && sent <= slots + MSG_SMALL && msg_express(t, 0, 0, 0) == MSG_FULL);
                while (msg_receive(q, &m)) CHECK(m.word == got++);
                CHECK(got == sent);
            }
            CHECK(msg_send(t, 0, 0, data, 100, NULL) == MSG_OK && msg_receive(q, &m));
            msg_endpoint_close(e);
        }
}

int main(void) {
    for (unsigned single = 0; single <= MSG_SINGLE; single++) {
        calls_express(single);
        calls_data(single);
        calls_basic(single);
        calls_forged_runs();
        calls_forged_words(single);
        calls_cells(single);
        calls_late(single);
    }
    calls_bulk();
    calls_bulk_closed();
    calls_release_wakes();
    return 0;
}
