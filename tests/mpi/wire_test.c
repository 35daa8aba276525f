/* For wire.sh:
 *
 *     wire_test                         the times of wire.h are the closed forms
 *     wire_test serve                   takes one connection, and answers by a byte when all has come
 *     wire_test send ADDRESS BYTES      sends so much there, and prints the nanoseconds of a connection, and of that
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

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "serve")) return serve();
    if (argc == 4 && !strcmp(argv[1], "send")) return send_bytes(argv[2], strtoull(argv[3], NULL, 10));
    /* 80 ns a byte, 200 us. */
    enum { DELAY = 200000, EACH = 80 };
    const struct wire fresh = {.delay_ns = DELAY, .ns_per_byte = EACH};
    struct wire w = fresh;
    check("alone", wire_arrival(&w, 1000, 0, 1, 1500), 1000 + DELAY + 1500 * EACH);
    /* Packets of one sender follow each other without a gap: n of them take the delay once. */
    w = fresh;
    int64_t last = 0;
    for (int i = 0; i < 100; i++) last = wire_arrival(&w, 0, 0, 1, 1500);
    check("a stream", last, DELAY + 100ll * 1500 * EACH);
    /* Two to one: the second waits at the receiver's port. To two receivers: at the sender's. */
    w = fresh;
    check("two to one, the first", wire_arrival(&w, 0, 0, 2, 1000), DELAY + 1000 * EACH);
    check("two to one, the second", wire_arrival(&w, 0, 1, 2, 1000), DELAY + 2 * 1000 * EACH);
    w = fresh;
    check("one to two, the first", wire_arrival(&w, 0, 0, 1, 1000), DELAY + 1000 * EACH);
    check("one to two, the second", wire_arrival(&w, 0, 0, 2, 1000), DELAY + 2 * 1000 * EACH);
    /* Pairs do not disturb each other, nor the two directions of one. */
    w = fresh;
    wire_arrival(&w, 0, 0, 1, 1000);
    check("there and back at one time", wire_arrival(&w, 0, 1, 0, 1000), DELAY + 1000 * EACH);
    check("another pair", wire_arrival(&w, 0, 2, 3, 1000), DELAY + 1000 * EACH);
    /* An idle port has no memory. */
    check("later", wire_arrival(&w, 10 * DELAY, 0, 1, 1), 11 * DELAY + EACH);
    if (!bad) puts("good");
    return bad;
}
