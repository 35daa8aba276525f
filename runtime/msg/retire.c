/* The end of a lane or a row while other threads may be in a call with it.
 *
 * It leaves the arrays where calls look for it. A thread that found it there before may still be about to read a slot, or to
 * store an index: so the memory, the descriptors and the struct are freed after a *grace period*. It begins when the lane or
 * row is in no array; it is over when every thread that was inside a call then (inside.h) has left that call. It does not depend
 * on time: a thread that is stopped inside a call keeps what it may use, for as long as it is stopped.
 *
 * Calls are not all that names a lane or row. What a Bulk job names is kept until the job is done, a row with a reserved record until
 * it is published, and a lane whose data or record the program still reads until that has been released. These are looked at after the
 * grace period: then no call can add to them. Another lane may have its number meanwhile: so a message names its lane by
 * number and serial number, and its release meets no other sender's.
 */
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "msg/channel.h"

/* ---- threads ------------------------------------------------------------------------------------------------------ */

_Thread_local struct msg_caller *msg_caller;

/* Of threads for which there is no memory. As soon as there is one, nothing is freed any more. */
static struct msg_caller unknown = {.word = 1};
static bool has_unknown;
static struct msg_caller *callers;
static pthread_key_t of_thread;
static bool has_key;

enum { CALLERS_BYTES = 4096 };

/* Another thread may have it. It is not inside: a destructor of another key that makes a call gets one anew. */
static void caller_end(void *with) {
    struct msg_caller *c = with;
    msg_caller = NULL;
    __atomic_store_n(&c->used, 0, __ATOMIC_RELEASE);
}

/* ---- grace periods: of the process, because threads are; one at a time, numbered ---------------------------------- */

static pthread_mutex_t grace = PTHREAD_MUTEX_INITIALIZER;
static uint64_t begun, over;

/* The other threads do not exist in the child. */
static void caller_forked(void) {
    grace = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    for (struct msg_caller *c = callers; c; c = c->next) {
        if (c == msg_caller) continue;
        c->word &= ~1ull;
        c->used = 0;
    }
}

static void callers_start(void) {
    has_key = pthread_key_create(&of_thread, caller_end) == 0 && pthread_atfork(NULL, NULL, caller_forked) == 0;
}

void msg_callers_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, callers_start);
}

static struct msg_caller *take_unused(void) {
    for (struct msg_caller *c = __atomic_load_n(&callers, __ATOMIC_ACQUIRE); c; c = c->next) {
        uint32_t unused = 0;
        if (__atomic_compare_exchange_n(&c->used, &unused, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return c;
    }
    return NULL;
}

/* No malloc, because the first call of a thread may be in a signal handler. */
static struct msg_caller *make_some(void) {
    struct msg_caller *c = mmap(NULL, CALLERS_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (c == MAP_FAILED) return NULL;
    enum { COUNT = CALLERS_BYTES / sizeof *c };
    for (int i = 0; i + 1 < COUNT; i++) c[i].next = &c[i + 1];
    c->used = 1;
    c[COUNT - 1].next = __atomic_load_n(&callers, __ATOMIC_ACQUIRE);
    /* Whoever frees either finds it in the list, or this thread will find nothing of what is freed. */
    while (!__atomic_compare_exchange_n(&callers, &c[COUNT - 1].next, c, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE)) {}
    return c;
}

__attribute__((cold, noinline)) struct msg_caller *msg_caller_new(void) {
    struct msg_caller *c = has_key ? take_unused() : NULL;
    if (has_key && !c) c = make_some();
    if (!c) {
        __atomic_store_n(&has_unknown, true, __ATOMIC_SEQ_CST);
        return msg_caller = &unknown;
    }
    pthread_setspecific(of_thread, c); /* if it fails, this thread's stays used for ever, and is not inside then */
    return msg_caller = c;
}

/* Every thread of this process executes a fence; false: the kernel cannot do that, and nothing is freed before the end. */
static bool fence_all(void) {
#ifdef MSG_TSAN
    msg_fence();
    return true;
#else
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return true;
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 &&
           syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
#endif
}

/* Has every thread left the call in which it was when the period began? */
static bool all_have_left(void) {
    for (struct msg_caller *c = __atomic_load_n(&callers, __ATOMIC_ACQUIRE); c; c = c->next)
        if (c->seen & 1 && __atomic_load_n(&c->word, __ATOMIC_ACQUIRE) == c->seen) return false;
    return true;
}

/* The period that begins after now: what is in no array now can be freed when it is over. */
uint64_t msg_grace_ask(void) {
    pthread_mutex_lock(&grace);
    uint64_t next = begun + 1;
    pthread_mutex_unlock(&grace);
    return next;
}

bool msg_grace_is_over(uint64_t period) {
    pthread_mutex_lock(&grace);
    /* One that has begun ends first; the next begins at once. */
    for (int i = 0; i < 2 && over < period; i++) {
        if (begun == over) {
            if (!fence_all() || __atomic_load_n(&has_unknown, __ATOMIC_SEQ_CST)) break;
            for (struct msg_caller *c = __atomic_load_n(&callers, __ATOMIC_ACQUIRE); c; c = c->next)
                c->seen = __atomic_load_n(&c->word, __ATOMIC_ACQUIRE);
            begun++;
        }
        if (!all_have_left()) break;
        over = begun;
    }
    bool is_over = over >= period;
    pthread_mutex_unlock(&grace);
    return is_over;
}

/* ---- what has ended ----------------------------------------------------------------------------------------------- */

/* It is in no array any more. */
static void keep(msg_endpoint *e, struct msg_retired *old) {
    old->grace = msg_grace_ask();
    old->next = e->retired;
    e->retired = old;
}

void msg_lane_retire(msg_queue *q, struct msg_lane *l) {
    msg_endpoint *e = q->endpoint;
    pthread_mutex_lock(&e->setting_up);
    /* A child of a fork may hold the descriptor, too: closing it here would leave it in the set. */
    if (e->epoll >= 0) epoll_ctl(e->epoll, EPOLL_CTL_DEL, l->event, NULL);
    __atomic_store_n(&q->lane[l->number], NULL, __ATOMIC_RELEASE);
    q->setting_up[l->number] = NULL;
    l->retired.lane = l;
    l->retired.queue = q;
    keep(e, &l->retired);
    pthread_mutex_unlock(&e->setting_up);
}

static bool row_retire(msg_transmit *t, unsigned destination, struct msg_row *r, bool is_gone) {
    pthread_mutex_lock(&t->endpoint->setting_up);
    bool is_there = t->row[destination] == r;
    if (is_there) {
        __atomic_store_n(&r->gone, is_gone, __ATOMIC_RELEASE);
        if (!is_gone) __atomic_fetch_add(&t->given_back, 1, __ATOMIC_RELEASE);
        __atomic_store_n(&t->row[destination], NULL, __ATOMIC_RELEASE);
        r->retired.row = r;
        r->retired.destination = destination;
        keep(t->endpoint, &r->retired);
    }
    pthread_mutex_unlock(&t->endpoint->setting_up);
    return is_there;
}

void msg_row_retire(msg_transmit *t, unsigned destination, struct msg_row *r) { row_retire(t, destination, r, true); }

bool msg_row_give_back(msg_transmit *t, unsigned destination, struct msg_row *r) {
    return row_retire(t, destination, r, false);
}

/* Of a MSG_SINGLE row: is a record reserved, or added and not published? */
static bool has_begun_record(const struct msg_row *r) {
    return __atomic_load_n(&r->reserved, __ATOMIC_ACQUIRE) ||
           __atomic_load_n(&r->written, __ATOMIC_RELAXED) != __atomic_load_n(&r->sent, __ATOMIC_RELAXED);
}

/* The row in which this thread has reserved a record, if it has ended since. */
struct msg_row *msg_row_reserved_once(msg_transmit *t, unsigned destination) {
    struct msg_row *found = NULL;
    pthread_mutex_lock(&t->endpoint->setting_up);
    for (struct msg_retired *old = t->endpoint->retired; old && !found; old = old->next) {
        struct msg_row *r = old->row;
        if (!r || !r->basic || r->transmit != t || old->destination != destination) continue;
        if (r->single ? has_begun_record(r) : msg_lock_is_mine(&r->lock)) found = r;
    }
    pthread_mutex_unlock(&t->endpoint->setting_up);
    return found;
}

/* Under the lock, because the lane may be freed as soon as nothing names it. */
void msg_retired_release(msg_queue *q, const msg_message *m) {
    pthread_mutex_lock(&q->endpoint->setting_up);
    for (struct msg_retired *old = q->endpoint->retired; old; old = old->next) {
        struct msg_lane *l = old->lane;
        if (!l || old->queue != q || l->number != m->lane || l->serial != m->serial) continue;
        if (m->kind == MSG_RECORD)
            msg_basic_release(q, l);
        else
            __atomic_fetch_add(&l->returned, 1, __ATOMIC_RELEASE);
        break;
    }
    pthread_mutex_unlock(&q->endpoint->setting_up);
}

static uint64_t taken_of(const struct msg_in *in, bool basic);

/* Has the program released all that it has received? */
static bool has_released_all(const msg_queue *q, const struct msg_lane *l) {
    if (q->basic) return __atomic_load_n(&l->read, __ATOMIC_ACQUIRE) == taken_of(l->lane.in, true);
    return __atomic_load_n(&l->returned, __ATOMIC_ACQUIRE) == __atomic_load_n(&l->lent, __ATOMIC_ACQUIRE);
}

/* Behind the grace period: may something be sent by the row? */
static bool is_sending(const struct msg_row *r) {
    if (__atomic_load_n(&r->jobs, __ATOMIC_ACQUIRE)) return true;
    return r->single ? has_begun_record(r) : __atomic_load_n(&r->lock.state, __ATOMIC_ACQUIRE) != 0;
}

/* Behind the grace period: does something other than a call still name it? */
static bool is_named(const struct msg_retired *old) {
    const struct msg_row *r = old->row;
    if (old->lane) return !has_released_all(old->queue, old->lane);
    if (is_sending(r)) return true;
    /* Tickets: msg_is_released. */
    return !r->gone && !r->basic && r->has_region && lane_lends_any(&r->lane) && !msg_event_is_alone(r->event);
}

bool msg_row_is_silent(msg_endpoint *e, const struct msg_row *r) {
    pthread_mutex_lock(&e->setting_up);
    const struct msg_retired *old = e->retired;
    while (old && old->row != r) old = old->next;
    bool is = !old || (msg_grace_is_over(old->grace) && !is_sending(r)); /* what has been freed was silent */
    pthread_mutex_unlock(&e->setting_up);
    return is;
}

void msg_retired_free(msg_endpoint *e, bool all) {
    struct msg_retired *gone = NULL;
    pthread_mutex_lock(&e->setting_up);
    for (struct msg_retired **at = &e->retired; *at;) {
        struct msg_retired *old = *at;
        if (!all && (!msg_grace_is_over(old->grace) || is_named(old))) {
            at = &old->next;
            continue;
        }
        *at = old->next;
        old->next = gone;
        gone = old;
        if (!old->row) continue;
        /* Behind all that was sent: nobody is in a call with it. */
        __atomic_store_n(&old->row->out->ended, 1, __ATOMIC_RELEASE);
        if (!all && !old->row->gone) __atomic_fetch_sub(&old->row->transmit->given_back, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&e->setting_up);
    while (gone) {
        struct msg_retired old = *gone; /* it is a part of what is freed */
        msg_lane_free(old.lane);
        msg_row_free(old.row);
        gone = old.next;
    }
}

/* The place of the next message to be received; of a Basic queue bytes that were released. */
static uint64_t taken_of(const struct msg_in *in, bool basic) {
    uint64_t head = __atomic_load_n(&in->head, __ATOMIC_ACQUIRE);
    return basic ? head : lane_place_of(head);
}

static void count(const struct lane_ring *rings, uint32_t n, const struct msg_in *in, uint64_t *taken, uint64_t *sent) {
    uint64_t head = __atomic_load_n(&in->head, __ATOMIC_ACQUIRE);
    *taken = lane_place_of(head);
    *sent = *taken + lane_waiting(rings, n, head);
}

void msg_lane_count(const msg_queue *q, const struct msg_lane *l, uint64_t *taken, uint64_t *sent) {
    *taken = taken_of(l->lane.in, q->basic);
    if (q->basic)
        *sent = __atomic_load_n(&l->lane.out->producer, __ATOMIC_ACQUIRE);
    else
        count(l->lane.ring, l->lane.rings, l->lane.in, taken, sent);
}

void msg_row_count(const struct msg_row *r, uint64_t *taken, uint64_t *sent) {
    *taken = taken_of(r->lane.in, r->basic);
    if (r->basic)
        *sent = __atomic_load_n(&r->out->producer, __ATOMIC_ACQUIRE);
    else
        count(r->lane.ring, r->lane.rings, r->lane.in, taken, sent);
}

bool msg_lane_is_drained(const msg_queue *q, const struct msg_lane *l, uint64_t sent) {
    bool all = has_released_all(q, l);
    if (__atomic_load_n(&l->broken, __ATOMIC_RELAXED)) return all;
    /* Empty now is empty for good, unless a malicious sender goes on: then what it had sent at its end counts. */
    uint64_t taken, now;
    msg_lane_count(q, l, &taken, &now);
    return all && (taken == now || (int64_t)(taken - sent) >= 0);
}

/* ---- rows that are given back ------------------------------------------------------------------------------------- */

/* A ticket of a row that has been given back. The row may have been connected anew, and the ticket be one of that row's: then it waits
 * for data of the former one, too, if there are some in its slot. */
bool msg_retired_is_released(msg_transmit *t, unsigned destination, uint64_t ticket) {
    bool is = true;
    if (ticket == MSG_NO_TICKET) return true;
    pthread_mutex_lock(&t->endpoint->setting_up);
    for (struct msg_retired *old = t->endpoint->retired; old && is; old = old->next) {
        struct msg_row *r = old->row;
        if (r && r->transmit == t && old->destination == destination && !r->gone && !r->basic)
            is = !lane_lends(&r->lane, ticket);
    }
    pthread_mutex_unlock(&t->endpoint->setting_up);
    return is;
}

int msg_disconnect(msg_transmit *t, unsigned destination) {
    if (msg_is_null(t, "the transmit queue")) return MSG_FAILED;
    if (destination >= t->destinations)
        return msg_fail("transmit queue %d has no row %u (0 to %u)", t->number, destination, t->destinations - 1);
    struct msg_call call = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    bool is_far = r && r->far;
    struct msg_broker *broker = r ? r->broker : NULL;
    int (*hang_up)(struct msg_broker *, msg_transmit *, unsigned) = r ? r->hang_up : NULL;
    bool is_given_back = r && !is_far && !hang_up && msg_row_give_back(t, destination, r);
    msg_queue *near = is_given_back ? t->endpoint->queue[r->queue] : NULL; /* if the row leads to this endpoint */
    msg_leave(&call);
    if (is_far)
        return msg_fail("row %u of transmit queue %d leads to another computer, and ends with the job", destination,
                        t->number);
    if (hang_up) return hang_up(broker, t, destination);
    if (!is_given_back) return msg_fail("row %u of transmit queue %d is not connected", destination, t->number);
    if (near)
        msg_queue_tidy(near, false);
    else
        msg_retired_free(t->endpoint, false);
    return MSG_OK;
}

static bool has_ended(const struct msg_lane *l, bool with_dead) {
    if (l->far || l->of_broker) return false;
    return __atomic_load_n(&l->lane.out->ended, __ATOMIC_ACQUIRE) || (with_dead && msg_event_is_alone(l->event));
}

/* Has the lane ended, and been emptied? */
static bool is_over(const msg_queue *q, const struct msg_lane *l, bool with_dead) {
    uint64_t taken, sent;
    if (!has_ended(l, with_dead)) return false;
    msg_lane_count(q, l, &taken, &sent);
    return msg_lane_is_drained(q, l, sent);
}

void msg_queue_tidy(msg_queue *q, bool with_dead) {
    msg_endpoint *e = q->endpoint;
    uint64_t found[MSG_SET_WORDS] = {0}, any = 0;
    /* One thread at a time: else two might take the same lane away. */
    if (__atomic_exchange_n(&e->is_tidied, true, __ATOMIC_ACQUIRE)) return;
    if (__atomic_load_n(&e->retired, __ATOMIC_RELAXED))
        msg_retired_free(e, false); /* rows: then their lanes have ended */
    for (unsigned k = 0; k < __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE); k++) {
        struct msg_lane *l = __atomic_load_n(&q->lane[k], __ATOMIC_ACQUIRE);
        if (l && is_over(q, l, with_dead)) any |= found[k / 64] |= 1ull << k % 64;
    }
    /* A thread may have taken a message and not yet counted its data: it has when it has left its call. */
    if (any && msg_grace_is_over(msg_grace_ask()))
        for (unsigned k = 0; k < MSG_LANES; k++)
            if (found[k / 64] >> k % 64 & 1 && is_over(q, q->lane[k], with_dead)) msg_lane_retire(q, q->lane[k]);
    if (__atomic_load_n(&e->retired, __ATOMIC_RELAXED)) msg_retired_free(e, false);
    __atomic_store_n(&e->is_tidied, false, __ATOMIC_RELEASE);
}
