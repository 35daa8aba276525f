/* Rows that are given back (msg_disconnect). Nothing that was sent before is lost, whatever else goes on.
 *
 *     msg_disconnect calls       what each mechanism leaves behind, and what is said of mistakes
 *     msg_disconnect places      many more senders come and go than a queue has places for, in this process and in others, which
 *                                give their rows back or are killed
 *     msg_disconnect threads N   N times a row goes and comes while threads send by it
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "msg/channel.h"
#include "msg_test.h"

enum { PATIENCE_MS = 100000 };
static msg_endpoint *e;
static msg_queue *q;
static msg_transmit *t;

static void make(uint32_t slots, unsigned flags) {
    e = msg_endpoint_create();
    q = msg_queue_create(e, 5, slots, flags);
    t = msg_transmit_create(e, 7, 4, flags & MSG_SINGLE);
    CHECK(q && t);
}

/* How many senders the queue has. */
static unsigned senders(void) {
    unsigned n = 0;
    for (unsigned k = 0; k < MSG_LANES; k++) n += q->lane[k] != NULL;
    return n;
}

static bool is_refused(unsigned destination, const char *why) {
    return msg_disconnect(t, destination) == MSG_FAILED && strcmp(msg_error(), why) == 0;
}

/* ---- one thread --------------------------------------------------------------------------------------------------- */

static void mistakes(void) {
    make(0, 0);
    CHECK(is_refused(0, "row 0 of transmit queue 7 is not connected"));
    CHECK(is_refused(4, "transmit queue 7 has no row 4 (0 to 3)"));
    CHECK(msg_connect(t, 0, q, 1) == MSG_OK && msg_disconnect(t, 0) == MSG_OK);
    CHECK(is_refused(0, "row 0 of transmit queue 7 is not connected"));
    CHECK(msg_express(t, 0, 1, 2) == MSG_NO_ROW && !msg_basic_reserve(t, 0, 8) && !msg_wait_for_room(t, 0, -1));
    CHECK(senders() == 0 && !e->retired && t->given_back == 0);
    msg_endpoint_close(e);
}

/* What waits is received, also when the row leads elsewhere already; then nothing is left. */
static void words(unsigned flags) {
    msg_message m;
    make(flags & MSG_BASIC ? 4096 : 64, flags);
    msg_queue *other = msg_queue_create(e, 6, flags & MSG_BASIC ? 4096 : 64, flags);
    CHECK(msg_connect(t, 2, q, 11) == MSG_OK);
    for (uint64_t i = 0; i < 50; i++) CHECK(msg_send(t, 2, 3, &i, sizeof i, NULL) == MSG_OK);
    CHECK(msg_disconnect(t, 2) == MSG_OK && msg_connect(t, 2, other, 12) == MSG_OK);
    CHECK(msg_send(t, 2, 4, "x", 2, NULL) == MSG_OK);
    for (uint64_t i = 0; i < 50; i++) {
        CHECK(msg_receive(q, &m) && m.source == 11 && m.tag == 3 && senders() == 1);
        CHECK(memcmp(m.kind == MSG_EXPRESS ? (const void *)&m.word : m.data, &i, sizeof i) == 0);
        msg_release(q, &m);
    }
    CHECK(!msg_receive(q, &m) && msg_receive(other, &m) && m.source == 12 && m.tag == 4);
    msg_release(other, &m);
    CHECK(msg_connect(t, 1, q, 13) == MSG_OK && senders() == 1 && !e->retired); /* the new one alone */
    msg_endpoint_close(e);
}

/* Data in place stay the receiver's until it has released them, also when the row has been connected anew. */
static void data_in_place(uint32_t slots, unsigned before) {
    enum { BYTES = 100 };
    msg_message m;
    uint64_t ticket, next;
    make(slots, 0);
    char *data = msg_region_memory(msg_region_create(t, 8192));
    CHECK(msg_connect(t, 0, q, 1) == MSG_OK);
    for (unsigned i = 0; i < before; i++) CHECK(msg_express(t, 0, 0, i) == MSG_OK);
    strcpy(data, "of the former row"), strcpy(data + 4096, "of the next row");
    CHECK(msg_tag_on(t, 0, 0, 1, data, BYTES, &ticket) == MSG_OK && msg_disconnect(t, 0) == MSG_OK);
    CHECK(!msg_is_released(t, 0, ticket) && msg_is_released(t, 0, MSG_NO_TICKET) && msg_is_released(t, 1, ticket));
    for (unsigned i = 0; i < before; i++) CHECK(msg_receive(q, &m) && m.word == i);
    CHECK(msg_receive(q, &m) && strcmp(m.data, "of the former row") == 0);
    CHECK(msg_connect(t, 0, q, 2) == MSG_OK && senders() == 2);
    CHECK(msg_tag_on(t, 0, 0, 1, data + 4096, BYTES, &next) == MSG_OK);
    CHECK(!msg_is_released(t, 0, ticket) && !msg_is_released(t, 0, next));
    msg_release(q, &m);
    CHECK(msg_receive(q, &m) && m.source == 2 && strcmp(m.data, "of the next row") == 0);
    CHECK(!msg_is_released(t, 0, next));
    msg_release(q, &m);
    CHECK(msg_is_released(t, 0, next) && msg_is_released(t, 0, ticket));
    CHECK(msg_disconnect(t, 0) == MSG_OK);
    CHECK(msg_connect(t, 0, q, 3) == MSG_OK && senders() == 1 && !e->retired && t->given_back == 0);
    msg_endpoint_close(e);
}

/* A job that waits for room is done all the same. */
static void jobs(void) {
    enum { SLOTS = 4, BYTES = 1000 };
    msg_message m;
    msg_job job;
    char data[BYTES];
    make(SLOTS, 0);
    memset(data, 9, BYTES);
    CHECK(msg_set_window(q, 4096) == MSG_OK && msg_connect(t, 0, q, 1) == MSG_OK);
    for (int i = 0; i < SLOTS; i++) CHECK(msg_express(t, 0, 0, 0) == MSG_OK);
    CHECK(msg_bulk(t, 0, 5, 77, 0, data, BYTES, &job) == MSG_OK && msg_disconnect(t, 0) == MSG_OK);
    CHECK(msg_connect(t, 0, q, 2) == MSG_OK && senders() == 2 && !msg_bulk_is_done(&job));
    for (int i = 0; i < SLOTS; i++) CHECK(msg_receive(q, &m) && m.source == 1);
    while (!msg_receive(q, &m)) sched_yield();
    CHECK(m.kind == MSG_BULK && m.source == 1 && m.word == 77 && m.bytes == BYTES && memcmp(m.data, data, BYTES) == 0);
    while (!msg_bulk_is_done(&job)) sched_yield();
    msg_release(q, &m);
    while (e->retired) { /* the service thread has yet to leave its call */
        msg_retired_free(e, false);
        msg_queue_tidy(q, false);
        sched_yield();
    }
    CHECK(senders() == 1);
    msg_endpoint_close(e);
}

/* A record that was reserved before is published into the row that it was reserved in. */
static void record(unsigned flags) {
    msg_message m;
    make(4096, MSG_BASIC | flags);
    CHECK(msg_connect(t, 0, q, 1) == MSG_OK);
    char *to = msg_basic_reserve(t, 0, 8);
    CHECK(to && msg_disconnect(t, 0) == MSG_OK);
    strcpy(to, "reserve");
    msg_basic_add(t, 0, 3, 8);
    msg_basic_publish(t, 0);
    CHECK(msg_receive(q, &m) && m.source == 1 && strcmp(m.data, "reserve") == 0);
    msg_release(q, &m);
    CHECK(msg_connect(t, 0, q, 2) == MSG_OK && senders() == 1);
    msg_endpoint_close(e);
}

/* ---- places ------------------------------------------------------------------------------------------------------- */

enum { COMERS = MSG_LANES + 100 };

static void in_this_process(void) {
    msg_message m;
    make(16, 0);
    for (uint32_t i = 0; i < COMERS; i++) {
        CHECK(msg_connect(t, i % 4, q, i) == MSG_OK && msg_express(t, i % 4, 1, i) == MSG_OK);
        CHECK(msg_disconnect(t, i % 4) == MSG_OK);
        CHECK(msg_receive(q, &m) && m.source == i && m.word == i && !msg_receive(q, &m));
    }
    CHECK(senders() <= 1);
    msg_endpoint_close(e);
}

/* Kinds of senders in processes of their own. */
enum { GIVES_BACK, CLOSES, IS_KILLED };
struct comer {
    int socket, kind;
    uint32_t number;
};
static void come(void *with) {
    const struct comer *c = with;
    msg_endpoint *own = msg_endpoint_create();
    msg_transmit *out = msg_transmit_create(own, 0, 1, 0);
    for (int again = 0; again < (c->kind == GIVES_BACK ? 2 : 1); again++) {
        CHECK(msg_dial(out, 0, c->socket, PATIENCE_MS) == MSG_OK);
        for (uint64_t i = 0; i < 3; i++) CHECK(msg_express(out, 0, 1, 3 * c->number + i) == MSG_OK);
        if (c->kind == GIVES_BACK) CHECK(msg_disconnect(out, 0) == MSG_OK && msg_express(out, 0, 1, 0) == MSG_NO_ROW);
    }
    if (c->kind == IS_KILLED) kill(getpid(), SIGKILL);
    msg_endpoint_close(own);
}

static void receives(uint32_t source) {
    msg_message m;
    for (uint64_t i = 0; i < 3; i++) {
        while (!msg_receive(q, &m)) sched_yield();
        CHECK(m.source == source && m.word == 3 * source + i);
    }
    CHECK(!msg_receive(q, &m));
}

static void in_others(int kind) {
    make(16, 0);
    for (uint32_t i = 0; i < COMERS; i++) {
        int ends[2], status;
        CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
        struct comer c = {ends[1], kind, i};
        pid_t pid = child(come, &c);
        close(ends[1]);
        for (int again = 0; again < (kind == GIVES_BACK ? 2 : 1); again++) {
            CHECK(msg_answer(q, i, ends[0], PATIENCE_MS) == MSG_OK);
            receives(i);
        }
        CHECK(waitpid(pid, &status, 0) == pid);
        CHECK(kind == IS_KILLED ? WIFSIGNALED(status) : status == 0);
        close(ends[0]);
    }
    /* Those that end without a word are found out when all places are taken. */
    CHECK(kind == GIVES_BACK ? senders() <= 2 : senders() <= MSG_LANES);
    msg_endpoint_close(e);
}

/* ---- threads ------------------------------------------------------------------------------------------------------ */

static bool ends;
static uint64_t sent, got;

static void *sends(void *with) {
    (void)with;
    char data[40] = "copied";
    for (uint64_t i = 0; !__atomic_load_n(&ends, __ATOMIC_ACQUIRE); i++) {
        int status = i % 4 ? msg_express(t, 0, 1, i) : msg_send(t, 0, 1, data, sizeof data, NULL);
        if (status == MSG_OK) __atomic_fetch_add(&sent, 1, __ATOMIC_RELAXED);
        if (status != MSG_OK) sched_yield();
    }
    return NULL;
}
static bool receive_one(void) {
    msg_message m;
    if (!msg_receive(q, &m)) return false;
    CHECK(m.kind == MSG_EXPRESS || strcmp(m.data, "copied") == 0);
    msg_release(q, &m);
    got++;
    return true;
}
static void *receives_all(void *with) {
    (void)with;
    while (!__atomic_load_n(&ends, __ATOMIC_ACQUIRE))
        if (!receive_one()) sched_yield();
    return NULL;
}

static void threads(uint64_t times) {
    enum { THREADS = 3 };
    pthread_t thread[THREADS + 1];
    make(128, 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&thread[i], NULL, sends, NULL) == 0);
    CHECK(pthread_create(&thread[THREADS], NULL, receives_all, NULL) == 0);
    for (uint64_t i = 0; i < times; i++) {
        /* A place may be in use until threads have left their calls. */
        while (msg_connect(t, 0, q, (uint32_t)i) != MSG_OK) sched_yield();
        if (i % 3 == 0) sched_yield();
        CHECK(msg_disconnect(t, 0) == MSG_OK);
    }
    __atomic_store_n(&ends, true, __ATOMIC_RELEASE);
    for (int i = 0; i <= THREADS; i++) CHECK(pthread_join(thread[i], NULL) == 0);
    while (receive_one()) continue;
    CHECK(got == sent);
    for (int i = 0; i < 3; i++) msg_queue_tidy(q, false);
    CHECK(senders() == 0 && !e->retired);
    msg_endpoint_close(e);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "calls") == 0) {
        mistakes();
        for (unsigned flags = 0; flags < 4; flags++) words(flags);
        data_in_place(64, 0);
        data_in_place(64, 50); /* in the large ring */
        data_in_place(16, 3);
        jobs();
        record(0);
        record(MSG_SINGLE);
    } else if (argc == 2 && strcmp(argv[1], "places") == 0) {
        in_this_process();
        for (int kind = GIVES_BACK; kind <= IS_KILLED; kind++) in_others(kind);
    } else if (argc == 3 && strcmp(argv[1], "threads") == 0) {
        threads(strtoull(argv[2], NULL, 0));
    } else {
        return 2;
    }
    return 0;
}
