/* Several processes send to one server, with answers; what is sent is checked.
 *
 *     many N          N messages of all together
 *     many killed     senders are stopped and killed at random moments, or before they tell of a
 *                     message; what they had sent comes, and all stays whole and in order
 *     many attack     a sender scribbles over all that it can write; so do others' messages stay
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "msg_test.h"

enum { CLIENTS = 6 };
static struct client {
    msg_endpoint *endpoint;
    msg_transmit *out;
    msg_region *region;
    msg_queue *answers;
    uint64_t messages, number;
} client[CLIENTS];
static msg_endpoint *server;
static msg_queue *requests;
static msg_transmit *replies;
static msg_set server_set;

static void connect_all(uint64_t messages) {
    server = msg_endpoint_create();
    requests = msg_queue_create(server, 3, 64, 0);
    replies = msg_transmit_create(server, 0, CLIENTS, 0);
    msg_set_init(&server_set, server);
    msg_set_add(&server_set, requests);
    for (unsigned c = 0; c < CLIENTS; c++) {
        struct client *k = &client[c];
        k->endpoint = msg_endpoint_create();
        k->out = msg_transmit_create(k->endpoint, 0, 1, 0);
        k->region = msg_region_create(k->out, 1 << 16);
        k->answers = msg_queue_create(k->endpoint, 0, 32, 0);
        k->messages = messages;
        k->number = c;
        CHECK(k->answers && k->region && msg_connect(k->out, 0, requests, c) == MSG_OK &&
              msg_connect(replies, c, k->answers, 1000) == MSG_OK);
    }
}

/* Message i of client c: of several kinds, with contents that follow from both. */
static int send_one(struct client *k, uint64_t i, uint64_t *ticket) {
    unsigned char data[1024];
    uint64_t seed = mixed(i * CLIENTS + k->number);
    uint32_t bytes = 9 + (uint32_t)(seed % 1000);
    switch (seed % 4) {
    case 0:
    case 1: return msg_express(k->out, 0, i % 32, seed);
    case 2: fill(data, bytes, seed); return msg_send(k->out, 0, i % 32, data, bytes, NULL);
    }
    if (*ticket != MSG_NO_TICKET && !msg_is_released(k->out, 0, *ticket)) return MSG_FULL;
    fill(msg_region_memory(k->region), bytes, seed);
    return msg_tag_on(k->out, 0, i % 32, (uint32_t)seed, msg_region_memory(k->region), bytes, ticket);
}

static void check_one(uint64_t c, uint64_t i, const msg_message *m) {
    uint64_t seed = mixed(i * CLIENTS + c);
    uint32_t bytes = 9 + (uint32_t)(seed % 1000);
    CHECK(m->tag == i % 32);
    if (seed % 4 < 2) {
        CHECK(m->kind == MSG_EXPRESS && m->word == seed);
        return;
    }
    CHECK(m->kind == MSG_DATA && m->bytes == bytes && is_filled(m->data, bytes, seed));
    CHECK(seed % 4 == 2 || m->word == (uint32_t)seed);
    msg_release(requests, m);
}

/* Sends all, and takes an answer for every eighth. */
static void is_client(void *which) {
    struct client *k = which;
    uint64_t ticket = MSG_NO_TICKET, answered = 0;
    msg_message m;
    for (uint64_t i = 0; i < k->messages; i++) {
        while (send_one(k, i, &ticket) == MSG_FULL) {
            if (i % 3 == 0)
                msg_wait_for_room(k->out, 0, 20);
            else
                sched_yield();
        }
        while (msg_receive(k->answers, &m)) CHECK(m.word == answered++ && m.source == 1000);
    }
    while (answered < k->messages / 8)
        if (msg_receive(k->answers, &m))
            CHECK(m.word == answered++ && m.source == 1000);
        else
            sched_yield();
}

/* Messages that the server has checked, and answers that it has sent, by client. */
struct served {
    uint64_t next[CLIENTS], answers[CLIENTS];
};

/* The next message, of whichever client. Answers that did not fit before are sent meanwhile. */
static void next_message(struct served *s, msg_message *m) {
    do {
        for (unsigned c = 0; c < CLIENTS; c++)
            while (s->answers[c] < s->next[c] / 8 && msg_express(replies, c, 0, s->answers[c]) == MSG_OK)
                s->answers[c]++;
    } while (!msg_wait(&server_set, m, 10));
    CHECK(m->source < CLIENTS);
}

static void answer_the_rest(struct served *s) {
    for (unsigned c = 0; c < CLIENTS; c++)
        for (; s->answers[c] < s->next[c] / 8; s->answers[c]++)
            while (msg_express(replies, c, 0, s->answers[c]) == MSG_FULL) sched_yield();
}

static void many(uint64_t messages) {
    struct served s = {0};
    pid_t pid[CLIENTS];
    connect_all(messages / CLIENTS);
    for (int c = 0; c < CLIENTS; c++) pid[c] = child(is_client, &client[c]);
    msg_message m;
    for (uint64_t left = messages / CLIENTS * CLIENTS; left; left--) {
        next_message(&s, &m);
        check_one(m.source, s.next[m.source]++, &m);
    }
    answer_the_rest(&s);
    for (int c = 0; c < CLIENTS; c++) ends_well(pid[c]);
}

/* ---- killed and stopped -------------------------------------------------------------------------------------------- */

enum { BROKEN = 4, QUIET = 2 /* of these die before they tell */, RECORDS = 5 /* the queue of records, and its row */ };

/* What clients say, where their death does not take it away: how many messages, and records, calls have sent; and what the parent
 * asks of them. */
static struct said {
    uint64_t sent, records;
    bool die; /* with a message published and nobody told of it: */
    bool is_quiet, publish;
} * said;

static msg_queue *records;

static void connect_records(void) {
    said = mmap(NULL, CLIENTS * sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(said != MAP_FAILED && (records = msg_queue_create(server, RECORDS, 4096, MSG_BASIC)));
    msg_set_add(&server_set, records);
    for (unsigned c = 0; c < CLIENTS; c++) {
        msg_transmit *t = msg_transmit_create(client[c].endpoint, RECORDS, 1, 0);
        CHECK(t && msg_connect(t, 0, records, c) == MSG_OK);
    }
}

/* Record i of client c; its data are written when the ring has room for them, and published when all are there. */
static bool send_record(struct client *k, uint64_t i) {
    unsigned char data[200];
    uint64_t seed = mixed(i * CLIENTS + k->number + 1000000);
    uint32_t bytes = 1 + (uint32_t)(seed % sizeof data);
    fill(data, bytes, seed);
    return msg_basic_send(k->endpoint->transmit[RECORDS], 0, i % 32, data, bytes) == MSG_OK;
}
static void check_record(uint64_t c, uint64_t i, const msg_message *m) {
    uint64_t seed = mixed(i * CLIENTS + c + 1000000);
    CHECK(m->kind == MSG_RECORD && m->tag == i % 32 && m->bytes == 1 + seed % 200 &&
          is_filled(m->data, m->bytes, seed));
}

/* The last message that it sends is there, and neither its lane's bit nor its queue's is set, nor is anybody woken. */
static void die_before_telling(struct client *k, uint64_t i, uint64_t *ticket) {
    uint64_t spot, seed;
    struct msg_row *r = k->out->row[0];
    for (; (seed = mixed(i * CLIENTS + k->number)) % 4 >= 2; i++) {
        while (send_one(k, i, ticket) == MSG_FULL) sched_yield();
        said[k->number].sent = i + 1;
    }
    /* All that was there has been received, and its lane's bit has been cleared: else that tells of this one. */
    while (__atomic_load_n(r->from, __ATOMIC_ACQUIRE) & r->from_bit) sched_yield();
    __atomic_store_n(&said[k->number].is_quiet, true, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&said[k->number].publish, __ATOMIC_ACQUIRE)) sched_yield();
    CHECK(lane_put(&r->lane, seed, i % 32, &spot));
    said[k->number].sent = i + 1;
    raise(SIGKILL);
}

static void sends_for_ever(void *which) {
    struct client *k = which;
    struct said *s = &said[k->number];
    uint64_t ticket = MSG_NO_TICKET;
    for (uint64_t i = 0, record = 0;; i++) {
        if (__atomic_load_n(&s->die, __ATOMIC_ACQUIRE)) die_before_telling(k, i, &ticket);
        while (send_one(k, i, &ticket) == MSG_FULL) sched_yield();
        s->sent = i + 1;
        if (send_record(k, record)) s->records = ++record;
    }
}

/* What has come, by client. */
struct come {
    uint64_t next[CLIENTS], record[CLIENTS];
};

static void receive_one(struct come *come, msg_message *m) {
    CHECK(m->source < CLIENTS || m->kind == MSG_READY);
    if (m->kind != MSG_READY) {
        check_one(m->source, come->next[m->source]++, m);
    } else if (msg_receive(records, m)) {
        check_record(m->source, come->record[m->source]++, m);
        msg_release(records, m);
    }
}

static bool has_ended(pid_t pid) {
    siginfo_t is = {0};
    CHECK(waitid(P_PID, (id_t)pid, &is, WEXITED | WNOHANG | WNOWAIT) == 0);
    return is.si_pid == pid;
}

/* The most polls, and the longest wait, behind which a message that nobody has told of is found: a look at one lane each 64 polls, at all of
 * them each 100 ms. There are two queues. */
static void receive_all(struct come *come, bool by_polls) {
    msg_message m;
    if (by_polls)
        for (int vain = 0; vain <= 64 * (2 * CLIENTS + 2); vain++) {
            if (!msg_poll(&server_set, &m)) continue;
            receive_one(come, &m);
            vain = 0;
        }
    else
        for (server->spins = 0; msg_wait(&server_set, &m, 250); server->spins = 0) receive_one(come, &m);
}

/* Clients 0 to 3 are stopped, continued and killed, 0 and 1 at a moment that is chosen; what they sent before is whole, in order and all there, and 4 and 5 go on. */
static void killed(void) {
    enum { ROUNDS = 24 };
    for (int round = 0; round < 4; round++) {
        struct come come = {0};
        pid_t pid[CLIENTS];
        connect_all(0);
        connect_records();
        for (int c = 0; c < CLIENTS; c++) pid[c] = child(sends_for_ever, &client[c]);
        bool stopped[BROKEN] = {0};
        msg_message m;
        for (uint64_t i = 0; i < ROUNDS; i++) {
            uint64_t dice = mixed(i + 1000u * (unsigned)round), c = dice % BROKEN;
            if (i > ROUNDS / 2 && c >= QUIET) {
                kill(pid[c], SIGKILL);
            } else {
                kill(pid[c], stopped[c] ? SIGCONT : SIGSTOP);
                stopped[c] = !stopped[c];
            }
            uint64_t all = come.next[4] + come.next[5], until = all + 300 + dice / 16 % 300;
            while (come.next[4] + come.next[5] < until || come.next[4] < until / 4 || come.next[5] < until / 4) {
                CHECK(msg_wait(&server_set, &m, -1));
                receive_one(&come, &m);
            }
        }
        /* Those that are left die, two of them when nobody looks. */
        for (int c = 0; c < CLIENTS; c++) {
            __atomic_store_n(&said[c].die, true, __ATOMIC_RELEASE);
            kill(pid[c], c < QUIET ? SIGCONT : SIGKILL);
        }
        for (int c = 0; c < QUIET; c++)
            while (!__atomic_load_n(&said[c].is_quiet, __ATOMIC_ACQUIRE) && !has_ended(pid[c]))
                if (msg_poll(&server_set, &m)) receive_one(&come, &m);
        for (int c = 0; c < CLIENTS; c++) {
            int status;
            __atomic_store_n(&said[c].publish, true, __ATOMIC_RELEASE);
            CHECK(waitpid(pid[c], &status, 0) == pid[c] && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        }
        receive_all(&come, round % 2);
        for (int c = 0; c < CLIENTS; c++) {
            CHECK(come.next[c] == said[c].sent || come.next[c] == said[c].sent + 1); /* killed before it could say so */
            CHECK(come.record[c] == said[c].records || come.record[c] == said[c].records + 1);
        }
        CHECK(munmap(said, CLIENTS * sizeof *said) == 0);
    }
}

/* ---- attack -------------------------------------------------------------------------------------------------------- */

static void write_where_allowed(void *at, size_t bytes, uint64_t *dice) {
    for (int n = 0; n < 64; n++) {
        *dice = mixed(*dice + 0x9e3779b97f4a7c15u);
        uint64_t *word = (uint64_t *)at + *dice / 8 % (bytes / 8);
        uint64_t value = *dice % 5 == 0 ? 0 : *dice % 5 == 1 ? UINT64_MAX : *dice % 5 == 2 ? *word + 1 : mixed(*dice);
        __atomic_store_n(word, value, __ATOMIC_RELAXED);
    }
}

/* Client 0, as a sender: scribbles over its ring and over the bell. It keeps the futex's word: no limit on what it writes. */
static bool wild;
static void attacks(void *which) {
    struct client *k = which;
    struct msg_row *r = k->out->row[0];
    for (uint64_t dice = 1, n = 0, ticket = MSG_NO_TICKET;; dice++, n++) {
        send_one(k, dice, &ticket);
        /* A slot that is right but for data far outside of the region: the last that the receiver takes of this lane. */
        while (wild && n == 2000 && !msg_row_put(r, UINT64_MAX - (1 << 20), MSG_SLOT_TAG_ON << MSG_KIND_SHIFT, &ticket))
            sched_yield();
        if (wild && n < 2000) continue;
        write_where_allowed(r->out, r->of_out.bytes, &dice);
        write_where_allowed(r->bell, sizeof *r->bell, &dice);
        write_where_allowed(r->bell->ready, 64, &dice);
        write_where_allowed(r->bell->from[3], 64, &dice);
        write_where_allowed(k->answers->lane[0]->lane.in, k->answers->lane[0]->of_in.bytes, &dice);
        if (dice % 8 == 0) sched_yield();
    }
}

static volatile uint64_t read_bytes; /* so that they are read */

static void attack(void) {
    enum { MESSAGES = 30000 };
    uint64_t left = MESSAGES * (CLIENTS - 1);
    struct served s = {0};
    pid_t pid[CLIENTS];
    connect_all(MESSAGES);
    for (int c = 0; c < CLIENTS; c++) pid[c] = child(c ? is_client : attacks, &client[c]);
    msg_message m;
    while (left) {
        next_message(&s, &m);
        if (m.source == 0) { /* whatever it says, it says as itself, and its data lie where they may be read */
            unsigned char sum = 0;
            for (uint32_t i = 0; m.kind == MSG_DATA && i < m.bytes; i++) sum ^= ((const unsigned char *)m.data)[i];
            read_bytes += sum;
            msg_release(requests, &m);
            continue;
        }
        check_one(m.source, s.next[m.source]++, &m);
        left--;
    }
    answer_the_rest(&s);
    for (int c = 1; c < CLIENTS; c++) ends_well(pid[c]);
    kill(pid[0], SIGKILL);
    waitpid(pid[0], NULL, 0);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    if (!strcmp(argv[1], "killed")) {
        killed();
    } else if (!strcmp(argv[1], "attack")) {
        attack();
        wild = true;
        attack();
    } else {
        many(strtoull(argv[1], NULL, 10));
    }
    return 0;
}
