/* Which lanes are resident, that is, stay in their large ring when they are empty. It is decided where the need shows: by the thread that
 * follows a lane into its large ring, where a sender has gone because the small one was full. A lane becomes resident if there
 * is a free place, or if it has twice as many messages in a period as the least used resident, which is sent back. The receiver
 * only says in `in` what it wants; senders move when they look, and as the rings allow (lane.h). So a wrong
 * decision, or none because another thread is deciding, costs moves and nothing else. (A batch counts as one message.)
 */
#define _GNU_SOURCE
#include <time.h>

#include "msg/internal.h"

#define PERIOD_NS 20000000ll

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static uint64_t place_of(const struct msg_lane *l) {
    return lane_place_of(__atomic_load_n(&l->lane.in->head, __ATOMIC_RELAXED));
}

/* The caller is inside a call: so the lane stays. Null: it has ended, and perhaps another has its number. */
static struct msg_lane *lane_of(msg_endpoint *e, unsigned i) {
    msg_queue *q = __atomic_load_n(&e->queue[e->residents.of[i].queue], __ATOMIC_ACQUIRE);
    struct msg_lane *l = q ? __atomic_load_n(&q->lane[e->residents.of[i].lane], __ATOMIC_ACQUIRE) : NULL;
    return l && l->use.is_resident ? l : NULL;
}

static void set(struct msg_lane *l, bool is_resident) {
    __atomic_store_n(&l->use.is_resident, is_resident, __ATOMIC_RELAXED);
    __atomic_store_n(&l->lane.in->is_resident, is_resident, __ATOMIC_RELAXED);
}

/* Takes number i out; the last comes into its place. */
static void drop(msg_endpoint *e, unsigned i) {
    struct msg_lane *l = lane_of(e, i);
    if (l) set(l, false);
    e->residents.of[i] = e->residents.of[--e->residents.count];
}

/* At the end of a period: rates are halved, and what has been taken since is added. Ended lanes leave. */
static void count_period(msg_endpoint *e, int64_t now) {
    struct msg_residents *r = &e->residents;
    double periods = (double)(now - r->began_ns) / PERIOD_NS;
    if (periods < 1) return;
    r->began_ns = now;
    for (unsigned i = r->count; i-- > 0;) {
        struct msg_lane *l = lane_of(e, i);
        if (!l) {
            drop(e, i);
            continue;
        }
        uint64_t place = place_of(l);
        double rate = (double)(place - l->use.place) / periods;
        l->use.rate = periods < 2 ? (l->use.rate + rate) / 2 : rate;
        l->use.place = place;
    }
}

static void add(msg_queue *q, struct msg_lane *l, double rate) {
    struct msg_residents *r = &q->endpoint->residents;
    r->of[r->count].queue = q->number;
    r->of[r->count++].lane = l->number;
    l->use.rate = rate;
    set(l, true);
}

static void decide(msg_queue *q, struct msg_lane *l) {
    msg_endpoint *e = q->endpoint;
    struct msg_residents *r = &e->residents;
    int64_t now = now_ns(), since = now - l->use.at_ns;
    uint64_t place = place_of(l);
    double rate = (double)(place - l->use.place) * PERIOD_NS / (double)(since > 0 ? since : 1);
    if (l->use.is_resident) return;
    l->use.place = place;
    l->use.at_ns = now;
    count_period(e, now);
    unsigned least = 0;
    struct msg_lane *of_least = NULL;
    for (unsigned i = 0; i < r->count; i++) {
        struct msg_lane *other = lane_of(e, i);
        if (other && (!of_least || other->use.rate < of_least->use.rate)) least = i, of_least = other;
    }
    if (r->count >= r->most) {
        if (!of_least || rate <= 2 * of_least->use.rate) return;
        drop(e, least);
    }
    add(q, l, rate);
}

static bool try_lock(struct msg_residents *r) { return !__atomic_exchange_n(&r->lock, 1, __ATOMIC_ACQUIRE); }
static void unlock(struct msg_residents *r) { __atomic_store_n(&r->lock, 0, __ATOMIC_RELEASE); }

__attribute__((cold)) void msg_lane_moved(msg_queue *q, struct msg_lane *l, bool into_large) {
    __atomic_fetch_add(&l->use.moves, 1, __ATOMIC_RELAXED);
    if (!into_large || !try_lock(&q->endpoint->residents)) return;
    decide(q, l);
    unlock(&q->endpoint->residents);
}

int msg_set_residents(msg_endpoint *e, unsigned most) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    if (most > MSG_MOST_RESIDENTS)
        return msg_fail("%u is not a valid number of resident senders (0 to %d)", most, MSG_MOST_RESIDENTS);
    while (!try_lock(&e->residents)) msg_pause();
    e->residents.most = most;
    while (e->residents.count > most) drop(e, e->residents.count - 1);
    unlock(&e->residents);
    return MSG_OK;
}

bool msg_lane_use(const msg_queue *q, unsigned lane, uint32_t *moves, bool *is_resident) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    const struct msg_lane *l = lane < MSG_LANES ? __atomic_load_n(&q->lane[lane], __ATOMIC_ACQUIRE) : NULL;
    if (!l) return false;
    *moves = __atomic_load_n(&l->use.moves, __ATOMIC_RELAXED);
    *is_resident = __atomic_load_n(&l->use.is_resident, __ATOMIC_RELAXED);
    return true;
}
