/* Message queues between threads (fathom_queues.h), near and far: the suite runs with threads that share memory, with some
 * that do, and with none. A thread has one endpoint in its life, so each case takes numbers of queues that no other has used.
 */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "fathom_queues.h"
#include "suite.h"

extern uint64_t fathom_queues_begin_at;

static int numbers; /* of queues and transmit queues that are in use: the same on every thread */

static msg_endpoint *endpoint(void) {
    msg_endpoint *e = fathom_queue_endpoint();
    ASSERT(e, "%s", msg_error());
    return e;
}

static msg_queue *queue(int number, uint32_t slots, unsigned flags) {
    msg_queue *q = msg_queue_create(endpoint(), number, slots, flags);
    ASSERT(q, "%s", msg_error());
    return q;
}

static msg_transmit *transmit(int number, unsigned destinations, unsigned flags) {
    msg_transmit *t = msg_transmit_create(endpoint(), number, destinations, flags);
    ASSERT(t, "%s", msg_error());
    return t;
}

/* Row t leads to thread t's queue. */
static void connect_all(msg_transmit *t, int number) {
    gas_barrier();
    for (int i = 0; i < count(); i++) {
        int thread = (me() + i) % count();
        ASSERT(fathom_queue_connect(t, (unsigned)thread, thread, number) == MSG_OK, "%s", msg_error());
        ASSERT(fathom_queue_is_far(t, (unsigned)thread) == !fathom_is_near(fathom_make(thread, 0)), "to thread %d",
               thread);
    }
    gas_barrier();
}

/* A turn of a loop that waits with queues alone. */
static void turn(unsigned *round) { gas_wait_hint(round); }

/* ---- who, and what is refused -------------------------------------------------------------------------------------- */

CASE(queues_know_who_has_sent) {
    int number = numbers;
    numbers += 2;
    msg_queue *q = queue(number, 0, 0);
    ASSERT(fathom_queue_admit(q, FATHOM_ANY_THREAD, 1000) == MSG_OK, "%s", msg_error());
    ASSERT(fathom_queue_admit(q, count() - 1, 7) == MSG_OK, "%s", msg_error());
    msg_transmit *t = transmit(number, (unsigned)count(), 0);
    connect_all(t, number);
    for (int i = 0; i < count(); i++)
        for (unsigned k = 0; k < 3; k++)
            ASSERT(msg_express(t, (unsigned)i, k, (uint64_t)me() << 32 | k) == MSG_OK, "to %d", i);
    unsigned seen[count()], round = 0;
    memset(seen, 0, sizeof seen);
    for (int n = 0; n < 3 * count(); turn(&round))
        for (msg_message m; msg_receive(q, &m); n++, round = 0) {
            int from = (int)(m.word >> 32);
            EQUAL(from == count() - 1 ? 7 : 1000 + from, m.source);
            EQUAL(seen[from], m.tag);
            EQUAL(seen[from]++, m.word & UINT32_MAX);
        }
    gas_barrier();
}

#define REFUSED(call, text)                                                                                            \
    do {                                                                                                               \
        int suite_status = (call);                                                                                     \
        ASSERT(suite_status == MSG_FAILED && strstr(msg_error(), text), "%d, %s", suite_status, msg_error());          \
    } while (0)

CASE(queues_refuse_whom_they_do_not_admit) {
    int number = numbers, next = neighbour(1);
    numbers += 2;
    msg_queue *q = queue(number, 16, 0);
    queue(number + 1, 16, 0); /* admits nobody */
    ASSERT(fathom_queue_admit(q, neighbour(-1), 3) == MSG_OK, "%s", msg_error());
    REFUSED(fathom_queue_admit(q, count(), 0), "thread");
    msg_transmit *t = transmit(number, 3, 0);
    gas_barrier();
    REFUSED(fathom_queue_connect(t, 0, next, number + 1), "does not admit");
    REFUSED(fathom_queue_connect(t, 0, next, MSG_MOST_QUEUES - 1), "has no receive queue");
    REFUSED(fathom_queue_connect(t, 0, next, MSG_MOST_QUEUES), "0 to 511");
    REFUSED(fathom_queue_connect(t, 0, count(), number), "thread");
    REFUSED(fathom_queue_connect(t, 3, next, number), "has no row 3");
    if (count() > 2) REFUSED(fathom_queue_connect(t, 0, neighbour(2), number), "does not admit");
    ASSERT(fathom_queue_connect(t, 0, next, number) == MSG_OK, "%s", msg_error());
    REFUSED(fathom_queue_connect(t, 0, next, number), "connected already");
    ASSERT(fathom_queue_connect(t, 1, next, number) == MSG_OK, "%s", msg_error()); /* a second sender */
    ASSERT(msg_express(t, 2, 0, 0) == MSG_NO_ROW, "not connected");
    gas_barrier();
}

/* ---- room ----------------------------------------------------------------------------------------------------------- */

CASE(queues_that_are_full_stop_no_others) {
    enum { SLOTS = 8, MANY = 3000 };
    int number = numbers;
    numbers += 2;
    msg_queue *stopped = queue(number, SLOTS, 0), *open = queue(number + 1, SLOTS, 0);
    fathom_queue_admit(stopped, FATHOM_ANY_THREAD, 0);
    fathom_queue_admit(open, FATHOM_ANY_THREAD, 0);
    msg_transmit *t = transmit(number, (unsigned)count(), 0), *u = transmit(number + 1, (unsigned)count(), 0);
    connect_all(t, number);
    connect_all(u, number + 1);
    unsigned next = (unsigned)neighbour(1);
    for (uint64_t i = 0; i < SLOTS; i++) ASSERT(msg_express(t, next, 1, i) == MSG_OK, "message %lu", i);
    long sent = 0, got = 0;
    unsigned round = 0;
    while (sent < MANY || got < MANY) {
        ASSERT(msg_express(t, next, 1, 0) == MSG_FULL, "after %ld", sent);
        bool moved = false;
        if (sent < MANY && msg_express(u, next, 2, (uint64_t)sent) == MSG_OK) sent++, moved = true;
        for (msg_message m; msg_receive(open, &m); moved = true) EQUAL(got++, m.word);
        if (moved)
            round = 0;
        else
            turn(&round);
    }
    gas_barrier();
    msg_message m;
    for (uint64_t i = 0; i < SLOTS;)
        if (msg_receive(stopped, &m))
            EQUAL(i++, m.word);
        else
            turn(&round);
    ASSERT(!msg_receive(stopped, &m), "one too many: %lu", m.word);
    gas_barrier();
    ASSERT(msg_wait_for_room(t, next, 60000), "no room within a minute");
    ASSERT(msg_express(t, next, 1, 77) == MSG_OK, "there is room");
    for (bool has = false; !has; turn(&round))
        if ((has = msg_receive(stopped, &m))) EQUAL(77, m.word);
    gas_barrier();
}

/* ---- waiting -------------------------------------------------------------------------------------------------------- */

CASE(queues_wake_who_sleeps) {
    int number = numbers;
    numbers += 2;
    msg_queue *q = queue(number, 4, 0);
    fathom_queue_admit(q, FATHOM_ANY_THREAD, 0);
    msg_transmit *t = transmit(number, (unsigned)count(), 0);
    connect_all(t, number);
    msg_set set;
    msg_set_init(&set, endpoint());
    msg_set_add(&set, q);
    set.empty_tag = 9, set.empty_word = 99;
    msg_message m;
    ASSERT(!msg_wait(&set, &m, 5) && m.kind == MSG_EMPTY && m.tag == 9 && m.word == 99, "kind %d", m.kind);
    gas_barrier();
    /* A token goes round; all but one sleep. */
    long rounds = suite_rounds(20);
    if (me() == 0) ASSERT(msg_express(t, (unsigned)neighbour(1), 0, 0) == MSG_OK, "first");
    for (long i = 0; i < rounds; i++) {
        ASSERT(msg_wait(&set, &m, -1), "round %ld", i);
        EQUAL(i * count() + (me() + count() - 1) % count(), m.word);
        EQUAL(neighbour(-1), m.source);
        if (i < rounds - 1 || me() != 0)
            ASSERT(msg_express(t, (unsigned)neighbour(1), 0, m.word + 1) == MSG_OK, "round %ld", i);
    }
    gas_barrier();
}

/* ---- other POSIX threads of the process ------------------------------------------------------------------------------ */

enum { ECHOES = 300 };
struct echo {
    msg_queue *q;
    msg_transmit *back;
    int bad;
};

/* Answers the source with the word, plus one. */
static void *echo(void *with) {
    struct echo *e = with;
    msg_set set;
    msg_set_init(&set, endpoint());
    msg_set_add(&set, e->q);
    for (int n = 0; n < ECHOES;) {
        msg_message m;
        if (!msg_wait(&set, &m, 1000)) continue;
        while (msg_express(e->back, m.source, m.tag, m.word + 1) == MSG_FULL) msg_wait_for_room(e->back, m.source, 100);
        n++;
    }
    return NULL;
}

CASE(queues_serve_other_posix_threads) {
    int number = numbers;
    numbers += 2;
    msg_queue *asked = queue(number, 16, 0), *answers = queue(number + 1, 16, 0);
    fathom_queue_admit(asked, FATHOM_ANY_THREAD, 0);
    fathom_queue_admit(answers, FATHOM_ANY_THREAD, 0);
    msg_transmit *t = transmit(number, (unsigned)count(), 0), *u = transmit(number + 1, (unsigned)count(), 0);
    connect_all(t, number);
    connect_all(u, number + 1);
    struct echo with = {asked, u, 0};
    pthread_t thread;
    EQUAL(0, pthread_create(&thread, NULL, echo, &with));
    unsigned next = (unsigned)neighbour(1), round = 0;
    for (uint64_t sent = 0, got = 0; got < ECHOES;) {
        bool moved = sent < ECHOES && msg_express(t, next, 3, sent) == MSG_OK;
        sent += moved;
        for (msg_message m; msg_receive(answers, &m); moved = true) {
            EQUAL(++got, m.word);
            EQUAL(next, m.source);
        }
        if (moved)
            round = 0;
        else
            turn(&round);
    }
    gas_barrier(); /* meanwhile this thread's own echo goes on, by its polls */
    pthread_join(thread, NULL);
    gas_barrier();
}

/* ---- everything at random -------------------------------------------------------------------------------------------- */

enum {
    KINDS = 4,
    SHARED = 0,
    SINGLE,
    RECORDS,
    WINDOWED,
    REGION = 1 << 18,
    PIECE = 1 << 12,
    WINDOW = 1 << 18,
    MOST_LONG = 200000
};

/* What one thread sends to another by one queue: numbered messages, whose content follows from sender, receiver, queue, number. */
struct stream {
    uint64_t sent, got;
};
struct held {
    uint64_t ticket;
    unsigned destination;
    bool is_used;
};

static uint64_t key_of(int from, int to, int kind, uint64_t number) {
    return (uint64_t)from << 52 | (uint64_t)to << 40 | (uint64_t)kind << 36 | number;
}
static uint32_t length_of(uint64_t key, uint32_t most) {
    struct suite_random r = {key};
    random_word(&r);
    return 9 + (uint32_t)random_size(&r, most - 9);
}

static struct {
    msg_queue *queue[KINDS];
    msg_transmit *transmit[KINDS];
    char *region; /* of SHARED: places of PIECE bytes, and one long one behind them */
    struct held held[REGION / PIECE], large;
    msg_job job;
    char *bulk;
    bool job_runs, job_waits;
    unsigned job_to;
    struct stream *out[KINDS], *in[KINDS];
} all;

enum { TAG_WORD, TAG_COPY, TAG_PLACE, TAG_LONG, TAG_BULK, TAG_RECORD };

/* One attempt to send the stream's next message; false: full, or a place is in use. */
static bool try_send(int kind, unsigned to) {
    struct stream *s = &all.out[kind][to];
    uint64_t key = key_of(me(), (int)to, kind, s->sent), word = key;
    msg_transmit *t = all.transmit[kind];
    char text[MSG_MOST_COPY];
    int status = MSG_FULL, how = (int)random_below(&mine, 16);
    if (kind == RECORDS) {
        uint32_t n = length_of(key, 900);
        fill_pattern(text, n, key);
        status = msg_basic_send(t, to, TAG_RECORD, text, n);
    } else if (kind == SHARED && how < 4) {
        uint32_t n = length_of(key, MSG_MOST_COPY);
        fill_pattern(text, n, key);
        status = msg_send(t, to, TAG_COPY, text, n, NULL);
    } else if (kind == SHARED && how < 8) {
        unsigned i = (unsigned)random_below(&mine, REGION / PIECE);
        struct held *h = &all.held[i];
        if (h->is_used && !msg_is_released(t, h->destination, h->ticket)) return false;
        h->is_used = false;
        uint32_t n = length_of(key, PIECE);
        fill_pattern(all.region + i * PIECE, n, key);
        status = msg_tag_on(t, to, TAG_PLACE, (uint32_t)s->sent, all.region + i * PIECE, n, &h->ticket);
        if (status == MSG_OK) h->is_used = true, h->destination = to;
    } else if (kind == SHARED && how == 8) {
        struct held *h = &all.large;
        if (h->is_used && !msg_is_released(t, h->destination, h->ticket)) return false;
        h->is_used = false;
        uint32_t n = length_of(key, MOST_LONG);
        fill_pattern(all.region + REGION, n, key);
        status = msg_tag_on(t, to, TAG_LONG, (uint32_t)s->sent, all.region + REGION, n, &h->ticket);
        if (status == MSG_OK) h->is_used = true, h->destination = to;
    } else if (kind == WINDOWED && how < 3) {
        /* The window is one place: until the receiver has released it, nothing else goes there. */
        if (all.job_runs) return false;
        uint32_t n = length_of(key, WINDOW);
        fill_pattern(all.bulk, n, key);
        status = msg_bulk(t, to, TAG_BULK, 5, 0, all.bulk, n, &all.job);
        if (status == MSG_OK) all.job_runs = all.job_waits = true, all.job_to = to;
    } else {
        status = msg_express(t, to, TAG_WORD, word);
    }
    ASSERT(status == MSG_OK || status == MSG_FULL, "status %d, %s", status, msg_error());
    if (status == MSG_OK) s->sent++;
    return status == MSG_OK;
}

static void take(int kind, const msg_message *m) {
    struct stream *s = &all.in[kind][m->source];
    uint64_t key = key_of((int)m->source, me(), kind, s->got);
    switch (m->tag) {
    case TAG_WORD:
        ASSERT(m->kind == MSG_EXPRESS && m->word == key, "%lx, not %lx (kind %d)", m->word, key, kind);
        break;
    case TAG_COPY: EQUAL(length_of(key, MSG_MOST_COPY), m->bytes); break;
    case TAG_PLACE: EQUAL(length_of(key, PIECE), m->bytes); break;
    case TAG_LONG: EQUAL(length_of(key, MOST_LONG), m->bytes); break;
    case TAG_BULK: EQUAL(length_of(key, WINDOW), m->bytes); break;
    default: EQUAL(length_of(key, 900), m->bytes);
    }
    if (m->tag != TAG_WORD) PATTERN(m->data, m->bytes, key);
    if (m->tag == TAG_PLACE || m->tag == TAG_LONG) EQUAL((uint32_t)s->got, m->word);
    s->got++;
    msg_release(all.queue[kind], m);
}

/* A Bulk message is overtaken by others: its stream waits for it. */
static bool is_blocked(int kind, unsigned to) { return kind == WINDOWED && all.job_runs && all.job_to == to; }

static void look_at_job(void) {
    if (all.job_waits && msg_bulk_is_done(&all.job)) all.job_waits = false;
    if (all.job_runs && !all.job_waits && msg_is_released(all.transmit[WINDOWED], all.job_to, all.job.ticket))
        all.job_runs = false;
}

static void exchange(uint64_t each, uint64_t begin, uint64_t begin_bytes) {
    static const uint32_t slots[KINDS] = {16, 64, 4096, 8};
    int number = numbers;
    numbers += KINDS;
    memset(&all, 0, sizeof all);
    all.bulk = malloc(WINDOW);
    msg_set set;
    msg_set_init(&set, endpoint());
    for (int k = 0; k < KINDS; k++) {
        unsigned flags = k == SINGLE    ? MSG_SINGLE
                         : k == RECORDS ? MSG_BASIC | MSG_SINGLE * (unsigned)random_below(&together, 2)
                                        : 0;
        all.queue[k] = queue(number + k, slots[k], flags);
        all.transmit[k] = transmit(number + k, (unsigned)count(), flags & MSG_SINGLE);
        all.out[k] = calloc((size_t)count(), sizeof *all.out[k]);
        all.in[k] = calloc((size_t)count(), sizeof *all.in[k]);
        fathom_queue_admit(all.queue[k], FATHOM_ANY_THREAD, 0);
        if (k == WINDOWED) EQUAL(MSG_OK, msg_set_window(all.queue[k], WINDOW));
        if (k == SHARED) all.region = msg_region_memory(msg_region_create(all.transmit[k], REGION + MOST_LONG));
        /* Just before counters wrap: two rounds of this ring. */
        fathom_queues_begin_at = k == RECORDS ? begin_bytes : begin ? begin * slots[k] : 0;
        connect_all(all.transmit[k], number + k);
        msg_set_add(&set, all.queue[k]);
    }
    fathom_queues_begin_at = 0;
    uint64_t left = each * KINDS * (uint64_t)count(), awaited = left;
    for (unsigned round = 0; left || awaited || all.job_runs;) {
        bool moved = false;
        for (uint64_t burst = random_below(&mine, 20); left && burst > 0; burst--) {
            int kind = (int)random_below(&mine, KINDS);
            unsigned to = (unsigned)random_below(&mine, (uint64_t)count());
            look_at_job();
            if (all.out[kind][to].sent == each || is_blocked(kind, to) || !try_send(kind, to)) continue;
            left--;
            moved = true;
        }
        look_at_job();
        msg_message m;
        for (uint64_t burst = random_below(&mine, 20); awaited && burst > 0; burst--) {
            int way = (int)random_below(&mine, 8), kind = (int)random_below(&mine, KINDS);
            bool has = way == 0  ? msg_wait(&set, &m, 1)
                       : way < 4 ? msg_poll(&set, &m)
                                 : msg_receive(all.queue[kind], &m);
            if (!has) continue;
            if (m.kind == MSG_READY && !msg_receive(all.queue[RECORDS], &m)) continue;
            take(m.queue - number, &m);
            awaited--;
            moved = true;
        }
        if (moved)
            round = 0;
        else
            turn(&round);
    }
    gas_barrier();
    msg_message m;
    ASSERT(!msg_poll(&set, &m), "one too many, of queue %d", m.queue);
    for (int k = 0; k < KINDS; k++)
        for (int t = 0; t < count(); t++) EQUAL(each, all.in[k][t].got);
    for (int k = 0; k < KINDS; k++) free(all.out[k]), free(all.in[k]);
    free(all.bulk);
    gas_barrier();
}

CASE(queues_carry_everything_in_order) { exchange((uint64_t)suite_rounds(300), 0, 0); }

CASE(queues_go_on_where_counters_wrap) {
    exchange((uint64_t)suite_rounds(150), (1ull << 40) - 2, -(1ull << 17));
    exchange((uint64_t)suite_rounds(20), (1ull << 40) - 1, -(1ull << 13));
}

/* ---- how a job ends -------------------------------------------------------------------------------------------------- */

static msg_transmit *rows_to_all(msg_queue **q) {
    *q = queue(0, 0, 0);
    fathom_queue_admit(*q, FATHOM_ANY_THREAD, 0);
    msg_transmit *t = transmit(0, (unsigned)count(), 0);
    connect_all(t, 0);
    return t;
}

ENDS(end_by_a_kill_while_others_wait_for_queues, 2, 137, "(fathom: thread [0-9]+: ended by signal 9.*\\|)?") {
    msg_queue *q;
    rows_to_all(&q);
    if (me() == count() - 1) raise(SIGKILL);
    msg_set set;
    msg_set_init(&set, endpoint());
    msg_set_add(&set, q);
    for (msg_message m;;) msg_wait(&set, &m, -1);
}

ENDS(end_by_gas_exit_while_queues_are_flooded, 2, 6, "") {
    msg_queue *q;
    msg_transmit *t = rows_to_all(&q);
    for (long i = 0;; i++) {
        if (me() == 0 && i == 5000) gas_exit(6);
        msg_message m;
        while (msg_express(t, (unsigned)neighbour(1), 0, (uint64_t)i) == MSG_FULL) msg_receive(q, &m);
    }
}

ENDS(end_in_order_with_queues_open, 1, 0, "") {
    msg_queue *q;
    msg_transmit *t = rows_to_all(&q);
    msg_message m;
    if (me() == 0) {
        for (int i = 1; i < count(); i++) ASSERT(msg_express(t, (unsigned)i, 0, 5) == MSG_OK, "to %d", i);
        msg_endpoint_close(endpoint()); /* what has been sent arrives */
        ASSERT(!fathom_queue_endpoint() && strstr(msg_error(), "closed"), "%s", msg_error());
    } else {
        for (unsigned round = 0; !msg_receive(q, &m);) turn(&round);
        EQUAL(5, m.word);
        msg_express(t, 0, 0, 1); /* to nobody */
    }
}
