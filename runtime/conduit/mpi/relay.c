/* What the computers of a job tell each other about its end, beside MPI and its launcher: over a tree of TCP connections
 * between the first processes of the computers.
 *
 * Launchers differ in what they do when a process ends the job, or dies. Some end the others at once, so that these save
 * no files and the status is that of a killed process (srun with PMIx); some do nothing (srun with PMI-2, where MPICH's
 * MPI_Abort says nothing to Slurm). So the process that ends the job tells its computer by signals (watch.c), and the
 * first process there tells the other computers through here: each saves its files and leaves with the status given. A
 * connection that closes without a word is a computer whose first process has died. Then one of its neighbours in the
 * tree reports that, for all.
 *
 * A process has at most 1 + RANKS_RELAY_CHILDREN connections, however large the job is. Where two computers cannot connect (a
 * firewall), this branch of the tree is missing, and the launcher has to do.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conduit/clock.h"
#include "conduit/mpi/ranks.h"

enum { ADDRESSES = 8, TAG = 1, SECRET = 16 };
enum {
    CONNECT_MS = 2000,  /* what a computer's kernel has to answer */
    GREETING_MS = 5000, /* what processes have, which may have to wait for a processor */
    ANSWER_MS = 30000,
    STEP_MS = 10 /* how often MPI is asked meanwhile */
};

/* Two bytes each: what, and the status. */
enum { SAYS_END = 'E', SAYS_BYE = 'B', SAYS_REPORT = 'R' /* my loss, if it comes to that */ };

/* What a child says when it connects; its parent answers with the other secret. An address may be a different computer's
 * for the child than for the parent (each has a bridge 172.17.0.1), and who does not know the secrets is neither's. */
struct greeting {
    unsigned char secret[SECRET];
    int thread;
};

/* What a child must know to reach its parent. */
struct invitation {
    unsigned char secret[SECRET], answer[SECRET];
    int thread;
    struct sockaddr_storage address[ADDRESSES];
    int addresses;
};

static struct {
    int fd;     /* -1: none, or closed */
    int thread; /* at the other end */
    bool said_bye, is_mine_to_report;
} edge[RANKS_RELAY_EDGES];
static int edges;
static int reported_elsewhere = -1; /* the first thread of this computer, if others see how it ends */

/* ---- connecting ------------------------------------------------------------------------------------------------ */

static socklen_t length_of(const struct sockaddr_storage *a) {
    return a->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
}

/* A socket that listens at any address of this computer, and its port; -1 if there can be none. */
static int listen_anywhere(in_port_t *port) {
    struct sockaddr_in6 six = {.sin6_family = AF_INET6}; /* for IPv4 as well */
    struct sockaddr_in four = {.sin_family = AF_INET};   /* where there is no other */
    socklen_t n = sizeof six, m = sizeof four;
    int kind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, fd = socket(AF_INET6, kind, 0);
    if (fd >= 0 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &(int){0}, sizeof(int)) == 0 &&
        bind(fd, (struct sockaddr *)&six, n) == 0 && listen(fd, RANKS_RELAY_CHILDREN) == 0 &&
        getsockname(fd, (struct sockaddr *)&six, &n) == 0) {
        *port = six.sin6_port;
        return fd;
    }
    if (fd >= 0) close(fd);
    fd = socket(AF_INET, kind, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&four, m) == 0 && listen(fd, RANKS_RELAY_CHILDREN) == 0 &&
        getsockname(fd, (struct sockaddr *)&four, &m) == 0) {
        *port = four.sin_port;
        return fd;
    }
    if (fd >= 0) close(fd);
    return -1;
}

/* The addresses at which others may find this computer. */
static void add_addresses(struct invitation *to, in_port_t port) {
    struct ifaddrs *list, *i;
    if (getifaddrs(&list) != 0) return;
    for (i = list; i && to->addresses < ADDRESSES; i = i->ifa_next) {
        if (!i->ifa_addr || i->ifa_flags & IFF_LOOPBACK || !(i->ifa_flags & IFF_UP)) continue;
        struct sockaddr_storage *a = &to->address[to->addresses];
        if (i->ifa_addr->sa_family == AF_INET) {
            memcpy(a, i->ifa_addr, sizeof(struct sockaddr_in));
            ((struct sockaddr_in *)a)->sin_port = port;
        } else if (i->ifa_addr->sa_family == AF_INET6) {
            memcpy(a, i->ifa_addr, sizeof(struct sockaddr_in6));
            if (IN6_IS_ADDR_LINKLOCAL(&((struct sockaddr_in6 *)a)->sin6_addr)) continue; /* names an interface here */
            ((struct sockaddr_in6 *)a)->sin6_port = port;
        } else {
            continue;
        }
        to->addresses++;
    }
    freeifaddrs(list);
}

static bool wait_ready(int fd, short events, long long until) {
    struct pollfd p = {.fd = fd, .events = events};
    for (;;) {
        long long left = until - now_ms();
        int n = poll(&p, 1, left > 0 ? (int)left : 0);
        if (n >= 0 || errno != EINTR) return n == 1;
    }
}

/* Receives what has been sent at once, of that size. */
static bool receive(int fd, void *to, size_t bytes, long long until) {
    return wait_ready(fd, POLLIN, until) && recv(fd, to, bytes, 0) == (ssize_t)bytes;
}

/* A connection to the parent, by one of its addresses; -1 if it does not answer at any. */
static int connect_to(const struct invitation *from) {
    struct greeting mine = {.thread = cluster.me};
    unsigned char answer[SECRET];
    memcpy(mine.secret, from->secret, SECRET);
    for (int i = 0; i < from->addresses; i++) {
        const struct sockaddr_storage *a = &from->address[i];
        int fd = socket(a->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error = 0;
        socklen_t n = sizeof error;
        if (fd < 0) continue;
        bool good = connect(fd, (const struct sockaddr *)a, length_of(a)) == 0 ||
                    (errno == EINPROGRESS && wait_ready(fd, POLLOUT, now_ms() + CONNECT_MS) &&
                     getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) == 0 && error == 0);
        if (good && send(fd, &mine, sizeof mine, MSG_NOSIGNAL) == sizeof mine &&
            receive(fd, answer, SECRET, now_ms() + ANSWER_MS) && memcmp(answer, from->answer, SECRET) == 0)
            return fd;
        close(fd);
    }
    return -1;
}

/* A computer that drops off the network is noticed within seconds. */
static void add_edge(int fd, int thread) {
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &(int){1}, sizeof(int));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &(int){3}, sizeof(int));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &(int){1}, sizeof(int));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &(int){6}, sizeof(int));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    edge[edges].fd = fd;
    edge[edges++].thread = thread;
}

/* Lets a child in, if one has come. */
static void accept_child(int listening, const struct invitation *mine) {
    int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct greeting said;
    if (fd < 0) return;
    if (edges < RANKS_RELAY_EDGES && receive(fd, &said, sizeof said, now_ms() + GREETING_MS) &&
        memcmp(said.secret, mine->secret, SECRET) == 0 && send(fd, mine->answer, SECRET, MSG_NOSIGNAL) == SECRET)
        add_edge(fd, said.thread);
    else
        close(fd);
}

/* A child has not heard the answer. */
static void drop_edge(int thread) {
    for (int i = 0; i < edges; i++) {
        if (edge[i].thread != thread) continue;
        close(edge[i].fd);
        edge[i] = edge[--edges];
        return;
    }
}

/* What a child tells its parent over MPI. */
struct outcome {
    int thread, connected;
};

static void connect_tree(MPI_Comm firsts, int me, int n) {
    int children = 0, listening = -1, first = me * RANKS_RELAY_CHILDREN + 1, all_said = 0;
    in_port_t port;
    MPI_Request sending[RANKS_RELAY_CHILDREN], hearing[RANKS_RELAY_CHILDREN];
    MPI_Status ignored[RANKS_RELAY_CHILDREN];
    struct outcome child[RANKS_RELAY_CHILDREN];
    struct invitation mine = {.thread = cluster.me}, parents;
    while (children < RANKS_RELAY_CHILDREN && first + children < n) children++;
    if (children > 0 && getrandom(mine.secret, SECRET, 0) == SECRET && getrandom(mine.answer, SECRET, 0) == SECRET)
        listening = listen_anywhere(&port);
    if (listening >= 0) add_addresses(&mine, port);
    for (int c = 0; c < children; c++) {
        MPI_Irecv(&child[c], sizeof child[c], MPI_BYTE, first + c, TAG, firsts, &hearing[c]);
        MPI_Isend(&mine, sizeof mine, MPI_BYTE, first + c, TAG, firsts, &sending[c]);
    }
    if (me > 0) {
        int parent = (me - 1) / RANKS_RELAY_CHILDREN;
        MPI_Recv(&parents, sizeof parents, MPI_BYTE, parent, TAG, firsts, MPI_STATUS_IGNORE);
        int fd = connect_to(&parents);
        if (fd >= 0) add_edge(fd, parents.thread);
        struct outcome own = {.thread = cluster.me, .connected = fd >= 0};
        MPI_Send(&own, sizeof own, MPI_BYTE, parent, TAG, firsts);
    }
    MPI_Waitall(children, sending, ignored);
    while (MPI_Testall(children, hearing, &all_said, ignored), !all_said) {
        if (wait_ready(listening, POLLIN, now_ms() + STEP_MS)) accept_child(listening, &mine);
    }
    for (int c = 0; c < children; c++)
        if (!child[c].connected) drop_edge(child[c].thread);
    if (listening >= 0) close(listening);
}

/* ---- what is said ---------------------------------------------------------------------------------------------- */

/* Only calls that a handler of signals may make. A connection that has no room for two bytes leads to nobody. */
static void say_to(int i, unsigned char what, int status) {
    unsigned char text[2] = {what, (unsigned char)status};
    ssize_t ignored = edge[i].fd >= 0 ? send(edge[i].fd, text, sizeof text, MSG_NOSIGNAL | MSG_DONTWAIT) : 0;
    (void)ignored;
}

static void say(unsigned char what, int status) {
    for (int i = 0; i < edges; i++) say_to(i, what, status);
}

void ranks_relay_end(int status) { say(SAYS_END, status); }
void ranks_relay_bye(void) { say(SAYS_BYE, 0); }

bool ranks_relay_reports(int thread) { return thread == reported_elsewhere; }

int ranks_relay_poll(struct pollfd *fds) {
    for (int i = 0; i < edges; i++) fds[i] = (struct pollfd){.fd = edge[i].fd, .events = POLLIN};
    return edges;
}

enum ranks_relay_news ranks_relay_look(int *value) {
    enum ranks_relay_news news = RELAY_NOTHING;
    for (int i = 0; i < edges; i++) {
        unsigned char text[2];
        ssize_t n;
        while (edge[i].fd >= 0 && (n = recv(edge[i].fd, text, sizeof text, MSG_DONTWAIT)) == sizeof text) {
            if (text[0] == SAYS_BYE) edge[i].said_bye = true;
            if (text[0] == SAYS_REPORT) edge[i].is_mine_to_report = true;
            if (text[0] != SAYS_END) continue;
            *value = text[1];
            return RELAY_END;
        }
        if (edge[i].fd < 0 || (n < 0 && (errno == EAGAIN || errno == EINTR))) continue;
        if (!edge[i].said_bye) {
            bool cut = n < 0 && (errno == ETIMEDOUT || errno == EHOSTUNREACH);
            news = cut ? RELAY_CUT : edge[i].is_mine_to_report ? RELAY_LOST : RELAY_LOST_TOLD;
            *value = edge[i].thread;
        }
        /* The descriptor stays open: a handler of signals may be sending over it. */
        edge[i].fd = -1;
    }
    return news;
}

/* ---- start ----------------------------------------------------------------------------------------------------- */

void ranks_relay_start(void) {
    int on_node, me, n;
    MPI_Comm firsts;
    for (int i = 0; i < RANKS_RELAY_EDGES; i++) edge[i].fd = -1;
    if (ranks.here == cluster.threads) return; /* one computer */
    MPI_Comm_rank(ranks.node, &on_node);
    MPI_Comm_split(ranks.all, on_node == 0 ? 0 : MPI_UNDEFINED, cluster.me, &firsts);
    if (on_node == 0) {
        MPI_Comm_rank(firsts, &me);
        MPI_Comm_size(firsts, &n);
        connect_tree(firsts, me, n);
        MPI_Comm_free(&firsts);
        if (edges > 0) {
            say_to(0, SAYS_REPORT, 0);
            reported_elsewhere = cluster.me;
        }
    }
    MPI_Bcast(&reported_elsewhere, 1, MPI_INT, 0, ranks.node);
}
