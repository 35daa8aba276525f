/* What namespaces.sh runs on two "computers": checks that threads of one share memory and others do not, that data,
 * messages, atomics and barriers cross, and then, if asked, waits to be killed.
 *
 *     cluster check NEAR          NEAR threads are to share memory
 *     cluster wait | compute      is there until somebody ends it, at barriers, or thread 0 in a loop without a call
 *     cluster exit STATUS         the last thread ends the job with that status, the others are at a barrier
 *     cluster fatal | crash       the last thread finds an error, or writes through a null pointer
 *     cluster serve               no job: accepts connections, and reads
 *     cluster own SERVER HERE     the program has connections of its own: to SERVER, which then goes away, and between the
 *                                 two computers, to HERE, the address of thread 0's; they are nobody else's business
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gas.h"

enum { SERVER_PORT = 7777, OWN_PORT = 7778, OUT_OF_REACH_S = 12 }; /* the last: longer than MPI's connections have */
enum { LONG_WORDS = 40000, ROUNDS = 200 };

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) gas_fatal("cluster.c:%d: not true: %s", __LINE__, #what);                                         \
    } while (0)

static int on_ask, on_answer;
static uint64_t answers, sum;

static void ask(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    uint64_t total = args[0];
    for (size_t i = 0; i < bytes; i++) total += ((unsigned char *)payload)[i];
    gas_reply_short(token, on_answer, &total, nargs);
}

static void answer(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    answers++;
    sum += args[0];
}

static fathom_ptr on(fathom_ptr all, int thread) { return all + ((unsigned long)thread << FATHOM_SEG_BITS); }

static void data(void) {
    int me = gas_me(), n = gas_count();
    fathom_ptr words = gas_all_alloc(8 * LONG_WORDS);
    uint64_t *mine = fathom_local(on(words, me)), *copy = malloc(8 * LONG_WORDS);
    CHECK(copy);
    for (int i = 0; i < LONG_WORDS; i++) mine[i] = (uint64_t)me << 32 | (uint64_t)i;
    gas_barrier();
    for (int t = 0; t < n; t++)
        for (size_t bytes = 1; bytes <= 8 * LONG_WORDS; bytes = bytes * 5 + 3) {
            uint64_t first = (uint64_t)t << 32;
            memset(copy, 0xee, 8 * LONG_WORDS);
            gas_get(copy, on(words, t), bytes);
            CHECK(memcmp(copy, &first, bytes < 8 ? bytes : 8) == 0);
            for (size_t i = 0; i < bytes / 8; i++) CHECK(copy[i] == (first | i));
            CHECK(bytes % 8 || copy[bytes / 8] == 0xeeeeeeeeeeeeeeee);
        }
    gas_barrier();
    int next = (me + 1) % n, before = (me + n - 1) % n;
    for (int i = 0; i < LONG_WORDS; i++) copy[i] = (uint64_t)me * 1000003 + (uint64_t)i;
    gas_handle h = gas_put_nb(on(words, next), copy, 8 * LONG_WORDS);
    gas_wait(&h);
    gas_barrier();
    for (int i = 0; i < LONG_WORDS; i++) CHECK(mine[i] == (uint64_t)before * 1000003 + (uint64_t)i);
    gas_barrier();
    for (int i = 0; i < ROUNDS; i++) gas_put_value_nb(on(words, next) + 8 * (unsigned long)i, (uint64_t)i, 8);
    fathom_fence();
    gas_barrier();
    free(copy);
}

static void messages(void) {
    static unsigned char text[3000];
    uint64_t want = 0;
    for (int i = 0; i < ROUNDS; i++)
        for (int t = 0; t < gas_count(); t++) {
            size_t bytes = (size_t)(i * 37 + t) % sizeof text;
            memset(text, i, bytes);
            want += (uint64_t)i + bytes * (unsigned char)i;
            gas_request_medium(t, on_ask, text, bytes, &(uint64_t){(uint64_t)i}, 1);
        }
    for (unsigned round = 0; answers < (uint64_t)ROUNDS * (uint64_t)gas_count();) gas_wait_hint(&round);
    CHECK(sum == want);
    gas_barrier();
}

static void atomics(void) {
    fathom_ptr counter = gas_all_alloc(64);
    *(uint64_t *)fathom_local(on(counter, gas_me())) = 0;
    gas_barrier();
    uint64_t one = 1;
    for (int i = 0; i < ROUNDS; i++) gas_atomic(NULL, on(counter, i % gas_count()), GAS_U64, GAS_ADD, &one, NULL);
    gas_barrier();
    uint64_t total = 0;
    for (int t = 0; t < gas_count(); t++) total += gas_get_value(on(counter, t), 8);
    CHECK(total == (uint64_t)ROUNDS * (uint64_t)gas_count());
    gas_barrier();
}

static struct sockaddr_in at(const char *address, int port) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, address, &a.sin_addr);
    return a;
}

static int listener(int port) {
    struct sockaddr_in here = at("0.0.0.0", port);
    int s = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    return bind(s, (struct sockaddr *)&here, sizeof here) == 0 && listen(s, 8) == 0 ? s : -1;
}

static int connected(const char *address, int port) {
    struct sockaddr_in there = at(address, port);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&there, sizeof there) == 0) return s;
    perror(address);
    return -1;
}

static int serve(void) {
    int s = listener(SERVER_PORT);
    if (s < 0) return 1;
    printf("serves\n");
    fflush(stdout);
    for (char byte;;) {
        int c = accept(s, NULL, NULL);
        while (read(c, &byte, 1) > 0) {}
    }
}

/* Nobody has set anything on it. */
static void check_untouched(int s) {
    int alive;
    unsigned ms;
    socklen_t n = sizeof alive, m = sizeof ms;
    CHECK(getsockopt(s, SOL_SOCKET, SO_KEEPALIVE, &alive, &n) == 0 && !alive);
    CHECK(getsockopt(s, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, &m) == 0 && ms == 0);
}

static void own(const char *server, const char *here) {
    int me = gas_me(), last = gas_count() - 1, s[2] = {-1, -1};
    int l = me == 0 ? listener(OWN_PORT) : -1;
    gas_barrier();
    if (me == last) CHECK((s[0] = connected(here, OWN_PORT)) >= 0);
    if (me == 0) {
        CHECK((s[0] = accept(l, NULL, NULL)) >= 0);
        CHECK((s[1] = connected(server, SERVER_PORT)) >= 0);
    }
    for (int i = 0; i < 2; i++) CHECK(s[i] < 0 || write(s[i], "hello", 5) == 5);
    sleep(3); /* the watchman looks once a second */
    for (int i = 0; i < 2; i++)
        if (s[i] >= 0) check_untouched(s[i]);
    gas_barrier();
    if (me == 0) {
        printf("ready\n");
        fflush(stdout);
        while (access("cut", F_OK) != 0) usleep(10000);
        CHECK(write(s[1], "lost", 4) == 4);
        sleep(OUT_OF_REACH_S);
        check_untouched(s[1]);
    }
    gas_barrier();
    if (me == 0) printf("good: the program's own connections\n");
}

static int program(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "check";
    on_ask = gas_register(ask);
    on_answer = gas_register(answer);
    gas_barrier();
    if (strcmp(what, "check") == 0) {
        int near;
        gas_near(&near);
        if (argc > 2) CHECK(near == atoi(argv[2]));
        data();
        messages();
        atomics();
        if (gas_me() == 0) printf("good: %d threads, %d of them near\n", gas_count(), near);
        return 0;
    }
    if (strcmp(what, "own") == 0 && argc > 3) {
        own(argv[2], argv[3]);
        return 0;
    }
    printf("ready\n");
    fflush(stdout);
    bool ends = strcmp(what, "exit") == 0 || strcmp(what, "fatal") == 0 || strcmp(what, "crash") == 0;
    /* Without a newline it has not been written yet: it is saved when the job ends, on whichever computer. */
    if (ends) printf("saved by %d;", gas_me());
    gas_barrier();
    if (ends && gas_me() == gas_count() - 1) {
        if (strcmp(what, "exit") == 0 && argc > 2) gas_exit(atoi(argv[2]));
        if (strcmp(what, "fatal") == 0) gas_fatal("no more of this");
        *(volatile int *)NULL = 1;
    }
    if (strcmp(what, "compute") == 0 && gas_me() == 0)
        for (volatile int i = 0;; i++) {}
    for (;;) gas_barrier();
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "serve") == 0) return serve();
    gas_start(&argc, &argv);
    int status = program(argc, argv);
    gas_barrier();
    return status;
}
