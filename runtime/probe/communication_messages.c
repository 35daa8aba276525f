/* Kernels of the area communication: active messages, and what LogGP's parameters are inferred from.
 *
 *     round_trip        kind=short|medium|long bytes=0 with=1    a request, and its reply of the same kind and length
 *     flood             kind=short|medium|long bytes=0 with=1    requests without replies, as fast as they go
 *     funnel            senders=1 bytes=0                        messages that arrive at thread 0 while so many threads send
 *     send_overhead     burst=4 with=1                           issuing a burst, when the one before has been taken
 *     receive_overhead  delay_ns=1000 with=1                     a request, a delay, and the poll that takes the reply: the poll
 *
 * Source of the last two: Culler et al., Assessing Fast Network Interfaces (1996): short bursts show what a message costs its
 * sender, and a delay between requests long enough for the reply to have come shows what taking it costs. There it is the
 * whole of request, delay and reception that is timed; here the reception alone, which interrupts rarely hit.
 */
#include "probe/communication.h"

#include <fathom_work.h>
#include <string.h>

enum kind { SHORT, MEDIUM, LONG };
static const char *const kinds[] = {"short", "medium", "long"};

struct message {
    int partner;
    enum kind kind;
    size_t bytes;
    const char *payload;
    fathom_ptr far, own; /* of long messages */
};

static int echo_handler, echoed_handler, drop_handler, mark_handler;
static uint64_t echoed, marks, dropped;

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

/* args: kind; for long ones, the sender's place. */
static void on_echo(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs;
    if (args[0] == LONG)
        gas_reply_long(token, echoed_handler, args[1], payload, bytes, NULL, 0);
    else if (bytes)
        gas_reply_medium(token, echoed_handler, payload, bytes, NULL, 0);
    else
        gas_reply_short(token, echoed_handler, NULL, 0);
}

static void on_echoed(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    echoed++;
}

static void on_drop(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    dropped++;
}

static void on_mark(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)args, (void)nargs, (void)payload, (void)bytes;
    gas_reply_short(token, echoed_handler, NULL, 0);
}

void communication_register_messages(void) {
    echo_handler = gas_register(on_echo);
    echoed_handler = gas_register(on_echoed);
    drop_handler = gas_register(on_drop);
    mark_handler = gas_register(on_mark);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static inline void send(const struct message *m, int thread, int handler) {
    uint64_t args[2] = {m->kind, m->own};
    switch (m->kind) {
    case SHORT: gas_request_short(thread, handler, args, 2); break;
    case MEDIUM: gas_request_medium(thread, handler, m->payload, m->bytes, args, 2); break;
    case LONG: gas_request_long(thread, handler, m->far, m->payload, m->bytes, args, 2); break;
    }
}

/* Waits until the thread has taken everything. */
static void settle(int thread) {
    gas_request_short(thread, mark_handler, NULL, 0);
    together_wait(&echoed, ++marks);
}

static void round_trips(void *argument, long n) {
    struct message *m = argument;
    for (long i = 0; i < n; i++) {
        send(m, m->partner, echo_handler);
        together_wait(&echoed, ++marks);
    }
}

static void flood(void *argument, long n) {
    struct message *m = argument;
    for (long i = 0; i < n; i++) send(m, m->partner, drop_handler);
    settle(m->partner);
}

/* The round trip at the end of a flood is no part of its messages' intervals: it is taken off, and a flood is so many
 * times as long. On a slow network a flood as short as other samples would be a message or two, and their round trip. */
enum { FLOOD_TRIPS = 16 };

static void flood_ends(void *argument, long n) {
    (void)n;
    settle(((struct message *)argument)->partner);
}

static double trip_ns(int thread) {
    double least = 0;
    for (int i = 0; i < 5; i++) {
        double start = now_ns();
        settle(thread);
        double ns = now_ns() - start;
        if (i == 0 || ns < least) least = ns;
    }
    return least;
}

static bool read_message(const struct request *request, struct reply *reply, struct message *m) {
    int kind = argument_among(request, reply, "kind", kinds, 3);
    if (kind < 0 || !argument_within(request, reply, "bytes", kind == SHORT ? 0 : 8, kind == SHORT ? 0 : 1,
                                     kind == SHORT ? 0 : (long)TOGETHER_BYTES, &m->bytes))
        return false;
    m->kind = (enum kind)kind;
    if (m->kind == MEDIUM && m->bytes > gas_max_medium()) {
        reply_impossible(reply, REASON_SIZE, "a medium message has at most %zu bytes here", gas_max_medium());
        return false;
    }
    return true;
}

/* Before a meeting there is no memory. */
static void set_out(struct message *m) {
    m->payload = together_private();
    m->far = together_memory(m->partner);
    m->own = together_memory(gas_me());
}

static void messages(const struct request *request, struct reply *reply, void (*body)(void *, long)) {
    static struct message m;
    if (!read_message(request, reply, &m) || !communication_begin(request, reply, &m.partner)) return;
    set_out(&m);
    if (together_directs(NULL)) {
        if (body == flood)
            sample_long(request, reply, flood, flood_ends, &m, FLOOD_TRIPS * trip_ns(m.partner));
        else
            sample(request, reply, body, NULL, &m);
        together_end();
    }
}

void round_trip_kernel(const struct request *request, struct reply *reply) { messages(request, reply, round_trips); }
void flood_kernel(const struct request *request, struct reply *reply) { messages(request, reply, flood); }

/* ---- N to 1 ------------------------------------------------------------------------------------------------------ */

static size_t funnel_senders, funnel_bytes;

/* A sender's work: all its messages, once. */
static void pour(void) {
    struct message m = {.kind = funnel_bytes ? MEDIUM : SHORT, .bytes = funnel_bytes, .payload = together_private()};
    for (uint64_t i = 0; i < together_words[0]; i++) send(&m, 0, drop_handler);
    together_works = false;
}

static void take(void *argument, long n) {
    (void)argument;
    uint64_t wanted = dropped + (uint64_t)n, left = (uint64_t)n;
    for (size_t sender = 0; sender < funnel_senders; sender++) {
        uint64_t part = left / (funnel_senders - sender);
        together_start((int)sender + 1, part, 0);
        left -= part;
    }
    together_wait(&dropped, wanted);
}

void funnel_kernel(const struct request *request, struct reply *reply) {
    if (!argument_within(request, reply, "senders", 1, 1, 255, &funnel_senders) ||
        !argument_within(request, reply, "bytes", 0, 0, (long)gas_max_medium(), &funnel_bytes) ||
        !together_begin(request, reply, 1, (int)funnel_senders, TOGETHER_ANYWHERE))
        return;
    if (together_directs(pour)) {
        sample(request, reply, take, NULL, NULL);
        together_end();
    }
}

/* ---- LogGP ------------------------------------------------------------------------------------------------------- */

#define ROUNDS 64          /* in a sample, at most */
#define ENOUGH_NS 10000000 /* rounds that are so long together are enough: on a slow network */

/* A sample is the mean of some rounds, as many as there is time for; a round is below 0 if it failed. */
static void sample_rounds(const struct request *request, struct reply *reply, double (*round)(void *argument),
                          void *argument) {
    double start = now_ns(), limit = request_limit_s(request) * 1e9, most = limit / request_samples(request);
    if (most > ENOUGH_NS) most = ENOUGH_NS;
    round(argument); /* the first is not like the others */
    for (int i = 0; i < request_samples(request) && (i == 0 || now_ns() - start < limit); i++) {
        double sum = 0, began = now_ns();
        int rounds = 0;
        while (rounds < ROUNDS && (rounds == 0 || now_ns() - began < most)) {
            double ns = round(argument);
            if (ns < 0) {
                reply_impossible(reply, REASON_UNSEEN, "no reply came within the delay");
                return;
            }
            sum += ns;
            rounds++;
        }
        reply_sample(reply, sum / rounds);
    }
}

struct burst {
    struct message message;
    size_t length;
    double clock_ns;
};

static double one_burst(void *argument) {
    struct burst *b = argument;
    double start = now_ns();
    for (size_t i = 0; i < b->length; i++) send(&b->message, b->message.partner, drop_handler);
    double ns = now_ns() - start - b->clock_ns;
    settle(b->message.partner);
    return ns > 0 ? ns : 0;
}

/* Samples are of whole bursts. */
void send_overhead_kernel(const struct request *request, struct reply *reply) {
    static struct burst b;
    if (!argument_within(request, reply, "burst", 4, 1, 1000, &b.length) || !read_message(request, reply, &b.message) ||
        !communication_begin(request, reply, &b.message.partner))
        return;
    set_out(&b.message);
    if (!together_directs(NULL)) return;
    b.clock_ns = clock_cost();
    sample_rounds(request, reply, one_burst, &b);
    reply_fact(reply, "clock_ns", b.clock_ns);
    together_end();
}

/* Works for a while: n dependent additions, which nothing speeds up or stops. */
static void work(long n) {
    unsigned long sum = 0, one = 1;
    __asm__("" : "+r"(one));
    for (long i = 0; i < n; i++) {
        __asm__ volatile("" : "+r"(sum));
        sum += one;
    }
    USED(sum);
}

static long steps_of(double ns) {
    double best = 1e9;
    for (int i = 0; i < 20; i++) {
        double start = now_ns();
        work(10000);
        double each = (now_ns() - start) / 10000;
        if (each < best) best = each;
    }
    long steps = best > 0 ? (long)(ns / best) : 0;
    return steps > 0 ? steps : 1;
}

struct delayed {
    struct message message;
    long steps;
    uint64_t delay_ns;
    double clock_ns, late, all;
};

/* The time of the poll that takes the reply. One that comes late is waited for, and not timed. */
static double delayed_trip(void *argument) {
    struct delayed *d = argument;
    for (int tries = 0; tries < 10; tries++) {
        send(&d->message, d->message.partner, echo_handler);
        double start = now_ns();
        if (time_is_simulated()) { /* an operation takes 1 ns: `fathom probe` sees to it; a clock may take the reply */
            fathom_declare_work((double)d->delay_ns, 0);
            start += (double)d->delay_ns;
            now_ns(); /* the machine passes on what has come when it is asked for the time */
        } else {
            work(d->steps);
            start = now_ns();
        }
        gas_poll();
        double ns = now_ns() - start - d->clock_ns;
        d->all++;
        if (echoed == ++marks) return ns > 0 ? ns : 0;
        d->late++;
        together_wait(&echoed, marks);
    }
    return -1;
}

/* `late`: the share of replies that were not there when the delay was over. */
void receive_overhead_kernel(const struct request *request, struct reply *reply) {
    static struct delayed d;
    size_t delay_ns;
    if (!argument_within(request, reply, "delay_ns", 1000, 0, 1000000000, &delay_ns) ||
        !read_message(request, reply, &d.message) || !communication_begin(request, reply, &d.message.partner))
        return;
    set_out(&d.message);
    if (!together_directs(NULL)) return;
    d.steps = time_is_simulated() ? 0 : steps_of((double)delay_ns);
    d.delay_ns = delay_ns;
    d.late = d.all = 0;
    d.clock_ns = clock_cost();
    sample_rounds(request, reply, delayed_trip, &d);
    reply_fact(reply, "late", d.late / d.all);
    together_end();
}
