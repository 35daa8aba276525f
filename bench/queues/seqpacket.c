/* Unix sockets that keep messages apart (SOCK_SEQPACKET). Batches by sendmmsg and recvmmsg. */
#include "fd.h"

#include <sys/socket.h>

enum { LONGEST = 128 << 10 }; /* what the socket's buffer takes at any rate */
static int end[2][2];
static int inbox, outbox;
static char *out_data, *in_data;
static struct mmsghdr out_message[BATCH], in_message[BATCH];
static struct iovec out_piece[BATCH], in_piece[BATCH];
static int kept, next_at, in_messages;

static void create(int participants) {
    (void)participants;
    for (int k = 0; k < 2; k++)
        if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, end[k])) die("socketpair");
}
static void open_(int me, int participants) {
    (void)participants;
    inbox = end[me != 0][0], outbox = end[me == 0][1];
    nonblocking(inbox, 1), nonblocking(outbox, 1);
    out_data = aligned_alloc(4096, MOST), in_data = aligned_alloc(4096, MOST);
    if (!out_data || !in_data) die("memory");
    for (int i = 0; i < BATCH; i++) {
        out_piece[i] = (struct iovec){out_data + 8 * i, 8}, in_piece[i] = (struct iovec){in_data + 8 * i, 8};
        out_message[i].msg_hdr = (struct msghdr){.msg_iov = &out_piece[i], .msg_iovlen = 1};
        in_message[i].msg_hdr = (struct msghdr){.msg_iov = &in_piece[i], .msg_iovlen = 1};
    }
}

static inline void *place(size_t bytes) { return (void)bytes, out_data + 8 * kept; }
static inline void commit(size_t bytes) {
    while (send(outbox, out_data, bytes, 0) < 0) {
        if (errno != EAGAIN) die("send");
        wait_for(outbox, POLLOUT);
    }
}
static inline const void *take(size_t bytes) {
    while (recv(inbox, in_data, bytes, 0) != (ssize_t)bytes) {
        if (errno != EAGAIN) die("recv");
        wait_for(inbox, POLLIN);
    }
    return in_data;
}
static inline void done(void) {}

static inline void add(size_t bytes) { (void)bytes, kept++; }
static inline void flush(void) {
    for (int sent = 0; sent < kept;) {
        int n = sendmmsg(outbox, out_message + sent, (unsigned)(kept - sent), 0);
        if (n > 0)
            sent += n;
        else if (errno != EAGAIN)
            die("sendmmsg");
    }
    kept = 0;
}
static inline const void *next(size_t bytes) {
    (void)bytes;
    if (next_at == in_messages) {
        while ((in_messages = recvmmsg(inbox, in_message, BATCH, 0, NULL)) < 0)
            if (errno != EAGAIN) die("recvmmsg");
        next_at = 0;
    }
    return in_data + 8 * next_at++;
}

static void wake_in(void) { nonblocking(inbox, 0), take(8); }
static void wake_out(void) { commit(8); }

static void poll_open(int queues) {
    watch_none();
    for (int i = 0; i < queues; i++) {
        int fd[2];
        if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd)) die("socketpair");
        watch(fd[0]);
    }
}

#define HAS_BATCH
#include "loops.h"

const struct contender CONTENDER = {.name = "Unix socket, packets",
                                    .rows = ROUND_TRIPS | STREAM | BATCHES | SENDERS,
                                    .most = LONGEST,
                                    .create = create,
                                    .open = open_,
                                    .wake_in = wake_in,
                                    .wake_out = wake_out,
                                    .poll_open = poll_open,
                                    .poll = poll_all,
                                    LOOPS};
