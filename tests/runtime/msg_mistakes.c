/* Mistakes of a first hour with msg.h, each of which once hung, ended the process, or was explained wrongly.
 *
 *     msg_mistakes sockets     what is no socket; two that answer
 *     msg_mistakes limits      a process with few descriptors, or that may make no long files
 *     msg_mistakes waits       for room in a queue whose process has ended; for a record that this thread has not released
 *     msg_mistakes nulls       what an earlier call has not made is used
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "msg/channel.h"
#include "msg_broker.h"
#include "msg_test.h"

enum { PATIENCE_MS = 100000 };
static msg_endpoint *e;
static msg_queue *q;
static msg_transmit *t;

static void make(void) {
    e = msg_endpoint_create();
    q = msg_queue_create(e, 0, 0, 0);
    t = msg_transmit_create(e, 0, MSG_MOST_SENDERS + 1, 0);
    CHECK(q && t);
}

static bool fails(int status, const char *why) { return status == MSG_FAILED && strstr(msg_error(), why); }

/* Without an end: each of these waited for ever. */
static void what_is_no_socket(void) {
    int ends[2];
    make();
    CHECK(pipe(ends) == 0);
    CHECK(fails(msg_dial(t, 0, -1, -1), "descriptor -1 is no socket: Bad file descriptor"));
    CHECK(fails(msg_dial(t, 0, ends[0], -1), "is no socket: Socket operation on non-socket"));
    CHECK(fails(msg_answer(q, 1, -1, -1), "descriptor -1 is no socket"));
    CHECK(fails(msg_answer(q, 1, ends[1], -1), "is no socket"));
    close(ends[0]), close(ends[1]);
    msg_endpoint_close(e);
}

static int ends[2];
static void answers(void *with) {
    (void)with;
    make();
    CHECK(fails(msg_answer(q, 1, ends[1], PATIENCE_MS), "the other side answers, too: the one that sends has to dial"));
}
static void two_that_answer(void) {
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    pid_t pid = child(answers, NULL);
    make();
    CHECK(fails(msg_answer(q, 1, ends[0], PATIENCE_MS), "the other side answers, too"));
    ends_well(pid);
    msg_endpoint_close(e);
}

static int open_descriptors(void) {
    int n = 0;
    for (int fd = 0; fd < 64; fd++) n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* What fails leaves nothing open; rows that are given back make room. */
static void few_descriptors(void *with) {
    (void)with;
    struct rlimit few = {20, 20};
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    make();
    unsigned rows = 0;
    msg_message m;
    while (msg_connect(t, rows, q, rows) == MSG_OK) rows++;
    int open = open_descriptors();
    CHECK(rows > 3 && strstr(msg_error(), "Too many open files"));
    for (int i = 0; i < 100; i++) CHECK(fails(msg_connect(t, rows, q, rows), "Too many open files"));
    CHECK(open_descriptors() == open);
    CHECK(msg_express(t, 0, 3, 4) == MSG_OK && msg_receive(q, &m) && m.word == 4);
    for (unsigned d = 0; d < rows; d++) CHECK(msg_disconnect(t, d) == MSG_OK);
    for (unsigned d = 0; d < rows; d++) CHECK(msg_connect(t, d, q, d) == MSG_OK);
    msg_endpoint_close(e);
}

/* By SIGXFSZ, whose usual action ends the process. */
static void short_files(void *with) {
    (void)with;
    struct rlimit bytes = {4096, 4096};
    make();
    CHECK(setrlimit(RLIMIT_FSIZE, &bytes) == 0);
    CHECK(fails(msg_connect(t, 0, q, 1), "files of this process are limited to 4096 bytes (ulimit -f)"));
    CHECK(!msg_region_create(t, 1 << 20) && strstr(msg_error(), "ulimit -f"));
    CHECK(!msg_endpoint_create() && strstr(msg_error(), "ulimit -f"));
    msg_endpoint_close(e);
}

/* It answers for one row, and ends by SIGKILL. */
static void is_killed(void *with) {
    (void)with;
    make();
    CHECK(msg_set_window(q, 4096) == MSG_OK && msg_answer(q, 1, ends[1], PATIENCE_MS) == MSG_OK);
    for (;;) pause();
}
static void until_full_of(unsigned row) {
    int status = MSG_OK;
    while (status == MSG_OK) status = msg_express(t, row, 1, 2);
    CHECK(status == MSG_FULL);
}
static void until_full(void) { until_full_of(0); }

/* It waited for ever, and so did Bulk jobs of all the endpoint's rows. */
static void for_a_killed_receiver(void) {
    int status;
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    pid_t pid = child(is_killed, NULL);
    make();
    CHECK(msg_dial(t, 0, ends[0], PATIENCE_MS) == MSG_OK);
    until_full();
    CHECK(!msg_wait_for_room(t, 0, 300) && msg_express(t, 0, 1, 2) == MSG_FULL); /* it only does not receive */
    CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid);
    msg_job jobs[2];
    static char data[64];
    CHECK(msg_set_window(q, 4096) == MSG_OK && msg_connect(t, 1, q, 1) == MSG_OK);
    for (unsigned d = 0; d < 2; d++) CHECK(msg_bulk(t, d, 1, 1, 0, data, sizeof data, &jobs[d]) == MSG_OK);
    for (unsigned d = 0; d < 2; d++)
        while (!msg_bulk_is_done(&jobs[d])) usleep(1000);
    CHECK(jobs[0].ticket == MSG_NO_TICKET && jobs[1].ticket != MSG_NO_TICKET);
    CHECK(msg_wait_for_room(t, 0, -1) && msg_express(t, 0, 1, 2) == MSG_NO_ROW);
    CHECK(!msg_wait_for_room(t, 0, -1) && msg_connect(t, 0, q, 2) == MSG_OK && msg_express(t, 0, 1, 2) == MSG_OK);
    msg_endpoint_close(e);
    close(ends[0]), close(ends[1]);
}

/* A row whose receiver does not take held up the jobs of all others. */
static void for_others_bulk(void) {
    enum { SLOTS = 4, JOBS = 12, ROWS = 3 };
    static char data[JOBS][64];
    msg_job jobs[JOBS];
    msg_message m;
    unsigned next[ROWS] = {0, 1, 2};
    make();
    msg_queue *of[ROWS];
    for (unsigned d = 0; d < ROWS; d++) {
        of[d] = msg_queue_create(e, 1 + (int)d, d == 2 ? 0 : SLOTS, 0);
        CHECK(msg_set_window(of[d], 4096) == MSG_OK && msg_connect(t, d, of[d], 1) == MSG_OK);
        if (d < 2) until_full_of(d);
    }
    for (unsigned i = 0; i < JOBS; i++) {
        fill((unsigned char *)data[i], 64, i);
        CHECK(msg_bulk(t, i % ROWS, 1, (uint16_t)i, 64 * i, data[i], 64, &jobs[i]) == MSG_OK);
    }
    for (unsigned i = 2; i < JOBS; i += ROWS)
        while (!msg_bulk_is_done(&jobs[i])) usleep(1000);
    for (unsigned i = 0; i < JOBS; i++) CHECK(msg_bulk_is_done(&jobs[i]) == (i % ROWS == 2));
    for (unsigned d = ROWS; d-- > 0;)
        while (next[d] < JOBS) {
            if (!msg_receive(of[d], &m) || m.kind != MSG_BULK) continue;
            CHECK(m.word == next[d] && m.bytes == 64 && is_filled(m.data, 64, next[d]));
            msg_release(of[d], &m);
            next[d] += ROWS;
        }
    for (unsigned i = 0; i < JOBS; i++)
        while (!msg_bulk_is_done(&jobs[i])) usleep(1000);
    msg_endpoint_close(e);
}

static void for_a_closed_receiver(void) {
    msg_endpoint *other = msg_endpoint_create();
    msg_queue *closed = msg_queue_create(other, 0, 64, 0);
    make();
    CHECK(msg_connect(t, 0, closed, 1) == MSG_OK);
    until_full();
    msg_endpoint_close(other);
    CHECK(msg_wait_for_room(t, 0, -1) && msg_express(t, 0, 1, 2) == MSG_NO_ROW);
    msg_endpoint_close(e);
}

/* The thread waited for itself. */
static void for_its_own_record(void) {
    msg_message first, m;
    make();
    msg_queue *records = msg_queue_create(e, 1, 0, MSG_BASIC);
    msg_set set;
    msg_set_init(&set, e);
    msg_set_add(&set, records);
    CHECK(msg_connect(t, 0, records, 1) == MSG_OK);
    for (unsigned tag = 1; tag <= 2; tag++) CHECK(msg_basic_send(t, 0, tag, "text", 5) == MSG_OK);
    CHECK(msg_receive(records, &first) && first.tag == 1);
    CHECK(!msg_receive(records, &m) && m.kind == MSG_EMPTY && msg_receive_many(records, &m, 1) == 0);
    msg_release(records, &first);
    CHECK(msg_wait(&set, &m, -1) && msg_receive(records, &m) && m.tag == 2);
    msg_release(records, &m);
    CHECK(!msg_receive(records, &m));
    msg_endpoint_close(e);
}

/* Each ended the process. */
static void nulls(void) {
    uint64_t ticket;
    make();
    CHECK(!msg_queue_create(NULL, 0, 0, 0) && strstr(msg_error(), "the endpoint is null"));
    CHECK(!msg_transmit_create(NULL, 0, 1, 0) && strstr(msg_error(), "the endpoint is null"));
    CHECK(!msg_region_create(NULL, 64) && strstr(msg_error(), "the transmit queue is null"));
    CHECK(fails(msg_set_window(NULL, 64), "the queue is null"));
    CHECK(fails(msg_connect(t, 0, NULL, 1), "the queue is null"));
    CHECK(fails(msg_connect(NULL, 0, q, 1), "the transmit queue is null"));
    CHECK(fails(msg_disconnect(NULL, 0), "the transmit queue is null"));
    CHECK(fails(msg_dial(NULL, 0, 0, 0), "the transmit queue is null"));
    CHECK(fails(msg_answer(NULL, 0, 0, 0), "the queue is null"));
    CHECK(!msg_broker_connect(NULL, NULL) && strstr(msg_error(), "the endpoint is null"));
    CHECK(fails(msg_broker_register(NULL, "name", q, NULL), "the broker's connection is null"));
    CHECK(fails(msg_broker_open(NULL, "name", t, 0, NULL, 0), "the broker's connection is null"));
    msg_region *region = msg_region_create(t, 64);
    CHECK(region && msg_connect(t, 0, q, 1) == MSG_OK);
    CHECK(msg_tag_on(t, 0, 1, 2, msg_region_memory(region), 64, NULL) == MSG_WRONG);
    CHECK(msg_tag_on(t, 0, 1, 2, msg_region_memory(region), 64, &ticket) == MSG_OK);
    msg_endpoint_close(e);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "sockets") == 0) {
        what_is_no_socket();
        two_that_answer();
    } else if (argc == 2 && strcmp(argv[1], "limits") == 0) {
        ends_well(child(few_descriptors, NULL));
        ends_well(child(short_files, NULL));
    } else if (argc == 2 && strcmp(argv[1], "waits") == 0) {
        for_a_killed_receiver();
        for_a_closed_receiver();
        for_others_bulk();
        for_its_own_record();
    } else if (argc == 2 && strcmp(argv[1], "nulls") == 0) {
        nulls();
    } else {
        return 2;
    }
    return 0;
}
