/* Rows that move between their small and their large ring (runtime/msg/lane.h), which no program sees. Every test but `calls` has
 * them move as often as they can: the receiver changes its mind about each lane all the time, and senders look each time.
 *
 *     msg_move calls       what fits, what is kept, where a lane is, which are resident
 *     msg_move threads N   N messages of several threads to one row, several takers
 *     msg_move many N      N messages of several processes, with data
 *     msg_move killed      senders and receivers are stopped and killed, also in the middle of a move
 *     msg_move attack      a sender that moves for ever, and a receiver that says nonsense
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "msg/channel.h"
#include "msg_test.h"

static msg_endpoint *from, *to;
static msg_transmit *t;
static msg_queue *q;

static void make(uint32_t slots, unsigned rows, unsigned flags) {
    from = msg_endpoint_create(), to = msg_endpoint_create();
    q = msg_queue_create(to, 0, slots, flags);
    t = msg_transmit_create(from, 0, rows, flags);
    CHECK(q && t && msg_region_create(t, 1 << 16));
    for (unsigned i = 0; i < rows; i++) CHECK(msg_connect(t, i, q, i) == MSG_OK);
}
static void end(void) {
    msg_endpoint_close(from);
    msg_endpoint_close(to);
}

/* A sender looks at what the receiver wants with each message, and not with each 256th. */
static void look_always(struct msg_row *r) { __atomic_store_n(&r->lane.ring[1].limit, 1, __ATOMIC_RELAXED); }
static void want(const msg_queue *of, unsigned lane, bool large) {
    __atomic_store_n(&of->lane[lane]->lane.in->is_resident, large, __ATOMIC_RELAXED);
}
static bool is_in_large(unsigned lane) { return lane_spot_of(q->lane[lane]->lane.in->head) & 1; }

/* As a thread does that is stopped in the middle of a move: its message is there and is the last of its ring, and the hint says nothing
 * of either. */
static void stop_in_move(struct msg_row *r, unsigned tag, uint64_t word) {
    uint64_t spot = r->lane.tail, place = lane_place(spot);
    const struct lane_ring *ring = &r->lane.ring[spot & 1];
    struct msg_slot *slot = (struct msg_slot *)lane_slot(ring, place);
    CHECK(lane_look(&r->lane, spot) < LANE_IS_FULL && lane_ahead(slot->stamp, place, ring->shift) <= 0);
    __atomic_store_n(&slot->word, word, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->stamp, MSG_LAST | lane_round(place, ring->shift) << MSG_ROUND_SHIFT | tag,
                     __ATOMIC_RELEASE);
    msg_fence();
    msg_row_tell(r);
}

/* ---- calls -------------------------------------------------------------------------------------------------------- */

/* As many as the queue has slots fit at any time, wherever the lane is, and a full lane stops no other. */
static void calls_room(uint32_t slots, unsigned flags) {
    uint64_t sent = 0, came = 0, waiting, room, moves = 0;
    uint32_t source;
    bool was_large = false;
    msg_message m;
    make(slots, 2, flags);
    for (uint64_t round = 0; round < 3000; round++) {
        uint64_t dice = mixed(round), n = dice % 5 == 0 ? slots * 2 : dice % 20;
        if (dice / 8 % 2) look_always(t->row[0]);
        want(q, 0, dice / 16 % 2);
        for (uint64_t i = 0; i < n; i++) {
            if (msg_express(t, 0, 0, sent) == MSG_OK) {
                sent++;
                continue;
            }
            CHECK(msg_lane_state(q, 0, &source, &waiting, &room) && waiting == sent - came && room == slots);
            CHECK(waiting >= slots && waiting <= slots + MSG_SMALL && !msg_wait_for_room(t, 0, 0));
            CHECK(msg_express(t, 1, 1, round) == MSG_OK);
            struct msg_lane *other = q->lane[1];
            CHECK(msg_lane_receive(q, other->number, &m) && m.tag == 1 && m.word == round);
            break;
        }
        for (uint64_t k = dice / 64 % 3 == 0 ? UINT64_MAX : dice / 256 % 30; k > 0; k--) {
            if (!msg_lane_receive(q, 0, &m)) break;
            CHECK(m.word == came++ && m.source == 0);
        }
        if (is_in_large(0) != was_large) was_large = !was_large, moves++;
        uint64_t taken, out;
        msg_lane_count(q, q->lane[0], &taken, &out);
        CHECK((out == taken) == (sent == came));
    }
    CHECK(moves > 100 && sent > 3000);
    end();
}

/* Data that are not released keep their slots, and as many as the queue has slots can be kept. */
static void calls_kept(unsigned flags) {
    enum { SLOTS = 128 };
    make(SLOTS, 1, flags);
    static msg_message kept[SLOTS + MSG_SMALL];
    char *data = msg_region_memory(t->region);
    for (int round = 0; round < 50; round++) {
        uint64_t ticket[SLOTS + MSG_SMALL];
        int n = 0;
        want(q, 0, round % 3 == 0);
        look_always(t->row[0]);
        while (n < SLOTS + MSG_SMALL && msg_tag_on(t, 0, 3, (uint32_t)n, data, 64, &ticket[n]) == MSG_OK) {
            CHECK(msg_receive(q, &kept[n]) && kept[n].word == (uint32_t)n);
            CHECK(!msg_is_released(t, 0, ticket[n]));
            n++;
        }
        CHECK(n >= SLOTS && (n == SLOTS + MSG_SMALL || msg_express(t, 0, 0, 0) == MSG_FULL));
        for (int i = n - 1; i >= 0; i--) {
            CHECK(!msg_is_released(t, 0, ticket[i]));
            msg_release(q, &kept[i]);
            CHECK(msg_is_released(t, 0, ticket[i]));
        }
        for (int i = 0; i < n; i++) CHECK(msg_is_released(t, 0, ticket[i]));
        for (uint64_t i = 0; i < 40; i++) { /* words between them, one at a time, so that the lane goes back */
            msg_message m;
            CHECK(msg_express(t, 0, 4, i) == MSG_OK && msg_receive(q, &m) && m.word == i && m.tag == 4);
        }
        CHECK(is_in_large(0) == (round % 3 == 0));
    }
    end();
}

/* Data that were left in the large ring are looked at when the lane comes back to their slot, however long after. */
static void calls_left(unsigned flags) {
    enum { SLOTS = 64 };
    make(SLOTS, 1, flags);
    char *data = msg_region_memory(t->region);
    msg_message kept, m;
    uint64_t ticket;
    want(q, 0, true);
    for (uint64_t i = 0; i < 40; i++) CHECK(msg_express(t, 0, 0, i) == MSG_OK && msg_receive(q, &m));
    CHECK(is_in_large(0) && msg_tag_on(t, 0, 3, 5, data, 64, &ticket) == MSG_OK && msg_receive(q, &kept));
    want(q, 0, false);
    for (uint64_t round = 0, full = 0; full < 20; round++) {
        for (uint64_t i = 0; i < 200; i++) {
            look_always(t->row[0]);
            if (msg_express(t, 0, 0, i) == MSG_OK) CHECK(msg_receive(q, &m) && m.word == i);
        }
        uint64_t n = 0;
        while (n < 60 && msg_express(t, 0, 0, n) == MSG_OK) n++;
        full += n < 60; /* the slot is in the way */
        for (uint64_t i = 0; i < n; i++) CHECK(msg_receive(q, &m) && m.word == i);
        CHECK(!msg_is_released(t, 0, ticket) && kept.word == 5);
    }
    msg_release(q, &kept);
    CHECK(msg_is_released(t, 0, ticket) && msg_express(t, 0, 0, 0) == MSG_OK && msg_receive(q, &m));
    end();
}

/* A sender has stopped in the middle of a move: another goes on, in this process or in a child. */
static void calls_stopped(void) {
    msg_message m;
    make(256, 1, 0);
    for (uint64_t i = 0; i < 2000; i++) {
        stop_in_move(t->row[0], 1, i);
        bool were = i % 3 == 0;
        if (were) CHECK(msg_receive(q, &m) && m.tag == 1 && m.word == i && !msg_receive(q, &m));
        CHECK(msg_express(t, 0, 2, i) == MSG_OK);
        if (i % 7 == 0) {
            pid_t pid = fork();
            if (pid == 0) {
                stop_in_move(t->row[0], 5, i);
                _exit(msg_express(t, 0, 6, i) != MSG_OK);
            }
            int status;
            CHECK(waitpid(pid, &status, 0) == pid && status == 0);
            CHECK(msg_express(t, 0, 7, i) == MSG_OK); /* whose hint knows nothing of the child's */
        }
        if (!were) CHECK(msg_receive(q, &m) && m.tag == 1 && m.word == i);
        CHECK(msg_receive(q, &m) && m.tag == 2 && m.word == i);
        for (unsigned tag = 5; i % 7 == 0 && tag <= 7; tag++) CHECK(msg_receive(q, &m) && m.tag == tag && m.word == i);
        CHECK(!msg_receive(q, &m));
    }
    uint32_t moves;
    bool is_resident;
    CHECK(msg_lane_use(q, 0, &moves, &is_resident) && moves > 2000);
    end();
}

/* A thread that has been stopped for long knows a spot of long ago: it steps to where the lane is now, and overwrites nothing that waits. */
static void calls_old_hints(void) {
    enum { SPOTS = 1000 };
    static uint64_t spots[SPOTS];
    msg_message m;
    for (uint64_t round = 0; round < 100; round++) {
        make(64, 1, 0);
        struct msg_row *r = t->row[0];
        uint64_t sent = 0, came = 0;
        for (uint64_t i = 0; i < SPOTS; i++) {
            want(q, 0, mixed(i + round) % 40 == 0 ? i % 2 : q->lane[0]->lane.in->is_resident);
            look_always(r);
            spots[i] = r->lane.tail;
            CHECK(msg_express(t, 0, 0, sent++) == MSG_OK && msg_receive(q, &m) && m.word == came++);
        }
        want(q, 0, round % 2);
        while (msg_express(t, 0, 0, sent) == MSG_OK) sent++;
        uint64_t tail = r->lane.tail;
        for (unsigned i = 0; i < SPOTS; i++) {
            r->lane.tail = spots[i];
            CHECK(msg_express(t, 0, 0, sent) == MSG_FULL);
        }
        r->lane.tail = tail;
        while (msg_receive(q, &m)) CHECK(m.word == came++);
        CHECK(came == sent);
        end();
    }
}

/* A lane has been in its large ring for so many messages that the rounds of its small one seem to be ahead, or anything else. */
static void calls_aged(unsigned flags) {
    msg_message m;
    uint64_t sent = 0;
    for (uint64_t age = 1ull << 40; age; age += 1ull << 40) {
        if (age > 1ull << 45) break;
        make(256, 1, flags);
        struct msg_row *r = t->row[0];
        want(q, 0, true);
        for (int i = 0; i < 100; i++)
            CHECK(msg_express(t, 0, 0, sent) == MSG_OK && msg_receive(q, &m) && m.word == sent++);
        CHECK(is_in_large(0));
        r->lane.tail += 2 * age;
        r->lane.seen += lane_head_at(2 * age);
        q->lane[0]->lane.in->head += lane_head_at(2 * age);
        want(q, 0, false);
        for (int i = 0; i < 1000; i++) {
            look_always(r);
            int n = i % 300 == 299 ? 100 : 1; /* and into the large ring */
            for (int k = 0; k < n; k++) CHECK(msg_express(t, 0, 0, sent + (unsigned)k) == MSG_OK);
            for (int k = 0; k < n; k++) CHECK(msg_receive(q, &m) && m.word == sent++);
            CHECK(!msg_receive(q, &m));
        }
        end();
    }
}

static bool exists(const struct msg_memory *m, size_t at) {
    unsigned char pages;
    CHECK(mincore((char *)m->at + at, MSG_PAGE, &pages) == 0);
    return pages & 1;
}

/* One row after the other fills its small ring. */
static void calls_resident(void) {
    enum { ROWS = 20, MOST = 4, BURST = 100 };
    msg_message m;
    uint32_t moves;
    bool is_resident;
    make(256, ROWS, 0);
    CHECK(msg_set_residents(to, 513) == MSG_FAILED && strstr(msg_error(), "0 to 512"));
    CHECK(msg_set_residents(to, MOST) == MSG_OK && !msg_lane_use(q, ROWS, &moves, &is_resident));
    for (unsigned i = 0; i < ROWS; i++) {
        for (uint64_t n = 0; n < 1000; n++)
            CHECK(msg_express(t, i, 0, n) == MSG_OK && msg_receive(q, &m) && m.word == n && m.source == i);
        CHECK(msg_lane_use(q, i, &moves, &is_resident) && !moves && !is_resident && !is_in_large(i));
        CHECK(!exists(&t->row[i]->of_out, MSG_PAGE));
    }
    for (unsigned i = 0; i < ROWS; i++) {
        for (uint64_t n = 0; n < BURST; n++) CHECK(msg_express(t, i, 0, n) == MSG_OK);
        for (uint64_t n = 0; n < BURST; n++) CHECK(msg_receive(q, &m) && m.word == n && m.source == i);
        CHECK(msg_lane_use(q, i, &moves, &is_resident) && moves == 1 && is_in_large(i) &&
              exists(&t->row[i]->of_out, MSG_PAGE));
        unsigned residents = 0;
        for (unsigned k = 0; k < ROWS; k++) residents += msg_lane_use(q, k, &moves, &is_resident) && is_resident;
        CHECK(residents == (i < MOST ? i + 1 : MOST)); /* free places are given away at once */
    }
    /* One message at a time: who is resident stays, the others go back. */
    for (unsigned i = 0; i < ROWS; i++) {
        for (uint64_t n = 0; n < 600; n++)
            CHECK(msg_express(t, i, 0, n) == MSG_OK && msg_receive(q, &m) && m.word == n);
        CHECK(msg_lane_use(q, i, &moves, &is_resident) && is_in_large(i) == is_resident);
    }
    /* Row 19 is used much, and those that are resident are not: one of them gives way. */
    do {
        for (uint64_t n = 0; n < BURST; n++) CHECK(msg_express(t, 19, 0, n) == MSG_OK);
        for (uint64_t n = 0; n < BURST; n++) CHECK(msg_receive(q, &m) && m.word == n && m.source == 19);
        for (uint64_t n = 0; n < 300; n++)
            CHECK(msg_express(t, 19, 0, n) == MSG_OK && msg_receive(q, &m) && m.word == n);
        CHECK(msg_lane_use(q, 19, &moves, &is_resident));
    } while (!is_resident);
    CHECK(to->residents.count == MOST);
    /* A lane that ends leaves its place to others. */
    msg_row_retire(t, 19, t->row[19]);
    msg_lane_retire(q, q->lane[19]);
    msg_retired_free(from, false), msg_retired_free(to, false);
    CHECK(msg_connect(t, 19, q, 19) == MSG_OK);
    CHECK(msg_lane_use(q, 19, &moves, &is_resident) && !moves && !is_resident);
    CHECK(msg_set_residents(to, 0) == MSG_OK && to->residents.count == 0);
    for (unsigned i = 0; i < ROWS; i++) {
        CHECK(msg_lane_use(q, i, &moves, &is_resident) && !is_resident);
        for (uint64_t n = 0; n < BURST; n++) CHECK(msg_express(t, i, 0, n) == MSG_OK);
        for (uint64_t n = 0; n < BURST; n++) CHECK(msg_receive(q, &m) && m.word == n && m.source == i);
        for (uint64_t n = 0; n < 600; n++)
            CHECK(msg_express(t, i, 0, n) == MSG_OK && msg_receive(q, &m) && m.word == n);
        CHECK(msg_lane_use(q, i, &moves, &is_resident) && !is_resident && !is_in_large(i));
    }
    end();
}

/* A sender that waits for room sleeps while the lane is full, and is woken. */
static void *sends_all(void *messages) {
    for (uint64_t i = 0; i < (uintptr_t)messages; i++) {
        look_always(t->row[0]);
        while (msg_express(t, 0, 0, i) == MSG_FULL) CHECK(msg_wait_for_room(t, 0, -1));
    }
    return NULL;
}
static void calls_sleep(void) {
    enum { MESSAGES = 50000 };
    pthread_t thread;
    msg_message m;
    msg_set set;
    make(64, 1, 0);
    msg_set_init(&set, to);
    msg_set_add(&set, q);
    CHECK(pthread_create(&thread, NULL, sends_all, (void *)(uintptr_t)MESSAGES) == 0);
    for (uint64_t i = 0; i < MESSAGES; i++) {
        if (mixed(i) % 64 == 0) want(q, 0, i % 2);
        if (mixed(i) % 1024 == 0) usleep(300);
        CHECK(msg_wait(&set, &m, -1) && m.word == i);
    }
    pthread_join(thread, NULL);
    end();
}

/* ---- threads ------------------------------------------------------------------------------------------------------ */

enum { SENDERS = 4, TAKERS = 3 };
static uint64_t each, taken, sums[TAKERS];
static bool calls_many; /* takers take several at once */

static void *sends(void *number) {
    uint64_t me = (uintptr_t)number, words[8];
    for (uint64_t i = 0; i < each;) {
        look_always(t->row[0]);
        size_t n = mixed(i) % 4 == 0 ? 5 : 1, sent;
        if (n > each - i) n = each - i;
        for (size_t k = 0; k < n; k++) words[k] = me << 56 | (i + k);
        sent = n > 1 ? msg_express_many(t, 0, 1, words, n) : msg_express(t, 0, 1, words[0]) == MSG_OK;
        i += sent;
        if (sent < n) sched_yield();
    }
    return NULL;
}

static void *takes(void *number) {
    uint64_t next[SENDERS] = {0}, all = each * SENDERS, sum = 0;
    msg_message m[6];
    for (uint64_t call = 0; __atomic_load_n(&taken, __ATOMIC_RELAXED) < all; call++) {
        size_t n = calls_many ? msg_receive_many(q, m, 1 + call % 6) : msg_receive(q, m);
        if (call % 3 == 0) want(q, 0, mixed(call) % 2);
        if (!n) sched_yield();
        for (size_t i = 0; i < n; i++) {
            uint64_t sender = m[i].word >> 56, k = m[i].word << 8 >> 8;
            CHECK(sender < SENDERS && k >= next[sender] && k < each);
            next[sender] = k + 1;
            sum += mixed(m[i].word);
        }
        __atomic_fetch_add(&taken, n, __ATOMIC_RELAXED);
    }
    sums[(uintptr_t)number] = sum;
    return NULL;
}

static void threads(uint64_t messages) {
    for (uint32_t slots = 64; slots <= 4096; slots *= 8) {
        pthread_t thread[SENDERS + TAKERS];
        uint64_t sum = 0;
        calls_many = slots != 64;
        make(slots, 1, 0);
        each = messages / SENDERS / 3, taken = 0;
        for (uintptr_t i = 0; i < TAKERS; i++) CHECK(pthread_create(&thread[i], NULL, takes, (void *)i) == 0);
        for (uintptr_t i = 0; i < SENDERS; i++) CHECK(pthread_create(&thread[TAKERS + i], NULL, sends, (void *)i) == 0);
        for (int i = 0; i < SENDERS + TAKERS; i++) pthread_join(thread[i], NULL);
        for (int i = 0; i < TAKERS; i++) sum += sums[i];
        for (uint64_t s = 0; s < SENDERS; s++)
            for (uint64_t i = 0; i < each; i++) sum -= mixed(s << 56 | i);
        CHECK(taken == each * SENDERS && sum == 0);
        end();
    }
}

/* A child, which does not live longer than the test. */
static pid_t forked(void) {
    pid_t pid = fork();
    CHECK(pid >= 0 && (pid || prctl(PR_SET_PDEATHSIG, SIGKILL) == 0));
    return pid;
}

/* ---- processes ---------------------------------------------------------------------------------------------------- */

/* Data go from places in turn: where many processes share a processor, a place's way back takes all their turns. */
enum { CLIENTS = 4, BROKEN = 2, PLACES = 16, PLACE_BYTES = 192 };
static uint64_t ticket[CLIENTS][PLACES];
static msg_endpoint *client_endpoint[CLIENTS];
static msg_transmit *client[CLIENTS];
static bool stops; /* clients below BROKEN leave moves half done, which is a good moment to be killed */

static void connect_all(void) {
    to = msg_endpoint_create();
    q = msg_queue_create(to, 0, 64, 0);
    for (unsigned c = 0; c < CLIENTS; c++) {
        client_endpoint[c] = msg_endpoint_create();
        client[c] = msg_transmit_create(client_endpoint[c], 0, 1, 0);
        CHECK(msg_region_create(client[c], PLACES * PLACE_BYTES) && msg_connect(client[c], 0, q, c) == MSG_OK);
        for (unsigned i = 0; i < PLACES; i++) ticket[c][i] = MSG_NO_TICKET;
    }
}
static void end_all(void) {
    for (unsigned c = 0; c < CLIENTS; c++) msg_endpoint_close(client_endpoint[c]);
    msg_endpoint_close(to);
}

static bool send_one(unsigned c, uint64_t i) {
    uint64_t seed = mixed(i * CLIENTS + c), data[20];
    uint32_t bytes = 16 + 8 * (uint32_t)(seed / 4 % 16);
    look_always(client[c]->row[0]);
    if (seed % 4 < 2) return msg_express(client[c], 0, i % 32, seed) == MSG_OK;
    for (unsigned k = 0; k < bytes / 8; k++) data[k] = mixed(seed + k);
    if (seed % 4 == 2) return msg_send(client[c], 0, i % 32, data, bytes, NULL) == MSG_OK;
    uint64_t *of_place = &ticket[c][i % PLACES];
    if (*of_place != MSG_NO_TICKET && !msg_is_released(client[c], 0, *of_place)) return false;
    char *place = (char *)msg_region_memory(client[c]->region) + i % PLACES * PLACE_BYTES;
    memcpy(place, data, bytes);
    return msg_tag_on(client[c], 0, i % 32, (uint32_t)seed, place, bytes, of_place) == MSG_OK;
}

static void check_one(uint64_t i, const msg_message *m) {
    uint64_t seed = mixed(i * CLIENTS + m->source);
    CHECK(m->tag == i % 32);
    if (seed % 4 < 2) {
        CHECK(m->kind == MSG_EXPRESS && m->word == seed);
        return;
    }
    CHECK(m->kind == MSG_DATA && m->bytes == 16 + 8 * (seed / 4 % 16));
    for (unsigned k = 0; k < m->bytes / 8; k++) CHECK(((const uint64_t *)m->data)[k] == mixed(seed + k));
    msg_release(q, m);
}

static pid_t sender(unsigned c, uint64_t messages) {
    pid_t pid = forked();
    if (pid) return pid;
    for (uint64_t i = 0; i < messages; i++) {
        while (!send_one(c, i)) i % 2 ? (void)msg_wait_for_room(client[c], 0, 5) : (void)sched_yield();
        struct msg_row *r = client[c]->row[0];
        uint64_t spot = r->lane.tail;
        if (!stops || c >= BROKEN || i % 50 != 49 || mixed((i + 1) * CLIENTS + c) % 4 >= 2) continue;
        while (lane_look(&r->lane, spot) >= LANE_IS_FULL) sched_yield();
        i++;
        stop_in_move(r, i % 32, mixed(i * CLIENTS + c));
        sched_yield();
    }
    _exit(0);
}

/* A message, if one comes soon, and now and then another wish for its lane. */
static bool receive(msg_set *set, uint64_t *next, int ms) {
    static uint64_t n;
    msg_message m;
    if (!msg_wait(set, &m, ms)) return false;
    CHECK(m.source < CLIENTS);
    if (n++ % 3 == 0) want(q, m.lane, mixed(n) % 2);
    check_one(next[m.source]++, &m);
    return true;
}

static void many(uint64_t messages) {
    pid_t pid[CLIENTS];
    uint64_t next[CLIENTS] = {0};
    msg_set set;
    connect_all();
    msg_set_init(&set, to);
    msg_set_add(&set, q);
    for (unsigned c = 0; c < CLIENTS; c++) pid[c] = sender(c, messages / CLIENTS);
    for (uint64_t i = 0; i < messages / CLIENTS * CLIENTS; i++) CHECK(receive(&set, next, -1));
    for (unsigned c = 0; c < CLIENTS; c++) {
        int status;
        CHECK(waitpid(pid[c], &status, 0) == pid[c] && status == 0 && next[c] == messages / CLIENTS);
    }
    end_all();
}

/* Clients 0 and 1 are stopped and killed; 2 and 3 go on, and what 0 and 1 sent before is whole and in order. */
static void killed_senders(void) {
    for (uint64_t round = 0; round < 4; round++) {
        pid_t pid[CLIENTS];
        uint64_t next[CLIENTS] = {0};
        bool stopped[BROKEN] = {0};
        msg_set set;
        connect_all();
        msg_set_init(&set, to);
        msg_set_add(&set, q);
        stops = true;
        for (unsigned c = 0; c < CLIENTS; c++) pid[c] = sender(c, UINT64_MAX);
        for (uint64_t i = 0; i < 60; i++) {
            uint64_t dice = mixed(100 * round + i), c = dice % BROKEN;
            if (i > 40)
                kill(pid[c], SIGKILL);
            else
                kill(pid[c], stopped[c] ? SIGCONT : SIGSTOP), stopped[c] = !stopped[c];
            uint64_t until[] = {next[2] + 300 + dice / 16 % 500, next[3] + 300};
            while (next[2] < until[0] || next[3] < until[1]) CHECK(receive(&set, next, -1));
        }
        for (unsigned c = 0; c < CLIENTS; c++) {
            int status;
            kill(pid[c], SIGKILL);
            CHECK(waitpid(pid[c], &status, 0) == pid[c] && WIFSIGNALED(status));
        }
        while (receive(&set, next, 250)) continue;
        /* Whoever inherits the row can go on in it. */
        for (unsigned c = 0; c < CLIENTS; c++) {
            CHECK(send_one(c, next[c]) || send_one(c, next[c]));
            CHECK(receive(&set, next, -1));
        }
        end_all();
    }
}

/* The receiver is stopped, and killed, at any moment, also when it has not followed a move: its senders find room, then "full" at once, and
 * their other rows are not concerned. Another receiver, of the same queue, goes on where it stopped. */
static void killed_receiver(void) {
    make(64, 1, 0);
    msg_endpoint *e = msg_endpoint_create();
    msg_queue *free_queue = msg_queue_create(e, 0, 64, 0);
    CHECK(msg_transmit_create(from, 1, 1, 0) && msg_connect(from->transmit[1], 0, free_queue, 1) == MSG_OK);
    uint64_t *next = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), sent = 0, aside = 0;
    msg_message m;
    for (uint64_t round = 0; round < 60; round++) {
        pid_t pid = forked();
        for (uint64_t n = pid ? UINT64_MAX : 0; n != UINT64_MAX; n++) {
            want(q, 0, mixed(n + round) % 2);
            /* It may be killed between the two; then the next one sees a number again. */
            if (msg_receive(q, &m)) __atomic_store_n(next, m.word + 1, __ATOMIC_RELEASE);
        }
        bool stops = round % 3 == 0;
        uint64_t until = sent + 300 + mixed(round) % 700;
        for (uint64_t full = 0; sent < until;) {
            look_always(t->row[0]);
            if (msg_express(t, 0, 0, sent) == MSG_OK)
                sent++;
            else
                full++, sched_yield();
            if (stops && sent + 200 > until) {
                kill(pid, SIGSTOP);
                if (full++ > 100) break; /* full for good, and at once */
            }
            CHECK(msg_express(from->transmit[1], 0, 0, aside) == MSG_OK && msg_receive(free_queue, &m) &&
                  m.word == aside++);
        }
        int status;
        kill(pid, SIGKILL);
        CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
        uint64_t was = __atomic_load_n(next, __ATOMIC_ACQUIRE), first = UINT64_MAX;
        while (msg_receive(q, &m)) {
            if (first == UINT64_MAX) {
                first = m.word;
                CHECK(first == was || first == was + 1); /* it was killed between taking and saying so */
                was = first;
            }
            CHECK(m.word == was++);
        }
        CHECK(was == sent || (first == UINT64_MAX && was + 1 == sent));
        *next = sent;
    }
    msg_endpoint_close(e);
    end();
}

/* ---- attack ------------------------------------------------------------------------------------------------------- */

/* Client 0 moves with each message, wherever the receiver is about to look, for ever. */
static void moves_for_ever(void) {
    struct msg_row *r = client[0]->row[0];
    for (;;) {
        uint64_t spot = lane_spot_of(__atomic_load_n(&r->lane.in->head, __ATOMIC_ACQUIRE));
        for (int i = 0; i < 60; i++, spot = lane_next(spot, MSG_LAST)) {
            const struct lane_ring *ring = &r->lane.ring[spot & 1];
            struct msg_slot *slot = (struct msg_slot *)lane_slot(ring, lane_place(spot));
            uint64_t round = lane_round(lane_place(spot), ring->shift);
            __atomic_store_n(&slot->stamp, MSG_LAST | round << MSG_ROUND_SHIFT, __ATOMIC_RELEASE);
        }
        bell_tell(r->bell, r->queue, r->number);
    }
}

/* A sender with a receiver that writes nonsense into all that it can write: it says "full" or sends, and always comes back. */
static void nonsense_back(void) {
    enum { CALLS = 200000 };
    make(64, 1, 0);
    pid_t pid = forked();
    if (pid == 0)
        for (uint64_t dice = 1;; dice++) {
            struct msg_in *in = q->lane[0]->lane.in;
            __atomic_store_n(&in->is_resident, (uint32_t)mixed(dice) % 3, __ATOMIC_RELAXED);
            uint64_t head = lane_head_at(t->row[0]->lane.tail + mixed(dice) % 300 - 150);
            __atomic_store_n(&in->head, dice % 7 ? head : mixed(dice), __ATOMIC_RELAXED);
        }
    for (uint64_t i = 0; i < CALLS; i++) {
        look_always(t->row[0]);
        int answer = msg_express(t, 0, 0, i);
        CHECK(answer == MSG_OK || answer == MSG_FULL);
        /* The child's copy of the hint is old: what it writes is near for the first calls, and far off then. */
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    end();
}

/* A sender to a lane of one ring says that the next message is in the other: there is none. */
static void no_other_ring(void) {
    msg_message m;
    make(16, 1, 0);
    for (uint64_t i = 0; i < 100; i++) {
        stop_in_move(t->row[0], 1, i);
        t->row[0]->lane.tail += 2;
        CHECK(msg_receive(q, &m) && m.word == i && !is_in_large(0) && !msg_receive(q, &m));
        CHECK(msg_express(t, 0, 2, i) == MSG_OK);
        uint64_t waiting, room;
        uint32_t source;
        CHECK(msg_lane_state(q, 0, &source, &waiting, &room) && waiting == 1);
        CHECK(msg_receive(q, &m) && m.tag == 2 && m.word == i);
    }
    end();
}

static void attack(void) {
    enum { MESSAGES = 20000 };
    pid_t pid[CLIENTS];
    uint64_t next[CLIENTS] = {0}, left = (CLIENTS - 1) * MESSAGES;
    msg_set set;
    connect_all();
    msg_set_init(&set, to);
    msg_set_add(&set, q);
    for (unsigned c = 1; c < CLIENTS; c++) pid[c] = sender(c, MESSAGES);
    if ((pid[0] = forked()) == 0) moves_for_ever();
    /* Until all have come, and client 0 was followed often enough. */
    uint32_t moves = 0;
    bool is_resident;
    while (left || moves <= 100) {
        msg_message m;
        CHECK(msg_lane_use(q, 0, &moves, &is_resident));
        if (!msg_wait(&set, &m, 100)) continue;
        CHECK(m.source < CLIENTS);
        if (m.source == 0) continue; /* whatever it says, it says as itself */
        check_one(next[m.source]++, &m);
        left--;
    }
    kill(pid[0], SIGKILL);
    for (unsigned c = 0; c < CLIENTS; c++) {
        int status;
        CHECK(waitpid(pid[c], &status, 0) == pid[c] && (c == 0 || status == 0));
    }
    end_all();
    no_other_ring();
    nonsense_back();
}

int main(int argc, char **argv) {
    uint64_t n = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    CHECK(argc >= 2);
    if (!strcmp(argv[1], "calls")) {
        for (unsigned single = 0; single <= MSG_SINGLE; single++) {
            for (uint32_t slots = 64; slots <= 1024; slots *= 4) calls_room(slots, single);
            calls_kept(single);
            calls_aged(single);
            calls_left(single);
        }
        calls_stopped();
        calls_old_hints();
        calls_resident();
        calls_sleep();
    } else if (!strcmp(argv[1], "threads") && n) {
        threads(n);
    } else if (!strcmp(argv[1], "many") && n) {
        many(n);
    } else if (!strcmp(argv[1], "killed")) {
        killed_senders();
        killed_receiver();
    } else if (!strcmp(argv[1], "attack")) {
        attack();
    } else {
        return 2;
    }
    return 0;
}
