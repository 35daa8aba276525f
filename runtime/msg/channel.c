/* A channel: a row of a destination table here and a lane of a receive queue there, made together in four steps.
 *
 *     receiver: offer    makes `in` and the event descriptor, says how large the ring is    descriptors in, bell, event, window or none
 *     sender:   accept   maps `in` and the bell, makes `out`                                descriptors out, region or none
 *     receiver: finish   maps `out` and the region; from now on messages are received
 *     sender:   finish   the row exists
 *
 * In one process all four follow each other; between two, each step's struct and descriptors travel through a socket, directly
 * (msg_dial, msg_answer) or by way of the broker. Each side checks what comes from the other as if it were malicious:
 * numbers against bounds, descriptors for size and seals. What has been checked is copied; nothing is read twice.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "msg/channel.h"

static size_t pages(size_t bytes) { return (bytes + MSG_PAGE - 1) / MSG_PAGE * MSG_PAGE; }

/* Where the parts of `out` lie. */
static size_t ring_bytes(bool basic, uint32_t slots) { return pages(basic ? slots : slots * sizeof(struct msg_slot)); }
size_t msg_out_bytes(bool basic, uint32_t slots) {
    return MSG_PAGE + ring_bytes(basic, slots) + (basic ? 0 : (size_t)MSG_CELLS * MSG_CELL_BYTES);
}
size_t msg_in_bytes(bool basic, uint32_t slots) {
    return pages(sizeof(struct msg_in) + (basic ? 0 : (MSG_SMALL + slots) * sizeof(uint64_t)));
}
static bool may_have_two_rings(bool basic, uint32_t slots) { return !basic && slots >= MSG_LEAST_LARGE; }

/* A copy of a descriptor that the other side may close. */
static int copy_of(int fd) {
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) msg_fail("cannot copy a descriptor: %s", strerror(errno));
    return copy;
}

/* ---- the receiver ------------------------------------------------------------------------------------------------ */

bool msg_lane_number(msg_queue *q, struct msg_lane *l) {
    pthread_mutex_lock(&q->endpoint->setting_up);
    unsigned number = 0;
    while (number < MSG_LANES && q->setting_up[number]) number++;
    if (number < MSG_LANES) q->setting_up[number] = l;
    pthread_mutex_unlock(&q->endpoint->setting_up);
    l->number = (uint16_t)number;
    if (number < MSG_LANES) return true;
    msg_fail("receive queue %d has %d senders already, the most that there can be", q->number, MSG_LANES);
    return false;
}

void msg_offer_withdraw(msg_queue *q, struct msg_lane *l) {
    if (!l) return;
    pthread_mutex_lock(&q->endpoint->setting_up);
    q->setting_up[l->number] = NULL;
    pthread_mutex_unlock(&q->endpoint->setting_up);
    msg_lane_free(l);
}

static bool watch_event(msg_endpoint *e, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(e->epoll, EPOLL_CTL_ADD, fd, &event) == 0) return true;
    msg_fail("cannot watch an event descriptor: %s", strerror(errno));
    return false;
}
static bool watch(msg_endpoint *e, struct msg_lane *l) {
    bool is_foul = __atomic_load_n(&l->emptying, __ATOMIC_RELAXED) == LANE_IS_FOUL;
    return is_foul || watch_event(e, l->event);
}

struct msg_lane *msg_offer(msg_queue *q, uint32_t source, struct msg_offer *offer, int fds[MSG_OFFER_FDS]) {
    msg_queue_tidy(q, false);
    struct msg_lane *l = msg_lane_new();
    if (!l) return NULL;
    if (!msg_lane_number(q, l)) {
        msg_queue_tidy(q, true);
        if (!msg_lane_number(q, l)) {
            msg_lane_free(l);
            return NULL;
        }
    }
    l->source = source;
    for (int i = 0; i < MSG_OFFER_FDS; i++) fds[i] = -1;
    if (msg_memory_make(&l->of_in, "fathom-msg-in", msg_in_bytes(q->basic, q->slots),
                        MSG_SEAL_SIZE | MSG_SEAL_OTHERS)) {
        int pair[2] = {-1, -1};
        if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
            msg_fail("cannot make an event descriptor: %s", strerror(errno));
        for (int i = 0; i < 2 && pair[0] >= 0; i++) l->may_bring = !msg_event_refuses(pair[i]);
        l->event = pair[0];
        fds[0] = l->of_in.fd;
        fds[1] = pair[0] < 0 ? -1 : copy_of(q->endpoint->of_bell.fd);
        fds[2] = pair[1];
        l->of_in.fd = -1;
        l->lane.in = l->of_in.at;
        bool good = fds[1] >= 0;
        if (good && q->window_bytes) {
            good = msg_memory_make(&l->of_window, "fathom-msg-window", q->window_bytes, MSG_SEAL_SIZE);
            fds[3] = l->of_window.fd;
            l->of_window.fd = -1;
            l->window = l->of_window.at;
            l->window_bytes = q->window_bytes;
        }
        *offer = (struct msg_offer){.magic = MSG_MAGIC_OFFER,
                                    .version = MSG_VERSION,
                                    .slots = q->slots,
                                    .basic = q->basic,
                                    .queue = q->number,
                                    .lane = l->number,
                                    .rings = may_have_two_rings(q->basic, q->slots) ? 2 : 1,
                                    .window_bytes = q->window_bytes};
        if (good) return l;
        for (int i = 0; i < MSG_OFFER_FDS; i++)
            if (fds[i] >= 0) close(fds[i]);
    }
    msg_offer_withdraw(q, l);
    return NULL;
}

/* A page of a new memory exists once it is touched, which takes a microsecond: now, and not when the first message comes or a
 * poll guards the lane. */
static void touch(struct msg_lane *l) {
    __atomic_fetch_add(&l->lane.in->head, 0, __ATOMIC_RELAXED);
    __atomic_load_n(&l->lane.out->awaits_room, __ATOMIC_RELAXED);
    __atomic_load_n(&l->lane.ring[0].slot->stamp, __ATOMIC_RELAXED);
}

bool msg_lane_begin(msg_queue *q, struct msg_lane *l) {
    msg_endpoint *e = q->endpoint;
    char *out = l->of_out.at;
    l->lane.in = l->of_in.at;
    l->lane.out = l->of_out.at;
    l->lane.rings = lane_rings(l->lane.ring, !l->far && may_have_two_rings(q->basic, q->slots) ? 2 : 1, l->lane.out,
                               (const struct msg_slot *)(out + MSG_PAGE), l->lane.in, q->slots);
    lane_take_begin(&l->lane);
    l->lane.cells = (const uint64_t *)(out + MSG_PAGE + ring_bytes(q->basic, q->slots));
    l->lane.region = l->of_region.at;
    touch(l);
    pthread_mutex_lock(&e->setting_up);
    bool good = e->epoll < 0 || watch(e, l);
    if (good) {
        l->serial = ++q->begun;
        __atomic_store_n(&q->lane[l->number], l, __ATOMIC_RELEASE);
        if (q->lanes <= l->number) __atomic_store_n(&q->lanes, l->number + 1u, __ATOMIC_RELEASE);
        /* A set may be armed, and its thread asleep: the broker's thread is another. */
        msg_lane_arm(q, l);
    }
    pthread_mutex_unlock(&e->setting_up);
    return good;
}

int msg_offer_finish(msg_queue *q, struct msg_lane *l, const struct msg_accept *accept, int fds[MSG_ACCEPT_FDS]) {
    bool good = false;
    if (accept->magic == MSG_MAGIC_OFFER)
        msg_fail("the other side answers, too: the one that sends has to dial");
    else if (accept->magic != MSG_MAGIC_ACCEPT || accept->version != MSG_VERSION)
        msg_fail("the sender speaks another version of the protocol of queues (%#x, %u)", accept->magic,
                 accept->version);
    else if (accept->region_bytes > (uint64_t)MSG_LINE << 28)
        msg_fail("the sender's region has %llu bytes, more than 16 GiB", (unsigned long long)accept->region_bytes);
    else if (fds[0] < 0 || (fds[1] < 0) != (accept->region_bytes == 0))
        msg_fail("the sender's descriptors are missing");
    else
        good = true;
    if (good) {
        good = msg_memory_map(&l->of_out, fds[0], "ring", msg_out_bytes(q->basic, q->slots),
                              MSG_SEAL_SIZE | MSG_SEAL_OTHERS, false);
        fds[0] = -1;
    }
    if (good && fds[1] >= 0) {
        good = msg_memory_map(&l->of_region, fds[1], "region", accept->region_bytes, MSG_SEAL_SIZE | MSG_SEAL_OTHERS,
                              false);
        fds[1] = -1;
    }
    for (int i = 0; i < MSG_ACCEPT_FDS; i++) msg_close_foreign(fds[i]);
    if (good) {
        l->lane.region_bytes = accept->region_bytes;
        good = msg_lane_begin(q, l);
    }
    if (!good) msg_offer_withdraw(q, l);
    return good ? MSG_OK : MSG_FAILED;
}

/* Lanes that come later are added by msg_offer_finish. */
int msg_fd(msg_endpoint *e) {
    pthread_mutex_lock(&e->setting_up);
    if (e->epoll < 0) {
        e->epoll = epoll_create1(EPOLL_CLOEXEC);
        if (e->epoll < 0) msg_fail("cannot make an epoll descriptor: %s", strerror(errno));
        e->event = e->epoll < 0 ? -1 : eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (e->epoll >= 0 && e->event < 0) msg_fail("cannot make an event descriptor: %s", strerror(errno));
        bool good = e->event >= 0 && watch_event(e, e->event);
        for (int i = 0; good && i < MSG_QUEUES; i++)
            for (unsigned k = 0; good && e->queue[i] && k < e->queue[i]->lanes; k++)
                good = !e->queue[i]->lane[k] || watch(e, e->queue[i]->lane[k]);
        if (!good && e->event >= 0) close(e->event);
        if (!good && e->epoll >= 0) close(e->epoll);
        if (!good) e->epoll = e->event = -1;
    }
    pthread_mutex_unlock(&e->setting_up);
    return e->epoll;
}

/* ---- the sender -------------------------------------------------------------------------------------------------- */

static bool is_sane(const struct msg_offer *o, const int fds[MSG_OFFER_FDS]) {
    uint32_t least = o->basic ? 256 : 4, most = o->basic ? 1u << 30 : MSG_MOST_SLOTS;
    if (o->magic != MSG_MAGIC_OFFER || o->version != MSG_VERSION)
        msg_fail("the receiver speaks another version of the protocol of queues (%#x, %u)", o->magic, o->version);
    else if (o->slots < least || o->slots > most || (o->slots & (o->slots - 1)))
        msg_fail("the receiver's queue has an impossible size (%u)", o->slots);
    else if (o->queue >= MSG_QUEUES || o->lane >= MSG_LANES || o->basic > 1)
        msg_fail("the receiver's queue has an impossible number (%u, lane %u)", o->queue, o->lane);
    else if (o->rings < 1 || o->rings > 2 || (o->rings == 2 && !may_have_two_rings(o->basic, o->slots)))
        msg_fail("the receiver's queue of %u slots has %u rings", o->slots, o->rings);
    else if (o->window_bytes > (uint64_t)MSG_LINE << 28)
        msg_fail("the receiver's window has %llu bytes, more than 16 GiB", (unsigned long long)o->window_bytes);
    else if (fds[0] < 0 || fds[1] < 0 || fds[2] < 0 || (fds[3] < 0) != (o->window_bytes == 0))
        msg_fail("the receiver's descriptors are missing");
    else
        return true;
    return false;
}

void msg_row_begin(struct msg_row *r, msg_transmit *t, const struct msg_offer *offer) {
    char *out = r->of_out.at;
    r->out = r->of_out.at;
    r->lane.in = r->of_in.at;
    r->lane.rings = lane_rings(r->lane.ring, r->far ? 1 : offer->rings, r->out,
                               (const struct msg_slot *)(out + MSG_PAGE), r->lane.in, offer->slots);
    lane_begin(&r->lane, 0);
    r->cells = out + MSG_PAGE + ring_bytes(offer->basic, offer->slots);
    r->free_cells = ~0u;
    for (int i = 0; i < MSG_CELLS; i++) r->cell_place[i] = MSG_NO_TICKET;
    if (!r->far) msg_row_tells(r, r->of_bell.at, offer->queue, offer->lane); /* else msg_far_finish */
    r->basic = offer->basic;
    r->single = t->single;
    r->window = r->of_window.at;
    r->window_bytes = offer->window_bytes;
    r->transmit = t;
    r->has_region = t->region;
    /* So that pages exist before the first message: see touch. */
    __atomic_fetch_add(&r->out->producer, 0, __ATOMIC_RELAXED);
    __atomic_fetch_add((uint64_t *)&r->lane.ring[0].slot->stamp, 0, __ATOMIC_RELAXED);
    __atomic_load_n(&r->lane.in->head, __ATOMIC_RELAXED);
}

/* A send goes there whenever the receiver says so, and must not wait, whatever it is: see bell_signal_peer. Nothing is there
 * to be read. */
static bool is_event(int fd) {
    int domain = 0, type = 0;
    socklen_t bytes = sizeof domain;
    char any;
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &bytes) == 0 && domain == AF_UNIX &&
        getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0 && type == SOCK_DGRAM) {
        /* The receiver puts nothing in. */
        msg_event_refuses(fd);
        shutdown(fd, SHUT_RD);
        if (recv(fd, &any, 1, MSG_PEEK | MSG_DONTWAIT) < 0) return true;
    }
    msg_fail("the receiver's event descriptor is something else");
    return false;
}

struct msg_row *msg_accept(msg_transmit *t, const struct msg_offer *offer, int fds[MSG_OFFER_FDS],
                           struct msg_accept *accept, int own[MSG_ACCEPT_FDS]) {
    if (t->endpoint->retired) msg_retired_free(t->endpoint, false);
    struct msg_row *r = is_sane(offer, fds) ? msg_row_new() : NULL;
    own[0] = own[1] = -1;
    bool good = r;
    if (good) {
        good = msg_memory_map(&r->of_in, fds[0], "index", msg_in_bytes(offer->basic, offer->slots),
                              MSG_SEAL_SIZE | MSG_SEAL_OTHERS, false);
        fds[0] = -1;
    }
    if (good) {
        good = msg_memory_map(&r->of_bell, fds[1], "bell", sizeof(struct msg_bell), MSG_SEAL_SIZE, true);
        fds[1] = -1;
    }
    if (good && fds[3] >= 0) {
        good = msg_memory_map(&r->of_window, fds[3], "window", offer->window_bytes, MSG_SEAL_SIZE, true);
        fds[3] = -1;
    }
    if (good) good = is_event(fds[2]);
    if (good) {
        r->event = fds[2];
        fds[2] = -1;
        good = msg_memory_make(&r->of_out, "fathom-msg-out", msg_out_bytes(offer->basic, offer->slots),
                               MSG_SEAL_SIZE | MSG_SEAL_OTHERS);
    }
    if (good) {
        own[0] = r->of_out.fd;
        r->of_out.fd = -1;
        own[1] = t->region ? copy_of(t->region->memory.fd) : -1;
        good = !t->region || own[1] >= 0;
    }
    for (int i = 0; i < MSG_OFFER_FDS; i++) msg_close_foreign(fds[i]);
    if (!good) {
        if (own[0] >= 0) close(own[0]);
        msg_row_free(r);
        return NULL;
    }
    msg_row_begin(r, t, offer);
    *accept = (struct msg_accept){
        .magic = MSG_MAGIC_ACCEPT, .version = MSG_VERSION, .region_bytes = t->region ? t->region->memory.bytes : 0};
    return r;
}

/* Is there a free row of this number? */
bool msg_row_is_free(msg_transmit *t, unsigned destination) {
    if (msg_is_null(t, "the transmit queue")) return false;
    if (destination >= t->destinations)
        msg_fail("transmit queue %d has no row %u (0 to %u)", t->number, destination, t->destinations - 1);
    else if (__atomic_load_n(&t->row[destination], __ATOMIC_ACQUIRE))
        msg_fail("row %u of transmit queue %d is connected already", destination, t->number);
    else
        return true;
    return false;
}

int msg_accept_finish(msg_transmit *t, unsigned destination, struct msg_row *r) {
    struct msg_row *none = NULL;
    if (__atomic_compare_exchange_n(&t->row[destination], &none, r, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        return MSG_OK;
    msg_row_free(r);
    return msg_fail("row %u of transmit queue %d is connected already", destination, t->number);
}

int msg_connect(msg_transmit *t, unsigned destination, msg_queue *q, uint32_t source) {
    if (!msg_row_is_free(t, destination) || msg_is_null(q, "the queue")) return MSG_FAILED;
    struct msg_offer offer;
    struct msg_accept accept;
    int offered[MSG_OFFER_FDS], accepted[MSG_ACCEPT_FDS];
    struct msg_lane *l = msg_offer(q, source, &offer, offered);
    if (!l) return MSG_FAILED;
    struct msg_row *r = msg_accept(t, &offer, offered, &accept, accepted);
    if (!r) {
        msg_offer_withdraw(q, l);
        return MSG_FAILED;
    }
    if (msg_offer_finish(q, l, &accept, accepted) != MSG_OK) {
        msg_row_free(r);
        return MSG_FAILED;
    }
    return msg_accept_finish(t, destination, r);
}
