/* OnePoll over 512 queues: priority, Empty, sleeping threads, epoll. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "msg_test.h"

static msg_endpoint *server;
static msg_transmit *to_server;
static msg_set half[2];
static uint64_t came[4];
enum { PINGS = 20000 };

static void *waits(void *number) {
    uintptr_t me = (uintptr_t)number; /* two threads for each set */
    for (msg_message m;;) {
        CHECK(msg_wait(&half[me % 2], &m, -1));
        CHECK(m.queue / 256 == me % 2);
        if (m.tag == 1) return NULL;
        __atomic_fetch_add(&came[me], 1, __ATOMIC_RELAXED);
    }
}

static void poll_sleeping(void) {
    pthread_t thread[4];
    for (uintptr_t i = 0; i < 4; i++) CHECK(pthread_create(&thread[i], NULL, waits, (void *)i) == 0);
    for (uint64_t i = 0; i < PINGS; i++) {
        unsigned to = (unsigned)(mixed(i) % 512);
        while (msg_express(to_server, to, 0, i) == MSG_FULL) CHECK(msg_wait_for_room(to_server, to, -1));
        if (i % 16 == 0 || i == PINGS - 1) /* until they have all come: each time somebody falls asleep */
            while (__atomic_load_n(&came[0], __ATOMIC_RELAXED) + __atomic_load_n(&came[1], __ATOMIC_RELAXED) +
                       __atomic_load_n(&came[2], __ATOMIC_RELAXED) + __atomic_load_n(&came[3], __ATOMIC_RELAXED) <
                   i + 1)
                sched_yield();
    }
    for (unsigned i = 0; i < 4; i++) CHECK(msg_express(to_server, i % 2 * 256 + i, 1, 0) == MSG_OK);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    CHECK(came[0] + came[1] + came[2] + came[3] == PINGS);
}

/* Somebody clears all bits, as each sender could: messages come nevertheless, one lane being looked at itself every 64 polls. */
static void poll_guarded(const msg_set *all) {
    msg_set one;
    msg_message m;
    msg_set_init(&one, server);
    msg_set_add(&one, server->queue[7]);
    for (int round = 0; round < 6; round++) { /* more than once: the guard goes on to the next lane, and around */
        const msg_set *s = round % 2 ? all : &one;
        CHECK(msg_express(to_server, 7, 3, (uint64_t)round) == MSG_OK);
        memset(server->bell->ready, 0, sizeof server->bell->ready);
        memset(server->bell->from, 0, sizeof server->bell->from);
        int polls = 0, most = 64 * (round % 2 ? 258 : 2);
        while (!msg_poll(s, &m)) CHECK(++polls <= most);
        CHECK(m.queue == 7 && m.tag == 3 && m.word == (uint64_t)round && !msg_poll(s, &m));
    }
}

static void *waits_for_one(void *m) {
    CHECK(msg_wait(&half[0], m, -1));
    return m;
}

/* A sender takes back `asleep`, clears bits, and wakes the receiver so often that no sleep ends by its time: what another has sent
 * comes nevertheless. */
static void poll_woken(void) {
    struct msg_row *r = to_server->row[9];
    for (uint64_t i = 0; i < 3; i++) {
        pthread_t thread;
        msg_message m;
        uint64_t place;
        CHECK(pthread_create(&thread, NULL, waits_for_one, &m) == 0);
        while (!__atomic_load_n(&server->bell->asleep, __ATOMIC_ACQUIRE)) sched_yield();
        CHECK(lane_put(&r->lane, i, 4, &place)); /* and its bits are gone before anybody has looked */
        while (!lane_is_taken(&r->lane, place)) {
            __atomic_store_n(&server->bell->asleep, 1, __ATOMIC_RELAXED);
            bell_wake(server->bell);
            usleep(1000);
        }
        CHECK(pthread_join(thread, NULL) == 0 && m.word == i && m.tag == 4 && m.queue == 9);
    }
}

/* The descriptor is readable when a message has come for the armed set, and not when one has for another queue; also if its
 * sender has come when the descriptor, or the armed set, was there. */
static void poll_armed(msg_endpoint *e, int fd) {
    msg_transmit *t = msg_transmit_create(e, 1, 4, 0);
    struct epoll_event event;
    msg_message m;
    for (unsigned d = 0; d < 4; d++) {
        msg_queue *inside = server->queue[d], *outside = server->queue[300 + d];
        if (d == 2) CHECK(msg_arm(&half[0]));
        CHECK(msg_connect(t, d, d % 2 ? inside : outside, d) == MSG_OK);
        CHECK(msg_arm(&half[0]) && msg_express(t, d, 1, d) == MSG_OK);
        CHECK(epoll_wait(fd, &event, 1, 0) == (int)d % 2);
        msg_disarm(&half[0]);
        CHECK(epoll_wait(fd, &event, 1, 0) == 0);
        CHECK(msg_receive(d % 2 ? inside : outside, &m) && m.word == d);
    }
    /* Nobody hands descriptors over there: to close them could take long. (From Linux 6.16 on.) */
    struct msg_row *r = t->row[1];
    bool refuse = sockets_refuse_descriptors();
    for (int end = 0, is = 0; refuse && end < 2; end++) {
        int to = end ? r->event : server->queue[1]->lane[1]->event,
            other = end ? server->queue[1]->lane[1]->event : r->event;
        union {
            char bytes[CMSG_SPACE(sizeof(int))];
            struct cmsghdr aligned;
        } control = {{0}};
        struct msghdr with = {.msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        struct cmsghdr *one = CMSG_FIRSTHDR(&with);
        socklen_t bytes = sizeof is;
        one->cmsg_level = SOL_SOCKET, one->cmsg_type = SCM_RIGHTS, one->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(one), &fd, sizeof fd);
        CHECK(getsockopt(to, SOL_SOCKET, 83, &is, &bytes) == 0 && !is && sendmsg(other, &with, MSG_DONTWAIT) < 0);
    }
    /* What a sender that has ended has left without telling. */
    uint64_t place;
    CHECK(msg_arm(&half[0]) && lane_put(&t->row[1]->lane, 5, 6, &place) && epoll_wait(fd, &event, 1, 0) == 0);
    msg_lane_rouse(server->queue[1], server->queue[1]->lane[1]);
    CHECK(epoll_wait(fd, &event, 1, 0) == 1);
    msg_disarm(&half[0]);
    CHECK(msg_poll(&half[0], &m) && m.word == 5 && m.tag == 6 && m.queue == 1);
}

static void *sends_late(void *unused) {
    (void)unused;
    for (uint64_t i = 0; i < 200; i++) {
        if (i % 3 == 0) usleep(200);
        while (msg_express(to_server, 7, 0, i) == MSG_FULL) sched_yield();
    }
    return NULL;
}

static void poll(void) {
    server = msg_endpoint_create();
    msg_endpoint *e = msg_endpoint_create();
    to_server = msg_transmit_create(e, 0, 512, 0);
    msg_set all;
    msg_message m;
    msg_set_init(&all, server);
    for (int i = 0; i < 2; i++) msg_set_init(&half[i], server);
    for (int i = 0; i < 512; i++) {
        msg_queue *q = msg_queue_create(server, i, 16, 0);
        CHECK(q && msg_connect(to_server, (unsigned)i, q, (uint32_t)i) == MSG_OK);
        msg_set_add(&all, q);
        msg_set_add(&half[i / 256], q);
    }
    all.empty_tag = 17;
    all.empty_word = 99;
    CHECK(!msg_poll(&all, &m) && m.tag == 17 && m.word == 99 && m.kind == MSG_EMPTY);
    CHECK(!msg_wait(&all, &m, 0) && !msg_wait(&all, &m, 3));
    for (int round = 0; round < 200; round++) { /* by priority, and those of one queue in order */
        for (int i = 0; i < 300; i++)
            msg_express(to_server, (unsigned)(mixed((uint64_t)(round * 1000 + i)) % 512), 0, (uint64_t)i);
        for (uint64_t last = 0, queue = 0, n = 0; n < 300 || msg_poll(&all, &m); n++) {
            if (n < 300 && !msg_poll(&all, &m)) break; /* some were full */
            CHECK(m.queue >= queue && m.source == m.queue && (m.queue > queue || n == 0 || m.word > last));
            queue = m.queue;
            last = m.word;
        }
        CHECK(!msg_poll(&all, &m));
        for (int i = 0; i < 40 * (round % 3); i++) CHECK(!msg_poll(&all, &m)); /* so that bits are cleared, or not */
    }
    msg_set_remove(&all, server->queue[300]);
    CHECK(msg_express(to_server, 300, 0, 0) == MSG_OK && !msg_poll(&all, &m) && msg_poll(&half[1], &m));
    poll_guarded(&half[0]);
    poll_woken();
    poll_sleeping();
    int fd = msg_fd(server);
    CHECK(fd >= 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, sends_late, NULL) == 0);
    for (uint64_t i = 0; i < 200;) {
        struct epoll_event event;
        if (msg_arm(&half[0])) CHECK(epoll_wait(fd, &event, 1, -1) == 1);
        msg_disarm(&half[0]);
        while (msg_poll(&half[0], &m)) CHECK(m.word == i++);
    }
    pthread_join(thread, NULL);
    poll_armed(e, fd);
    msg_endpoint_close(e);
    msg_endpoint_close(server);
}

int main(void) {
    poll();
    return 0;
}
