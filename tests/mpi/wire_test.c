/* For wire.sh:
 *
 *     wire_test                         the times of wire.h are the closed forms
 *     wire_test serve                   takes one connection, and answers by a byte when all has come
 *     wire_test send ADDRESS BYTES      sends so much there, and prints the nanoseconds of a connection, and of that
 *     wire_test trace DELAY_US MBIT_S   a trace of the wire (standard input, by the times of sending) has the times that follow from
 *                                       those of sending; prints how many packets arrived before one that was sent earlier
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

enum { PORT = 7778 };
static char data[1 << 16];

static int bad;
static void check(const char *what, int64_t found, int64_t expected) {
    if (found == expected) return;
    printf("FAIL %s: %lld, expected %lld\n", what, (long long)found, (long long)expected);
    bad = 1;
}

/* When a packet has arrived that nothing arrives before which is sent later. */
static int64_t arrival(struct wire *w, int64_t now, int from, int to, int bytes) {
    return wire_arrive(w, wire_leave(w, now, from, bytes), to, bytes);
}

static void refuse(const char *what) {
    perror(what);
    exit(2);
}

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* The first eight bytes say how many there are in all. */
static int serve(void) {
    int door = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes); /* the connection before is not forgotten yet */
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    if (bind(door, (struct sockaddr *)&at, sizeof at) || listen(door, 1)) refuse("listen");
    puts("serves");
    fflush(stdout);
    int fd = accept(door, NULL, NULL);
    uint64_t all = 0, n = 0;
    for (ssize_t more; n < sizeof all || n < all; n += (uint64_t)more) {
        if ((more = read(fd, data, sizeof data)) <= 0) refuse("read");
        if (n == 0) memcpy(&all, data, sizeof all); /* they come in one packet */
    }
    if (write(fd, data, 1) != 1) refuse("write");
    return 0;
}

static int send_bytes(const char *address, uint64_t bytes) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    inet_pton(AF_INET, address, &to.sin_addr);
    int64_t start = now_ns();
    if (connect(fd, (struct sockaddr *)&to, sizeof to)) refuse("connect");
    int64_t connected = now_ns();
    memcpy(data, &bytes, sizeof bytes);
    for (uint64_t n = 0; n < bytes;) {
        ssize_t more = write(fd, data, bytes - n < sizeof data ? bytes - n : sizeof data);
        if (more <= 0) refuse("write");
        n += (uint64_t)more;
    }
    if (read(fd, data, 1) != 1) refuse("read");
    printf("%lld %lld\n", (long long)(connected - start), (long long)(now_ns() - connected));
    return 0;
}

static struct packet {
    int64_t head, due;
    int from, to, bytes;
    long number; /* in the order of sending */
} packets[100000];

static int by_arrival(const void *a, const void *b) {
    const struct packet *p = a, *q = b;
    if (p->head != q->head) return p->head < q->head ? -1 : 1;
    return p->from - q->from;
}

static int trace(double delay_us, double mbit_s) {
    struct wire w = {.delay_ns = (int64_t)(delay_us * 1000), .ns_per_byte = 8000 / mbit_s};
    long n = 0, overtaken = 0;
    double sent, due;
    for (struct packet *p = packets; scanf("%lf %lf %*f %d %d %d", &sent, &due, &p->from, &p->to, &p->bytes) == 5;
         p++) {
        p->from--, p->to--;
        p->due = (int64_t)(due * 1000 + 0.5);
        p->head = wire_leave(&w, (int64_t)(sent * 1000 + 0.5), p->from, p->bytes);
        p->number = n;
        if (++n == sizeof packets / sizeof *packets) break;
    }
    qsort(packets, (size_t)n, sizeof *packets, by_arrival);
    long last[WIRE_MOST] = {0};
    for (struct packet *p = packets; p < packets + n; p++) {
        check("due", p->due, wire_arrive(&w, p->head, p->to, p->bytes));
        if (p->number < last[p->to])
            overtaken++;
        else
            last[p->to] = p->number;
    }
    printf("%ld\n", overtaken);
    return bad;
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "trace")) return trace(atof(argv[2]), atof(argv[3]));
    if (argc == 2 && !strcmp(argv[1], "serve")) return serve();
    if (argc == 4 && !strcmp(argv[1], "send")) return send_bytes(argv[2], strtoull(argv[3], NULL, 10));
    /* 80 ns a byte, 200 us. */
    enum { DELAY = 200000, EACH = 80 };
    const struct wire fresh = {.delay_ns = DELAY, .ns_per_byte = EACH};
    struct wire w = fresh;
    check("alone", arrival(&w, 1000, 0, 1, 1500), 1000 + DELAY + 1500 * EACH);
    /* Packets of one sender follow each other without a gap: n of them take the delay once. */
    w = fresh;
    int64_t last = 0;
    for (int i = 0; i < 100; i++) last = arrival(&w, 0, 0, 1, 1500);
    check("a stream", last, DELAY + 100ll * 1500 * EACH);
    /* Two to one: the second waits at the receiver's port. To two receivers: at the sender's. */
    w = fresh;
    check("two to one, the first", arrival(&w, 0, 0, 2, 1000), DELAY + 1000 * EACH);
    check("two to one, the second", arrival(&w, 0, 1, 2, 1000), DELAY + 2 * 1000 * EACH);
    w = fresh;
    check("one to two, the first", arrival(&w, 0, 0, 1, 1000), DELAY + 1000 * EACH);
    check("one to two, the second", arrival(&w, 0, 0, 2, 1000), DELAY + 2 * 1000 * EACH);
    /* Pairs do not disturb each other, nor the two directions of one. */
    w = fresh;
    arrival(&w, 0, 0, 1, 1000);
    check("there and back at one time", arrival(&w, 0, 1, 0, 1000), DELAY + 1000 * EACH);
    check("another pair", arrival(&w, 0, 2, 3, 1000), DELAY + 1000 * EACH);
    /* An idle port has no memory. */
    check("later", arrival(&w, 10 * DELAY, 0, 1, 1), 11 * DELAY + EACH);
    /* The receiver's port serves who arrives first, even if what arrives later was sent before: behind a full port. */
    w = fresh;
    int64_t before = wire_leave(&w, 0, 0, 3000), behind = wire_leave(&w, 0, 0, 1000), other = wire_leave(&w, 10, 1, 50);
    check("behind a full port", behind, DELAY + 3000 * EACH);
    check("one that was sent later", other, DELAY + 10);
    check("is known in time", wire_known(&w, 10), other);
    check("the first to another", wire_arrive(&w, before, 3, 3000), DELAY + 3000 * EACH);
    check("the one that arrives first", wire_arrive(&w, other, 2, 50), DELAY + 10 + 50 * EACH);
    check("the one that was sent first", wire_arrive(&w, behind, 2, 1000), DELAY + 4000 * EACH);
    if (!bad) puts("good");
    return bad;
}
