/* The endpoint of a thread, its list of who is admitted, and connecting. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "conduit/progress.h"
#include "queues/queues.h"

msg_endpoint *queues_endpoint;
uint64_t fathom_queues_begin_at;
static bool had_endpoint;

/* Written by the thread, read by services in its progress thread. */
struct admission {
    const msg_queue *queue;
    int thread;
    uint32_t source;
};
static struct admission *admissions;
static size_t admitted, room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

msg_endpoint *fathom_queue_endpoint(void) {
    if (queues_endpoint) return queues_endpoint;
    if (had_endpoint) {
        msg_fail("this thread's endpoint has been closed, and a thread has only one");
        return NULL;
    }
    msg_endpoint *e = msg_endpoint_create();
    if (e && !msg_far_create(e, queues_wire())) {
        msg_endpoint_close(e);
        e = NULL;
    }
    if (!e) return NULL;
    had_endpoint = true;
    queues_wire_begin(e->far);
    __atomic_store_n(&queues_endpoint, e, __ATOMIC_RELEASE);
    return e;
}

int fathom_queue_admit(msg_queue *q, int thread, uint32_t source) {
    if (!queues_endpoint || q->endpoint != queues_endpoint)
        return msg_fail("fathom_queue_admit: the queue is not of this thread's endpoint (fathom_queue_endpoint)");
    if (thread != FATHOM_ANY_THREAD && (unsigned)thread >= (unsigned)fathom_threads)
        return msg_fail("fathom_queue_admit: thread %d of %d", thread, fathom_threads);
    pthread_mutex_lock(&lock);
    if (admitted == room) {
        size_t more = room ? 2 * room : 64;
        struct admission *list = realloc(admissions, more * sizeof *list);
        if (list) admissions = list, room = more;
    }
    bool good = admitted < room;
    if (good) admissions[admitted++] = (struct admission){q, thread, source};
    pthread_mutex_unlock(&lock);
    return good ? MSG_OK : msg_fail("no memory for a list of %zu admitted threads", admitted + 1);
}

/* The last word counts, and one about this thread more than one about all. */
msg_queue *queues_admitted(uint64_t number, int thread, uint32_t *source) {
    msg_endpoint *e = __atomic_load_n(&queues_endpoint, __ATOMIC_ACQUIRE);
    msg_queue *q = e && number < MSG_QUEUES ? __atomic_load_n(&e->queue[number], __ATOMIC_ACQUIRE) : NULL;
    if (!q) {
        msg_fail("thread %d has no receive queue %lu", fathom_mythread, (unsigned long)number);
        return NULL;
    }
    bool found = false, by_name = false;
    pthread_mutex_lock(&lock);
    for (size_t i = admitted; i-- > 0 && !by_name;) {
        const struct admission *a = &admissions[i];
        if (a->queue != q || (a->thread != thread && (found || a->thread != FATHOM_ANY_THREAD))) continue;
        found = true;
        by_name = a->thread == thread;
        *source = by_name ? a->source : a->source + (uint32_t)thread;
    }
    pthread_mutex_unlock(&lock);
    if (found) return q;
    msg_fail("receive queue %lu of thread %d does not admit thread %d (fathom_queue_admit)", (unsigned long)number,
             fathom_mythread, thread);
    return NULL;
}

/* ---- questions and answers ---------------------------------------------------------------------------------------- */

enum queues_answer queues_ask(struct queues_waiter *w, int thread, int handler, const void *payload, size_t bytes,
                              const uint64_t *args, int nargs) {
    uint64_t all[8] = {(uintptr_t)w};
    memcpy(all + 1, args, (size_t)nargs * sizeof *args);
    *w = (struct queues_waiter){.done = false};
    core_request(thread, handler, payload, bytes, all, nargs + 1);
    for (unsigned round = 0; !w->done;) core_wait_answer(&round);
    if (w->answer == QUEUES_NO) msg_fail("%.*s", (int)w->bytes, w->payload);
    return w->answer;
}

static void on_answer(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs;
    struct queues_waiter *w = (struct queues_waiter *)(uintptr_t)args[0];
    w->answer = (enum queues_answer)args[1];
    w->bytes = bytes < sizeof w->payload ? bytes : sizeof w->payload;
    if (bytes) memcpy(w->payload, payload, w->bytes);
    w->done = true;
}

void queues_reply(gas_token token, uint64_t waiter, enum queues_answer answer, const void *payload, size_t bytes) {
    core_reply(token, QUEUES_ANSWER, payload, bytes, (uint64_t[]){waiter, answer}, 2);
}

void queues_refuse(gas_token token, uint64_t waiter) {
    queues_reply(token, waiter, QUEUES_NO, msg_error(), strlen(msg_error()));
}

/* ---- connecting --------------------------------------------------------------------------------------------------- */

static void on_dial(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    int thread = gas_token_source(token);
    uint32_t source;
    struct msg_offer offer;
    msg_queue *q = queues_admitted(args[1], thread, &source);
    if (q && msg_far_answer(q, thread, (int)args[3], source, args[2], args[4], &offer) == MSG_OK)
        queues_reply(token, args[0], QUEUES_YES, &offer, sizeof offer);
    else
        queues_refuse(token, args[0]);
}

static int connect_far(msg_transmit *t, unsigned destination, int thread, int queue) {
    bool entered = conduit_enter();
    int number = msg_far_reserve(t->endpoint->far);
    conduit_leave(entered);
    if (number < 0) return MSG_FAILED;
    struct queues_waiter w;
    uint64_t region = t->region ? t->region->memory.bytes : 0;
    enum queues_answer answer =
        queues_ask(&w, thread, QUEUES_DIAL, NULL, 0,
                   (uint64_t[]){(uint64_t)queue, region, (uint64_t)number, fathom_queues_begin_at}, 4);
    entered = conduit_enter();
    int status = MSG_FAILED;
    if (answer == QUEUES_YES) {
        struct msg_offer offer;
        memcpy(&offer, w.payload, sizeof offer);
        status = msg_far_finish(t, destination, thread, number, &offer, fathom_queues_begin_at);
    } else {
        msg_far_withdraw(t->endpoint->far, number);
    }
    conduit_leave(entered);
    return status;
}

int fathom_queue_connect(msg_transmit *t, unsigned destination, int thread, int queue) {
    if (!queues_endpoint || t->endpoint != queues_endpoint)
        return msg_fail(
            "fathom_queue_connect: the transmit queue is not of this thread's endpoint (fathom_queue_endpoint)");
    if ((unsigned)thread >= (unsigned)fathom_threads)
        return msg_fail("fathom_queue_connect: thread %d of %d", thread, fathom_threads);
    if (queue < 0 || queue >= MSG_QUEUES)
        return msg_fail("%d is not a valid number of a queue (0 to %d)", queue, MSG_QUEUES - 1);
    if (!queues_wire()->is_mine())
        return msg_fail("fathom_queue_connect waits for another thread: not in a handler, nor in another POSIX thread");
    if (!msg_row_is_free(t, destination)) return MSG_FAILED;
    if (thread == fathom_mythread) {
        uint32_t source;
        msg_queue *q = queues_admitted((uint64_t)queue, thread, &source);
        return q ? msg_connect(t, destination, q, source) : MSG_FAILED;
    }
    /* A simulated machine has its times from its messages. */
    if (core_is_near(thread) && !core_overrides.wait) {
        enum queues_answer answer = queues_near_connect(t, destination, thread, queue);
        if (answer != QUEUES_NOT_NEAR) return answer == QUEUES_YES ? MSG_OK : MSG_FAILED;
    }
    return connect_far(t, destination, thread, queue);
}

bool fathom_queue_is_far(const msg_transmit *t, unsigned destination) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    return r && r->far;
}

void fathom_queues_start(void) {
    core_service(QUEUES_DIAL, on_dial);
    core_handler(QUEUES_ANSWER, on_answer);
    queues_near_start();
    queues_wire_start();
}
