/* A channel of message queues between two processes by descriptors; peers that send the wrong ones. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

#include "msg_test.h"

/* Only what hangs takes so long. */
enum { FOR_EVER_MS = 3600000 };

static msg_transmit *transmit_of_a_new_endpoint(void) { return msg_transmit_create(msg_endpoint_create(), 3, 2, 0); }

static void dials(void *socket) {
    msg_transmit *t = transmit_of_a_new_endpoint();
    msg_region *r = msg_region_create(t, 4096);
    CHECK(r && msg_dial(t, 1, *(int *)socket, FOR_EVER_MS) == MSG_OK);
    fill(msg_region_memory(r), 160, 5);
    uint64_t ticket;
    CHECK(msg_tag_on(t, 1, 2, 3, msg_region_memory(r), 160, &ticket) == MSG_OK);
    for (uint64_t i = 0; i < 100000; i++)
        while (msg_express(t, 1, i % 32, mixed(i)) == MSG_FULL) CHECK(msg_wait_for_room(t, 1, -1));
    while (!msg_is_released(t, 1, ticket)) sched_yield();
}

/* Sends what `wrong` says instead of a good acceptance. */
static int wrong, pair[2];
static void dials_wrongly(void *unused) {
    (void)unused;
    msg_transmit *t = transmit_of_a_new_endpoint();
    struct msg_offer offer;
    struct msg_accept accept;
    struct msg_done done;
    int fds[MSG_OFFER_FDS], own[3] = {-1, -1, -1}, count = 1;
    CHECK(msg_socket_receive(pair[1], &offer, sizeof offer, fds, MSG_OFFER_FDS, msg_until(FOR_EVER_MS)));
    /* What this side must not write cannot be mapped for writing, however one tries. */
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fds[0]);
    CHECK(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0) == MAP_FAILED && errno == EPERM);
    int again = open(path, O_RDWR);
    CHECK(again < 0 || mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0) == MAP_FAILED);
    CHECK(again < 0 || pwrite(again, "x", 1, 0) < 0);
    CHECK(ftruncate(fds[0], 0) != 0 && ftruncate(fds[1], 0) != 0);
    /* Nor holes, which are writing zeroes. So a lane's owner cannot give pages back either (docs/decisions/0009). */
    CHECK(fallocate(fds[0], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) != 0 && errno == EPERM);
    void *read_only = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fds[0], 0);
    CHECK(read_only != MAP_FAILED && mprotect(read_only, 4096, PROT_READ | PROT_WRITE) != 0);
    CHECK(msg_accept(t, &offer, fds, &accept, own));
    int bare = memfd_create("bare", MFD_CLOEXEC | MFD_ALLOW_SEALING), tube[2];
    CHECK(pipe(tube) == 0 && ftruncate(bare, 1 << 20) == 0);
    switch (wrong) {
    case 0: own[0] = bare; break; /* no seals */
    case 1:
        CHECK(ftruncate(bare, 4096) == 0 &&
              fcntl(bare, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | 0x10 | F_SEAL_SEAL) == 0);
        own[0] = bare;
        break; /* too short */
    case 2: own[0] = tube[0]; break;
    case 3: count = 0; break;
    case 4: accept.region_bytes = 4096; break; /* and none comes */
    case 5:
        accept.region_bytes = UINT64_MAX;
        own[1] = bare;
        count = 2;
        break;
    case 6: accept.magic++; break;
    case 7:
        own[1] = bare;
        count = 2;
        break; /* one too many */
    case 8: _exit(0);
    }
    CHECK(msg_socket_send(pair[1], &accept, sizeof accept, own, count, msg_until(FOR_EVER_MS)));
    CHECK(msg_socket_receive(pair[1], &done, sizeof done, NULL, 0, msg_until(FOR_EVER_MS)));
    CHECK(done.failed && done.why[0]);
}

/* A receiver that wants to make its senders wait: its descriptor is full, and waits for whoever writes. */
static void answers_deaf(void *unused) {
    (void)unused;
    msg_endpoint *e = msg_endpoint_create();
    msg_queue *q = msg_queue_create(e, 0, 64, 0);
    struct msg_offer offer;
    struct msg_accept accept;
    int fds[MSG_OFFER_FDS], accepted[MSG_ACCEPT_FDS];
    uint64_t most = UINT64_MAX - 1;
    struct msg_lane *l = msg_offer(q, 1, &offer, fds);
    CHECK(l);
    while (write(fds[2], &most, sizeof most) == sizeof most) {}
    CHECK(fcntl(fds[2], F_SETFL, 0) == 0);
    CHECK(msg_socket_send(pair[1], &offer, sizeof offer, fds, 3, msg_until(FOR_EVER_MS)));
    CHECK(msg_socket_receive(pair[1], &accept, sizeof accept, accepted, MSG_ACCEPT_FDS, msg_until(FOR_EVER_MS)));
    CHECK(msg_offer_finish(q, l, &accept, accepted) == MSG_OK);
    l->lane.in->fd_armed = 1;
    struct msg_done done = {.magic = MSG_MAGIC_DONE};
    CHECK(msg_socket_send(pair[1], &done, sizeof done, NULL, 0, msg_until(FOR_EVER_MS)));
    msg_message m;
    for (uint64_t i = 0; i < 1000; i++) {
        while (!msg_receive(q, &m)) sched_yield();
        CHECK(m.word == i && l->lane.in->fd_armed);
    }
}

static void sockets(void) {
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    pid_t pid = child(dials, &pair[1]);
    msg_endpoint *e = msg_endpoint_create();
    msg_queue *q = msg_queue_create(e, 0, 64, 0);
    CHECK(msg_answer(q, 4711, pair[0], FOR_EVER_MS) == MSG_OK);
    msg_set s;
    msg_set_init(&s, e);
    msg_set_add(&s, q);
    msg_message m;
    CHECK(msg_wait(&s, &m, -1) && m.kind == MSG_DATA && m.bytes == 160 && m.word == 3 && m.source == 4711);
    CHECK(is_filled(m.data, 160, 5));
    msg_release(q, &m);
    for (uint64_t i = 0; i < 100000; i++) CHECK(msg_wait(&s, &m, -1) && m.word == mixed(i) && m.source == 4711);
    ends_well(pid);
    for (wrong = 0; wrong <= 8; wrong++) {
        pid = child(dials_wrongly, NULL);
        CHECK(msg_answer(q, 1, pair[0], wrong == 8 ? 50 : FOR_EVER_MS) == MSG_FAILED && msg_error()[0]);
        ends_well(pid);
    }
    CHECK(!q->lane[1] && !q->setting_up[1]);
    /* Of a receiver that is wrong. */
    msg_transmit *t = msg_transmit_create(e, 0, 1, 0), *deaf = msg_transmit_create(e, 1, 1, 0);
    pid = child(answers_deaf, NULL);
    CHECK(msg_dial(deaf, 0, pair[0], FOR_EVER_MS) == MSG_OK);
    for (uint64_t i = 0; i < 1000; i++)
        while (msg_express(deaf, 0, 0, i) == MSG_FULL) sched_yield();
    ends_well(pid);
    struct msg_offer bad[] = {{0},
                              {MSG_MAGIC_OFFER, 99, 64, 0, 0, 0, 0, 0},
                              {MSG_MAGIC_OFFER, MSG_VERSION, 63, 0, 0, 0, 0, 0},
                              {MSG_MAGIC_OFFER, MSG_VERSION, 64, 0, 512, 0, 0, 0},
                              {MSG_MAGIC_OFFER, MSG_VERSION, 64, 0, 0, 600, 0, 0},
                              {MSG_MAGIC_OFFER, MSG_VERSION, 64, 0, 0, 0, 0, 0}};
    for (unsigned i = 0; i < 6; i++) {
        struct msg_accept refusal;
        CHECK(msg_socket_send(pair[1], &bad[i], sizeof bad[i], NULL, 0, msg_until(1000)));
        CHECK(msg_dial(t, 0, pair[0], 1000) == MSG_FAILED && msg_error()[0]);
        CHECK(msg_socket_receive(pair[1], &refusal, sizeof refusal, NULL, 0, msg_until(1000)) && !refusal.magic);
    }
    /* As what wakes its sender it hands over what is no socket, or has something in it. */
    for (int full = 0; full < 2; full++) {
        struct msg_offer offer;
        struct msg_accept refusal;
        int fds[MSG_OFFER_FDS], event;
        struct msg_lane *l = msg_offer(q, 9, &offer, fds);
        CHECK(l && (event = fds[2]) >= 0);
        CHECK(full ? write(l->event, "x", 1) == 1 : (fds[2] = fds[0]) >= 0);
        CHECK(msg_socket_send(pair[1], &offer, sizeof offer, fds, 3, msg_until(1000)));
        CHECK(msg_dial(t, 0, pair[0], 1000) == MSG_FAILED && strstr(msg_error(), "event descriptor"));
        CHECK(msg_socket_receive(pair[1], &refusal, sizeof refusal, NULL, 0, msg_until(1000)) && !refusal.magic);
        msg_offer_withdraw(q, l);
        for (int i = 0; i < 2; i++) close(fds[i]);
        close(event);
    }
    msg_endpoint_close(e);
}

int main(void) {
    sockets();
    return 0;
}
