/* msg_dial and msg_answer give up when the time that their caller names is over, of all steps together: a peer that takes most of
 * it for each step gains nothing.
 *
 * The peer is in this thread: whenever the library waits (poll), the peer takes its time, on a clock of the test's own
 * (clock_gettime), and then does its next step. So nothing here depends on how fast the computer is.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "msg/channel.h"
#include "msg_test.h"

enum { PATIENCE_MS = 1000 };
static int64_t clock_ms = 12345;
static int ends[2], each_ms;
static void (*peer)(void); /* its step before a socket becomes readable */

int clock_gettime(clockid_t clock, struct timespec *t) {
    (void)clock;
    *t = (struct timespec){clock_ms / 1000, clock_ms % 1000 * 1000000};
    return 0;
}

/* (By <poll.h> of glibc it would only write `p`.) */
struct pollfd {
    int fd;
    short events, revents;
};
int poll(struct pollfd *p, unsigned long n, int timeout) {
    enum { POLLIN = 1 };
    CHECK(n == 1 && p->fd == ends[0] && timeout >= 0);
    clock_ms += timeout < each_ms ? timeout : each_ms;
    if (timeout < each_ms) return 0;
    if (p->events & POLLIN) peer();
    return 1;
}

/* The peer's end of the socket, which never has to wait. */
static void transfer(ssize_t (*call)(int, struct msghdr *, int), void *what, size_t bytes, int *fds, int count) {
    union {
        char bytes[CMSG_SPACE(4 * sizeof(int))];
        struct cmsghdr aligned;
    } control = {{0}};
    struct iovec part = {what, bytes};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    m.msg_control = count ? control.bytes : NULL;
    m.msg_controllen = count ? CMSG_SPACE((size_t)count * sizeof(int)) : 0;
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    if (c) {
        *c = (struct cmsghdr){CMSG_LEN((size_t)count * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(c), fds, (size_t)count * sizeof(int));
    }
    CHECK(call(ends[1], &m, MSG_DONTWAIT) == (ssize_t)bytes);
    if (c && call == recvmsg) memcpy(fds, CMSG_DATA(c), (size_t)count * sizeof(int));
}
static ssize_t sends(int socket, struct msghdr *m, int flags) { return sendmsg(socket, m, flags); }

static msg_endpoint *e;
static msg_queue *q;
static msg_transmit *t;
static struct msg_lane *offered;

/* What is at the other end of msg_dial. */
static void ends_channel(void) {
    struct msg_done done = {.magic = MSG_MAGIC_DONE};
    transfer(sends, &done, sizeof done, NULL, 0);
}
static void offers(void) {
    struct msg_offer offer;
    int fds[MSG_OFFER_FDS];
    CHECK((offered = msg_offer(q, 1, &offer, fds)));
    transfer(sends, &offer, sizeof offer, fds, 3);
    for (int i = 0; i < 3; i++) close(fds[i]);
    peer = ends_channel;
}

/* And at that of msg_answer. */
static void accepts(void) {
    struct msg_offer offer;
    struct msg_accept accept;
    int fds[MSG_OFFER_FDS] = {-1, -1, -1, -1}, own[MSG_ACCEPT_FDS];
    transfer(recvmsg, &offer, sizeof offer, fds, 3);
    struct msg_row *row = msg_accept(t, &offer, fds, &accept, own);
    CHECK(row);
    transfer(sends, &accept, sizeof accept, own, 1);
    close(own[0]);
    msg_row_free(row);
}

/* Three waits each: for what comes, and for room for what goes. */
static int takes(int ms, bool dials) {
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    e = msg_endpoint_create();
    q = msg_queue_create(e, 0, 64, 0);
    t = msg_transmit_create(e, 0, 1, 0);
    each_ms = ms;
    peer = dials ? offers : accepts;
    int64_t began = clock_ms;
    int status = dials ? msg_dial(t, 0, ends[0], PATIENCE_MS) : msg_answer(q, 1, ends[0], PATIENCE_MS);
    CHECK(clock_ms - began <= PATIENCE_MS);
    CHECK(status == MSG_OK || strstr(msg_error(), "does not answer"));
    msg_offer_withdraw(q, offered);
    offered = NULL;
    msg_endpoint_close(e);
    for (int i = 0; i < 2; i++) close(ends[i]);
    return status;
}

int main(void) {
    for (int dials = 0; dials < 2; dials++) {
        CHECK(takes(PATIENCE_MS * 3 / 10, dials) == MSG_OK);
        CHECK(takes(PATIENCE_MS * 6 / 10, dials) == MSG_FAILED);
    }
    CHECK(takes(PATIENCE_MS * 4 / 10, true) == MSG_FAILED);
    return 0;
}
