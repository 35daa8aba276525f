/* What the message queues cost beside the least that the computer allows, between two processes on two processors, in one run:
 *
 *     cc -O2 -std=gnu17 -I runtime bench/queues/queues.c $(find runtime/msg -name '?*.c') -pthread -o queues
 *
 * Half a round trip of one cache line beside Express and Tag-On one way; a bare atomic addition to one word by two processes beside Express by
 * two threads; streams; Bulk beside memcpy; OnePoll over 1 and 512 empty queues; the wake-up of a sleeper beside a futex. Each figure
 * is the median of REPEATS, with the least and the greatest.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "include/msg.h"

enum { REPEATS = 9, ROUNDS = 40000, STREAM = 1000000, BATCH = 64, LARGE = 1 << 20 };

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void on_processor(int n) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(n, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The two ends, made before the fork; word: shared, for what is bare. */
static struct { uint64_t word[64]; } * bare;
static msg_queue *to_child[3], *to_parent; /* Express for any threads, for one; Basic */
static msg_transmit *child_sends, *parent_sends[2];
static msg_region *region;
static msg_set of_parent, of_child, all;
static unsigned char *large;

static void say(const char *what, const char *unit, double (*measure)(void), void (*other)(void)) {
    double got[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        memset(bare, 0, sizeof *bare);
        pid_t pid = other ? fork() : 0;
        if (other && pid == 0) {
            on_processor(1);
            other();
            _exit(0);
        }
        got[i] = measure();
        if (other) waitpid(pid, NULL, 0);
    }
    qsort(got, REPEATS, sizeof *got, compare);
    printf("%-58s %9.1f %s   (%.1f to %.1f)\n", what, got[REPEATS / 2], unit, got[0], got[REPEATS - 1]);
    fflush(stdout);
}

static void await(uint64_t *word, uint64_t value) {
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value) {}
}
static double ping_line(void) {
    double before = now_ns();
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        __atomic_store_n(&bare->word[0], 2 * i - 1, __ATOMIC_RELEASE);
        await(&bare->word[0], 2 * i);
    }
    return (now_ns() - before) / ROUNDS / 2;
}
static void pong_line(void) {
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        await(&bare->word[0], 2 * i - 1);
        __atomic_store_n(&bare->word[0], 2 * i, __ATOMIC_RELEASE);
    }
}

static int kind; /* 0: any threads, 1: one thread */
static double ping(void) {
    msg_message m;
    double before = now_ns();
    for (uint64_t i = 0; i < ROUNDS; i++) {
        msg_express(parent_sends[kind], (unsigned)kind, 0, i);
        while (!msg_receive(to_parent, &m)) {}
    }
    return (now_ns() - before) / ROUNDS / 2;
}
static void pong(void) {
    msg_message m;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        while (!msg_receive(to_child[kind], &m)) {}
        msg_express(child_sends, 0, 0, i);
    }
}

static uint32_t bytes;
static uint64_t sum;
static void touch(const msg_message *m) {
    const uint64_t *d = m->data;
    for (uint64_t i = 0; i < m->bytes / 8; i++) sum += d[i];
}
static double ping_tag_on(void) {
    msg_message m;
    uint64_t ticket;
    double before = now_ns();
    for (uint64_t i = 0; i < ROUNDS; i++) {
        uint64_t *d = (uint64_t *)((char *)msg_region_memory(region) + i % 64 * 256);
        for (uint32_t k = 0; k < bytes / 8; k++) d[k] = i;
        while (msg_tag_on(parent_sends[0], 0, 0, 0, d, bytes, &ticket) != MSG_OK) {}
        while (!msg_receive(to_parent, &m)) {}
    }
    return (now_ns() - before) / ROUNDS / 2;
}
static void pong_data(void) {
    msg_message m;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        while (!msg_receive(to_child[kind], &m)) {}
        touch(&m);
        msg_release(to_child[kind], &m);
        msg_express(child_sends, 0, 0, i);
    }
}
static double ping_basic(void) {
    msg_message m;
    uint64_t data[20] = {0};
    double before = now_ns();
    for (uint64_t i = 0; i < ROUNDS; i++) {
        while (msg_basic_send(parent_sends[0], 2, 0, data, bytes) != MSG_OK) {}
        while (!msg_receive(to_parent, &m)) {}
    }
    return (now_ns() - before) / ROUNDS / 2;
}

static double stream(void) { /* million messages a second */
    uint64_t words[BATCH] = {0}, sent = 0;
    double before = now_ns();
    while (sent < STREAM) sent += msg_express_many(parent_sends[kind], (unsigned)kind, 0, words, BATCH);
    await(&bare->word[0], 1);
    return (double)sent / (now_ns() - before) * 1e3;
}
static void drink(void) {
    msg_message m;
    for (uint64_t i = 0; i < STREAM + STREAM % BATCH;) i += msg_receive(to_child[kind], &m);
    __atomic_store_n(&bare->word[0], 1, __ATOMIC_RELEASE);
    while (msg_receive(to_child[kind], &m)) {}
}
static double stream_basic(void) {
    uint64_t sent = 0;
    double before = now_ns();
    while (sent < STREAM) {
        int n = 0;
        for (uint64_t *to; n < BATCH && (to = msg_basic_reserve(parent_sends[1], 3, 8)); n++) {
            *to = sent++;
            msg_basic_add(parent_sends[1], 3, 0, 8);
        }
        msg_basic_publish(parent_sends[1], 3);
    }
    await(&bare->word[0], 1);
    return (double)sent / (now_ns() - before) * 1e3;
}
static void drink_basic(void) {
    msg_message m;
    for (uint64_t i = 0; i < STREAM;) {
        if (!msg_receive(to_child[2], &m)) continue;
        int n = 1;
        while (n < BATCH && msg_receive_next(to_child[2], &m)) n++;
        msg_release(to_child[2], &m);
        i += (uint64_t)n;
    }
    __atomic_store_n(&bare->word[0], 1, __ATOMIC_RELEASE);
}

static double copy(void) { /* GB/s */
    static unsigned char *to;
    if (!to) to = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memcpy(to, large, LARGE);
    double before = now_ns();
    for (int i = 0; i < 200; i++) memcpy(to, large, LARGE);
    return 200.0 * LARGE / (now_ns() - before);
}
static double bulk(void) {
    msg_message m;
    msg_job job;
    double before = 0;
    for (int i = -1; i < 200; i++) {
        if (i == 0) before = now_ns();
        msg_bulk(parent_sends[0], 0, 0, 0, 0, large, LARGE, &job);
        while (!msg_receive(to_child[0], &m)) {}
        msg_release(to_child[0], &m);
        while (!msg_bulk_is_done(&job)) {}
    }
    return 200.0 * LARGE / (now_ns() - before);
}

static const msg_set *polled;
static double polls(void) {
    msg_message m;
    double before = now_ns();
    for (int i = 0; i < STREAM; i++) msg_poll(polled, &m);
    return (now_ns() - before) / STREAM;
}

enum { SLEEPS = 300 };
static double wake_futex(void) {
    uint32_t *word = (uint32_t *)&bare->word[8];
    double all_ns = 0;
    for (uint32_t i = 1; i <= SLEEPS; i++) {
        usleep(300);
        double before = now_ns();
        __atomic_store_n(word, i, __ATOMIC_RELEASE);
        syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
        await(&bare->word[0], i);
        all_ns += now_ns() - before;
    }
    return all_ns / SLEEPS / 1000;
}
static void sleep_futex(void) {
    uint32_t *word = (uint32_t *)&bare->word[8];
    for (uint32_t i = 1; i <= SLEEPS; i++) {
        while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < i) syscall(SYS_futex, word, FUTEX_WAIT, i - 1, NULL, NULL, 0);
        __atomic_store_n(&bare->word[0], i, __ATOMIC_RELEASE);
    }
}
static double wake_queue(void) {
    double all_ns = 0;
    for (uint64_t i = 1; i <= SLEEPS; i++) {
        usleep(300);
        double before = now_ns();
        msg_express(parent_sends[0], 0, 0, i);
        await(&bare->word[0], i);
        all_ns += now_ns() - before;
    }
    return all_ns / SLEEPS / 1000;
}
static void sleep_queue(void) {
    msg_message m;
    for (uint64_t i = 1; i <= SLEEPS; i++) {
        while (!msg_wait(&of_child, &m, -1)) {}
        __atomic_store_n(&bare->word[0], i, __ATOMIC_RELEASE);
    }
}

static void made(bool good) {
    if (good) return;
    fprintf(stderr, "queues: %s\n", msg_error());
    exit(1);
}

int main(void) {
    on_processor(0);
    bare = mmap(NULL, sizeof *bare, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    large = malloc(LARGE);
    memset(large, 1, LARGE);
    msg_endpoint *parent = msg_endpoint_create(), *child = msg_endpoint_create(), *many = msg_endpoint_create();
    made(parent && child && many);
    to_parent = msg_queue_create(parent, 0, 0, MSG_SINGLE);
    for (int i = 0; i < 3; i++)
        to_child[i] = msg_queue_create(child, i, 0, i == 2 ? MSG_BASIC | MSG_SINGLE : i == 1 ? MSG_SINGLE : 0);
    child_sends = msg_transmit_create(child, 0, 1, 0);
    for (int i = 0; i < 2; i++) parent_sends[i] = msg_transmit_create(parent, i, 4, i ? MSG_SINGLE : 0);
    made(to_parent && to_child[0] && to_child[1] && to_child[2] && child_sends && parent_sends[0] && parent_sends[1]);
    region = msg_region_create(parent_sends[0], 1 << 16);
    made(region && msg_set_window(to_child[0], LARGE) == MSG_OK);
    made(msg_connect(child_sends, 0, to_parent, 0) == MSG_OK &&
         msg_connect(parent_sends[0], 0, to_child[0], 0) == MSG_OK &&
         msg_connect(parent_sends[1], 1, to_child[1], 0) == MSG_OK &&
         msg_connect(parent_sends[0], 2, to_child[2], 0) == MSG_OK &&
         msg_connect(parent_sends[1], 3, to_child[2], 1) == MSG_OK);
    msg_set_init(&of_child, child);
    msg_set_add(&of_child, to_child[0]);
    msg_set_init(&of_parent, many);
    msg_set_init(&all, many);
    for (int i = 0; i < 512; i++) {
        msg_queue *q = msg_queue_create(many, i, 4, 0);
        made(q);
        if (i == 0) msg_set_add(&of_parent, q);
        msg_set_add(&all, q);
    }
    say("a cache line, half a round trip", "ns", ping_line, pong_line);
    say("Express one way, any threads", "ns", ping, pong);
    kind = 1;
    say("Express one way, MSG_SINGLE", "ns", ping, pong);
    kind = 0;
    static const uint32_t sizes[] = {64, 96, 160};
    for (int i = 0; i < 3; i++) {
        char name[64];
        bytes = sizes[i];
        snprintf(name, sizeof name, "Tag-On of %u bytes one way, written and read", bytes);
        kind = 0;
        say(name, "ns", ping_tag_on, pong_data);
        snprintf(name, sizeof name, "Basic of %u bytes one way, sender with a lock", bytes);
        kind = 2;
        say(name, "ns", ping_basic, pong_data);
    }
    kind = 0;
    say("Express stream, any threads, 8 bytes", "M/s", stream, drink);
    kind = 1;
    say("Express stream, MSG_SINGLE, 8 bytes", "M/s", stream, drink);
    say("Basic stream, MSG_SINGLE, 8 bytes, 64 a publication", "M/s", stream_basic, drink_basic);
    polled = &of_parent;
    say("OnePoll over 1 empty queue", "ns", polls, NULL);
    polled = &all;
    say("OnePoll over 512 empty queues", "ns", polls, NULL);
    say("a futex's wake-up", "us", wake_futex, sleep_futex);
    say("a sleeping receiver's wake-up", "us", wake_queue, sleep_queue);
    say("memcpy of 1 MiB", "GB/s", copy, NULL);
    say("Bulk of 1 MiB, with its message", "GB/s", bulk, NULL);
    return sum == 1;
}
