/* The end of a lane or a row while other threads may be in a call with it.
 *
 * It leaves the arrays where calls look for it. A thread that found it there before may still be about to read a slot, or to
 * store an index, which does no harm as long as the memory is there: so the memory, the descriptors and the struct are
 * freed when LEAST_S have passed. (A thread of this process would have had to lose its processor for that long between two
 * instructions of one call.) A lane whose data are in use, because msg_release has not been called, is neither retired nor freed.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "msg/internal.h"

enum { LEAST_S = 10 };

struct msg_retired {
    struct msg_retired *next;
    struct msg_lane *lane;
    struct msg_row *row;
    int64_t when_s;
};

static int64_t now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

static void keep(msg_endpoint *e, struct msg_lane *l, struct msg_row *r) {
    struct msg_retired *old = malloc(sizeof *old);
    if (!old) return; /* lost until the process ends, which is better than freed too early */
    *old = (struct msg_retired){.lane = l, .row = r, .when_s = now_s()};
    pthread_mutex_lock(&e->setting_up);
    old->next = e->retired;
    e->retired = old;
    pthread_mutex_unlock(&e->setting_up);
}

void msg_lane_retire(msg_queue *q, struct msg_lane *l) {
    msg_endpoint *e = q->endpoint;
    pthread_mutex_lock(&e->setting_up);
    /* The sender's process may hold the descriptor, too: closing it here would leave it in the set. */
    if (e->epoll >= 0) epoll_ctl(e->epoll, EPOLL_CTL_DEL, l->event, NULL);
    __atomic_store_n(&q->lane[l->number], NULL, __ATOMIC_RELEASE);
    q->setting_up[l->number] = NULL;
    pthread_mutex_unlock(&e->setting_up);
    keep(e, l, NULL);
}

void msg_row_retire(msg_transmit *t, unsigned destination, struct msg_row *r) {
    __atomic_store_n(&t->row[destination], NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&r->gone, true, __ATOMIC_RELEASE);
    keep(t->endpoint, NULL, r);
}

void msg_retired_free(msg_endpoint *e, bool all) {
    struct msg_retired *gone = NULL;
    pthread_mutex_lock(&e->setting_up);
    for (struct msg_retired **at = &e->retired; *at;) {
        struct msg_retired *old = *at;
        /* A Bulk job may wait for its turn for as long as it likes, and names its row. */
        bool in_use = old->row ? old->row->window != NULL : old->lane->lent != old->lane->returned;
        if (!all && (in_use || now_s() - old->when_s < LEAST_S)) {
            at = &old->next;
            continue;
        }
        *at = old->next;
        old->next = gone;
        gone = old;
    }
    pthread_mutex_unlock(&e->setting_up);
    while (gone) {
        struct msg_retired *next = gone->next;
        msg_lane_free(gone->lane);
        msg_row_free(gone->row);
        free(gone);
        gone = next;
    }
}

/* The place of the next message to be received; of a Basic queue bytes that were released. */
static uint64_t taken_of(const struct msg_in *in, bool basic) {
    uint64_t head = __atomic_load_n(&in->head, __ATOMIC_ACQUIRE);
    return basic ? head : lane_place_of(head);
}

/* How many places from `head` on are filled: they are so without gaps, and so a search by halves finds the end. */
static uint64_t filled(const struct msg_slot *slot, uint32_t slots, uint32_t shift, uint64_t head) {
    uint64_t least = 0, most = slots; /* the first that is not filled is in between */
    while (least < most) {
        uint64_t middle = (least + most) / 2, place = head + middle;
        uint64_t stamp = __atomic_load_n(&slot[place & (slots - 1)].stamp, __ATOMIC_ACQUIRE);
        if (msg_round_of(stamp) == lane_round(place, shift))
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

void msg_lane_count(const msg_queue *q, const struct msg_lane *l, uint64_t *taken, uint64_t *sent) {
    *taken = taken_of(l->lane.in, q->basic);
    *sent = q->basic ? __atomic_load_n(&l->lane.out->producer, __ATOMIC_ACQUIRE)
                     : *taken + filled(l->lane.slot, l->lane.slots, l->lane.shift, *taken);
}

void msg_row_count(const struct msg_row *r, uint64_t *taken, uint64_t *sent) {
    *taken = taken_of(r->lane.in, r->basic);
    *sent = r->basic ? __atomic_load_n(&r->out->producer, __ATOMIC_ACQUIRE)
                     : *taken + filled(r->lane.slot, r->lane.slots, r->lane.shift, *taken);
}

bool msg_lane_is_drained(const msg_queue *q, const struct msg_lane *l, uint64_t sent) {
    bool all = __atomic_load_n(&l->returned, __ATOMIC_ACQUIRE) == __atomic_load_n(&l->lent, __ATOMIC_ACQUIRE);
    if (q->basic) all = __atomic_load_n(&l->read, __ATOMIC_ACQUIRE) == taken_of(l->lane.in, true);
    if (__atomic_load_n(&l->broken, __ATOMIC_RELAXED)) return all;
    /* Empty now is empty for good, unless a malicious sender goes on: then what it had sent at its end counts. */
    uint64_t taken, now;
    msg_lane_count(q, l, &taken, &now);
    return all && (taken == now || (int64_t)(taken - sent) >= 0);
}
