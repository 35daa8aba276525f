/* Endpoints, queues and transmit queues: made, and given back. All of it is private memory; what is shared begins with a
 * channel (channel.c).
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msg/channel.h"

enum { USUAL_SLOTS = 16384, USUAL_BYTES = 65536 /* of a Basic ring */ };

static void *zeroes(size_t bytes) {
    void *at = NULL;
    bytes = (bytes + MSG_LINE - 1) / MSG_LINE * MSG_LINE;
    if (posix_memalign(&at, 2 * MSG_LINE, bytes) != 0) {
        msg_fail("out of memory (%zu bytes)", bytes);
        return NULL;
    }
    return memset(at, 0, bytes);
}

msg_endpoint *msg_endpoint_create(void) {
    msg_endpoint *e = zeroes(sizeof *e);
    if (!e) return NULL;
    if (!msg_memory_make(&e->of_bell, "fathom-msg-bell", sizeof *e->bell, MSG_SEAL_SIZE)) {
        free(e);
        return NULL;
    }
    e->bell = e->of_bell.at;
    e->epoll = e->event = -1;
    e->spins = 256;
    e->residents.most = MSG_USUAL_RESIDENTS;
    if (!msg_choice_read(&e->choice)) {
        msg_memory_unmap(&e->of_bell);
        free(e);
        return NULL;
    }
    pthread_mutex_init(&e->setting_up, NULL);
    msg_callers_prepare();
    return e;
}

static bool is_power_of_two(uint32_t x) { return x && !(x & (x - 1)); }

msg_queue *msg_queue_create(msg_endpoint *e, int number, uint32_t slots, unsigned flags) {
    bool basic = flags & MSG_BASIC;
    uint32_t least = basic ? 256 : 4, most = basic ? 1u << 30 : MSG_MOST_SLOTS;
    if (msg_is_null(e, "the endpoint")) return NULL;
    if (!slots) slots = basic ? USUAL_BYTES : USUAL_SLOTS;
    if (number < 0 || number >= MSG_QUEUES) {
        msg_fail("%d is not a valid number of a queue (0 to %d)", number, MSG_QUEUES - 1);
    } else if (!is_power_of_two(slots) || slots < least || slots > most) {
        msg_fail("%u is not a valid size of a queue (a power of two from %u to %u)", slots, least, most);
    } else if (flags & ~(unsigned)(MSG_SINGLE | MSG_BASIC)) {
        msg_fail("%#x are not flags of a queue", flags);
    } else if (e->queue[number]) {
        msg_fail("receive queue %d exists already", number);
    } else {
        msg_queue *q = zeroes(sizeof *q);
        if (!q) return NULL;
        q->endpoint = e;
        q->number = (uint16_t)number;
        q->single = flags & MSG_SINGLE;
        q->basic = basic;
        q->slots = slots;
        __atomic_store_n(&e->queue[number], q, __ATOMIC_RELEASE);
        return q;
    }
    return NULL;
}

void msg_set_empty(msg_queue *q, unsigned tag, uint64_t word) {
    q->empty_tag = tag % MSG_TAGS;
    q->empty_word = word;
}

int msg_set_window(msg_queue *q, size_t bytes) {
    if (msg_is_null(q, "the queue")) return MSG_FAILED;
    if (q->basic || bytes > (size_t)MSG_LINE << 28)
        return msg_fail(
            q->basic ? "a Basic queue has no windows" : "%zu bytes are more than a window can have (16 GiB)", bytes);
    q->window_bytes = (bytes + MSG_PAGE - 1) / MSG_PAGE * MSG_PAGE;
    return MSG_OK;
}

msg_transmit *msg_transmit_create(msg_endpoint *e, int number, unsigned destinations, unsigned flags) {
    if (msg_is_null(e, "the endpoint")) return NULL;
    if (number < 0 || number >= MSG_QUEUES) {
        msg_fail("%d is not a valid number of a transmit queue (0 to %d)", number, MSG_QUEUES - 1);
    } else if (!destinations || destinations > MSG_MOST_DESTINATIONS) {
        msg_fail("%u is not a valid number of destinations (1 to %d)", destinations, MSG_MOST_DESTINATIONS);
    } else if (flags & ~(unsigned)MSG_SINGLE) {
        msg_fail("%#x are not flags of a transmit queue", flags);
    } else if (e->transmit[number]) {
        msg_fail("transmit queue %d exists already", number);
    } else {
        msg_transmit *t = zeroes(sizeof *t + destinations * sizeof *t->row);
        if (!t) return NULL;
        t->endpoint = e;
        t->number = (uint16_t)number;
        t->single = flags & MSG_SINGLE;
        t->destinations = destinations;
        e->transmit[number] = t;
        return t;
    }
    return NULL;
}

msg_region *msg_region_create(msg_transmit *t, size_t bytes) {
    if (msg_is_null(t, "the transmit queue")) return NULL;
    if (t->region) {
        msg_fail("transmit queue %d has a region already", t->number);
        return NULL;
    }
    if (!bytes || bytes > (size_t)MSG_LINE << 28) {
        msg_fail("%zu is not a valid size of a region (1 byte to 16 GiB)", bytes);
        return NULL;
    }
    msg_region *r = zeroes(sizeof *r);
    if (!r) return NULL;
    bytes = (bytes + MSG_PAGE - 1) / MSG_PAGE * MSG_PAGE;
    if (!msg_memory_make(&r->memory, "fathom-msg-region", bytes, MSG_SEAL_SIZE | MSG_SEAL_OTHERS)) {
        free(r);
        return NULL;
    }
    return t->region = r;
}

void *msg_region_memory(const msg_region *r) { return r->memory.at; }

void msg_row_free(struct msg_row *r) {
    if (!r) return;
    if (r->far) msg_far_row_free(r);
    msg_memory_unmap(&r->of_out);
    msg_memory_unmap(&r->of_in);
    msg_memory_unmap(&r->of_bell);
    msg_memory_unmap(&r->of_window);
    if (r->event >= 0) close(r->event);
    free(r);
}

void msg_lane_free(struct msg_lane *l) {
    if (!l) return;
    if (l->far) msg_far_lane_free(l);
    msg_memory_unmap(&l->of_out);
    msg_memory_unmap(&l->of_in);
    msg_memory_unmap(&l->of_region);
    msg_memory_unmap(&l->of_window);
    if (l->event >= 0) msg_event_close(l->event, l->may_bring);
    free(l);
}

struct msg_row *msg_row_new(void) {
    struct msg_row *r = zeroes(sizeof *r);
    if (r) r->event = r->of_out.fd = r->of_in.fd = r->of_bell.fd = r->of_window.fd = -1;
    return r;
}

struct msg_lane *msg_lane_new(void) {
    struct msg_lane *l = zeroes(sizeof *l);
    if (l) l->event = l->of_out.fd = l->of_in.fd = l->of_region.fd = l->of_window.fd = -1;
    return l;
}

void msg_endpoint_close(msg_endpoint *e) {
    if (!e) return;
    if (e->leave_brokers) e->leave_brokers(e);
    if (e->far) msg_far_close(e->far);
    msg_service_end(e);
    for (int i = 0; i < MSG_QUEUES; i++) {
        msg_transmit *t = e->transmit[i];
        if (t) {
            for (unsigned d = 0; d < t->destinations; d++) msg_row_free(t->row[d]);
            if (t->region) {
                msg_memory_unmap(&t->region->memory);
                free(t->region);
            }
            free(t);
        }
        msg_queue *q = e->queue[i];
        if (q) {
            for (unsigned l = 0; l < MSG_LANES; l++) msg_lane_free(q->lane[l]);
            free(q);
        }
    }
    msg_retired_free(e, true);
    if (e->far) msg_far_free(e->far);
    if (e->epoll >= 0) close(e->epoll);
    if (e->event >= 0) close(e->event);
    msg_memory_unmap(&e->of_bell);
    pthread_mutex_destroy(&e->setting_up);
    free(e->choice.from);
    free(e);
}
