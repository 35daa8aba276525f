/* A conduit that does what a conduit must and nothing more: the example of docs/adding-a-conduit.md.
 *
 * Threads are processes of one computer that share no memory: each maps its own segment, and everything that passes
 * between two of them is an active message through a socket. There is no override, so puts, gets, atomics, barriers and
 * the rest are core's and gas's versions over messages. The processes themselves, and the end of the job, are
 * conduit/launch's, as for every conduit that forks.
 *
 * The order of a start. In the first process: conduit_start settles how many threads there are; conduit_segments maps
 * every segment, so that a lack of memory is found while it can still be said well, or less be asked for;
 * conduit_spawn opens the mailboxes and forks. In each thread, conduit_spawn then keeps what is the thread's own. Since
 * the mailboxes are older than the threads, a message may be sent at once, even to a process that does not run yet.
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
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "conduit/conduit.h"
#include "conduit/launch/launch.h"
#include "lang/prelude.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

const char conduit_name[] = "template";
struct conduit_overrides conduit_overrides = {0};

static int me, threads_of_job;
static size_t segment_bytes;

/* ---- memory ---------------------------------------------------------------------------------------------------- */

int conduit_start(int wanted, int *argc, char ***argv) {
    (void)argc, (void)argv;
    conduit_near.count = 1;
    threads_of_job = wanted ? wanted : 1;
    return threads_of_job;
}

int conduit_threads_here(void) { return threads_of_job; }
size_t conduit_least(size_t mine) { return mine; }

static void unmap(int from, int to) {
    for (int t = from; t < to; t++) munmap(fathom_local(fathom_make(t, 0)), segment_bytes);
}

int conduit_segments(int threads, size_t bytes, bool huge, const char **what) {
    *what = "mmap";
    segment_bytes = bytes;
    /* Shared with nobody but children that a thread forks by itself, as on smp. Pages come when they are touched. */
    int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | (huge ? MAP_HUGETLB : MAP_NORESERVE);
    for (int t = 0; t < threads; t++) {
        void *want = fathom_local(fathom_make(t, 0));
        void *got = mmap(want, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (got == want) {
            madvise(got, bytes, MADV_DONTDUMP); /* core/crash.c adds what is in use */
            continue;
        }
        int why = got == MAP_FAILED ? errno : EEXIST; /* a kernel before 4.17 takes the address for a hint */
        if (got != MAP_FAILED) munmap(got, bytes);
        unmap(0, t);
        return why;
    }
    return 0;
}

/* Memory that near threads share: nobody is near, so the thread's own will do. */
void *conduit_shared(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* ---- mailboxes ------------------------------------------------------------------------------------------------- */

enum { REQUESTS, REPLIES, KINDS };

struct header {
    uint32_t from;
    uint16_t handler;
    uint16_t nargs; /* 8 bytes each, after the header; what is left of the packet is payload */
};

#define MAX_PAYLOAD (64u << 10)
const size_t conduit_max_medium = MAX_PAYLOAD;

/* Its size is a multiple of 8, and so the payload is aligned as conduit.h promises. */
struct packet {
    struct header header;
    uint64_t args[CONDUIT_MAX_ARGS];
    char payload[MAX_PAYLOAD]; /* starts earlier where there are fewer arguments */
};

static struct {
    int in, out; /* the owner's end, everybody else's */
} box[CONDUIT_MAX_THREADS][KINDS];

static _Noreturn void no_boxes(const char *call, int why) {
    fprintf(stderr, "fathom: cannot make the sockets of %d threads: %s: %s%s\n", threads_of_job, call, strerror(why),
            why == EMFILE || why == ENFILE ? " (4 are open for each thread at the start; raise ulimit -n, or use fewer "
                                             "threads)"
                                           : "");
    exit(1);
}

static void open_boxes(int threads) {
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

int conduit_spawn(int threads) {
    open_boxes(threads);
    me = launch_threads(threads);
    keep_own_ends(threads);
    unmap(0, me); /* an access that should have been a message crashes here, and not at a user's who has two computers */
    unmap(me + 1, threads);
    conduit_near.first = me;
    return me;
}

/* ---- messages -------------------------------------------------------------------------------------------------- */

static _Noreturn void broken(const char *call) {
    int why = errno;
    if (conduit_end(1)) fprintf(stderr, "fathom: thread %d: cannot communicate: %s: %s\n", me, call, strerror(why));
    _exit(1);
}

/* Sleeps until there is a message to deliver, or room in `out` (unless that is -1), or the time is over. To poll(2) a
 * negative descriptor is none. */
static void wait_for(bool replies_only, int out, const struct timespec *time) {
    struct pollfd fds[] = {{.fd = box[me][REPLIES].in, .events = POLLIN},
                           {.fd = replies_only ? -1 : box[me][REQUESTS].in, .events = POLLIN},
                           {.fd = out, .events = POLLOUT}};
    int before = errno;
    ppoll(fds, 3, time, NULL); /* interrupted by a signal: as good a reason to look again as any */
    errno = before;
}

void conduit_send(const struct conduit_message *m) {
    struct header header = {.from = (uint32_t)me, .handler = m->handler, .nargs = m->nargs};
    struct iovec parts[] = {{&header, sizeof header},
                            {(void *)(uintptr_t)m->args, m->nargs * sizeof *m->args},
                            {(void *)(uintptr_t)m->payload, m->bytes}};
    struct msghdr packet = {.msg_iov = parts, .msg_iovlen = 3};
    int out = box[m->thread][m->reply ? REPLIES : REQUESTS].out;
    int before = errno; /* it is the program's: an assignment to a shared object must not change it */
    while (sendmsg(out, &packet, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
        if (errno == EINTR) continue;
        bool full = errno == EAGAIN; /* else the kernel is short of memory, and nothing will say when that is over */
        if (!full && errno != ENOBUFS && errno != ENOMEM) broken("sendmsg");
        if (conduit_poll(m->reply) != 0) continue;
        if (launch_is_gone(m->thread)) break; /* it has left without a word, and nobody will empty its mailbox */
        wait_for(m->reply, full ? out : -1, &(struct timespec){.tv_nsec = full ? 100000000 : 1000000});
    }
    errno = before;
}

/* Delivers the next message of a kind, if there is one. A buffer for each kind is enough: a request's handler that waits
 * for room delivers replies, never requests, and a reply's handler delivers nothing. */
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
int conduit_poll(bool replies_only) {
    enum { ENOUGH = 32 };
    int before = errno, n = 0;
    while (n < ENOUGH && deliver(REPLIES)) n++;
    while (!replies_only && n < ENOUGH && deliver(REQUESTS)) n++;
    errno = before;
    return n;
}

/* ---- waiting --------------------------------------------------------------------------------------------------- */

void conduit_rest(int us) {
    wait_for(false, -1, &(struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L});
}

/* A word in near memory, which is this thread's own: only a message can change it, and a message ends the sleep. */
void conduit_sleep(const uint32_t *word, uint32_t old, uint32_t mask, int ms) {
    (void)mask;
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != old) return;
    wait_for(false, -1, &(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L});
}

/* Nobody near sleeps. */
void conduit_wake(const uint32_t *word, int count, uint32_t mask) { (void)word, (void)count, (void)mask; }
void conduit_ring(int thread) { (void)thread; }

/* Of the thread itself, which nobody is near. So core takes the processors for crowded and soon sleeps: to look for a message
 * is a system call here, and whoever is to send it may need the processor. */
int conduit_cores(void) { return 1; }

/* ---- end ------------------------------------------------------------------------------------------------------- */

/* Nothing here needs leaving in good order. Who has terminated, and the end of the job, are conduit/launch's. */
void conduit_finish(int status) { (void)status; }
