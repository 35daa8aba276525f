/* Lanes and rows that end while threads are in calls with them (runtime/msg/retire.c). Nothing here depends on time.
 *
 *     msg_retire stopped     a thread is stopped inside a call: what it may use stays until it has left the call
 *     msg_retire named       what a Bulk job, a reserved record, or unreleased data name stays
 *     msg_retire many N      N channels come and go while threads send, receive and poll
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "msg/channel.h"
#include "msg_test.h"

static bool is_mapped(void *at) {
    unsigned char pages;
    return mincore(at, MSG_PAGE, &pages) == 0;
}

static msg_endpoint *e;
static msg_queue *q;
static msg_transmit *t;

static void make(unsigned flags, size_t window) {
    e = msg_endpoint_create();
    q = msg_queue_create(e, 0, flags & MSG_BASIC ? 4096 : 16, flags);
    t = msg_transmit_create(e, 0, 4, flags & MSG_SINGLE);
    CHECK(q && t && (!window || msg_set_window(q, window) == MSG_OK));
}

/* Connects row 0; what is mapped, of both sides. */
struct mapped {
    void *row, *lane;
};
static struct mapped connect_row(void) {
    CHECK(msg_connect(t, 0, q, 7) == MSG_OK);
    return (struct mapped){t->row[0]->of_in.at, q->lane[0]->of_out.at};
}

static void retire_both(void) {
    msg_row_retire(t, 0, t->row[0]);
    msg_lane_retire(q, q->lane[0]);
}

/* ---- a thread that is stopped inside a call ----------------------------------------------------------------------- */

static int go_on[2];
static bool is_inside, ends;

static void stop_inside(int signal) {
    char byte;
    (void)signal;
    if (!msg_caller || !(msg_caller->word & 1) || is_inside) return;
    /* A handler's own calls change nothing about that. */
    msg_message m;
    msg_express(t, 3, 0, 1);
    msg_receive(q, &m);
    __atomic_store_n(&is_inside, true, __ATOMIC_RELEASE);
    while (read(go_on[0], &byte, 1) < 0 && errno == EINTR) {}
}

static void *sends_and_receives(void *with) {
    msg_message m;
    (void)with;
    while (!__atomic_load_n(&ends, __ATOMIC_ACQUIRE)) {
        msg_express(t, 0, 1, 2);
        if (msg_receive(q, &m)) CHECK(m.word == 2);
    }
    return NULL;
}

static void stopped(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = stop_inside};
    CHECK(pipe(go_on) == 0 && sigaction(SIGUSR1, &action, NULL) == 0);
    make(0, 0);
    struct mapped at = connect_row();
    CHECK(pthread_create(&thread, NULL, sends_and_receives, NULL) == 0);
    while (!__atomic_load_n(&is_inside, __ATOMIC_ACQUIRE)) {
        CHECK(pthread_kill(thread, SIGUSR1) == 0);
        sched_yield();
    }
    retire_both();
    for (int i = 0; i < 1000; i++) msg_retired_free(e, false);
    CHECK(is_mapped(at.row) && is_mapped(at.lane) && e->retired);
    /* This process's other threads do not exist in a child. */
    pid_t pid = fork();
    if (pid == 0) {
        msg_retired_free(e, false);
        _exit(is_mapped(at.row) || is_mapped(at.lane) || e->retired);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    CHECK(is_mapped(at.row) && is_mapped(at.lane));
    CHECK(write(go_on[1], "x", 1) == 1);
    while (e->retired) { /* it leaves its call, and goes on with others */
        msg_retired_free(e, false);
        sched_yield();
    }
    CHECK(!is_mapped(at.row) && !is_mapped(at.lane));
    __atomic_store_n(&ends, true, __ATOMIC_RELEASE);
    CHECK(pthread_join(thread, NULL) == 0);
    msg_endpoint_close(e);
}

/* ---- what is named by something else than a call -------------------------------------------------------------------- */

static void named_data(void) {
    msg_message m;
    make(0, 0);
    struct mapped at = connect_row();
    char data[100] = "released late";
    CHECK(msg_send(t, 0, 1, data, sizeof data, NULL) == MSG_OK && msg_receive(q, &m));
    retire_both();
    for (int i = 0; i < 3; i++) msg_retired_free(e, false);
    CHECK(!is_mapped(at.row) && is_mapped(at.lane) && strcmp(m.data, data) == 0);
    msg_release(q, &m);
    msg_retired_free(e, false);
    CHECK(!is_mapped(at.lane) && !e->retired);
    msg_endpoint_close(e);
}

/* A lane's number is used again while data of its former sender are held, which has sent them behind its end. Their release is not
 * one of the new sender's, whose message has the same place and round. */
static void named_again(void) {
    msg_message old, new, more;
    char data[100] = "of the former sender", others[100] = "of the next";
    uint64_t ticket;
    make(0, 0);
    msg_region *region = msg_region_create(t, MSG_PAGE);
    CHECK(region);
    struct mapped at = connect_row();
    CHECK(msg_send(t, 0, 1, data, sizeof data, NULL) == MSG_OK && msg_receive(q, &old));
    retire_both();
    memcpy(msg_region_memory(region), others, sizeof others);
    CHECK(msg_connect(t, 1, q, 8) == MSG_OK && q->lane[0] && q->lane[0]->number == old.lane);
    CHECK(msg_tag_on(t, 1, 2, 3, msg_region_memory(region), sizeof others, &ticket) == MSG_OK);
    CHECK(msg_receive(q, &new) && new.source == 8 && new.place == old.place);
    msg_retired_free(e, false);
    CHECK(is_mapped(at.lane) && strcmp(old.data, data) == 0);
    msg_release(q, &old);
    CHECK(!msg_is_released(t, 1, ticket) && q->lane[0]->lent == 1 && q->lane[0]->returned == 0);
    msg_retired_free(e, false);
    CHECK(!is_mapped(at.lane) && !e->retired);
    msg_release(q, &new);
    CHECK(msg_is_released(t, 1, ticket) && !msg_receive(q, &more));
    msg_endpoint_close(e);
}

/* The same of a record, behind which the next sender's are not taken for the former's. */
static void named_record_again(void) {
    msg_message old, new;
    make(MSG_BASIC | MSG_SINGLE, 0);
    struct mapped at = connect_row();
    for (unsigned i = 0; i < 2; i++) CHECK(msg_basic_send(t, 0, i, "former", 7) == MSG_OK);
    CHECK(msg_receive(q, &old));
    retire_both();
    CHECK(msg_connect(t, 1, q, 8) == MSG_OK && q->lane[0]->number == old.lane);
    for (unsigned i = 0; i < 3; i++) CHECK(msg_basic_send(t, 1, 5 + i, "next", 5) == MSG_OK);
    CHECK(!msg_receive_next(q, &old) && old.tag == 0 && old.source == 7);
    for (int i = 0; i < 3; i++) msg_retired_free(e, false);
    CHECK(is_mapped(at.lane) && strcmp(old.data, "former") == 0);
    CHECK(msg_receive(q, &new) && new.source == 8 && new.tag == 5);
    CHECK(msg_receive_next(q, &new) && new.tag == 6 && !msg_receive_next(q, &old));
    msg_release(q, &old);
    for (int i = 0; i < 3; i++) msg_retired_free(e, false);
    CHECK(!is_mapped(at.lane) && !e->retired && msg_basic_waiting(q->lane[0]) > 0);
    CHECK(q->lane[0]->lane.in->head == 0 && msg_receive_next(q, &new) && new.tag == 7);
    msg_release(q, &new);
    CHECK(q->lane[0]->lane.in->head != 0);
    msg_endpoint_close(e);
}

/* The first job waits for room, because the queue is full; the second waits for its turn. */
static void named_jobs(void) {
    msg_job job[2];
    make(0, MSG_PAGE);
    struct mapped at = connect_row();
    char data[64] = {1};
    while (msg_express(t, 0, 0, 0) == MSG_OK) {}
    for (int i = 0; i < 2; i++) CHECK(msg_bulk(t, 0, 0, 0, 0, data, sizeof data, &job[i]) == MSG_OK);
    struct msg_row *r = t->row[0];
    CHECK(__atomic_load_n(&r->jobs, __ATOMIC_ACQUIRE) == 2);
    retire_both();
    while (e->retired) {
        bool have_jobs = !msg_bulk_is_done(&job[0]) || !msg_bulk_is_done(&job[1]);
        bool was_mapped = is_mapped(at.row);
        CHECK(!have_jobs || was_mapped);
        msg_retired_free(e, false);
        sched_yield();
    }
    CHECK(msg_bulk_is_done(&job[0]) && msg_bulk_is_done(&job[1]) && !is_mapped(at.row));
    msg_endpoint_close(e);
}

static void *reserves(void *with) {
    (void)with;
    void *record = msg_basic_reserve(t, 0, 8);
    if (record) {
        memset(record, 3, 8);
        msg_basic_add(t, 0, 0, 8);
        msg_basic_publish(t, 0);
    }
    return NULL;
}

static void named_record(unsigned flags) {
    pthread_t thread;
    make(MSG_BASIC | flags, 0);
    struct mapped at = connect_row();
    char *record = msg_basic_reserve(t, 0, 500);
    CHECK(record);
    /* Another thread waits for the row's lock, and gets it, though the row is not there any more. */
    struct msg_row *r = t->row[0];
    if (!flags) {
        CHECK(pthread_create(&thread, NULL, reserves, NULL) == 0);
        while (__atomic_load_n(&r->lock.state, __ATOMIC_ACQUIRE) != 2) sched_yield();
    }
    retire_both();
    for (int i = 0; i < 3; i++) msg_retired_free(e, false);
    CHECK(is_mapped(at.row));
    memset(record, 5, 500);
    msg_basic_add(t, 0, 1, 500);
    msg_basic_publish(t, 0);
    if (!flags) CHECK(pthread_join(thread, NULL) == 0);
    msg_retired_free(e, false);
    CHECK(!is_mapped(at.row) && !is_mapped(at.lane) && !e->retired);
    CHECK(!msg_basic_reserve(t, 0, 8));
    msg_endpoint_close(e);
}

/* ---- many channels -------------------------------------------------------------------------------------------------- */

static void *calls(void *with) {
    uint64_t i = (uintptr_t)with;
    msg_set set;
    msg_message m[8];
    char data[200] = {0};
    msg_set_init(&set, e);
    msg_set_add(&set, q);
    for (; !__atomic_load_n(&ends, __ATOMIC_ACQUIRE); i++) {
        switch (i % 8) {
        case 0: msg_send(t, i % 3, 1, data, sizeof data, NULL); break;
        case 1: msg_wait(&set, m, 0) ? msg_release(q, m) : (void)0; break;
        case 2: msg_wait_for_room(t, i % 3, 0); break;
        case 3:
            for (size_t n = msg_receive_many(q, m, 8); n > 0; n--) msg_release(q, &m[n - 1]);
            break;
        case 4: msg_poll(&set, m) ? msg_release(q, m) : (void)0; break;
        default:
            msg_express(t, i % 3, 2, i);
            if (msg_receive(q, m)) msg_release(q, m);
        }
    }
    return NULL;
}

static void many(uint64_t channels) {
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    make(0, 0);
    for (uintptr_t i = 0; i < THREADS; i++) CHECK(pthread_create(&thread[i], NULL, calls, (void *)(i * 3)) == 0);
    for (uint64_t n = 0; n < channels; n++) {
        unsigned d = n % 3;
        struct msg_row *r = t->row[d];
        if (r) {
            struct msg_lane *l = q->lane[r->number];
            msg_row_retire(t, d, r);
            msg_lane_retire(q, l);
        }
        msg_retired_free(e, false);
        CHECK(msg_connect(t, d, q, (uint32_t)n) == MSG_OK);
        if (n % 4 == 0) sched_yield();
    }
    __atomic_store_n(&ends, true, __ATOMIC_RELEASE);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(thread[i], NULL) == 0);
    for (int i = 0; i < 3; i++) msg_retired_free(e, false);
    CHECK(!e->retired); /* all that was received has been released */
    msg_endpoint_close(e);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "stopped") == 0) {
        stopped();
    } else if (argc == 2 && strcmp(argv[1], "named") == 0) {
        named_data();
        named_again();
        named_record_again();
        named_jobs();
        named_record(0);
        named_record(MSG_SINGLE);
    } else if (argc == 3 && strcmp(argv[1], "many") == 0) {
        many(strtoull(argv[2], NULL, 0));
    } else {
        return 2;
    }
    return 0;
}
