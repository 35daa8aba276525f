/* Mistakes of a first hour with msg.h, each of which once hung, ended the process, or was explained wrongly.
 *
 *     msg_mistakes sockets     what is no socket; two that answer
 *     msg_mistakes limits      a process with few descriptors, or that may make no long files
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "msg/channel.h"
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

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "sockets") == 0) {
        what_is_no_socket();
        two_that_answer();
    } else if (argc == 2 && strcmp(argv[1], "limits") == 0) {
        ends_well(child(few_descriptors, NULL));
        ends_well(child(short_files, NULL));
    } else {
        return 2;
    }
    return 0;
}
