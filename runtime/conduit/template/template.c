/* A conduit that does what a conduit must and nothing more: the example of docs/adding-a-conduit.md.
 *
 * Threads are processes of one computer that share no memory: each maps its own segment, and everything that passes
 * between two of them is an active message through a socket. There is no override, so puts, gets, atomics, barriers and
 * the rest are core's and gas's versions over messages. The processes themselves, and the end of the job, are
 * conduit/launch's, as for every conduit that forks.
 *
 * The order of a start. In the first process: start settles how many threads there are; segments maps
 * a segment as each thread will have it, so that a lack of memory is found while it can still be said well, or less be
 * asked for; spawn opens the mailboxes and forks. In each thread, spawn then keeps what is the thread's
 * own, and maps the segment anew. Since the mailboxes are older than the threads, a message may be sent at once, even to
 * a process that does not run yet.
 *
 * Messages. A thread has two mailboxes, one for requests and one for replies. A mailbox is a pair of connected sockets:
 * all others write into one end, which they have inherited; the owner reads the other. The sockets keep packets apart
 * and in order (SOCK_SEQPACKET), and a packet is written whole or not at all, so that senders need no lock. One packet
 * is one message: a header, the arguments, the payload.
 *
 * Why nothing deadlocks. The kernel holds so many bytes for a mailbox and then refuses; that is all the flow control
 * there is.
 *   - Who finds a mailbox for replies full delivers replies while it waits. The handler of a reply sends nothing, so
 *     delivering replies never waits: every thread that communicates, whatever it is doing, empties its mailbox for
 *     replies, and there will be room.
 *   - Who finds a mailbox for requests full delivers whatever comes. The handler of a request sends at most a reply,
 *     which will find room, so delivering requests always gets on, and there will be room here too.
 * With one mailbox for both kinds this would fail: two threads, each in a handler that wants to reply, each with a
 * mailbox full of requests, could neither write nor take in the requests (a handler does not run inside another).
 *
 * Waiting is sleeping in poll(2) until there is something to do. No processor is kept from the thread that is waited
 * for, however many threads share it.
 *
 * While a thread computes, its progress thread (core/progress.c) sleeps in poll(2) in its place and serves what comes.
 * Whatever both of them use is used between conduit_enter and conduit_leave.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "conduit/conduit.h"
#include "conduit/launch/launch.h"
#include "conduit/progress.h"
#include "conduit/segments.h"

static int me, threads_of_job;
static size_t segment_bytes;
static bool segment_is_huge;

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int template_start(int wanted, int *argc, char ***argv) {
    (void)argc, (void)argv;
    conduit_near.count = 1;
    threads_of_job = wanted ? wanted : 1;
    return threads_of_job;
}

static int template_threads_here(void) { return threads_of_job; }
static size_t template_least(size_t mine) { return mine; }

static int template_segments(int threads, size_t bytes, bool huge, const char **what) {
    (void)threads;
    *what = "mmap";
    segment_bytes = bytes;
    segment_is_huge = huge;
    return segments_map_own(bytes, huge);
}

/* Memory that near threads share: nobody is near, so the thread's own will do. */
static void *template_shared(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* ---- mailboxes --------------------------------------------------------------------------------------------------- */

enum { REQUESTS, REPLIES, KINDS };

struct header {
    uint32_t from;
    uint16_t handler;
    uint16_t nargs; /* 8 bytes each, after the header; what is left of the packet is payload */
};

#define MAX_PAYLOAD (64u << 10)

/* Its size is a multiple of 8, and so the payload is aligned as conduit.h promises. */
struct packet {
    struct header header;
    uint64_t args[CONDUIT_MAX_ARGS];
    char payload[MAX_PAYLOAD]; /* starts earlier where there are fewer arguments */
};

static struct { int in, out; /* the owner's end, everybody else's */ } (*box)[KINDS]; /* by thread */

static _Noreturn void no_boxes(const char *call, int why) {
    fprintf(stderr, "fathom: cannot make the sockets of %d threads: %s: %s%s\n", threads_of_job, call, strerror(why),
            why == EMFILE || why == ENFILE ? " (4 are open for each thread at the start; raise ulimit -n, or use fewer "
                                             "threads)"
                                           : "");
    exit(1);
}

static void open_boxes(int threads) {
    box = calloc((size_t)threads, sizeof *box);
    if (!box) no_boxes("calloc", ENOMEM);
    struct rlimit files;
    rlim_t need = (rlim_t)threads * KINDS * 2 + 64; /* the program has files too */
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < need) {
        files.rlim_cur = files.rlim_max < need ? files.rlim_max : need;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    for (int t = 0; t < threads; t++) {
        for (int kind = 0; kind < KINDS; kind++) {
            int ends[2], room = 0, want = 4 * (int)sizeof(struct packet);
            socklen_t length = sizeof room;
            if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) no_boxes("socketpair", errno);
            box[t][kind].in = ends[0], box[t][kind].out = ends[1];
            getsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, &length);
            if (room < want) setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &want, sizeof want);
            getsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, &length);
            if (room < 2 * (int)sizeof(struct packet)) no_boxes("SO_SNDBUF (see sysctl net.core.wmem_max)", ENOBUFS);
        }
    }
}

/* After the fork: a thread reads from its own mailboxes only. It keeps the ends to write into them as well: a mailbox
 * that nobody can write into would always be ready for poll(2), with the end of the stream. */
static void keep_own_ends(int threads) {
    for (int t = 0; t < threads; t++)
        for (int kind = 0; kind < KINDS; kind++)
            if (t != me) close(box[t][kind].in);
}

/* Eventfds: one wakes the progress thread; one wakes whoever rests, for another POSIX thread of the process. */
static int stirred, nudged;

static void write_one(int fd) {
    ssize_t ignored = write(fd, &(uint64_t){1}, sizeof(uint64_t));
    (void)ignored;
}
static void read_all(int fd) {
    uint64_t count;
    ssize_t ignored = read(fd, &count, sizeof count);
    (void)ignored;
}

static _Noreturn void no_segment(int why) {
    if (launch_end(1)) fprintf(stderr, "fathom: thread %d: no memory for its segment: %s\n", me, strerror(why));
    _exit(1);
}

static int template_spawn(int threads) {
    open_boxes(threads);
    me = launch_threads(threads);
    stirred = eventfd(0, EFD_CLOEXEC);
    nudged = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    keep_own_ends(threads);
    int why = segments_renew_own(segment_bytes, segment_is_huge);
    if (why) no_segment(why);
    conduit_near.first = me;
    return me;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static _Noreturn void broken(const char *call) {
    int why = errno;
    if (launch_end(1)) fprintf(stderr, "fathom: thread %d: cannot communicate: %s: %s\n", me, call, strerror(why));
    _exit(1);
}

/* Sleeps until there is a message to deliver, or what is asked for in `more`, or the time is over (false). To poll(2) a
 * negative descriptor is none. Where other POSIX threads of the process may call, they do meanwhile. */
static bool wait_for(bool replies_only, struct pollfd more, const struct timespec *time) {
    struct pollfd fds[] = {{.fd = box[me][REPLIES].in, .events = POLLIN},
                           {.fd = replies_only ? -1 : box[me][REQUESTS].in, .events = POLLIN},
                           more};
    int before = errno;
    bool opens = conduit_may_open && !conduit_is_beside();
    if (opens) conduit_open();
    bool woken = ppoll(fds, 3, time, NULL) != 0; /* interrupted by a signal: as good a reason to look again as any */
    if (opens) conduit_close();
    errno = before;
    return woken;
}
static struct timespec microseconds(long us) {
    return (struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L};
}

/* As sendmsg: if there is no room, a negative number and errno. */
static ssize_t post(const struct conduit_message *m) {
    struct header header = {.from = (uint32_t)me, .handler = m->handler, .nargs = m->nargs};
    struct iovec parts[] = {{&header, sizeof header},
                            {(void *)(uintptr_t)m->args, m->nargs * sizeof *m->args},
                            {(void *)(uintptr_t)m->payload, m->bytes}};
    struct msghdr packet = {.msg_iov = parts, .msg_iovlen = 3};
    ssize_t n;
    do n = sendmsg(box[m->thread][m->reply ? REPLIES : REQUESTS].out, &packet, MSG_DONTWAIT | MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    if (n < 0 && errno != EAGAIN && errno != ENOBUFS && errno != ENOMEM) broken("sendmsg");
    return n;
}

static int template_poll(bool replies_only);

static bool template_send(const struct conduit_message *m) {
    int out = box[m->thread][m->reply ? REPLIES : REQUESTS].out;
    int before = errno; /* it is the program's: an assignment to a shared object must not change it */
    bool entered = conduit_enter(), sent = true;
    while (post(m) < 0) {
        bool full = errno == EAGAIN; /* else the kernel is short of memory, and nothing will say when that is over */
        if (template_poll(m->reply) != 0) continue;
        if (launch_is_gone(m->thread)) { /* it has left without a word, and nobody will empty its mailbox */
            sent = false;
            break;
        }
        wait_for(m->reply, (struct pollfd){.fd = full ? out : -1, .events = POLLOUT},
                 &(struct timespec){.tv_nsec = full ? 100000000 : 1000000});
    }
    conduit_leave(entered);
    errno = before;
    return sent;
}

static enum conduit_sent template_try_send(const struct conduit_message *m) {
    int before = errno;
    bool entered = conduit_enter(), sent = post(m) >= 0;
    conduit_leave(entered);
    errno = before;
    return sent ? CONDUIT_SENT : launch_is_gone(m->thread) ? CONDUIT_GONE : CONDUIT_FULL;
}

/* Delivers the next message of a kind, if there is one; the progress thread keeps it instead if it is the thread's own
 * business. A buffer for each kind is enough: a request's handler that waits for room delivers replies, never requests,
 * and a reply's handler delivers nothing. */
static bool deliver(int kind) {
    static struct packet arrived[KINDS];
    struct packet *p = &arrived[kind];
    ssize_t n = recv(box[me][kind].in, p, sizeof *p, MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN && errno != EINTR) broken("recv");
    if (n <= 0) return false;
    size_t start = sizeof p->header + p->header.nargs * sizeof p->args[0];
    conduit_deliver(&(struct conduit_message){.thread = (int)p->header.from,
                                              .handler = p->header.handler,
                                              .nargs = (uint8_t)p->header.nargs,
                                              .reply = kind == REPLIES,
                                              .args = p->args,
                                              .payload = (char *)p + start,
                                              .bytes = (size_t)n - start});
    return true;
}

/* Ends after a while even if more arrives all the time: the caller has something to do, too. */
static int template_poll(bool replies_only) {
    enum { ENOUGH = 32 };
    int before = errno;
    bool entered = conduit_enter();
    int n = conduit_polled() + conduit_deliver_kept(&replies_only);
    while (n < ENOUGH && deliver(REPLIES)) n++;
    while (!replies_only && n < ENOUGH && deliver(REQUESTS)) n++;
    conduit_leave(entered);
    errno = before;
    return n;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

/* A message stays in its mailbox, so that poll(2) cannot miss it: there is no need for a first call that only arms. */
static bool template_rest(int us) {
    struct timespec time = microseconds(us);
    int before = errno;
    bool woken = !conduit_rest_begin() || wait_for(false, (struct pollfd){.fd = nudged, .events = POLLIN}, &time);
    conduit_rest_end();
    if (conduit_has_pthreads) read_all(nudged);
    errno = before;
    return woken;
}

/* A word in near memory, which is this thread's own: only a message can change it, and a message ends the sleep. */
static bool template_sleep(const uint32_t *word, uint32_t old, uint32_t mask, int ms) {
    (void)mask;
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != old) return true;
    return template_rest(ms * 1000);
}

static void template_nudge(void) { write_one(nudged); }

/* Nobody near sleeps but another POSIX thread of this process. */
static void template_wake(const uint32_t *word, int count, uint32_t mask) {
    (void)word, (void)count, (void)mask;
    if (__builtin_expect(conduit_has_pthreads, 0)) template_nudge();
}
static void template_ring(int thread) {
    (void)thread;
    if (__builtin_expect(conduit_has_pthreads, 0)) template_nudge();
}

static bool template_takes_turns(void) { return true; }

/* Of the thread itself, which nobody is near. So core takes the processors for crowded and soon sleeps: to look for a message
 * is a system call here, and whoever is to send it may need the processor. */
static int template_cores(void) { return 1; }

/* ---- progress while this thread computes ------------------------------------------------------------------------- */

static bool template_needs_progress(const char **obstacle) {
    (void)obstacle;
    return true;
}

static int template_progress(void) {
    int n = 0;
    while (!(n && conduit_is_wanted()) && n < 32 && (deliver(REPLIES) || (!conduit_kept_enough() && deliver(REQUESTS))))
        n++;
    return n;
}

static void template_rest_beside(long us) {
    struct timespec time = microseconds(us);
    wait_for(conduit_kept_enough(), (struct pollfd){.fd = stirred, .events = POLLIN}, &time);
}

static void template_stir(void) { write_one(stirred); }

/* ---- end --------------------------------------------------------------------------------------------------------- */

/* Who has terminated, and the end of the job, are conduit/launch's; nothing here needs leaving in good order. */

/* ---- the conduit ------------------------------------------------------------------------------------------------- */

const struct conduit conduit_built = {
    .name = "template",
    .max_threads = CONDUIT_MAX_FAR,
    .max_medium = MAX_PAYLOAD,
    .start = template_start,
    .threads_here = template_threads_here,
    .least = template_least,
    .segments = template_segments,
    .shared_memory = template_shared,
    .spawn = template_spawn,

    .send = template_send,
    .try_send = template_try_send,
    .poll = template_poll,

    .rest = template_rest,
    .sleep = template_sleep,
    .ring = template_ring,
    .wake = template_wake,
    .cores = template_cores,
    .takes_turns = template_takes_turns,
    .nudge = template_nudge,

    .needs_progress = template_needs_progress,
    .progress = template_progress,
    .rest_beside = template_rest_beside,
    .stir = template_stir,
    .wakes_beside = true,

    .done = launch_done,
    .is_done = launch_is_done,
    .done_count = launch_done_count,
    .lost = launch_lost,
    .claim_report = launch_claim_report,
    .end = launch_end,
    .is_ending = launch_is_ending,
    .is_thread = launch_is_thread,
};
