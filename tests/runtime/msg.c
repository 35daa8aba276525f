/* Message queues (msg.h) as a program uses them: threads, forked processes, and processes that have only a socket in common.
 *
 *     msg calls        each call, what it refuses, and that a full queue stops no other
 *     msg sockets      a channel between two processes by descriptors; peers that send the wrong ones
 *     msg poll         OnePoll over 512 queues: priority, Empty, sleeping threads, epoll
 *     msg many N       N messages of several processes to one server, with answers; contents are checked
 *     msg killed       senders are stopped and killed at random moments; the others' messages stay whole and in order
 *     msg attack       a sender scribbles over all that it can write; so do others' messages stay
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "msg/channel.h"

/* Only what hangs takes so long. */
enum { FOR_EVER_MS = 3600000 };

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "msg.c:%d: not true: %s (%s)\n", __LINE__, #condition, msg_error());                       \
            _exit(99);                                                                                                 \
        }                                                                                                              \
    } while (0)

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 27;
}

static void fill(unsigned char *to, uint32_t bytes, uint64_t seed) {
    for (uint32_t i = 0; i < bytes; i++) to[i] = (unsigned char)mixed(seed + i / 8 + i % 8 * 1000);
}

static bool is_filled(const unsigned char *from, uint32_t bytes, uint64_t seed) {
    for (uint32_t i = 0; i < bytes; i++)
        if (from[i] != (unsigned char)mixed(seed + i / 8 + i % 8 * 1000)) return false;
    return true;
}

/* A child that ends well unless a check fails. */
static pid_t child(void (*run)(void *), void *with) {
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        run(with);
        _exit(0);
    }
    return pid;
}
static void ends_well(pid_t pid) {
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- calls -------------------------------------------------------------------------------------------------------- */

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
    enum { OWN_THREAD = false }; /* ThreadSanitizer has no threads behind a fork */
#else
    enum { OWN_THREAD = true };
#endif
    for (int bulk = 0; bulk < 1 + OWN_THREAD; bulk++) {
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
    CHECK(msg_receive(q, &m) == OWN_THREAD);
    CHECK(!OWN_THREAD || (m.tag == 7 && m.bytes == 1000 && memcmp(m.data, data, 1000) == 0));
    msg_release(q, &m);
    free(data);
    msg_endpoint_close(a);
    msg_endpoint_close(b);
}

/* ---- sockets ------------------------------------------------------------------------------------------------------ */

static void dials(void *socket) {
    msg_endpoint *e = msg_endpoint_create();
    msg_transmit *t = msg_transmit_create(e, 3, 2, 0);
    msg_region *r = msg_region_create(t, 4096);
    CHECK(r && msg_dial(t, 1, *(int *)socket, FOR_EVER_MS) == MSG_OK);
    fill(msg_region_memory(r), 160, 5);
    uint64_t ticket;
    CHECK(msg_tag_on(t, 1, 2, 3, msg_region_memory(r), 160, &ticket) == MSG_OK);
    for (uint64_t i = 0; i < 100000; i++)
        while (msg_express(t, 1, i % 32, mixed(i)) == MSG_FULL) CHECK(msg_wait_for_room(t, 1, -1));
    while (!msg_is_released(t, 1, ticket)) sched_yield();
}

/* Sends what `wrong` says instead of a good acceptance. */
static int wrong, pair[2];
static void dials_wrongly(void *unused) {
    (void)unused;
    msg_endpoint *e = msg_endpoint_create();
    msg_transmit *t = msg_transmit_create(e, 3, 2, 0);
    struct msg_offer offer;
    struct msg_accept accept;
    struct msg_done done;
    int fds[MSG_OFFER_FDS], own[3] = {-1, -1, -1}, count = 1;
    CHECK(msg_socket_receive(pair[1], &offer, sizeof offer, fds, MSG_OFFER_FDS, msg_until(FOR_EVER_MS)));
    /* What this side must not write cannot be mapped for writing, however one tries. */
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fds[0]);
    CHECK(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0) == MAP_FAILED && errno == EPERM);
    int again = open(path, O_RDWR);
    CHECK(again < 0 || mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0) == MAP_FAILED);
    CHECK(again < 0 || pwrite(again, "x", 1, 0) < 0);
    CHECK(ftruncate(fds[0], 0) != 0 && ftruncate(fds[1], 0) != 0);
    /* Nor holes, which are writing zeroes. So a lane's owner cannot give pages back either (docs/decisions/0009). */
    CHECK(fallocate(fds[0], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) != 0 && errno == EPERM);
    void *read_only = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fds[0], 0);
    CHECK(read_only != MAP_FAILED && mprotect(read_only, 4096, PROT_READ | PROT_WRITE) != 0);
    CHECK(msg_accept(t, &offer, fds, &accept, own));
    int bare = memfd_create("bare", MFD_CLOEXEC | MFD_ALLOW_SEALING), tube[2];
    CHECK(pipe(tube) == 0 && ftruncate(bare, 1 << 20) == 0);
    switch (wrong) {
    case 0: own[0] = bare; break; /* no seals */
    case 1:
        CHECK(ftruncate(bare, 4096) == 0 &&
              fcntl(bare, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | 0x10 | F_SEAL_SEAL) == 0);
        own[0] = bare;
        break; /* too short */
    case 2: own[0] = tube[0]; break;
    case 3: count = 0; break;
    case 4: accept.region_bytes = 4096; break; /* and none comes */
    case 5:
        accept.region_bytes = UINT64_MAX;
        own[1] = bare;
        count = 2;
        break;
    case 6: accept.magic++; break;
    case 7:
        own[1] = bare;
        count = 2;
        break; /* one too many */
    case 8: _exit(0);
    }
    CHECK(msg_socket_send(pair[1], &accept, sizeof accept, own, count, msg_until(FOR_EVER_MS)));
    CHECK(msg_socket_receive(pair[1], &done, sizeof done, NULL, 0, msg_until(FOR_EVER_MS)));
    CHECK(done.failed && done.why[0]);
}

/* A receiver that wants to make its senders wait: its descriptor is full, and waits for whoever writes. */
static void answers_deaf(void *unused) {
    (void)unused;
    msg_endpoint *e = msg_endpoint_create();
    msg_queue *q = msg_queue_create(e, 0, 64, 0);
    struct msg_offer offer;
    struct msg_accept accept;
    int fds[MSG_OFFER_FDS], accepted[MSG_ACCEPT_FDS];
    uint64_t most = UINT64_MAX - 1;
    struct msg_lane *l = msg_offer(q, 1, &offer, fds);
    CHECK(l);
    while (write(fds[2], &most, sizeof most) == sizeof most) {}
    CHECK(fcntl(fds[2], F_SETFL, 0) == 0);
    CHECK(msg_socket_send(pair[1], &offer, sizeof offer, fds, 3, msg_until(FOR_EVER_MS)));
    CHECK(msg_socket_receive(pair[1], &accept, sizeof accept, accepted, MSG_ACCEPT_FDS, msg_until(FOR_EVER_MS)));
    CHECK(msg_offer_finish(q, l, &accept, accepted) == MSG_OK);
    l->lane.in->fd_armed = 1;
    struct msg_done done = {.magic = MSG_MAGIC_DONE};
    CHECK(msg_socket_send(pair[1], &done, sizeof done, NULL, 0, msg_until(FOR_EVER_MS)));
    msg_message m;
    for (uint64_t i = 0; i < 1000; i++) {
        while (!msg_receive(q, &m)) sched_yield();
        CHECK(m.word == i && l->lane.in->fd_armed);
    }
}

static void sockets(void) {
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    pid_t pid = child(dials, &pair[1]);
    msg_endpoint *e = msg_endpoint_create();
    msg_queue *q = msg_queue_create(e, 0, 64, 0);
    CHECK(msg_answer(q, 4711, pair[0], FOR_EVER_MS) == MSG_OK);
    msg_set s;
    msg_set_init(&s, e);
    msg_set_add(&s, q);
    msg_message m;
    CHECK(msg_wait(&s, &m, -1) && m.kind == MSG_DATA && m.bytes == 160 && m.word == 3 && m.source == 4711);
    CHECK(is_filled(m.data, 160, 5));
    msg_release(q, &m);
    for (uint64_t i = 0; i < 100000; i++) CHECK(msg_wait(&s, &m, -1) && m.word == mixed(i) && m.source == 4711);
    ends_well(pid);
    for (wrong = 0; wrong <= 8; wrong++) {
        pid = child(dials_wrongly, NULL);
        CHECK(msg_answer(q, 1, pair[0], wrong == 8 ? 50 : FOR_EVER_MS) == MSG_FAILED && msg_error()[0]);
        ends_well(pid);
    }
    CHECK(!q->lane[1] && !q->setting_up[1]);
    /* Of a receiver that is wrong. */
    msg_transmit *t = msg_transmit_create(e, 0, 1, 0), *deaf = msg_transmit_create(e, 1, 1, 0);
    pid = child(answers_deaf, NULL);
    CHECK(msg_dial(deaf, 0, pair[0], FOR_EVER_MS) == MSG_OK);
    for (uint64_t i = 0; i < 1000; i++)
        while (msg_express(deaf, 0, 0, i) == MSG_FULL) sched_yield();
    ends_well(pid);
    struct msg_offer bad[] = {{0},
                              {MSG_MAGIC_OFFER, 99, 64, 0, 0, 0, 0, 0},
                              {MSG_MAGIC_OFFER, MSG_VERSION, 63, 0, 0, 0, 0, 0},
                              {MSG_MAGIC_OFFER, MSG_VERSION, 64, 0, 512, 0, 0, 0},
                              {MSG_MAGIC_OFFER, MSG_VERSION, 64, 0, 0, 600, 0, 0},
                              {MSG_MAGIC_OFFER, MSG_VERSION, 64, 0, 0, 0, 0, 0}};
    for (unsigned i = 0; i < 6; i++) {
        struct msg_accept refusal;
        CHECK(msg_socket_send(pair[1], &bad[i], sizeof bad[i], NULL, 0, msg_until(1000)));
        CHECK(msg_dial(t, 0, pair[0], 1000) == MSG_FAILED && msg_error()[0]);
        CHECK(msg_socket_receive(pair[1], &refusal, sizeof refusal, NULL, 0, msg_until(1000)) && !refusal.magic);
    }
    /* As what wakes its sender it hands over what is no socket, or has something in it. */
    for (int full = 0; full < 2; full++) {
        struct msg_offer offer;
        struct msg_accept refusal;
        int fds[MSG_OFFER_FDS], event;
        struct msg_lane *l = msg_offer(q, 9, &offer, fds);
        CHECK(l && (event = fds[2]) >= 0);
        CHECK(full ? write(l->event, "x", 1) == 1 : (fds[2] = fds[0]) >= 0);
        CHECK(msg_socket_send(pair[1], &offer, sizeof offer, fds, 3, msg_until(1000)));
        CHECK(msg_dial(t, 0, pair[0], 1000) == MSG_FAILED && strstr(msg_error(), "event descriptor"));
        CHECK(msg_socket_receive(pair[1], &refusal, sizeof refusal, NULL, 0, msg_until(1000)) && !refusal.magic);
        msg_offer_withdraw(q, l);
        for (int i = 0; i < 2; i++) close(fds[i]);
        close(event);
    }
    msg_endpoint_close(e);
}

/* ---- OnePoll ------------------------------------------------------------------------------------------------------ */

static msg_endpoint *server;
static msg_transmit *to_server;
static msg_set half[2];
static uint64_t came[4];
enum { PINGS = 20000 };

static void *waits(void *number) {
    uintptr_t me = (uintptr_t)number; /* two threads for each set */
    for (msg_message m;;) {
        CHECK(msg_wait(&half[me % 2], &m, -1));
        CHECK(m.queue / 256 == me % 2);
        if (m.tag == 1) return NULL;
        __atomic_fetch_add(&came[me], 1, __ATOMIC_RELAXED);
    }
}

static void poll_sleeping(void) {
    pthread_t thread[4];
    for (uintptr_t i = 0; i < 4; i++) CHECK(pthread_create(&thread[i], NULL, waits, (void *)i) == 0);
    for (uint64_t i = 0; i < PINGS; i++) {
        unsigned to = (unsigned)(mixed(i) % 512);
        while (msg_express(to_server, to, 0, i) == MSG_FULL) CHECK(msg_wait_for_room(to_server, to, -1));
        if (i % 16 == 0 || i == PINGS - 1) /* until they have all come: each time somebody falls asleep */
            while (__atomic_load_n(&came[0], __ATOMIC_RELAXED) + __atomic_load_n(&came[1], __ATOMIC_RELAXED) +
                       __atomic_load_n(&came[2], __ATOMIC_RELAXED) + __atomic_load_n(&came[3], __ATOMIC_RELAXED) <
                   i + 1)
                sched_yield();
    }
    for (unsigned i = 0; i < 4; i++) CHECK(msg_express(to_server, i % 2 * 256 + i, 1, 0) == MSG_OK);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    CHECK(came[0] + came[1] + came[2] + came[3] == PINGS);
}

/* Somebody clears all bits, as each sender could: messages come nevertheless, one lane being looked at itself every 64 polls. */
static void poll_guarded(const msg_set *all) {
    msg_set one;
    msg_message m;
    msg_set_init(&one, server);
    msg_set_add(&one, server->queue[7]);
    for (int round = 0; round < 6; round++) { /* more than once: the guard goes on to the next lane, and around */
        const msg_set *s = round % 2 ? all : &one;
        CHECK(msg_express(to_server, 7, 3, (uint64_t)round) == MSG_OK);
        memset(server->bell->ready, 0, sizeof server->bell->ready);
        memset(server->bell->from, 0, sizeof server->bell->from);
        int polls = 0, most = 64 * (round % 2 ? 258 : 2);
        while (!msg_poll(s, &m)) CHECK(++polls <= most);
        CHECK(m.queue == 7 && m.tag == 3 && m.word == (uint64_t)round && !msg_poll(s, &m));
    }
}

static void *waits_for_one(void *m) {
    CHECK(msg_wait(&half[0], m, -1));
    return m;
}

/* A sender takes back `asleep`, clears bits, and wakes the receiver so often that no sleep ends by its time: what another has sent
 * comes nevertheless. */
static void poll_woken(void) {
    struct msg_row *r = to_server->row[9];
    for (uint64_t i = 0; i < 3; i++) {
        pthread_t thread;
        msg_message m;
        uint64_t place;
        CHECK(pthread_create(&thread, NULL, waits_for_one, &m) == 0);
        while (!__atomic_load_n(&server->bell->asleep, __ATOMIC_ACQUIRE)) sched_yield();
        CHECK(lane_put(&r->lane, i, 4, &place)); /* and its bits are gone before anybody has looked */
        while (!lane_is_taken(&r->lane, place)) {
            __atomic_store_n(&server->bell->asleep, 1, __ATOMIC_RELAXED);
            bell_wake(server->bell);
            usleep(1000);
        }
        CHECK(pthread_join(thread, NULL) == 0 && m.word == i && m.tag == 4 && m.queue == 9);
    }
}

/* The descriptor is readable when a message has come for the armed set, and not when one has for another queue; also if its
 * sender has come when the descriptor, or the armed set, was there. */
static void poll_armed(msg_endpoint *e, int fd) {
    msg_transmit *t = msg_transmit_create(e, 1, 4, 0);
    struct epoll_event event;
    msg_message m;
    for (unsigned d = 0; d < 4; d++) {
        msg_queue *inside = server->queue[d], *outside = server->queue[300 + d];
        if (d == 2) CHECK(msg_arm(&half[0]));
        CHECK(msg_connect(t, d, d % 2 ? inside : outside, d) == MSG_OK);
        CHECK(msg_arm(&half[0]) && msg_express(t, d, 1, d) == MSG_OK);
        CHECK(epoll_wait(fd, &event, 1, 0) == (int)d % 2);
        msg_disarm(&half[0]);
        CHECK(epoll_wait(fd, &event, 1, 0) == 0);
        CHECK(msg_receive(d % 2 ? inside : outside, &m) && m.word == d);
    }
    /* Nobody hands descriptors over there: to close them could take long. (From Linux 6.16 on.) */
    struct msg_row *r = t->row[1];
    for (int end = 0, is = 0; end < 2; end++) {
        int to = end ? r->event : server->queue[1]->lane[1]->event,
            other = end ? server->queue[1]->lane[1]->event : r->event;
        union {
            char bytes[CMSG_SPACE(sizeof(int))];
            struct cmsghdr aligned;
        } control = {{0}};
        struct msghdr with = {.msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        struct cmsghdr *one = CMSG_FIRSTHDR(&with);
        socklen_t bytes = sizeof is;
        one->cmsg_level = SOL_SOCKET, one->cmsg_type = SCM_RIGHTS, one->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(one), &fd, sizeof fd);
        if (getsockopt(to, SOL_SOCKET, 83, &is, &bytes) == 0) CHECK(!is && sendmsg(other, &with, MSG_DONTWAIT) < 0);
    }
    /* What a sender that has ended has left without telling. */
    uint64_t place;
    CHECK(msg_arm(&half[0]) && lane_put(&t->row[1]->lane, 5, 6, &place) && epoll_wait(fd, &event, 1, 0) == 0);
    msg_lane_rouse(server->queue[1], server->queue[1]->lane[1]);
    CHECK(epoll_wait(fd, &event, 1, 0) == 1);
    msg_disarm(&half[0]);
    CHECK(msg_poll(&half[0], &m) && m.word == 5 && m.tag == 6 && m.queue == 1);
}

static void *sends_late(void *unused) {
    (void)unused;
    for (uint64_t i = 0; i < 200; i++) {
        if (i % 3 == 0) usleep(200);
        while (msg_express(to_server, 7, 0, i) == MSG_FULL) sched_yield();
    }
    return NULL;
}

static void poll(void) {
    server = msg_endpoint_create();
    msg_endpoint *e = msg_endpoint_create();
    to_server = msg_transmit_create(e, 0, 512, 0);
    msg_set all;
    msg_message m;
    msg_set_init(&all, server);
    for (int i = 0; i < 2; i++) msg_set_init(&half[i], server);
    for (int i = 0; i < 512; i++) {
        msg_queue *q = msg_queue_create(server, i, 16, 0);
        CHECK(q && msg_connect(to_server, (unsigned)i, q, (uint32_t)i) == MSG_OK);
        msg_set_add(&all, q);
        msg_set_add(&half[i / 256], q);
    }
    all.empty_tag = 17;
    all.empty_word = 99;
    CHECK(!msg_poll(&all, &m) && m.tag == 17 && m.word == 99 && m.kind == MSG_EMPTY);
    CHECK(!msg_wait(&all, &m, 0) && !msg_wait(&all, &m, 3));
    for (int round = 0; round < 200; round++) { /* by priority, and those of one queue in order */
        for (int i = 0; i < 300; i++)
            msg_express(to_server, (unsigned)(mixed((uint64_t)(round * 1000 + i)) % 512), 0, (uint64_t)i);
        for (uint64_t last = 0, queue = 0, n = 0; n < 300 || msg_poll(&all, &m); n++) {
            if (n < 300 && !msg_poll(&all, &m)) break; /* some were full */
            CHECK(m.queue >= queue && m.source == m.queue && (m.queue > queue || n == 0 || m.word > last));
            queue = m.queue;
            last = m.word;
        }
        CHECK(!msg_poll(&all, &m));
        for (int i = 0; i < 40 * (round % 3); i++) CHECK(!msg_poll(&all, &m)); /* so that bits are cleared, or not */
    }
    msg_set_remove(&all, server->queue[300]);
    CHECK(msg_express(to_server, 300, 0, 0) == MSG_OK && !msg_poll(&all, &m) && msg_poll(&half[1], &m));
    poll_guarded(&half[0]);
    poll_woken();
    poll_sleeping();
    int fd = msg_fd(server);
    CHECK(fd >= 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, sends_late, NULL) == 0);
    for (uint64_t i = 0; i < 200;) {
        struct epoll_event event;
        if (msg_arm(&half[0])) CHECK(epoll_wait(fd, &event, 1, -1) == 1);
        msg_disarm(&half[0]);
        while (msg_poll(&half[0], &m)) CHECK(m.word == i++);
    }
    pthread_join(thread, NULL);
    poll_armed(e, fd);
    msg_endpoint_close(e);
    msg_endpoint_close(server);
}

/* ---- many processes ------------------------------------------------------------------------------------------------ */

enum { CLIENTS = 6 };
static struct client {
    msg_endpoint *endpoint;
    msg_transmit *out;
    msg_region *region;
    msg_queue *answers;
    uint64_t messages, number;
} client[CLIENTS];
static msg_queue *requests;
static msg_transmit *replies;
static msg_set server_set;

static void connect_all(uint64_t messages) {
    server = msg_endpoint_create();
    requests = msg_queue_create(server, 3, 64, 0);
    replies = msg_transmit_create(server, 0, CLIENTS, 0);
    msg_set_init(&server_set, server);
    msg_set_add(&server_set, requests);
    for (unsigned c = 0; c < CLIENTS; c++) {
        struct client *k = &client[c];
        k->endpoint = msg_endpoint_create();
        k->out = msg_transmit_create(k->endpoint, 0, 1, 0);
        k->region = msg_region_create(k->out, 1 << 16);
        k->answers = msg_queue_create(k->endpoint, 0, 32, 0);
        k->messages = messages;
        k->number = c;
        CHECK(k->answers && k->region && msg_connect(k->out, 0, requests, c) == MSG_OK &&
              msg_connect(replies, c, k->answers, 1000) == MSG_OK);
    }
}

/* Message i of client c: of several kinds, with contents that follow from both. */
static int send_one(struct client *k, uint64_t i, uint64_t *ticket) {
    unsigned char data[1024];
    uint64_t seed = mixed(i * CLIENTS + k->number);
    uint32_t bytes = 9 + (uint32_t)(seed % 1000);
    switch (seed % 4) {
    case 0:
    case 1: return msg_express(k->out, 0, i % 32, seed);
    case 2: fill(data, bytes, seed); return msg_send(k->out, 0, i % 32, data, bytes, NULL);
    }
    if (*ticket != MSG_NO_TICKET && !msg_is_released(k->out, 0, *ticket)) return MSG_FULL;
    fill(msg_region_memory(k->region), bytes, seed);
    return msg_tag_on(k->out, 0, i % 32, (uint32_t)seed, msg_region_memory(k->region), bytes, ticket);
}

static void check_one(uint64_t c, uint64_t i, const msg_message *m) {
    uint64_t seed = mixed(i * CLIENTS + c);
    uint32_t bytes = 9 + (uint32_t)(seed % 1000);
    CHECK(m->tag == i % 32);
    if (seed % 4 < 2) {
        CHECK(m->kind == MSG_EXPRESS && m->word == seed);
        return;
    }
    CHECK(m->kind == MSG_DATA && m->bytes == bytes && is_filled(m->data, bytes, seed));
    CHECK(seed % 4 == 2 || m->word == (uint32_t)seed);
    msg_release(requests, m);
}

/* Sends all, and takes an answer for every eighth. */
static void is_client(void *which) {
    struct client *k = which;
    uint64_t ticket = MSG_NO_TICKET, answered = 0;
    msg_message m;
    for (uint64_t i = 0; i < k->messages; i++) {
        while (send_one(k, i, &ticket) == MSG_FULL) {
            if (i % 3 == 0)
                msg_wait_for_room(k->out, 0, 20);
            else
                sched_yield();
        }
        while (msg_receive(k->answers, &m)) CHECK(m.word == answered++ && m.source == 1000);
    }
    while (answered < k->messages / 8)
        if (msg_receive(k->answers, &m))
            CHECK(m.word == answered++ && m.source == 1000);
        else
            sched_yield();
}

static void many(uint64_t messages) {
    uint64_t next[CLIENTS] = {0}, answers[CLIENTS] = {0}, left = messages / CLIENTS * CLIENTS;
    pid_t pid[CLIENTS];
    connect_all(messages / CLIENTS);
    for (int c = 0; c < CLIENTS; c++) pid[c] = child(is_client, &client[c]);
    msg_message m;
    while (left) {
        for (unsigned c = 0; c < CLIENTS; c++) /* answers that did not fit before */
            while (answers[c] < next[c] / 8 && msg_express(replies, c, 0, answers[c]) == MSG_OK) answers[c]++;
        if (!msg_wait(&server_set, &m, 10)) continue;
        CHECK(m.source < CLIENTS);
        check_one(m.source, next[m.source]++, &m);
        left--;
    }
    for (unsigned c = 0; c < CLIENTS; c++)
        for (; answers[c] < next[c] / 8; answers[c]++)
            while (msg_express(replies, c, 0, answers[c]) == MSG_FULL) sched_yield();
    for (int c = 0; c < CLIENTS; c++) ends_well(pid[c]);
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

/* A row that has sent `place` messages through its ring `used`, without data; the other has never been used. */
static void make_old(msg_transmit *t, msg_queue *q, unsigned used, uint64_t place) {
    struct lane_sender *s = &t->row[0]->lane;
    const struct lane_ring *ring = &s->ring[used];
    for (uint64_t p = place - ring->slots; p != place; p++)
        ((struct msg_slot *)lane_slot(ring, p))->stamp = (((p >> ring->shift) + 1) & MSG_ROUNDS) << MSG_ROUND_SHIFT;
    q->lane[0]->lane.in->head = lane_head_at(2 * place + used);
    lane_begin(s, 2 * place + used);
}

/* Behind half of all rounds: data that are kept are in use, and a large ring that was never needed takes messages. */
static void calls_late(unsigned flags) {
    for (uint32_t slots = 4; slots <= 256; slots *= 2)
        for (int far = 0; far < 4; far++) {
            msg_endpoint *e = msg_endpoint_create();
            msg_queue *q = msg_queue_create(e, 0, slots, flags);
            msg_transmit *t = msg_transmit_create(e, 0, 1, flags);
            char data[100] = {0};
            msg_message m;
            CHECK(msg_region_create(t, 4096) && msg_connect(t, 0, q, 1) == MSG_OK);
            const struct lane_ring *last = &t->row[0]->lane.ring[t->row[0]->lane.rings - 1];
            make_old(t, q, 0, (((1ull << 38) + 5) << (far % 2 ? last->shift : t->row[0]->lane.ring[0].shift)) + 1);
            for (int i = 0; i < 100; i++) {
                uint64_t ticket;
                CHECK(msg_tag_on(t, 0, 1, 2, msg_region_memory(t->region), 100, &ticket) == MSG_OK);
                CHECK(!msg_is_released(t, 0, ticket) && msg_receive(q, &m) && !msg_is_released(t, 0, ticket));
                msg_release(q, &m);
                CHECK(msg_is_released(t, 0, ticket));
                if (far >= 2) break; /* and then without data */
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

/* ---- killed and stopped -------------------------------------------------------------------------------------------- */

static void sends_for_ever(void *which) {
    struct client *k = which;
    uint64_t ticket = MSG_NO_TICKET;
    for (uint64_t i = 0;; i++)
        while (send_one(k, i, &ticket) == MSG_FULL) sched_yield();
}

/* Clients 0 to 3 are stopped, continued and killed; what they sent before is whole and in order, and 4 and 5 go on. */
static void killed(void) {
    enum { BROKEN = 4, ROUNDS = 60 };
    for (int round = 0; round < 3; round++) {
        uint64_t next[CLIENTS] = {0};
        pid_t pid[CLIENTS];
        connect_all(0);
        for (int c = 0; c < CLIENTS; c++) pid[c] = child(sends_for_ever, &client[c]);
        bool stopped[BROKEN] = {0};
        msg_message m;
        for (uint64_t i = 0; i < ROUNDS; i++) {
            uint64_t dice = mixed(i + 1000u * (unsigned)round), c = dice % BROKEN;
            if (i > ROUNDS / 2) {
                kill(pid[c], SIGKILL);
            } else {
                kill(pid[c], stopped[c] ? SIGCONT : SIGSTOP);
                stopped[c] = !stopped[c];
            }
            uint64_t until = next[4] + next[5] + 2000 + dice / 16 % 1000;
            while (next[4] + next[5] < until || next[4] < until / 4 || next[5] < until / 4) {
                CHECK(msg_wait(&server_set, &m, -1));
                check_one(m.source, next[m.source]++, &m);
            }
        }
        for (int c = 0; c < CLIENTS; c++) {
            int status;
            kill(pid[c], SIGKILL);
            CHECK(waitpid(pid[c], &status, 0) == pid[c] && WIFSIGNALED(status));
        }
        while (msg_wait(&server_set, &m, 250)) check_one(m.source, next[m.source]++, &m);
    }
}

/* ---- attack -------------------------------------------------------------------------------------------------------- */

static void write_where_allowed(void *at, size_t bytes, uint64_t *dice) {
    for (int n = 0; n < 64; n++) {
        *dice = mixed(*dice + 0x9e3779b97f4a7c15u);
        uint64_t *word = (uint64_t *)at + *dice / 8 % (bytes / 8);
        uint64_t value = *dice % 5 == 0 ? 0 : *dice % 5 == 1 ? UINT64_MAX : *dice % 5 == 2 ? *word + 1 : mixed(*dice);
        __atomic_store_n(word, value, __ATOMIC_RELAXED);
    }
}

/* Client 0, as a sender: scribbles over its ring and over the bell. It keeps the futex's word: no limit on what it writes. */
static bool wild;
static void attacks(void *which) {
    struct client *k = which;
    struct msg_row *r = k->out->row[0];
    for (uint64_t dice = 1, n = 0, ticket = MSG_NO_TICKET;; dice++, n++) {
        send_one(k, dice, &ticket);
        /* A slot that is right but for data far outside of the region: the last that the receiver takes of this lane. */
        while (wild && n == 2000 && !msg_row_put(r, UINT64_MAX - (1 << 20), MSG_SLOT_TAG_ON << MSG_KIND_SHIFT, &ticket))
            sched_yield();
        if (wild && n < 2000) continue;
        write_where_allowed(r->out, r->of_out.bytes, &dice);
        write_where_allowed(r->bell, sizeof *r->bell, &dice);
        write_where_allowed(r->bell->ready, 64, &dice);
        write_where_allowed(r->bell->from[3], 64, &dice);
        write_where_allowed(k->answers->lane[0]->lane.in, k->answers->lane[0]->of_in.bytes, &dice);
        if (dice % 8 == 0) sched_yield();
    }
}

static volatile uint64_t read_bytes; /* so that they are read */

static void attack(void) {
    enum { MESSAGES = 30000 };
    uint64_t next[CLIENTS] = {0}, answers[CLIENTS] = {0}, left = MESSAGES * (CLIENTS - 1), nonsense = 0;
    pid_t pid[CLIENTS];
    connect_all(MESSAGES);
    for (int c = 0; c < CLIENTS; c++) pid[c] = child(c ? is_client : attacks, &client[c]);
    msg_message m;
    while (left) {
        for (unsigned c = 0; c < CLIENTS; c++)
            while (answers[c] < next[c] / 8 && msg_express(replies, c, 0, answers[c]) == MSG_OK) answers[c]++;
        if (!msg_wait(&server_set, &m, 10)) continue;
        CHECK(m.source < CLIENTS);
        if (m.source == 0) { /* whatever it says, it says as itself, and its data lie where they may be read */
            unsigned char sum = 0;
            for (uint32_t i = 0; m.kind == MSG_DATA && i < m.bytes; i++) sum ^= ((const unsigned char *)m.data)[i];
            read_bytes += sum;
            msg_release(requests, &m);
            nonsense++;
            continue;
        }
        check_one(m.source, next[m.source]++, &m);
        left--;
    }
    for (unsigned c = 1; c < CLIENTS; c++)
        for (; answers[c] < next[c] / 8; answers[c]++)
            while (msg_express(replies, c, 0, answers[c]) == MSG_FULL) sched_yield();
    for (int c = 1; c < CLIENTS; c++) ends_well(pid[c]);
    kill(pid[0], SIGKILL);
    waitpid(pid[0], NULL, 0);
}

int main(int argc, char **argv) {
    CHECK(argc >= 2);
    if (!strcmp(argv[1], "calls")) {
        for (unsigned single = 0; single <= MSG_SINGLE; single++) {
            calls_express(single);
            calls_data(single);
            calls_basic(single);
            calls_forged_runs();
            calls_forged_words(single);
            calls_late(single);
        }
        calls_bulk();
        calls_release_wakes();
    } else if (!strcmp(argv[1], "sockets")) {
        sockets();
    } else if (!strcmp(argv[1], "poll")) {
        poll();
    } else if (!strcmp(argv[1], "many")) {
        many(strtoull(argv[2], NULL, 10));
    } else if (!strcmp(argv[1], "killed")) {
        killed();
    } else if (!strcmp(argv[1], "attack")) {
        attack();
        wild = true;
        attack();
    } else {
        CHECK(!"a test");
    }
    return 0;
}
