/* Rows between near threads: rings in memory that both processes map (msg/channel.c). The steps of setting one up travel as
 * messages of the job; the descriptors travel as datagrams between Unix sockets, because nothing else can carry them:
 *
 *     sender                                       receiver
 *     DIAL_NEAR: queue, own address         ──►    offer; datagram with its descriptors; answers with a key, own address
 *     takes the datagram, accepts,
 *     datagram with own descriptors,
 *     FINISH: the key                       ──►    takes the datagram, finishes; answers
 *     the row exists
 *
 * The addresses are names that the kernel invents (an abstract name for each process, nothing in any folder). Anybody on this
 * computer can send to them, so a datagram counts only with the key of the step that it belongs to: 128 random bits,
 * which travel in the job's own messages. Where the datagram does not get through (processes in different network
 * namespaces), the row goes over the conduit.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "queues/queues.h"

enum { MOST_FDS = 4 };
_Static_assert((int)MOST_FDS >= (int)MSG_OFFER_FDS && (int)MOST_FDS >= (int)MSG_ACCEPT_FDS, "room for both");

struct address {
    uint32_t bytes;
    char name[12]; /* the kernel's names have six bytes */
};

struct key {
    uint64_t words[2];
};

struct datagram {
    struct key key;
    union {
        struct msg_offer offer;
        struct msg_accept accept;
    } is;
};

/* The answer to DIAL_NEAR. */
struct dialed {
    struct key key;
    struct address address;
};

/* A lane that waits for its last step. */
struct pending {
    struct key key;
    msg_queue *queue;
    struct msg_lane *lane;
    bool has_come;
    struct msg_accept accept;
    int fds[MOST_FDS];
    struct pending *next;
};
static struct pending *pending;

/* One for each direction: who takes offers and who takes acceptances do not meet each other's. */
enum { OFFERS, ACCEPTANCES, SOCKETS };
static int own[SOCKETS] = {-1, -1};
static struct address here[SOCKETS];

static bool is_same(const struct key *a, const struct key *b) {
    return a->words[0] == b->words[0] && a->words[1] == b->words[1];
}

static void close_all(int *fds) {
    for (int i = 0; i < MOST_FDS; i++) {
        if (fds[i] >= 0) close(fds[i]);
        fds[i] = -1;
    }
}

static bool open_one(int which) {
    if (own[which] >= 0) return true;
    int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    socklen_t bytes = sizeof name;
    if (s >= 0 && bind(s, (struct sockaddr *)&name, sizeof(sa_family_t)) == 0 &&
        getsockname(s, (struct sockaddr *)&name, &bytes) == 0 &&
        bytes - sizeof(sa_family_t) <= sizeof here[which].name) {
        here[which].bytes = (uint32_t)(bytes - sizeof(sa_family_t));
        memcpy(here[which].name, name.sun_path, here[which].bytes);
        own[which] = s;
        return true;
    }
    msg_fail("cannot make a socket for descriptors: %s", strerror(errno));
    if (s >= 0) close(s);
    return false;
}

static bool open_own(void) { return open_one(OFFERS) && open_one(ACCEPTANCES); }

/* False, with errno. Descriptors that are -1 end the list. */
static bool send_to(const struct address *to, const struct datagram *d, const int *fds) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int count = 0;
    while (count < MOST_FDS && fds[count] >= 0) count++;
    if (to->bytes > sizeof to->name) {
        errno = EINVAL;
        return false;
    }
    memcpy(name.sun_path, to->name, to->bytes);
    union {
        char bytes[CMSG_SPACE(MOST_FDS * sizeof(int))];
        struct cmsghdr aligned;
    } control = {{0}};
    struct iovec part = {(void *)d, sizeof *d};
    struct msghdr m = {.msg_name = &name,
                       .msg_namelen = (socklen_t)(sizeof(sa_family_t) + to->bytes),
                       .msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = control.bytes,
                       .msg_controllen = CMSG_SPACE((size_t)count * sizeof(int))};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
    memcpy(CMSG_DATA(c), fds, (size_t)count * sizeof(int));
    ssize_t sent;
    do sent = sendmsg(own[OFFERS], &m, MSG_DONTWAIT | MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof *d;
}

/* The next datagram; false: there is none. */
static bool take(int which, struct datagram *d, int *fds) {
    union {
        char bytes[CMSG_SPACE(MOST_FDS * sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec part = {d, sizeof *d};
    for (int i = 0; i < MOST_FDS; i++) fds[i] = -1;
    for (;;) {
        struct msghdr m = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        ssize_t n = recvmsg(own[which], &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
            if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
            size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            memcpy(fds, CMSG_DATA(c), (count < MOST_FDS ? count : MOST_FDS) * sizeof(int));
        }
        if (n == (ssize_t)sizeof *d) return true;
        close_all(fds); /* a stranger's */
    }
}

/* ---- the receiver ------------------------------------------------------------------------------------------------- */

static void on_dial(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs;
    uint32_t source;
    struct address to;
    struct pending *p = NULL;
    msg_queue *q = queues_admitted(args[1], gas_token_source(token), &source);
    if (!q || !open_own()) {
        queues_refuse(token, args[0]);
        return;
    }
    struct datagram d;
    memset(&d, 0, sizeof d);
    if (getrandom(&d.key, sizeof d.key, 0) != sizeof d.key || bytes != sizeof to || !(p = malloc(sizeof *p))) {
        msg_fail("no random numbers or no memory for a sender");
        queues_refuse(token, args[0]);
        return;
    }
    memcpy(&to, payload, sizeof to);
    int fds[MOST_FDS];
    struct msg_lane *l = msg_offer(q, source, &d.is.offer, fds);
    if (!l) {
        free(p);
        queues_refuse(token, args[0]);
        return;
    }
    bool sent = send_to(&to, &d, fds);
    close_all(fds);
    if (!sent) {
        msg_offer_withdraw(q, l);
        free(p);
        queues_reply(token, args[0], QUEUES_NOT_NEAR, NULL, 0);
        return;
    }
    *p = (struct pending){.key = d.key, .queue = q, .lane = l, .next = pending};
    for (int i = 0; i < MOST_FDS; i++) p->fds[i] = -1;
    pending = p;
    struct dialed answer = {d.key, here[ACCEPTANCES]};
    queues_reply(token, args[0], QUEUES_YES, &answer, sizeof answer);
}

static void take_all(void) {
    struct datagram d;
    int fds[MOST_FDS];
    while (take(ACCEPTANCES, &d, fds)) {
        struct pending *p = pending;
        while (p && !is_same(&p->key, &d.key)) p = p->next;
        if (!p || p->has_come) {
            close_all(fds);
            continue;
        }
        p->has_come = true;
        p->accept = d.is.accept;
        memcpy(p->fds, fds, sizeof fds);
    }
}

static void on_finish(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    struct key key = {{args[1], args[2]}};
    take_all();
    struct pending **at = &pending, *p;
    while (*at && !is_same(&(*at)->key, &key)) at = &(*at)->next;
    if (!(p = *at)) {
        msg_fail("thread %d does not know this sender any more", fathom_mythread);
        queues_refuse(token, args[0]);
        return;
    }
    *at = p->next;
    if (!p->has_come || __atomic_load_n(&queues_endpoint, __ATOMIC_ACQUIRE) == NULL) {
        /* The sender has given up. The lane of an endpoint that has been closed went with it. */
        if (__atomic_load_n(&queues_endpoint, __ATOMIC_ACQUIRE)) msg_offer_withdraw(p->queue, p->lane);
        close_all(p->fds);
        msg_fail("its descriptors have not come");
        queues_refuse(token, args[0]);
    } else if (msg_offer_finish(p->queue, p->lane, &p->accept, p->fds) == MSG_OK) {
        queues_reply(token, args[0], QUEUES_YES, NULL, 0);
    } else {
        queues_refuse(token, args[0]);
    }
    free(p);
}

/* ---- the sender --------------------------------------------------------------------------------------------------- */

enum queues_answer queues_near_connect(msg_transmit *t, unsigned destination, int thread, int queue) {
    if (!open_own()) return QUEUES_NO;
    struct queues_waiter w;
    enum queues_answer answer =
        queues_ask(&w, thread, QUEUES_DIAL_NEAR, &here[OFFERS], sizeof here[OFFERS], (uint64_t[]){(uint64_t)queue}, 1);
    if (answer != QUEUES_YES) return answer;
    struct dialed dialed;
    memcpy(&dialed, w.payload, sizeof dialed);
    struct datagram d;
    int fds[MOST_FDS], mine[MOST_FDS] = {-1, -1, -1, -1};
    bool has = false;
    while (!has && take(OFFERS, &d, fds)) {
        has = is_same(&d.key, &dialed.key);
        if (!has) close_all(fds);
    }
    struct msg_accept accept;
    memset(&accept, 0, sizeof accept);
    struct msg_row *r = has ? msg_accept(t, &d.is.offer, fds, &accept, mine) : NULL;
    char why[200];
    strncpy(why, has ? msg_error() : "the receiver's descriptors have not come", sizeof why - 1);
    why[sizeof why - 1] = 0;
    if (r) {
        d.is.accept = accept;
        /* Its queue of datagrams is short; the thread takes them from there when our FINISH, or another's, comes. */
        for (unsigned round = 0; !send_to(&dialed.address, &d, mine); core_wait_unrung(&round)) {
            if (errno == EAGAIN || errno == ENOBUFS) continue;
            snprintf(why, sizeof why, "cannot send descriptors to thread %d: %s", thread, strerror(errno));
            break;
        }
        close_all(mine);
    }
    answer = queues_ask(&w, thread, QUEUES_FINISH, NULL, 0, dialed.key.words, 2);
    if (answer == QUEUES_YES && r) return msg_accept_finish(t, destination, r) == MSG_OK ? QUEUES_YES : QUEUES_NO;
    if (!r) msg_fail("%s", why);
    msg_row_free(r);
    return QUEUES_NO;
}

void queues_near_start(void) {
    core_handler(QUEUES_DIAL_NEAR, on_dial);
    core_handler(QUEUES_FINISH, on_finish);
}
