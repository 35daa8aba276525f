/* A program of message queues that does what its standard input says, a line at a time, and answers each line with one line. So a
 * test decides what happens when, in several processes, without waiting for a time to pass (crates/fathom/tests/broker.rs).
 *
 *     connect [SOCKET]            register NAME QUEUE TRANSMIT|-     open NAME TRANSMIT ROW QUEUE|- MS
 *     queue NUMBER SLOTS FLAGS    withdraw NAME                      hangup TRANSMIT ROW
 *     transmit NUMBER ROWS        who NAME SOURCE                    next MS
 *     express TRANSMIT ROW TAG WORD    copy TRANSMIT ROW BYTES       wait QUEUE MS       keep QUEUE MS     release
 *     region TRANSMIT BYTES       become UID GID                     threads QUEUE TRANSMIT ROW NUMBER COUNT
 *     echo QUEUE TRANSMIT COUNT   arm QUEUE                          sleep QUEUE         untold TRANSMIT ROW TAG WORD
 *     enter TRANSMIT ROW          leave TAG WORD                     fds                 fork
 *     close [endpoint]            exit                               churn NAME TRANSMIT QUEUE
 *
 * Answers begin with "ok", or with "error" and the reason; those of wait and next are described there.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <grp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <msg_broker.h>

#include "msg/internal.h"

enum { MOST = 8 };
static msg_endpoint *endpoint;
static msg_broker *broker;
static msg_queue *queue[MOST];
static msg_transmit *transmit[MOST];
static msg_message kept;
static struct msg_call under_way;
static struct msg_row *of_call;

static void answer(bool good, const char *why) {
    if (good)
        puts("ok");
    else
        printf("error %s\n", why);
    fflush(stdout);
}

/* "kind word tag source", or "empty". */
static void receive(msg_queue *q, int ms, bool keep) {
    msg_set set;
    msg_message m;
    msg_set_init(&set, endpoint);
    msg_set_add(&set, q);
    if (!msg_wait(&set, &m, ms)) {
        puts("empty");
    } else {
        static const char *const kinds[] = {"empty", "express", "data", "bulk", "record", "ready"};
        printf("%s %llu %u %u", kinds[m.kind], (unsigned long long)m.word, m.tag, m.source);
        if (m.kind == MSG_DATA) {
            uint64_t sum = 0;
            for (uint64_t i = 0; i < m.bytes; i++) sum += ((const unsigned char *)m.data)[i];
            printf(" %llu %llu", (unsigned long long)m.bytes, (unsigned long long)sum);
        }
        puts("");
        if (keep)
            kept = m;
        else
            msg_release(q, &m);
    }
    fflush(stdout);
}

/* "what name source uid pid why", or "none". */
static void next(int ms) {
    static const char *const what[] = {"came", "gone", "server-gone", "broker-lost", "broker-back", "name-lost"};
    msg_broker_event e;
    if (msg_broker_next(broker, &e, ms))
        printf("%s %s %u %u %d %s\n", what[e.what], *e.name ? e.name : "-", e.source, e.uid, e.pid, e.why);
    else
        puts("none");
    fflush(stdout);
}

static int count_descriptors(void) {
    DIR *d = opendir("/proc/self/fd");
    int n = -1; /* its own */
    while (readdir(d)) n++;
    closedir(d);
    return n - 2; /* . and .. */
}

/* Each of several threads sends COUNT words to one row; the program receives the echoes. */
struct job {
    pthread_t thread;
    unsigned t, row, number;
    unsigned long count;
};
static void *send_all(void *with) {
    struct job *j = with;
    for (unsigned long i = 0; i < j->count; i++)
        while (msg_express(transmit[j->t], j->row, j->number, i) == MSG_FULL)
            msg_wait_for_room(transmit[j->t], j->row, 100);
    return NULL;
}
static void threads(unsigned q, unsigned t, unsigned row, unsigned number, unsigned long count) {
    struct job job[32];
    unsigned long next_of[32] = {0}, wrong = 0;
    for (unsigned i = 0; i < number; i++) {
        job[i] = (struct job){.t = t, .row = row, .number = i, .count = count};
        pthread_create(&job[i].thread, NULL, send_all, &job[i]);
    }
    msg_set set;
    msg_set_init(&set, endpoint);
    msg_set_add(&set, queue[q]);
    for (unsigned long i = 0; i < number * count; i++) {
        msg_message m;
        while (!msg_wait(&set, &m, 1000)) continue;
        wrong += m.word != next_of[m.tag]++; /* once, and in the order of its thread */
    }
    for (unsigned i = 0; i < number; i++) pthread_join(job[i].thread, NULL);
    char why[64];
    snprintf(why, sizeof why, "%lu of the echoes were wrong", wrong);
    answer(!wrong, why);
}

/* Rows that come and go until the process is killed: those with odd numbers have an inbox. */
struct churn {
    const char *name;
    unsigned t, q, row;
};
static void *churn(void *with) {
    const struct churn *c = with;
    for (;;) {
        if (msg_broker_open(broker, c->name, transmit[c->t], c->row, c->row % 2 ? queue[c->q] : NULL, 60000) == MSG_OK)
            msg_broker_hang_up(broker, transmit[c->t], c->row);
    }
    return NULL;
}
static void churn_all(const char *name, unsigned t, unsigned q) {
    enum { ROWS = 3 };
    struct churn of[ROWS];
    pthread_t thread[ROWS];
    for (unsigned row = 0; row < ROWS; row++) {
        of[row] = (struct churn){name, t, q, row};
        pthread_create(&thread[row], NULL, churn, &of[row]);
    }
    pthread_join(thread[0], NULL);
}

int main(void) {
    char line[512], verb[32], name[256];
    unsigned a, b, c, d;
    unsigned long long n;
    endpoint = msg_endpoint_create();
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%31s", verb) != 1) continue;
        const char *rest = line + strlen(verb);
        char third[32] = "", fourth[32] = "";
        if (!strcmp(verb, "connect")) {
            bool given = sscanf(rest, "%255s", name) == 1;
            broker = msg_broker_connect(endpoint, given ? name : NULL);
            answer(broker, msg_error());
        } else if (!strcmp(verb, "queue") && sscanf(rest, "%u %u %u", &a, &b, &c) == 3 && a < MOST) {
            queue[a] = msg_queue_create(endpoint, (int)a, b, c);
            answer(queue[a], msg_error());
        } else if (!strcmp(verb, "transmit") && sscanf(rest, "%u %u", &a, &b) == 2 && a < MOST) {
            transmit[a] = msg_transmit_create(endpoint, (int)a, b, 0);
            answer(transmit[a], msg_error());
        } else if (!strcmp(verb, "region") && sscanf(rest, "%u %llu", &a, &n) == 2) {
            answer(msg_region_create(transmit[a], n), msg_error());
        } else if (!strcmp(verb, "register") && sscanf(rest, "%255s %u %31s", name, &a, third) == 3) {
            msg_transmit *answers = *third == '-' ? NULL : transmit[atoi(third)];
            answer(msg_broker_register(broker, name, queue[a], answers) == MSG_OK, msg_error());
        } else if (!strcmp(verb, "withdraw") && sscanf(rest, "%255s", name) == 1) {
            answer(msg_broker_withdraw(broker, name) == MSG_OK, msg_error());
        } else if (!strcmp(verb, "open") && sscanf(rest, "%255s %u %u %31s %31s", name, &a, &b, third, fourth) == 5) {
            msg_queue *inbox = *third == '-' ? NULL : queue[atoi(third)];
            answer(msg_broker_open(broker, name, transmit[a], b, inbox, atoi(fourth)) == MSG_OK, msg_error());
        } else if (!strcmp(verb, "hangup") && sscanf(rest, "%u %u", &a, &b) == 2) {
            answer(msg_broker_hang_up(broker, transmit[a], b) == MSG_OK, msg_error());
        } else if (!strcmp(verb, "close") && sscanf(rest, "%31s", third) == 1) {
            if (!strcmp(third, "endpoint"))
                msg_endpoint_close(endpoint);
            else
                msg_broker_close(broker);
            answer(true, "");
        } else if (!strcmp(verb, "disconnect") && sscanf(rest, "%u %u", &a, &b) == 2) {
            answer(msg_disconnect(transmit[a], b) == MSG_OK, msg_error());
        } else if (!strcmp(verb, "who") && sscanf(rest, "%255s %u", name, &a) == 2) {
            msg_broker_event e;
            if (msg_broker_who(broker, name, a, &e))
                printf("ok %u %d\n", e.uid, e.pid), fflush(stdout);
            else
                answer(false, "nobody");
        } else if (!strcmp(verb, "next") && sscanf(rest, "%u", &a) == 1) {
            next((int)a);
        } else if (!strcmp(verb, "express") && sscanf(rest, "%u %u %u %llu", &a, &b, &c, &n) == 4) {
            static const char *const of[] = {"ok", "full", "no-row", "too-long", "wrong", "failed"};
            puts(of[msg_express(transmit[a], b, c, n)]), fflush(stdout);
        } else if (!strcmp(verb, "copy") && sscanf(rest, "%u %u %u", &a, &b, &c) == 3) {
            char data[MSG_MOST_COPY];
            memset(data, 3, sizeof data);
            answer(msg_send(transmit[a], b, 1, data, c, NULL) == MSG_OK, "not sent");
        } else if (!strcmp(verb, "wait") && sscanf(rest, "%u %u", &a, &b) == 2) {
            receive(queue[a], (int)b, false);
        } else if (!strcmp(verb, "keep") && sscanf(rest, "%u %u", &a, &b) == 2) {
            receive(queue[a], (int)b, true);
        } else if (!strcmp(verb, "release")) {
            uint64_t sum = 0;
            for (uint64_t i = 0; i < kept.bytes; i++) sum += ((const unsigned char *)kept.data)[i];
            printf("ok %llu\n", (unsigned long long)sum), fflush(stdout);
            msg_release(queue[kept.queue], &kept);
        } else if (!strcmp(verb, "echo") && sscanf(rest, "%u %u %llu", &a, &b, &n) == 3) {
            msg_set set;
            msg_set_init(&set, endpoint);
            msg_set_add(&set, queue[a]);
            for (unsigned long long i = 0; i < n; i++) {
                msg_message m;
                while (!msg_wait(&set, &m, 1000)) continue;
                while (msg_express(transmit[b], m.source, m.tag, m.word) == MSG_FULL)
                    msg_wait_for_room(transmit[b], m.source, 100);
            }
            answer(true, "");
        } else if (!strcmp(verb, "arm") && sscanf(rest, "%u", &a) == 1) {
            msg_set set;
            msg_set_init(&set, endpoint);
            msg_set_add(&set, queue[a]);
            bool has_fd = msg_fd(endpoint) >= 0;
            answer(has_fd && msg_arm(&set), has_fd ? "there are messages" : msg_error());
        } else if (!strcmp(verb, "sleep") &&
                   sscanf(rest, "%u", &a) == 1) { /* by the descriptor alone, for a minute at most */
            struct epoll_event event;
            msg_set set;
            msg_set_init(&set, endpoint);
            msg_set_add(&set, queue[a]);
            answer(epoll_wait(msg_fd(endpoint), &event, 1, 60000) == 1, "nothing wakes it");
            msg_disarm(&set);
        } else if (!strcmp(verb, "untold") && sscanf(rest, "%u %u %u %llu", &a, &b, &c, &n) == 4) {
            uint64_t place; /* as far as a sender is that is killed before it tells the bell */
            answer(lane_put(&transmit[a]->row[b]->lane, n, c, &place), "full");
        } else if (!strcmp(verb, "enter") && sscanf(rest, "%u %u", &a, &b) == 2) {
            under_way =
                msg_enter(); /* as far as a sender is that is stopped in its call, before it has put its message */
            of_call = msg_row_of(transmit[a], b);
            answer(of_call, "no row");
        } else if (!strcmp(verb, "leave") && sscanf(rest, "%u %llu", &a, &n) == 2) {
            uint64_t place;
            answer(msg_row_put(of_call, n, a, &place), "full");
            msg_leave(&under_way);
        } else if (!strcmp(verb, "threads") && sscanf(rest, "%u %u %u %u %llu", &a, &b, &c, &d, &n) == 5 && d <= 32) {
            threads(a, b, c, d, n);
        } else if (!strcmp(verb, "churn") && sscanf(rest, "%255s %u %u", name, &a, &b) == 3) {
            churn_all(name, a, b);
        } else if (!strcmp(verb, "become") && sscanf(rest, "%u %u", &a, &b) == 2) {
            gid_t group = b;
            answer(!setgroups(1, &group) && !setgid(b) && !setuid(a), "it takes root");
        } else if (!strcmp(verb, "fds")) {
            printf("ok %d\n", count_descriptors()), fflush(stdout);
        } else if (!strcmp(verb, "fork")) { /* a child that stays, and has no connection: "ok PID" */
            pid_t pid = fork();
            if (pid > 0) printf("ok %d\n", pid), fflush(stdout);
            if (pid) continue;
            msg_broker_event e;
            bool is_apart = msg_broker_register(broker, "child", queue[0], NULL) == MSG_FAILED &&
                            strstr(msg_error(), "before a fork") && msg_broker_withdraw(broker, "any") == MSG_FAILED &&
                            !msg_broker_next(broker, &e, -1) && !msg_broker_who(broker, "any", 0, &e);
            msg_broker_close(broker);
            msg_broker *own = is_apart ? msg_broker_connect(endpoint, NULL) : NULL;
            if (own && msg_broker_register(own, "child", queue[0], NULL) == MSG_OK)
                for (;;) pause();
            _exit(1);
        } else if (!strcmp(verb, "close")) {
            msg_broker_close(broker);
            broker = NULL;
            answer(true, "");
        } else if (!strcmp(verb, "exit")) {
            msg_broker_close(broker);
            msg_endpoint_close(endpoint);
            answer(true, "");
            return 0;
        } else {
            answer(false, "what?");
        }
    }
    return 0;
}
