/* A network with a known delay and a known rate, for kernels without netem: computers, which are network namespaces, on a
 * switch that is this program.
 *
 *     wire DELAY_US MBIT_S NAMESPACE...
 *
 * In each namespace it makes a TUN device `wire`; packets (IPv4) that the kernel routes there come here, and go on to the
 * namespace whose number the last byte of their destination is, 1 for the first: when, wire.h says. `wired.sh` gives the
 * devices their addresses. The program says `ready`, and ends with its standard input; then it prints on standard error
 * how many packets it has forwarded, how late (the kernel wakes it after the time that it asked for), and its processor time.
 *
 * It runs before other processes (SCHED_FIFO) if it may, because programs that wait for a packet keep all processors busy.
 * Needs root.
 *
 * WIRE_TRACE=FILE writes a line for each packet, up to a million, when the program ends: when the sender's kernel handed it
 * over, when it was due, and when it was delivered, in microseconds; from, to, and its bytes with those of its IP header.
 * Between the first two is what the network takes, between the others what this program adds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

enum { MOST_BYTES = 65535, BATCH = 64, MOST_TRACED = 1000000, AWAKE_NS = 8000 };

struct packet {
    struct packet *next;
    int64_t sent, head, due;
    int from, to, bytes;
    char data[MOST_BYTES];
};
/* From each computer, until it is known when they come through the receiver's port: their heads rise. Then to each computer: their
 * due times rise. */
static struct queue { struct packet *first, **last; } leaving[WIRE_MOST], queues[WIRE_MOST];
static struct packet *spare;
static int device[WIRE_MOST], computers;
static struct wire wire;
static struct {
    long forwarded, lost;
    double late_ns;
    int64_t latest_ns;
} seen;

static struct traced {
    int64_t sent, due, delivered;
    int from, to, bytes;
} * traced;
static long traced_count;

static void refuse(const char *what) {
    fprintf(stderr, "wire: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static int open_device(const char *namespace) {
    char path[256];
    snprintf(path, sizeof path, "/var/run/netns/%s", namespace);
    int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), there = open(path, O_RDONLY | O_CLOEXEC);
    if (there < 0) refuse(path);
    if (setns(there, CLONE_NEWNET) != 0) refuse("entering a network namespace");
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) refuse("/dev/net/tun");
    struct ifreq wanted = {.ifr_flags = IFF_TUN | IFF_NO_PI, .ifr_name = "wire"};
    if (ioctl(fd, TUNSETIFF, &wanted) != 0) refuse("making a TUN device");
    if (setns(home, CLONE_NEWNET) != 0) refuse("leaving a network namespace");
    close(home);
    close(there);
    return fd;
}

static struct packet *new_packet(void) {
    struct packet *p = spare;
    if (p)
        spare = p->next;
    else if (!(p = malloc(sizeof *p)))
        refuse("memory for a packet");
    return p;
}

static void append(struct queue *q, struct packet *p) {
    p->next = NULL;
    *q->last = p;
    q->last = &p->next;
}

static struct packet *take_first(struct queue *q) {
    struct packet *p = q->first;
    q->first = p->next;
    if (!q->first) q->last = &q->first;
    return p;
}

static void give_back(struct packet *p) {
    p->next = spare;
    spare = p;
}

/* Takes what a computer has sent. */
static void take(int from) {
    for (int i = 0; i < BATCH; i++) {
        struct packet *p = new_packet();
        ssize_t n = read(device[from], p->data, sizeof p->data);
        if (n <= 0) {
            give_back(p);
            if (n < 0 && errno != EAGAIN && errno != EINTR) refuse("reading a packet");
            return;
        }
        enum { LEAST_HEADER = 20, LAST_BYTE_OF_DESTINATION = 19, IPV4 = 4 };
        int to = n >= LEAST_HEADER && (unsigned char)p->data[0] >> 4 == IPV4
                     ? (unsigned char)p->data[LAST_BYTE_OF_DESTINATION] - 1
                     : -1;
        if (to < 0 || to >= computers) { /* multicast and the like: nobody is there */
            give_back(p);
            continue;
        }
        p->bytes = (int)n;
        p->from = from;
        p->to = to;
        p->sent = now_ns();
        p->head = wire_leave(&wire, p->sent, from, p->bytes);
        append(&leaving[from], p);
    }
}

/* Ports of receivers take what arrives, in the order of arrival; when the next one will be known, or -1. What was sent up to
 * `now` has been taken, and what comes later counts as sent later. */
static int64_t arrive(int64_t now) {
    for (;;) {
        struct queue *next = NULL;
        for (int from = 0; from < computers; from++)
            if (leaving[from].first && (!next || leaving[from].first->head < next->first->head)) next = &leaving[from];
        if (!next) return -1;
        if (next->first->head > wire_known(&wire, now)) return next->first->head - wire.delay_ns;
        struct packet *p = take_first(next);
        p->due = wire_arrive(&wire, p->head, p->to, p->bytes);
        append(&queues[p->to], p);
    }
}

/* Delivers what is due; when there is something to do again, or -1. */
static int64_t deliver(int64_t taken) {
    int64_t next = arrive(taken);
    for (int to = 0; to < computers; to++) {
        struct queue *q = &queues[to];
        for (struct packet *p; (p = q->first);) {
            int64_t late = now_ns() - p->due;
            if (late < 0) {
                if (next < 0 || p->due < next) next = p->due;
                break;
            }
            take_first(q);
            if (write(device[to], p->data, (size_t)p->bytes) != p->bytes) seen.lost++; /* the device is down */
            seen.forwarded++;
            seen.late_ns += (double)late;
            if (late > seen.latest_ns) seen.latest_ns = late;
            if (traced && traced_count < MOST_TRACED)
                traced[traced_count++] = (struct traced){p->sent, p->due, p->due + late, p->from, to, p->bytes};
            give_back(p);
        }
    }
    return next;
}

static void run(void) {
    struct pollfd all[WIRE_MOST + 1];
    for (int i = 0; i < computers; i++) all[i] = (struct pollfd){.fd = device[i], .events = POLLIN};
    all[computers] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    for (;;) {
        int64_t taken = now_ns();
        for (int i = 0; i < computers; i++) take(i);
        int64_t next = deliver(taken), wait = next < 0 ? 0 : next - now_ns();
        if (next >= 0 && wait < AWAKE_NS) continue; /* arming a timer and being woken by it takes longer */
        struct timespec limit = {wait / 1000000000, wait % 1000000000};
        if (ppoll(all, (nfds_t)computers + 1, next < 0 ? NULL : &limit, NULL) < 0 && errno != EINTR) refuse("waiting");
        char rest[64];
        if (all[computers].revents && read(STDIN_FILENO, rest, sizeof rest) <= 0) return;
    }
}

static void write_trace(const char *path) {
    FILE *f = fopen(path, "w");
    if (!f) refuse(path);
    for (struct traced *t = traced; t < traced + traced_count; t++)
        fprintf(f, "%.3f %.3f %.3f %d %d %d\n", (double)t->sent / 1e3, (double)t->due / 1e3, (double)t->delivered / 1e3,
                t->from + 1, t->to + 1, t->bytes);
    fclose(f);
}

static double positive(const char *text, const char *what) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value > 0 && value < 1e9)) {
        fprintf(stderr, "wire: '%s' is not a valid %s: give a number above 0\n", text, what);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv) {
    computers = argc - 3;
    if (computers < 2 || computers > WIRE_MOST) {
        fprintf(stderr, "usage: wire DELAY_US MBIT_S NAMESPACE... (2 to %d namespaces)\n", WIRE_MOST);
        return 2;
    }
    wire.delay_ns = (int64_t)(positive(argv[1], "delay in microseconds") * 1000);
    wire.ns_per_byte = 8000 / positive(argv[2], "rate in Mbit/s");
    for (int i = 0; i < computers; i++) {
        device[i] = open_device(argv[3 + i]);
        queues[i].last = &queues[i].first;
        leaving[i].last = &leaving[i].first;
    }
    const char *trace = getenv("WIRE_TRACE");
    if (trace && !(traced = malloc(MOST_TRACED * sizeof *traced))) refuse("memory for the trace");
    prctl(PR_SET_TIMERSLACK, 1);
    mlockall(MCL_CURRENT | MCL_FUTURE);
    if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 50}) != 0)
        fprintf(stderr, "wire: it has no priority (%s): packets may be late\n", strerror(errno));
    puts("ready");
    fflush(stdout);
    run();
    if (trace) write_trace(trace);
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    fprintf(
        stderr,
        "wire: %ld packets forwarded, %ld lost, %.1f us late in the mean, %.1f us at most, %.3f s of processor time\n",
        seen.forwarded, seen.lost, seen.forwarded ? seen.late_ns / (double)seen.forwarded / 1000 : 0,
        (double)seen.latest_ns / 1000, (double)used.tv_sec + (double)used.tv_nsec / 1e9);
}
