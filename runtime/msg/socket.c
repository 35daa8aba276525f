/* Structs with descriptors through a Unix socket, and the two calls by which two processes that have one make a channel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "msg/channel.h"

/* As many as a packet can have (the kernel's SCM_MAX_FD): those for which there is no room the kernel closes at once, and waits. */
enum { MOST_FDS = 253 };

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

/* Until the socket is ready; false: the time is over, or an error. */
static bool ready(int socket, short events, int64_t until) {
    for (;;) {
        int64_t left = until - now_ms();
        struct pollfd p = {socket, events, 0};
        int n = poll(&p, 1, until == INT64_MAX ? -1 : left < 0 ? 0 : (int)left);
        if (n > 0) return true;
        if (n < 0 && errno == EINTR) continue;
        msg_fail(n == 0 ? "the peer does not answer" : "cannot wait for the peer: %s", strerror(errno));
        return false;
    }
}

/* Of calls that would wait for what never comes. */
static bool is_socket(int fd) {
    int type;
    socklen_t bytes = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0) return true;
    msg_fail("descriptor %d is no socket: %s", fd, strerror(errno));
    return false;
}

int64_t msg_until(int timeout_ms) { return timeout_ms < 0 ? INT64_MAX : now_ms() + timeout_ms; }

bool msg_socket_send(int socket, const void *what, size_t bytes, const int *fds, int count, int64_t until) {
    const char *at = what;
    while (bytes) {
        union {
            char bytes[CMSG_SPACE(MOST_FDS * sizeof(int))];
            struct cmsghdr aligned;
        } control = {{0}};
        struct iovec part = {(void *)at, bytes};
        struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
        if (count) {
            m.msg_control = control.bytes;
            m.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
            struct cmsghdr *c = CMSG_FIRSTHDR(&m);
            c->cmsg_level = SOL_SOCKET;
            c->cmsg_type = SCM_RIGHTS;
            c->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
            memcpy(CMSG_DATA(c), fds, (size_t)count * sizeof(int));
        }
        if (!ready(socket, POLLOUT, until)) return false;
        ssize_t n = sendmsg(socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n < 0) {
            msg_fail("cannot send to the peer: %s", strerror(errno));
            return false;
        }
        at += n;
        bytes -= (size_t)n;
        count = 0;
    }
    return true;
}

/* Keeps the first descriptors, closes those that nobody asked for. */
static int keep(struct msghdr *m, int *fds, int count, int have) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (have < count)
                fds[have++] = fd;
            else
                msg_close_foreign(fd);
        }
    }
    return have;
}

bool msg_socket_receive(int socket, void *what, size_t bytes, int *fds, int count, int64_t until) {
    char *at = what;
    int have = 0;
    for (int i = 0; i < count; i++) fds[i] = -1;
    while (bytes && ready(socket, POLLIN, until)) {
        union {
            char bytes[CMSG_SPACE(MOST_FDS * sizeof(int))];
            struct cmsghdr aligned;
        } control;
        struct iovec part = {at, bytes};
        struct msghdr m = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        ssize_t n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n > 0) {
            have = keep(&m, fds, count, have);
            at += n;
            bytes -= (size_t)n;
            continue;
        }
        msg_fail(n == 0 ? "the peer has closed its socket" : "cannot receive from the peer: %s", strerror(errno));
        break;
    }
    if (!bytes) return true;
    for (int i = 0; i < count; i++) {
        msg_close_foreign(fds[i]);
        fds[i] = -1;
    }
    return false;
}

/* Says how it ended, with the reason that msg_error has. */
static void send_done(int socket, bool failed, int64_t until) {
    struct msg_done done = {.magic = MSG_MAGIC_DONE, .failed = failed};
    if (failed) strncpy(done.why, msg_error(), sizeof done.why - 1);
    msg_socket_send(socket, &done, sizeof done, NULL, 0, until);
}

static void close_all(const int *fds, int count) {
    for (int i = 0; i < count; i++)
        if (fds[i] >= 0) close(fds[i]);
}

int msg_dial(msg_transmit *t, unsigned destination, int socket, int timeout_ms) {
    int64_t until = msg_until(timeout_ms); /* of all steps together */
    if (!msg_row_is_free(t, destination) || !is_socket(socket)) return MSG_FAILED;
    struct msg_offer offer;
    int offered[MSG_OFFER_FDS], own[MSG_ACCEPT_FDS];
    if (!msg_socket_receive(socket, &offer, sizeof offer, offered, MSG_OFFER_FDS, until)) return MSG_FAILED;
    struct msg_accept accept = {0};
    struct msg_row *r = msg_accept(t, &offer, offered, &accept, own);
    if (!r) {
        /* The other side must not wait: what it gets is no acceptance. */
        struct msg_accept refusal = {0};
        msg_socket_send(socket, &refusal, sizeof refusal, NULL, 0, until);
        return MSG_FAILED;
    }
    bool sent = msg_socket_send(socket, &accept, sizeof accept, own, own[1] < 0 ? 1 : 2, until);
    close_all(own, MSG_ACCEPT_FDS);
    struct msg_done done;
    if (sent && msg_socket_receive(socket, &done, sizeof done, NULL, 0, until)) {
        if (done.magic == MSG_MAGIC_DONE && !done.failed) return msg_accept_finish(t, destination, r);
        done.why[sizeof done.why - 1] = 0;
        msg_fail("the receiver refuses: %s", done.magic == MSG_MAGIC_DONE ? done.why : "it speaks another protocol");
    }
    msg_row_free(r);
    return MSG_FAILED;
}

int msg_answer(msg_queue *q, uint32_t source, int socket, int timeout_ms) {
    int64_t until = msg_until(timeout_ms);
    struct msg_offer offer;
    int offered[MSG_OFFER_FDS], accepted[MSG_ACCEPT_FDS];
    struct msg_lane *l =
        !msg_is_null(q, "the queue") && is_socket(socket) ? msg_offer(q, source, &offer, offered) : NULL;
    if (!l) return MSG_FAILED;
    bool sent = msg_socket_send(socket, &offer, sizeof offer, offered, offered[3] < 0 ? 3 : 4, until);
    close_all(offered, MSG_OFFER_FDS);
    struct msg_accept accept;
    if (!sent || !msg_socket_receive(socket, &accept, sizeof accept, accepted, MSG_ACCEPT_FDS, until)) {
        msg_offer_withdraw(q, l);
        return MSG_FAILED;
    }
    int status = msg_offer_finish(q, l, &accept, accepted);
    send_done(socket, status != MSG_OK, until);
    return status;
}
