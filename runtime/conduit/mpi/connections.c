/* Which of a process's TCP connections are MPI's, and whether the computers at their other ends are within reach.
 *
 * A program has connections of its own, to a database or a licence server, and whether they stall is its own business.
 * No MPI says which descriptors are its. But every connection of MPI has one end at a port on which a rank listens,
 * since whoever is connected to has to listen, and ranks listen from MPI_Init on, although they connect when they
 * first talk. So at the start each rank looks for the ports on which it listens since MPI_Init. All learn which ports
 * these are anywhere in the job, and the addresses of the job's computers. A connection is MPI's if it leads to an
 * address of the job, and was accepted at a port of this process's MPI or leads to a port of another's.
 *
 * Ports are a set of 65536 bits, and so are addresses, by hashing (Bloom 1970): what a process keeps, and what is
 * exchanged, does not grow with the job. Mistakes are possible, and harmless: a connection of the program between two
 * computers of the job, to a port that MPI listens at somewhere, is looked after, too, and says the same of the other
 * computer. Where addresses are translated on the way, no connection is recognised, and a lost computer is found by
 * MPI and the launcher only.
 */
#define _GNU_SOURCE
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "conduit/mpi/ranks.h"

#define OUT_OF_REACH_MS 6000

enum { BITS = 65536, WORDS = BITS / 64, HASHES = 4, OWN = 64, MOST_FILES = 4096 };

static struct {
    uint64_t ports[WORDS];
    uint64_t addresses[WORDS];
} job;
static uint16_t own_port[OWN]; /* at which this process's MPI listens */
static int own_ports;
static ino_t before[OWN]; /* sockets that listened before MPI_Init: the program's, or inherited */
static int befores;
static bool is_watching;

static void add(uint64_t *set, unsigned bit) { set[bit / 64] |= 1ull << bit % 64; }
static bool has(const uint64_t *set, unsigned bit) { return set[bit / 64] >> bit % 64 & 1; }

/* ---- addresses --------------------------------------------------------------------------------------------------- */

/* An address and a port. IPv4 as IPv6 writes it, so that there is one form. */
struct place {
    struct in6_addr address;
    uint16_t port;
};

static bool place_of(struct place *p, const struct sockaddr_storage *from) {
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    if (from->ss_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)from;
        memcpy(p->address.s6_addr, mapped, sizeof mapped);
        memcpy(p->address.s6_addr + sizeof mapped, &in->sin_addr, sizeof in->sin_addr);
        p->port = ntohs(in->sin_port);
    } else if (from->ss_family == AF_INET6) {
        const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)from;
        p->address = in->sin6_addr;
        p->port = ntohs(in->sin6_port);
    } else {
        return false;
    }
    return true;
}

static void hash(unsigned bit[HASHES], const struct in6_addr *address) {
    uint64_t word[2], h;
    memcpy(word, address, sizeof word);
    h = word[0] * 0x9e3779b97f4a7c15 ^ word[1];
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9;
    h = (h ^ h >> 27) * 0x94d049bb133111eb;
    h ^= h >> 31;
    for (int i = 0; i < HASHES; i++) bit[i] = h >> 16 * i & (BITS - 1);
}

static void add_own_addresses(uint64_t *set) {
    struct ifaddrs *list, *i;
    if (getifaddrs(&list) != 0) return;
    for (i = list; i; i = i->ifa_next) {
        struct sockaddr_storage from = {0};
        struct place p;
        unsigned bit[HASHES];
        if (!i->ifa_addr || i->ifa_flags & IFF_LOOPBACK) continue;
        if (i->ifa_addr->sa_family == AF_INET) memcpy(&from, i->ifa_addr, sizeof(struct sockaddr_in));
        if (i->ifa_addr->sa_family == AF_INET6) memcpy(&from, i->ifa_addr, sizeof(struct sockaddr_in6));
        if (!place_of(&p, &from)) continue;
        hash(bit, &p.address);
        for (int k = 0; k < HASHES; k++) add(set, bit[k]);
    }
    freeifaddrs(list);
}

static bool is_of_the_job(const struct in6_addr *address) {
    unsigned bit[HASHES];
    hash(bit, address);
    for (int k = 0; k < HASHES; k++)
        if (!has(job.addresses, bit[k])) return false;
    return true;
}

/* ---- sockets ----------------------------------------------------------------------------------------------------- */

static int files(void) {
    struct rlimit most;
    return getrlimit(RLIMIT_NOFILE, &most) != 0 || most.rlim_cur > MOST_FILES ? MOST_FILES : (int)most.rlim_cur;
}

static bool ask(int fd, int option, int *answer) {
    socklen_t n = sizeof *answer;
    return getsockopt(fd, SOL_SOCKET, option, answer, &n) == 0;
}

static bool is_tcp(int fd) {
    int type, family;
    return ask(fd, SO_TYPE, &type) && type == SOCK_STREAM && ask(fd, SO_DOMAIN, &family) &&
           (family == AF_INET || family == AF_INET6);
}

static bool listens(int fd) {
    int yes = 0;
    return is_tcp(fd) && ask(fd, SO_ACCEPTCONN, &yes) && yes;
}

static bool end_of(int fd, bool other, struct place *p) {
    struct sockaddr_storage at = {0};
    socklen_t n = sizeof at;
    return (other ? getpeername : getsockname)(fd, (struct sockaddr *)&at, &n) == 0 && place_of(p, &at);
}

static bool is_mpis(int fd) {
    struct place here, there;
    if (!is_tcp(fd) || !end_of(fd, true, &there) || !is_of_the_job(&there.address)) return false;
    if (has(job.ports, there.port)) return true;
    if (!end_of(fd, false, &here)) return false;
    for (int i = 0; i < own_ports; i++)
        if (own_port[i] == here.port) return true;
    return false;
}

void ranks_connections_prepare(void) {
    for (int fd = 0, n = files(); fd < n && befores < OWN; fd++) {
        struct stat s;
        if (listens(fd) && fstat(fd, &s) == 0) before[befores++] = s.st_ino;
    }
}

static bool listened_before(int fd) {
    struct stat s;
    if (fstat(fd, &s) != 0) return true;
    for (int i = 0; i < befores; i++)
        if (before[i] == s.st_ino) return true;
    return false;
}

void ranks_connections_start(void) {
    for (int fd = 0, n = files(); fd < n && own_ports < OWN; fd++) {
        struct place p;
        if (!listens(fd) || listened_before(fd) || !end_of(fd, false, &p)) continue;
        own_port[own_ports++] = p.port;
        add(job.ports, p.port);
    }
    add_own_addresses(job.addresses);
    MPI_Allreduce(MPI_IN_PLACE, &job, sizeof job / sizeof(uint64_t), MPI_UINT64_T, MPI_BOR, ranks.all);
    __atomic_store_n(&is_watching, ranks.here < cluster.threads, __ATOMIC_RELEASE);
}

/* ---- within reach? ----------------------------------------------------------------------------------------------- */

/* Is what a connection has sent not acknowledged any more? */
static bool is_out_of_reach(int fd) {
    struct tcp_info now;
    socklen_t n = sizeof now;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &now, &n) != 0 || n < sizeof now) return false;
    return now.tcpi_probes + now.tcpi_retransmits + now.tcpi_backoff >= 2 && now.tcpi_last_ack_recv > OUT_OF_REACH_MS;
}

static void keep_alive(int fd) {
    int one = 1, idle_s = 3, interval_s = 1, probes = 6, unsent_ms = OUT_OF_REACH_MS + 3000;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unsent_ms, sizeof unsent_ms);
}

/* Connections come into being when they are first used: looked for again and again. */
bool ranks_connections_lost(void) {
    bool lost = false;
    if (!__atomic_load_n(&is_watching, __ATOMIC_ACQUIRE)) return false;
    for (int fd = 3, n = files(); fd < n; fd++) {
        if (!is_mpis(fd)) continue;
        keep_alive(fd);
        lost = lost || is_out_of_reach(fd);
    }
    return lost;
}
