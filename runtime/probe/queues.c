/* Kernels of the area queues: messages of msg.h between threads 0 and 1.
 *
 *     queue   measure=send|receive|latency|gap mechanism=express|tag_on|in_place|basic|copy|bulk bytes=8 threads=many|one flush=0|1
 *
 * A sample is the time of one message of so many bytes. `send`: what sending keeps its thread busy, while nobody takes messages; a
 * burst of them, when all before have been taken. `receive`: what taking, reading and releasing one keeps its thread busy, when it is
 * there. `latency`: from the begin of sending to the end of receiving, half of a round trip. `gap`: the interval of messages in a
 * stream. Express carries 8 bytes; longer ones are several. `tag_on` copies the message to the queue's region first, `in_place` has it
 * there; `copy` is msg_send. threads=one: queues that one thread at a time uses (MSG_SINGLE); many: with the atomic operations and
 * locks that several threads need, though there is one. flush=1: software writes each line of a message back behind
 * its sending and drops it behind its reading, as if caches were not coherent. Fact: `bytes` that an Express message carries.
 *
 * Source: the StarT-Voyager study, section 6. What differs: the gap is measured as a whole, with processors that are busy with it.
 */
#include "probe/communication.h"
#include "probe/queue_ends.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe/rounds.h"

enum measure { SEND, RECEIVE, LATENCY, GAP };
static const char *const measures[] = {"send", "receive", "latency", "gap"};
static const char *const mechanisms[] = {"express", "tag_on", "in_place", "basic", "copy", "bulk"};
static const char *const uses[] = {"many", "one"};

enum { MOST_EXPRESS = 64, MOST_ROUNDS = 64, LARGE = 256 << 10 };

static struct queue_plan plan;
static struct queue_end self;
static enum measure measure;

/* ---- thread 1 ---------------------------------------------------------------------------------------------------- */

/* What thread 1 is told to do, in the high half of the first word; in the low half how many. */
enum task { CONNECT = 1, TAKE, TELL, ANSWER };

/* Words that both see: thread 0 and thread 1 write one each. */
static uint64_t *word_of(int thread) { return (uint64_t *)fathom_local(together_memory(0)) + 64 * thread; }

/* The thread waits until the other's word is this. */
static bool await(int thread, uint64_t value) {
    unsigned looks = 0;
    while (__atomic_load_n(word_of(thread), __ATOMIC_ACQUIRE) != value)
        if (!queue_patience(&self, &looks)) return false;
    return true;
}
static void tell(int thread, uint64_t value) { __atomic_store_n(word_of(thread), value, __ATOMIC_RELEASE); }

/* A burst each time that thread 0's word has changed; then the own word is the same. */
static void bursts(bool (*each)(struct queue_end *), uint64_t from, uint64_t count) {
    for (uint64_t i = 1; i <= count && await(0, from + i); i++) {
        bool good = true;
        for (unsigned k = 0; k < plan.burst && good; k++) good = each(&self);
        if (!good) return;
        tell(1, from + i);
    }
}

static void obey(void) {
    uint64_t task = together_words[0] >> 56, count = together_words[0] & ((1ull << 56) - 1), other = together_words[1];
    char name[64], why[200];
    together_works = false;
    if (task != CONNECT && !self.endpoint) return;
    self.end_ns = now_ns() + 4e9;
    switch ((enum task)task) {
    case CONNECT:
        snprintf(name, sizeof name, "fathom-prober-%d-%u", (int)count, (unsigned)other);
        if (!queue_call(&self, &plan, name, why)) queue_close(&self);
        break;
    case TAKE: bursts(queue_take, other, count); break;
    case TELL:
        if (measure == GAP)
            for (uint64_t i = 0; i < count && queue_send(&self); i++) {}
        else
            bursts(queue_send, other, count);
        break;
    case ANSWER:
        for (uint64_t i = 0; i < count && queue_take(&self) && queue_send(&self); i++) {}
    }
}

static void ask(enum task task, uint64_t count, uint64_t other) {
    together_start(1, (uint64_t)task << 56 | count, other);
}

/* ---- thread 0 ---------------------------------------------------------------------------------------------------- */

/* Hops there and back. */
static void hops(void *argument, long n) {
    (void)argument;
    long trips = (n + 1) / 2;
    ask(ANSWER, (uint64_t)trips, 0);
    for (long i = 0; i < trips && queue_send(&self) && queue_take(&self); i++) {}
}

static void stream(void *argument, long n) {
    (void)argument;
    ask(TELL, (uint64_t)n, 0);
    for (long i = 0; i < n && queue_take(&self); i++) {}
}

/* Bursts that one side sends while the other does nothing, and then takes; timed on thread 0. */
static void sample_bursts(const struct request *request, struct reply *reply) {
    bool (*own)(struct queue_end *) = measure == SEND ? queue_send : queue_take;
    double start = now_ns(), limit = request_limit_s(request) * 1e9, clock = clock_cost();
    uint64_t turn = 0;
    for (int i = -1; i < request_samples(request) && (i < 1 || now_ns() - start < limit); i++) {
        double sum = 0;
        ask(measure == SEND ? TAKE : TELL, MOST_ROUNDS, turn);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            if (measure == RECEIVE) {
                tell(0, ++turn);
                if (!await(1, turn)) return;
            }
            double from = now_ns();
            for (unsigned k = 0; k < plan.burst; k++)
                if (!own(&self)) return;
            sum += now_ns() - from - clock;
            if (measure == SEND) {
                tell(0, ++turn);
                if (!await(1, turn)) return;
            }
        }
        together_settle();
        /* The first is not like the others: pages and lines are new. */
        if (i >= 0) reply_sample(reply, sum / (MOST_ROUNDS * plan.burst));
    }
    reply_fact(reply, "operations", (double)MOST_ROUNDS * plan.burst);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

/* The plan that the request means; every thread comes to the same. */
static bool read_plan(const struct request *request, struct reply *reply) {
    int what = argument_among(request, reply, "measure", measures, 4);
    int how = argument_among(request, reply, "mechanism", mechanisms, 6);
    int who = argument_among(request, reply, "threads", uses, 2);
    if (what < 0 || how < 0 || who < 0) return false;
    measure = (enum measure)what;
    plan = (struct queue_plan){.mechanism = (enum queue_mechanism)how, .single = who == 1};
    plan.flushes = request_number(request, "flush", 0) != 0;
    size_t most = plan.mechanism == EXPRESS ? MOST_EXPRESS
                  : plan.mechanism == COPY  ? MSG_MOST_COPY
                                            : TOGETHER_BYTES / (2 * QUEUE_PLACES);
    if (plan.mechanism == BULK) most = 1 << 20;
    long bytes = request_number(request, "bytes", QUEUE_EXPRESS_BYTES);
    if (bytes < 4 || bytes % (plan.mechanism == EXPRESS ? QUEUE_EXPRESS_BYTES : 4)) {
        reply_error(reply, "`bytes` is %ld: give a multiple of %d", bytes, plan.mechanism == EXPRESS ? 8 : 4);
        return false;
    }
    if ((size_t)bytes > most) {
        reply_impossible(reply, REASON_SIZE, "a message by `%s` has at most %zu bytes here", mechanisms[how], most);
        return false;
    }
    plan.bytes = (size_t)bytes;
    /* An odd number of lines: short messages do not all lie in the same sets of a cache. */
    plan.place = ((plan.bytes + 63) / 64 | 1) * 64;
    plan.places = plan.bytes >= LARGE ? 4 : QUEUE_PLACES;
    plan.burst = plan.places / 2;
    if (plan.flushes && plan.mechanism != TAG_ON && plan.mechanism != BASIC && plan.mechanism != IN_PLACE) {
        reply_error(reply, "messages by `%s` are not flushed", mechanisms[how]);
        return false;
    }
    return true;
}

static void direct(const struct request *request, struct reply *reply) {
    char name[64], why[200];
    int listener = queue_listener(name), pid = 0;
    unsigned number = 0;
    sscanf(name, "fathom-prober-%d-%u", &pid, &number);
    ask(CONNECT, (uint64_t)pid, number);
    bool good = queue_listen(&self, &plan, listener, why);
    if (listener >= 0) close(listener);
    if (!good) {
        reply_impossible(reply, REASON_APART, "no message queue between threads 0 and 1: %.140s", why);
        return;
    }
    tell(0, 0);
    tell(1, 0);
    reply_fact(reply, "bytes", QUEUE_EXPRESS_BYTES);
    self.end_ns = now_ns() + request_limit_s(request) * 1e9 + 2e9;
    if (measure == LATENCY || measure == GAP)
        sample(request, reply, measure == GAP ? stream : hops, NULL, NULL);
    else
        sample_bursts(request, reply);
    together_settle();
    if (self.is_late)
        reply_error(reply, "a message was awaited for too long");
    else if (self.is_wrong)
        reply_error(reply, "a message came that was not sent so");
}

static void queue_kernel(const struct request *request, struct reply *reply) {
    if (!read_plan(request, reply)) return;
    if (time_is_simulated()) {
        reply_impossible(reply, REASON_OPERATION, "threads of a simulated network have no message queues");
        return;
    }
    int near;
    if (gas_near(&near) != 0 || near < 2) {
        if (gas_count() > 1)
            reply_impossible(reply, REASON_APART, "threads 0 and 1 share no memory");
        else
            reply_impossible(reply, REASON_THREADS, "there is one thread only");
        return;
    }
    if (!together_begin(request, reply, 1, 1, TOGETHER_ANYWHERE)) return;
    if (plan.mechanism == BULK) use_all_processors(); /* for its service thread, too */
    if (together_directs(obey)) {
        direct(request, reply);
        together_end();
    }
    if (self.endpoint) queue_close(&self);
}

const struct kernel kernels_queues[] = {{"queue", queue_kernel}, {NULL, NULL}};
