/* Descriptors that take an hour to be closed, from peers that mean harm: in the packets of msg_dial and msg_answer, and in the socket
 * by which a sender wakes its receiver's epoll descriptor (as Linux before 6.16 lets it). No call of msg.h waits for them. And what a forked
 * child closes wakes its parent all the same.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "msg/channel.h"
#include "msg_test.h"

/* A connection whose data nobody takes, and which lingers. */
static int slow_to_close(void) {
    static const char some[1 << 16];
    int listener = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof at;
    struct linger hour = {1, 3600};
    int little = 4096; /* memory, because there are many; connections have what their listener has */
    CHECK(setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &little, sizeof little) == 0);
    CHECK(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &little, sizeof little) == 0);
    CHECK(bind(listener, (struct sockaddr *)&at, bytes) == 0 && listen(listener, 1) == 0);
    CHECK(getsockname(listener, (struct sockaddr *)&at, &bytes) == 0);
    CHECK(connect(fd, (struct sockaddr *)&at, bytes) == 0 && accept(listener, NULL, NULL) >= 0);
    CHECK(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
    while (write(fd, some, sizeof some) > 0) {}
    CHECK(fcntl(fd, F_SETFL, 0) == 0 && setsockopt(fd, SOL_SOCKET, SO_LINGER, &hour, sizeof hour) == 0);
    return fd;
}

/* Sends it with these bytes, as the last of `count` descriptors, and keeps none. */
static bool send_slow(int socket, const void *what, size_t bytes, int count) {
    union {
        char bytes[CMSG_SPACE(253 * sizeof(int))];
        struct cmsghdr aligned;
    } control = {{0}};
    struct iovec part = {(void *)what, bytes};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = bytes != 0, .msg_control = control.bytes};
    m.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    *c = (struct cmsghdr){CMSG_LEN((size_t)count * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    int slow = slow_to_close(), null = open("/dev/null", O_RDONLY);
    for (int i = 0; i < count; i++)
        memcpy(CMSG_DATA(c) + (size_t)i * sizeof slow, i < count - 1 ? &null : &slow, sizeof slow);
    bool sent = sendmsg(socket, &m, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
    close(null);
    if (sent)
        close(slow);
    else
        msg_close_foreign(slow);
    return sent;
}

static void packets(msg_endpoint *e, msg_queue *q) {
    msg_transmit *t = msg_transmit_create(e, 1, 1, 0);
    struct msg_offer offer = {.magic = MSG_MAGIC_OFFER, .version = MSG_VERSION, .slots = 64, .rings = 1};
    struct msg_accept accept = {.magic = MSG_MAGIC_ACCEPT, .version = MSG_VERSION};
    static const int counts[] = {1, 2, 3, 4, 17, 253};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int whole = 0; whole < 2; whole++) {
            int pair[2];
            for (int dials = 0; dials < 2; dials++) {
                CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
                size_t bytes = dials ? sizeof offer : sizeof accept;
                CHECK(send_slow(pair[1], dials ? (void *)&offer : &accept, whole ? bytes : bytes - 1, counts[i]));
                if (!whole) CHECK(shutdown(pair[1], SHUT_WR) == 0);
                CHECK((dials ? msg_dial(t, 0, pair[0], -1) : msg_answer(q, 1, pair[0], -1)) == MSG_FAILED);
                for (int k = 0; k < 2; k++) close(pair[k]);
            }
        }
}

enum { PASSRIGHTS = 83 };

static void events(msg_endpoint *e, msg_queue *q, bool watched_before) {
    msg_endpoint *from = msg_endpoint_create();
    msg_transmit *t = msg_transmit_create(from, 0, 2, 0);
    msg_set s;
    msg_message m;
    struct epoll_event event;
    int yes = 1;
    msg_set_init(&s, e);
    msg_set_add(&s, q);
    CHECK(msg_connect(t, 0, q, 0) == MSG_OK && msg_connect(t, 1, q, 1) == MSG_OK);
    int fd = watched_before ? msg_fd(e) : -1;
    struct msg_lane *bad = q->lane[t->row[0]->number];
    for (int k = 0; k < 2; k++) /* as before Linux 6.16 */
        setsockopt(k ? bad->event : t->row[0]->event, SOL_SOCKET, PASSRIGHTS, &yes, sizeof yes);
    bad->may_bring = true;
    CHECK(!send_slow(bad->event, "", 1, 1)); /* the sender takes nothing there */
    CHECK(msg_arm(&s));
    for (int i = 0; i < 2; i++) bell_signal_peer(t->row[0]->event);
    for (size_t i = 0; i < 3; i++) CHECK(send_slow(t->row[0]->event, "", i % 2 || !sends_without_bytes(), 1));
    msg_disarm(&s);
    if (fd < 0) CHECK((fd = msg_fd(e)) >= 0);
    for (int i = 0; i < 3; i++) {
        CHECK(epoll_wait(fd, &event, 1, 0) == 0);
        CHECK(msg_arm(&s) && msg_express(t, 1, 1, 7) == MSG_OK && epoll_wait(fd, &event, 1, 0) == 1);
        msg_disarm(&s);
        CHECK(msg_express(t, 0, 1, 8) == MSG_OK);
        for (int n = 0; n < 2;) n += msg_poll(&s, &m);
    }
    msg_endpoint_close(from);
}

/* A child closes its copy of an endpoint: the parent's is woken as before. */
static void forked(msg_endpoint *e, msg_queue *q, bool may_bring) {
    msg_endpoint *from = msg_endpoint_create();
    msg_transmit *t = msg_transmit_create(from, 0, 1, 0);
    msg_set s;
    msg_message m;
    struct epoll_event event;
    int fd = msg_fd(e), status;
    msg_set_init(&s, e);
    msg_set_add(&s, q);
    CHECK(msg_connect(t, 0, q, 0) == MSG_OK && msg_arm(&s));
    q->lane[t->row[0]->number]->may_bring = may_bring;
    CHECK(msg_express(t, 0, 1, 7) == MSG_OK);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        msg_endpoint_close(e);
        _exit(0);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0 && epoll_wait(fd, &event, 1, 0) == 1);
    msg_disarm(&s);
    CHECK(msg_poll(&s, &m) && m.word == 7 && msg_arm(&s) && epoll_wait(fd, &event, 1, 0) == 0);
    CHECK(msg_express(t, 0, 1, 8) == MSG_OK && epoll_wait(fd, &event, 1, 0) == 1);
    msg_endpoint_close(from);
}

int main(void) {
    for (int may_bring = 0; may_bring < 2; may_bring++) {
        msg_endpoint *e = msg_endpoint_create();
        forked(e, msg_queue_create(e, 0, 64, 0), may_bring);
        msg_endpoint_close(e);
    }
    for (int watched_before = 0; watched_before < 2; watched_before++) {
        msg_endpoint *e = msg_endpoint_create();
        msg_queue *q = msg_queue_create(e, 0, 64, 0);
        packets(e, q);
        events(e, q, watched_before);
        msg_endpoint_close(e);
    }
    /* What could not be closed ends with the process. */
    _exit(0);
}
