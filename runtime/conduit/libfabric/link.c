/* The connections between the supervisor of the first computer, which listens, and those of the others. Each side proves
 * that it knows the secret of the job, without saying it: an address may be another computer's for the one that connects
 * than for the one that listens (each may have a bridge 172.17.0.1), and there may be strangers at the port. What one
 * side has to hash, the other has just chosen. Afterwards a connection carries frames.
 *
 * The other side is taken for lost if it has not confirmed something for a few seconds, and if it takes nothing.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/cluster/cluster.h"
#include "conduit/clock.h"
#include "conduit/libfabric/hosts.h"

enum {
    NONCE = 16,
    PENDING = 128,       /* who has connected and not proved anything yet; the oldest makes room */
    ROUNDS = 40,         /* in which one that was sent away for others tries again */
    PAUSE_MS = 50,       /* between them */
    FAIR_MS = 20,        /* what somebody new has at least, however many others come */
    CONNECT_MS = 3000,   /* what a computer's kernel has to answer */
    GREETING_MS = 10000, /* what a process has, which may have to wait for a processor */
    SILENT_MS = 9000,    /* until the other side is lost */
    SEND_MS = 20000,     /* what it has to take a frame */
    TAKEN_MS = 2000,     /* what its kernel has to confirm the last one */
    PIECE = 65536,
    LARGEST = 1 << 30
};

char link_own_address[INET6_ADDRSTRLEN];

/* ---- proofs ------------------------------------------------------------------------------------------------------ */

static uint64_t turned(uint64_t x, int by) { return x << by | x >> (64 - by); }

static void mix(uint64_t v[4], int rounds) {
    for (; rounds; rounds--) {
        v[0] += v[1], v[1] = turned(v[1], 13) ^ v[0], v[0] = turned(v[0], 32);
        v[2] += v[3], v[3] = turned(v[3], 16) ^ v[2];
        v[0] += v[3], v[3] = turned(v[3], 21) ^ v[0];
        v[2] += v[1], v[1] = turned(v[1], 17) ^ v[2], v[2] = turned(v[2], 32);
    }
}

/* SipHash-2-4 (Aumasson and Bernstein 2012). */
static uint64_t hash(const unsigned char key[LINK_SECRET], const void *data, size_t bytes) {
    uint64_t k[2], word;
    memcpy(k, key, sizeof k);
    uint64_t v[4] = {k[0] ^ 0x736f6d6570736575, k[1] ^ 0x646f72616e646f6d, k[0] ^ 0x6c7967656e657261,
                     k[1] ^ 0x7465646279746573};
    const char *at = data;
    for (size_t left = bytes;; left -= 8, at += 8) {
        bool is_last = left < 8;
        word = is_last ? (uint64_t)bytes << 56 : 0;
        memcpy(&word, at, is_last ? left : 8);
        v[3] ^= word;
        mix(v, 2);
        v[0] ^= word;
        if (is_last) break;
    }
    v[2] ^= 0xff;
    mix(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* The program's file: handlers and addresses of static data are those of one program. */
static uint64_t program(void) {
    static const unsigned char nothing[LINK_SECRET];
    struct stat s;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    void *p =
        fstat(fd, &s) == 0 && s.st_size > 0 ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (p == MAP_FAILED) return 0;
    uint64_t h = hash(nothing, p, (size_t)s.st_size);
    munmap(p, (size_t)s.st_size);
    return h;
}

struct challenge {
    unsigned char nonce[NONCE];
};
struct answer {
    unsigned char nonce[NONCE];
    uint64_t mine, program; /* the number of the computer; its program */
    uint64_t proof;
};
struct welcome {
    uint64_t proof;
};

static uint64_t proof_of_answer(const unsigned char secret[LINK_SECRET], const struct challenge *c,
                                const struct answer *a) {
    struct {
        char who[8];
        struct challenge c;
        unsigned char nonce[NONCE];
        uint64_t mine, program;
    } all = {"joins", *c, {0}, a->mine, a->program};
    memcpy(all.nonce, a->nonce, NONCE);
    return hash(secret, &all, sizeof all);
}

static uint64_t proof_of_welcome(const unsigned char secret[LINK_SECRET], const struct challenge *c,
                                 const struct answer *a) {
    struct {
        char who[8];
        unsigned char nonce[NONCE];
        struct challenge c;
    } all = {"leads", {0}, *c};
    memcpy(all.nonce, a->nonce, NONCE);
    return hash(secret, &all, sizeof all);
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static bool is_same(const struct sockaddr_storage *a, const struct sockaddr *b) {
    if (a->ss_family != b->sa_family) return false;
    if (a->ss_family == AF_INET)
        return ((const struct sockaddr_in *)a)->sin_addr.s_addr == ((const struct sockaddr_in *)b)->sin_addr.s_addr;
    return memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr, &((const struct sockaddr_in6 *)b)->sin6_addr, 16) == 0;
}

static bool write_address(char text[INET6_ADDRSTRLEN], const struct sockaddr *a) {
    if (a->sa_family == AF_INET)
        return inet_ntop(AF_INET, &((const struct sockaddr_in *)a)->sin_addr, text, INET6_ADDRSTRLEN);
    if (a->sa_family != AF_INET6) return false;
    const struct in6_addr *six = &((const struct sockaddr_in6 *)a)->sin6_addr;
    if (IN6_IS_ADDR_LINKLOCAL(six)) return false; /* names an interface here */
    if (IN6_IS_ADDR_V4MAPPED(six)) return inet_ntop(AF_INET, six->s6_addr + 12, text, INET6_ADDRSTRLEN);
    return inet_ntop(AF_INET6, six, text, INET6_ADDRSTRLEN);
}

/* By which address would a packet to the host leave? No packet is sent for that. */
static bool find_way(struct sockaddr_storage *way, const char *host) {
    struct addrinfo hints = {.ai_socktype = SOCK_DGRAM}, *list = NULL;
    bool found = false;
    if (getaddrinfo(host, "9", &hints, &list) != 0) return false;
    for (struct addrinfo *i = list; i && !found; i = i->ai_next) {
        socklen_t n = sizeof *way;
        int fd = socket(i->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        found =
            fd >= 0 && connect(fd, i->ai_addr, i->ai_addrlen) == 0 && getsockname(fd, (struct sockaddr *)way, &n) == 0;
        if (fd >= 0) close(fd);
    }
    freeaddrinfo(list);
    return found;
}

int link_addresses(char (*text)[INET6_ADDRSTRLEN], int most, const char *host) {
    struct sockaddr_storage way = {0};
    int n = 0;
    if (find_way(&way, host) && write_address(text[n], (struct sockaddr *)&way)) n++;
    struct ifaddrs *list;
    if (getifaddrs(&list) != 0) return n;
    for (int loops = 0; loops < 2; loops++) /* the loopback device last */
        for (struct ifaddrs *i = list; i && n < most; i = i->ifa_next) {
            if (!i->ifa_addr || !(i->ifa_flags & IFF_UP) || !(i->ifa_flags & IFF_LOOPBACK) != !loops) continue;
            if (is_same(&way, i->ifa_addr)) continue;
            if (write_address(text[n], i->ifa_addr)) n++;
        }
    freeifaddrs(list);
    return n;
}

static void remember_own_address(int fd) {
    struct sockaddr_storage a = {0};
    socklen_t n = sizeof a;
    if (!*link_own_address && getsockname(fd, (struct sockaddr *)&a, &n) == 0)
        write_address(link_own_address, (struct sockaddr *)&a);
}

/* ---- the first computer ------------------------------------------------------------------------------------------ */

static int listening = -1, port;
static uint64_t own_program;
static struct pending {
    int fd;
    struct challenge said;
    struct answer heard;
    size_t bytes;
    long long until;
} pending[PENDING]; /* oldest first */
static int pending_count;

/* At any address of this computer. */
static bool listen_at(int family) {
    struct sockaddr_in6 six = {.sin6_family = AF_INET6}; /* for IPv4 as well */
    struct sockaddr_in four = {.sin_family = AF_INET};   /* where there is no other */
    struct sockaddr *a = family == AF_INET6 ? (struct sockaddr *)&six : (struct sockaddr *)&four;
    socklen_t n = family == AF_INET6 ? sizeof six : sizeof four;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return false;
    if ((family == AF_INET || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &(int){0}, sizeof(int)) == 0) &&
        bind(fd, a, n) == 0 && listen(fd, 256) == 0 && getsockname(fd, a, &n) == 0) {
        port = ntohs(family == AF_INET6 ? six.sin6_port : four.sin_port);
        listening = fd;
        return true;
    }
    close(fd);
    return false;
}

void link_listen(void) {
    if (!listen_at(AF_INET6) && !listen_at(AF_INET))
        cluster_refuse("no socket for the job's other computers: %s\n", strerror(errno));
    own_program = program();
}

int link_port(void) { return port; }

static void forget(int i) {
    pending_count--;
    memmove(&pending[i], &pending[i + 1], (size_t)(pending_count - i) * sizeof *pending);
}

static void drop(int i) {
    close(pending[i].fd);
    forget(i);
}

static void challenge(int fd) {
    if (pending_count == PENDING) drop(0);
    struct pending *p = &pending[pending_count++];
    *p = (struct pending){.fd = fd, .until = now_ms() + GREETING_MS};
    if (getrandom(p->said.nonce, NONCE, 0) != NONCE ||
        send(fd, &p->said, sizeof p->said, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof p->said)
        drop(pending_count - 1);
}

static bool is_crowded(void) { return pending_count == PENDING && now_ms() - pending[0].until + GREETING_MS < FAIR_MS; }

/* Those that have connected, so that strangers do not fill the kernel's queue. */
static void let_in(void) {
    while (!is_crowded()) {
        int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0)
            challenge(fd);
        else if (errno != EMFILE && errno != ENFILE)
            return;
        else if (pending_count)
            drop(0);
        else
            cluster_refuse("no descriptor for the connection of another computer: %s (the limit on open files, ulimit "
                           "-n)\n",
                           strerror(errno));
    }
}

/* A computer that drops off the network is noticed within seconds. */
static void open_link(struct link *l, int fd) {
    *l = (struct link){.fd = fd};
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &(int){1}, sizeof(int));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &(int){3}, sizeof(int));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &(int){1}, sizeof(int));
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &(int){6}, sizeof(int));
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &(unsigned){SILENT_MS}, sizeof(unsigned));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    remember_own_address(fd);
}

/* Takes the place of a pending one: the number of its computer, or 0. */
static int look_at(int i, struct link *of, const unsigned char secret[LINK_SECRET]) {
    struct pending *p = &pending[i];
    ssize_t n = recv(p->fd, (char *)&p->heard + p->bytes, sizeof p->heard - p->bytes, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        n = 0;
    else if (n <= 0)
        n = -1;
    if (n >= 0) p->bytes += (size_t)n;
    if (n < 0 || (p->bytes < sizeof p->heard && now_ms() > p->until)) {
        drop(i);
        return 0;
    }
    if (p->bytes < sizeof p->heard) return 0;
    int computer = p->heard.mine < (uint64_t)hosts.count ? (int)p->heard.mine : 0;
    struct welcome w = {proof_of_welcome(secret, &p->said, &p->heard)};
    if (computer == 0 || of[computer].fd >= 0 || p->heard.proof != proof_of_answer(secret, &p->said, &p->heard) ||
        send(p->fd, &w, sizeof w, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof w) {
        drop(i);
        return 0;
    }
    if (p->heard.program != own_program)
        cluster_refuse("the program on %s is not the same file as on this computer; install the same one there\n",
                       hosts.of[computer].name);
    open_link(&of[computer], p->fd);
    forget(i);
    return computer;
}

int link_accept(struct link *of, const unsigned char secret[LINK_SECRET], int ms) {
    bool crowded = is_crowded();
    struct pollfd fds[1 + PENDING] = {{.fd = crowded ? -1 : listening, .events = POLLIN}};
    int count = pending_count;
    for (int i = 0; i < count; i++) fds[1 + i] = (struct pollfd){.fd = pending[i].fd, .events = POLLIN};
    poll(fds, (nfds_t)(1 + count), crowded && ms > FAIR_MS ? FAIR_MS : ms);
    for (int i = pending_count - 1; i >= 0; i--) {
        int computer = look_at(i, of, secret);
        if (computer) return computer;
    }
    if (fds[0].revents) let_in();
    return 0;
}

void link_stop_listening(void) {
    while (pending_count) drop(pending_count - 1);
    if (listening >= 0) close(listening);
    listening = -1;
}

/* ---- the others -------------------------------------------------------------------------------------------------- */

static bool wait_ready(int fd, short events, long long until) {
    struct pollfd p = {.fd = fd, .events = events};
    for (;;) {
        long long left = until - now_ms();
        int n = poll(&p, 1, left > 0 ? (int)left : 0);
        if (n >= 0 || errno != EINTR) return n == 1;
    }
}

static bool receive(int fd, void *to, size_t bytes, long long until) {
    for (size_t got = 0; got < bytes;) {
        if (!wait_ready(fd, POLLIN, until)) return false;
        ssize_t n = recv(fd, (char *)to + got, bytes - got, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return false;
        if (n > 0) got += (size_t)n;
    }
    return true;
}

static int connect_to(const char *address, int to_port) {
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)to_port)};
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)to_port)};
    bool is_four = inet_pton(AF_INET, address, &four.sin_addr) == 1;
    if (!is_four && inet_pton(AF_INET6, address, &six.sin6_addr) != 1) return -1;
    int fd = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error = 0;
    socklen_t n = sizeof error;
    if (fd < 0) return -1;
    int r =
        is_four ? connect(fd, (struct sockaddr *)&four, sizeof four) : connect(fd, (struct sockaddr *)&six, sizeof six);
    if (r == 0 || (errno == EINPROGRESS && wait_ready(fd, POLLOUT, now_ms() + CONNECT_MS) &&
                   getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) == 0 && error == 0))
        return fd;
    close(fd);
    return -1;
}

/* 1: joined; 0: somebody answers, but not as the first computer; -1: nobody answers. */
static int join_at(struct link *l, const unsigned char secret[LINK_SECRET], struct answer *a, const char *address,
                   int to_port) {
    struct challenge c;
    struct welcome w;
    int fd = connect_to(address, to_port);
    if (fd < 0) return -1;
    if (receive(fd, &c, sizeof c, now_ms() + GREETING_MS) && getrandom(a->nonce, NONCE, 0) == NONCE) {
        a->proof = proof_of_answer(secret, &c, a);
        if (send(fd, a, sizeof *a, MSG_NOSIGNAL) == sizeof *a && receive(fd, &w, sizeof w, now_ms() + GREETING_MS) &&
            w.proof == proof_of_welcome(secret, &c, a)) {
            open_link(l, fd);
            return 1;
        }
    }
    close(fd);
    return 0;
}

/* Where strangers crowd at the port, the first computer may have sent this one away with them: it comes again. */
bool link_join(struct link *l, const unsigned char secret[LINK_SECRET], int mine, char *const *addresses, int to_port) {
    struct answer a = {.mine = (uint64_t)mine, .program = program()};
    long long end = now_ms() + LINK_JOIN_MS;
    for (int round = 0; round < ROUNDS && now_ms() < end; round++) {
        bool answers = false;
        if (round) poll(NULL, 0, PAUSE_MS);
        for (char *const *at = addresses; *at; at++) {
            int how = join_at(l, secret, &a, *at, to_port);
            if (how > 0) return true;
            answers = answers || how == 0;
        }
        if (!answers) break;
    }
    return false;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static void failed(struct link *l) {
    l->state = errno == ETIMEDOUT || errno == EHOSTUNREACH || errno == ENETUNREACH ? LINK_CUT : LINK_CLOSED;
}

/* Frames are multiples of 8 bytes, so that each is aligned where it is read. */
static size_t padded(size_t bytes) { return (bytes + 7) / 8 * 8; }

static bool make_room(struct link *l, size_t bytes) {
    if (l->taken) memmove(l->in, l->in + l->taken, l->have - l->taken);
    l->have -= l->taken;
    l->taken = 0;
    if (l->room >= bytes) return true;
    char *more = realloc(l->in, bytes);
    if (!more) return false;
    l->in = more;
    l->room = bytes;
    return true;
}

/* Reads what has come, up to `bytes` of the frame that is next. False: no more has come, or will. */
static bool fill(struct link *l, size_t bytes) {
    if (!make_room(l, bytes)) {
        l->state = LINK_CLOSED;
        return false;
    }
    if (l->have >= bytes) return true;
    ssize_t n = recv(l->fd, l->in + l->have, l->room - l->have, MSG_DONTWAIT);
    if (n > 0) {
        l->have += (size_t)n;
        return true;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (n == 0) errno = 0;
    failed(l);
    return false;
}

/* Takes in what comes meanwhile: two that only send to each other would wait for ever. */
static bool send_all(struct link *l, const void *from, size_t bytes, int more) {
    const char *p = from;
    for (long long end = now_ms() + SEND_MS; bytes;) {
        ssize_t n = send(l->fd, p, bytes, MSG_NOSIGNAL | MSG_DONTWAIT | more);
        if (n >= 0) {
            p += n;
            bytes -= (size_t)n;
        } else if (errno == EAGAIN || errno == EINTR) {
            long long left = end - now_ms();
            struct pollfd ready = {.fd = l->fd, .events = POLLIN | POLLOUT};
            if (left <= 0) {
                errno = ETIMEDOUT;
                failed(l);
                return false;
            }
            poll(&ready, 1, (int)left);
            if (ready.revents & POLLIN) fill(l, l->have - l->taken + PIECE);
            if (l->state != LINK_OPEN) return false;
        } else {
            return false;
        }
    }
    return true;
}

/* A connection that cannot be sent to may still have something to read; reading finds its end, too. After a part of a frame no
 * other one is sent. */
void link_send(struct link *l, enum link_kind kind, int64_t a, int64_t b, const void *payload, size_t bytes) {
    if (l->fd < 0 || l->state != LINK_OPEN || l->is_mute) return;
    struct link_frame head = {kind, (uint32_t)bytes, a, b};
    if (bytes > LARGEST) cluster_refuse("too many threads for the start of a job on several computers\n");
    size_t pad = padded(bytes) - bytes;
    l->is_mute = !send_all(l, &head, sizeof head, bytes ? MSG_MORE : 0) ||
                 !send_all(l, payload, bytes, pad ? MSG_MORE : 0) || !send_all(l, "\0\0\0\0\0\0\0", pad, 0);
}

/* To close it at once, with something unread, would take back what is under way. */
void link_finish(struct link *l) {
    char nothing[4096];
    int left = 1;
    for (long long end = now_ms() + TAKEN_MS; l->fd >= 0 && now_ms() < end; poll(NULL, 0, 1)) {
        ssize_t n;
        while ((n = recv(l->fd, nothing, sizeof nothing, MSG_DONTWAIT)) > 0) continue;
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) return;
        if (ioctl(l->fd, SIOCOUTQ, &left) != 0 || left == 0) return;
    }
}

const struct link_frame *link_next(struct link *l) {
    if (l->fd < 0) return NULL;
    for (;;) {
        size_t bytes = sizeof(struct link_frame), have = l->have - l->taken;
        const struct link_frame *f = have ? (const void *)(l->in + l->taken) : NULL;
        if (have >= bytes && f->bytes > LARGEST) {
            l->state = LINK_CLOSED;
            return NULL;
        }
        if (have >= bytes) bytes += padded(f->bytes);
        if (have >= bytes) {
            l->taken += bytes;
            return f;
        }
        if (l->state != LINK_OPEN || !fill(l, bytes < 4096 ? 4096 : bytes)) return NULL;
    }
}

void link_close(struct link *l) {
    if (l->fd >= 0) close(l->fd);
    l->fd = -1;
}
