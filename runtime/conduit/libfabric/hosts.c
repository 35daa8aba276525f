/* FATHOM_HOSTS: the computers of a job, and how many threads each has, such as node1:4,node2:4. Threads are dealt out in that
 * order. Computers without a number share what the others leave, evenly; the first ones have one more where it does not
 * come out even.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conduit/cluster/cluster.h"
#include "conduit/libfabric/hosts.h"

struct hosts hosts;

static const char *text;

#define EXPECTED "expected computers, each with its number of threads or without, such as node1:4,node2:4"

static _Noreturn void no_memory(void) { cluster_refuse("no memory for a table of computers\n"); }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/* One of the list; 0 threads: there is no number. An address of IPv6 has brackets around it. */
static void add(const char *from, size_t bytes) {
    while (bytes && is_blank(*from)) from++, bytes--;
    while (bytes && is_blank(from[bytes - 1])) bytes--;
    const char *end = from + bytes, *name_end = end, *colon = NULL;
    const char *search = from;
    if (bytes && *from == '[') {
        const char *close = memchr(from, ']', bytes);
        if (!close) cluster_refuse("FATHOM_HOSTS=%s: '%.*s' has no ]; " EXPECTED "\n", text, (int)bytes, from);
        search = close + 1;
        name_end = close;
        if (search < end && *search != ':')
            cluster_refuse("FATHOM_HOSTS=%s: '%.*s' is not valid; " EXPECTED "\n", text, (int)bytes, from);
    }
    colon = memchr(search, ':', (size_t)(end - search));
    long threads = 0;
    if (colon) {
        char *stop;
        errno = 0;
        threads = strtol(colon + 1, &stop, 10);
        if (errno || stop != end || stop == colon + 1 || threads < 1 || threads > CONDUIT_MAX_FAR)
            cluster_refuse("FATHOM_HOSTS=%s: '%.*s' is not a number of threads (1 to %d); " EXPECTED "\n", text,
                           (int)(end - colon - 1), colon + 1, CONDUIT_MAX_FAR);
        if (*from != '[') name_end = colon;
    }
    if (*from == '[') from++;
    if (name_end == from) cluster_refuse("FATHOM_HOSTS=%s: a name is missing; " EXPECTED "\n", text);
    bool is_name = *from != '-';
    for (const char *p = from; p < name_end; p++)
        is_name = is_name && (unsigned char)*p > ' ' && !strchr("'\"\\`$;|&<>()", *p);
    if (!is_name)
        cluster_refuse("FATHOM_HOSTS=%s: '%.*s' is not the name of a computer; " EXPECTED "\n", text,
                       (int)(name_end - from), from);
    struct host *more = realloc(hosts.of, (size_t)(hosts.count + 1) * sizeof *more);
    if (!more) no_memory();
    hosts.of = more;
    char *name = strndup(from, (size_t)(name_end - from));
    if (!name) no_memory();
    more[hosts.count++] = (struct host){.name = name, .threads = (int)threads};
}

static void share_out(int wanted) {
    long said = 0;
    int sharers = 0;
    for (int i = 0; i < hosts.count; i++) {
        said += hosts.of[i].threads;
        sharers += hosts.of[i].threads == 0;
    }
    if (said > CONDUIT_MAX_FAR)
        cluster_refuse("FATHOM_HOSTS=%s: %ld threads, but a job has at most %d\n", text, said, CONDUIT_MAX_FAR);
    if (sharers && !wanted)
        cluster_refuse("FATHOM_HOSTS=%s: the number of threads is missing; give it with -n or FATHOM_THREADS, or for "
                       "each computer, such as node1:4,node2:4\n",
                       text);
    if (wanted && (said > wanted || (!sharers && said < wanted)))
        cluster_refuse("FATHOM_HOSTS=%s has %ld threads, but %d are wanted (-n, -T or FATHOM_THREADS)\n", text, said,
                       wanted);
    int left = wanted - (int)said;
    if (sharers && left < sharers)
        cluster_refuse("FATHOM_HOSTS=%s: %d threads are too few for each of %d computers to have one\n", text, wanted,
                       hosts.count);
    for (int i = 0, k = 0; sharers && i < hosts.count; i++)
        if (hosts.of[i].threads == 0) {
            hosts.of[i].threads = left / sharers + (k < left % sharers);
            k++;
        }
}

int hosts_deal(int wanted, int mine) {
    text = getenv("FATHOM_HOSTS");
    hosts.mine = mine;
    if (text && *text) {
        for (const char *at = text;; at++) {
            size_t bytes = strcspn(at, ",");
            add(at, bytes);
            at += bytes;
            if (!*at) break;
        }
        share_out(wanted);
    } else {
        text = "";
        hosts.of = calloc(1, sizeof *hosts.of);
        if (!hosts.of) no_memory();
        hosts.count = 1;
        hosts.of[0].threads = wanted ? wanted : 1;
    }
    int threads = 0;
    for (int i = 0; i < hosts.count; i++) {
        hosts.of[i].first = threads;
        threads += hosts.of[i].threads;
    }
    return threads;
}

/* A name is this computer's if it is what the computer calls itself, or leads to one of its addresses. */
static bool is_this_one(const char *name) {
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    if (strcmp(name, own) == 0 || strcmp(name, "localhost") == 0) return true;
    own[strcspn(own, ".")] = 0;
    if (strcmp(name, own) == 0) return true;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
    bool found = false;
    if (getaddrinfo(name, NULL, &hints, &list) != 0) return false;
    for (struct addrinfo *i = list; i && !found; i = i->ai_next) {
        int fd = socket(i->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        found = fd >= 0 && bind(fd, i->ai_addr, i->ai_addrlen) == 0;
        if (fd >= 0) close(fd);
    }
    freeaddrinfo(list);
    return found;
}

void hosts_check_first(void) {
    if (!*text || is_this_one(hosts.of[0].name)) return;
    cluster_refuse(
        "FATHOM_HOSTS=%s: '%s' is not this computer, and the program must be started on the first one of the "
        "list; start it there, or put this computer first\n",
        text, hosts.of[0].name);
}
