/* Bytes through the kernel: pipes, or a stream of Unix sockets (SOCKETS). Neither has messages: both sides know how long
 * they are. Writers of many senders rely on writes of 8 bytes being whole (pipe(7), PIPE_BUF; sockets take them whole).
 */
#include "fd.h"

#include <sys/socket.h>

static int end[2][2]; /* of each participant's inbox: to read, to write */
static int inbox, outbox;
static char *out_data, *in_data;
static size_t kept, next_at, in_bytes;

static void make_pair(int fd[2]) {
#ifdef SOCKETS
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd)) die("socketpair");
#else
    if (pipe(fd)) die("pipe");
    fcntl(fd[1], F_SETPIPE_SZ, 1 << 20);
#endif
}
static void create(int participants) { (void)participants, make_pair(end[0]), make_pair(end[1]); }
static void open_(int me, int participants) {
    (void)participants;
    inbox = end[me != 0][0], outbox = end[me == 0][1];
    nonblocking(inbox, 1), nonblocking(outbox, 1);
    out_data = aligned_alloc(4096, MOST), in_data = aligned_alloc(4096, MOST);
    if (!out_data || !in_data) die("memory");
}

static inline void put(const void *data, size_t bytes) {
    for (const char *p = data; bytes > 0;) {
        ssize_t n = write(outbox, p, bytes);
        if (n > 0)
            p += n, bytes -= (size_t)n;
        else if (errno != EAGAIN)
            die("write");
        else
            wait_for(outbox, POLLOUT);
    }
}
static inline void *place(size_t bytes) { return (void)bytes, out_data + kept; }
static inline void commit(size_t bytes) { put(out_data, bytes); }
static inline const void *take(size_t bytes) {
    for (size_t got = 0; got < bytes;) {
        ssize_t n = read(inbox, in_data + got, bytes - got);
        if (n > 0)
            got += (size_t)n;
        else if (n == 0)
            errno = EPIPE, die("read");
        else if (errno != EAGAIN)
            die("read");
        else
            wait_for(inbox, POLLIN);
    }
    return in_data;
}
static inline void done(void) {}

static inline void flush(void) { put(out_data, kept), kept = 0; }
static inline void add(size_t bytes) { kept += bytes; }
static inline const void *next(size_t bytes) {
    if (next_at == in_bytes) {
        ssize_t n;
        while ((n = read(inbox, in_data, BATCH * bytes)) < 0 && errno == EAGAIN) {}
        /* What is written in multiples of 8 is read in multiples of 8 */
        if (n <= 0 || n % 8) die("read");
        next_at = 0, in_bytes = (size_t)n;
    }
    next_at += bytes;
    return in_data + next_at - bytes;
}

static void wake_in(void) { nonblocking(inbox, 0), take(8); }
static void wake_out(void) { place(8), commit(8); }

static void poll_open(int queues) {
    watch_none();
    for (int i = 0; i < queues; i++) {
        int fd[2];
        make_pair(fd), watch(fd[0]);
    }
}

#define HAS_BATCH
#define HAS_BULK
#include "loops.h"

const struct contender CONTENDER = {
#ifdef SOCKETS
    .name = "Unix socket, stream",
#else
    .name = "pipe",
#endif
    .rows = ROUND_TRIPS | STREAM | BATCHES | BULK | SENDERS,
    .create = create,
    .open = open_,
    .wake_in = wake_in,
    .wake_out = wake_out,
    .poll_open = poll_open,
    .poll = poll_all,
    LOOPS};
