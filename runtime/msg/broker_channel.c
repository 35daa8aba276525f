/* Channels that the broker arranges: the steps of broker_wire.h at both ends, their end, and what is reported of them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "msg/broker.h"

_Static_assert(sizeof(struct msg_offer) <= 256 && sizeof(struct msg_accept) <= 256, "they travel in a packet's text");

struct msg_broker_channel *msg_channel_new(msg_broker *b, const char *name) {
    struct msg_broker_channel *c = calloc(1, sizeof *c);
    if (!c) {
        msg_fail("out of memory");
        return NULL;
    }
    snprintf(c->name, sizeof c->name, "%s", name);
    c->accepted[0] = c->accepted[1] = -1;
    c->next = b->channels;
    return b->channels = c;
}

/* Forgets it; lanes and rows that are in use stay where they are. */
void msg_channel_free(msg_broker *b, struct msg_broker_channel *c) {
    for (struct msg_broker_channel **at = &b->channels; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    for (int i = 0; i < MSG_ACCEPT_FDS; i++)
        if (c->accepted[i] >= 0) close(c->accepted[i]);
    /* What no call has ever seen can go at once. */
    if (c->lane && c->queue->lane[c->lane->number] != c->lane && c->state == OPENING)
        msg_offer_withdraw(c->queue, c->lane);
    if (c->row && c->state == OPENING && msg_row_of(c->transmit, c->destination) != c->row) msg_row_free(c->row);
    free(c);
}

static struct msg_broker_channel *find(msg_broker *b, uint64_t id) {
    struct msg_broker_channel *c = b->channels;
    while (c && c->id != id) c = c->next;
    return c;
}

static void post(msg_broker *b, const struct msg_broker_channel *c, int kind, int flags, const char *text) {
    struct msg_packet p = {.kind = (uint16_t)kind, .flags = (uint16_t)flags, .channel = c->id};
    if (text) snprintf(p.text, sizeof p.text, "%s", text);
    msg_broker_post(b, &p, NULL, 0);
}

/* ---- its end ------------------------------------------------------------------------------------------------------ */

static bool is_live(const struct msg_broker_channel *c) {
    return c->lane && __atomic_load_n(&c->queue->lane[c->lane->number], __ATOMIC_ACQUIRE) == c->lane;
}

/* Nothing is sent any more; what has come is still received. The channel is freed if there is nothing to wait for. */
static void wind_up(msg_broker *b, struct msg_broker_channel *c, bool other_goes_on) {
    if (!c->row || msg_row_of(c->transmit, c->destination) != c->row)
        msg_row_free(c->row);
    else if (other_goes_on)
        msg_row_give_back(c->transmit, c->destination, c->row);
    else
        msg_row_retire(c->transmit, c->destination, c->row);
    c->row = NULL;
    if (is_live(c)) {
        uint64_t taken;
        c->state = DRAINING;
        b->looks_soon = true;
        msg_lane_rouse(c->queue, c->lane);
        msg_lane_count(c->queue, c->lane, &taken, &c->drain);
        return;
    }
    if (c->lane) msg_offer_withdraw(c->queue, c->lane);
    c->lane = NULL;
    if (c->server) post(b, c, MSG_P_RETIRED, 0, NULL);
    msg_channel_free(b, c);
}

void msg_channel_lose(msg_broker *b, struct msg_broker_channel *c, const char *why) {
    if (c->state == DRAINING) return;
    if (c->state == OPEN) msg_broker_tell(b, c->server ? MSG_CLIENT_GONE : MSG_SERVER_GONE, c, c->name, why);
    if (c->state == OPENING && !c->server) msg_broker_answer(b, c->request, why);
    wind_up(b, c, false);
}

void msg_channel_end(msg_broker *b, struct msg_broker_channel *c, const char *why) {
    if (c->id) {
        post(b, c, MSG_P_GONE, 0, why);
    } else {
        struct msg_packet p = {.kind = MSG_P_GONE, .request = c->request};
        msg_broker_post(b, &p, NULL, 0);
    }
    wind_up(b, c, true);
}

/* Is it known that nothing more comes by this channel? Without a broker it is kept, so that the next one hears of its end. */
static bool has_left(msg_broker *b, struct msg_broker_channel *c) {
    if (b->socket < 0 || !msg_row_is_silent(b->endpoint, c->left)) return false;
    msg_channel_end(b, c, "the client has hung up");
    return true;
}

void msg_channel_leave(msg_broker *b, struct msg_broker_channel *c) {
    msg_row_give_back(c->transmit, c->destination, c->row);
    c->left = c->row;
    c->row = NULL;
    c->state = LEAVING;
    b->looks_soon = true;
    if (!has_left(b, c)) msg_broker_wake(b); /* the thread looks again */
}

void msg_channels_drain(msg_broker *b) {
    for (struct msg_broker_channel *c = b->channels, *next; c; c = next) {
        next = c->next;
        if (c->state == LEAVING) {
            has_left(b, c);
            continue;
        }
        if (c->state != DRAINING) continue;
        /* A thread may have taken a message and not yet counted its data: it has when it has left its call. */
        bool counted = c->grace && msg_grace_is_over(c->grace);
        bool drained = msg_lane_is_drained(c->queue, c->lane, c->drain);
        if (drained && counted) {
            msg_lane_retire(c->queue, c->lane);
            if (c->server) post(b, c, MSG_P_RETIRED, 0, NULL);
            msg_channel_free(b, c);
            continue;
        }
        c->grace = !drained ? 0 : c->grace ? c->grace : msg_grace_ask();
    }
}

/* It does not come to be, for a reason that msg_error has. */
static void refuse(msg_broker *b, struct msg_broker_channel *c) {
    char why[256];
    snprintf(why, sizeof why, "%s", msg_error());
    if (!c->server) msg_broker_answer(b, c->request, why);
    msg_channel_end(b, c, why);
}

/* ---- its beginning ------------------------------------------------------------------------------------------------ */

static void offer(msg_broker *b, struct msg_broker_channel *c, uint32_t source, int flags) {
    struct msg_packet p = {.kind = MSG_P_OFFER, .flags = (uint16_t)flags, .channel = c->id};
    struct msg_offer made;
    int fds[MSG_OFFER_FDS];
    c->lane = msg_offer(c->queue, source, &made, fds);
    if (!c->lane) {
        refuse(b, c);
        return;
    }
    c->lane->of_broker = true;
    c->own_bytes += c->lane->of_in.bytes + c->lane->of_window.bytes;
    memcpy(p.text, &made, sizeof made);
    msg_broker_post(b, &p, fds, fds[3] < 0 ? 3 : 4);
}

/* msg_disconnect of a row of answers. */
static int server_hangs_up(msg_broker *b, msg_transmit *t, unsigned destination) {
    (void)b;
    return msg_fail("row %u of transmit queue %d answers a client, and ends with it", destination, t->number);
}

static bool accept_offer(msg_broker *b, struct msg_broker_channel *c, const struct msg_packet *got, int *fds,
                         int flags) {
    struct msg_packet p = {.kind = MSG_P_ACCEPT, .flags = (uint16_t)flags, .channel = c->id};
    struct msg_offer made;
    struct msg_accept accept;
    int own[MSG_ACCEPT_FDS];
    memcpy(&made, got->text, sizeof made);
    c->row = msg_accept(c->transmit, &made, fds, &accept, own);
    for (int i = 0; i < MSG_OFFER_FDS; i++) fds[i] = -1; /* they are taken over, whatever came of it */
    if (!c->row) {
        refuse(b, c);
        return false;
    }
    c->row->broker = b;
    c->row->hang_up = c->server ? server_hangs_up : msg_broker_hang_up;
    c->own_bytes += c->row->of_out.bytes;
    memcpy(p.text, &accept, sizeof accept);
    msg_broker_post(b, &p, own, own[1] < 0 ? 1 : 2);
    return true;
}

static bool finish_lane(msg_broker *b, struct msg_broker_channel *c, const struct msg_accept *accept, int *fds) {
    struct msg_lane *l = c->lane;
    bool good = msg_offer_finish(c->queue, l, accept, fds) == MSG_OK;
    fds[0] = fds[1] = -1;
    if (good) return true;
    c->lane = NULL; /* withdrawn */
    refuse(b, c);
    return false;
}

static bool finish_row(msg_broker *b, struct msg_broker_channel *c) {
    struct msg_row *r = c->row;
    if (msg_accept_finish(c->transmit, c->destination, r) == MSG_OK) return true;
    c->row = NULL; /* freed */
    refuse(b, c);
    return false;
}

/* The server's last step: from here on the client's messages can be received. */
static void server_opens(msg_broker *b, struct msg_broker_channel *c) {
    if (!finish_lane(b, c, &c->accept, c->accepted)) return;
    c->state = OPEN;
    msg_broker_tell(b, MSG_CLIENT_CAME, c, c->name, NULL);
    post(b, c, MSG_P_DONE, 0, NULL);
}

static void wanted(msg_broker *b, const struct msg_packet *p) {
    struct msg_broker_name *n = msg_broker_find(b, p->name);
    struct msg_broker_channel *c = msg_channel_new(b, p->name);
    if (!c) return;
    c->id = p->channel;
    c->server = true;
    c->source = p->source;
    c->uid = p->uid;
    c->gid = p->gid;
    c->pid = p->pid;
    c->peer_began = p->number[0];
    c->answers = p->flags & MSG_F_ANSWERS;
    c->destination = p->source;
    if (!n || (c->answers && !n->answers)) {
        msg_fail(n ? "the server of '%s' gives no answers: open it without an inbox" : "'%s' has been withdrawn",
                 p->name);
        refuse(b, c);
        return;
    }
    c->queue = n->queue;
    c->transmit = c->answers ? n->answers : NULL;
    if (c->answers && !msg_row_is_free(c->transmit, c->destination))
        refuse(b, c);
    else
        offer(b, c, c->source, 0);
}

static void of_server(msg_broker *b, struct msg_broker_channel *c, const struct msg_packet *p, int *fds) {
    bool back = p->flags & MSG_F_BACK;
    if (p->kind == MSG_P_ACCEPT && !back && c->lane && c->accepted[0] < 0) {
        memcpy(&c->accept, p->text, sizeof c->accept);
        for (int i = 0; i < MSG_ACCEPT_FDS; i++) {
            c->accepted[i] = fds[i];
            fds[i] = -1;
        }
        if (!c->answers) server_opens(b, c);
    } else if (p->kind == MSG_P_OFFER && back && c->transmit && !c->row) {
        accept_offer(b, c, p, fds, MSG_F_BACK);
    } else if (p->kind == MSG_P_DONE && back && c->row && c->accepted[0] >= 0) {
        if (finish_row(b, c)) server_opens(b, c);
    }
}

static void of_client(msg_broker *b, struct msg_broker_channel *c, const struct msg_packet *p, int *fds) {
    bool back = p->flags & MSG_F_BACK;
    if (p->kind == MSG_P_OFFER && !back && !c->row) {
        if (accept_offer(b, c, p, fds, 0) && c->queue) offer(b, c, c->destination, MSG_F_BACK);
    } else if (p->kind == MSG_P_ACCEPT && back && c->lane && !is_live(c)) {
        struct msg_accept accept;
        memcpy(&accept, p->text, sizeof accept);
        if (finish_lane(b, c, &accept, fds)) post(b, c, MSG_P_DONE, MSG_F_BACK, NULL);
    } else if (p->kind == MSG_P_DONE && !back && c->row && (!c->queue || is_live(c))) {
        if (!finish_row(b, c)) return;
        c->state = OPEN;
        msg_broker_answer(b, c->request, NULL);
    }
}

void msg_channel_handle(msg_broker *b, const struct msg_packet *p, int *fds) {
    if (p->kind == MSG_P_WANTED) {
        wanted(b, p);
        return;
    }
    struct msg_broker_channel *c = b->channels;
    if (p->kind == MSG_P_OPENING) {
        while (c && (c->server || c->id || c->request != p->request)) c = c->next;
        if (c) {
            c->id = p->channel;
            c->uid = p->uid;
            c->gid = p->gid;
            c->pid = p->pid;
            c->peer_began = p->number[0];
        }
        return;
    }
    c = p->channel ? find(b, p->channel) : NULL;
    if (!c) return;
    if (p->kind == MSG_P_GONE)
        msg_channel_lose(b, c, p->text);
    else if (c->state == OPENING && c->server)
        of_server(b, c, p, fds);
    else if (c->state == OPENING)
        of_client(b, c, p, fds);
}

/* ---- what is reported --------------------------------------------------------------------------------------------- */

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* The age that the oldest message has at least, in ns; 0: none waits, or nothing is known yet. */
static int64_t age(struct msg_ages *a, int64_t now, uint64_t taken, uint64_t sent) {
    int past = 0;
    while (past < a->marks && (int64_t)(a->sent[past] - taken) <= 0) past++;
    a->marks -= past;
    memmove(a->sent, a->sent + past, (size_t)a->marks * sizeof a->sent[0]);
    memmove(a->at_ns, a->at_ns + past, (size_t)a->marks * sizeof a->at_ns[0]);
    int64_t oldest = a->marks ? now - a->at_ns[0] : 0;
    if (a->marks < MSG_AGE_MARKS && (int64_t)(sent - (a->marks ? a->sent[a->marks - 1] : taken)) > 0) {
        a->sent[a->marks] = sent;
        a->at_ns[a->marks++] = now;
    }
    return oldest;
}

/* `moves` is known where the messages are received. */
static void sample(msg_broker *b, const struct msg_broker_channel *c, struct msg_ages *a, int flags, uint64_t taken,
                   uint64_t sent, uint64_t room, uint32_t moves, int64_t now) {
    struct msg_packet p = {.kind = MSG_P_SAMPLE, .channel = c->id, .source = moves};
    p.flags = (uint16_t)(flags | (c->server ? MSG_F_SERVER : 0));
    int64_t oldest = age(a, now, taken, sent);
    /* What stands still and is empty needs no words, and what waits grows older without them. */
    if (a->reported && taken == a->last_taken && sent == a->last_sent && (taken == sent || a->marks > 1)) return;
    a->reported = true;
    a->last_taken = taken;
    a->last_sent = sent;
    p.number[0] = taken;
    p.number[1] = sent;
    p.number[2] = (uint64_t)oldest;
    p.number[3] = room;
    msg_broker_post(b, &p, NULL, 0);
}

void msg_channels_sample(msg_broker *b) {
    int64_t now = now_ns();
    for (struct msg_broker_channel *c = b->channels; c; c = c->next) {
        uint64_t taken, sent;
        if (c->state == OPENING) continue;
        if (is_live(c)) {
            msg_lane_count(c->queue, c->lane, &taken, &sent);
            sample(b, c, &c->in, c->server ? 0 : MSG_F_BACK, taken, sent, c->queue->slots,
                   __atomic_load_n(&c->lane->use.moves, __ATOMIC_RELAXED), now);
        }
        if (c->row) {
            msg_row_count(c->row, &taken, &sent);
            sample(b, c, &c->out, c->server ? MSG_F_BACK : 0, taken, sent,
                   c->row->lane.ring[c->row->lane.rings - 1].slots, 0, now);
        }
    }
}

void msg_channel_report(msg_broker *b, const struct msg_broker_channel *c) {
    struct msg_packet p = {.kind = MSG_P_REPORT, .channel = c->id, .source = c->source, .pid = c->pid};
    p.flags = (uint16_t)((c->server ? MSG_F_SERVER : 0) | (c->answers ? MSG_F_ANSWERS : 0));
    strcpy(p.name, c->name);
    p.number[0] = c->peer_began;
    p.number[1] = c->own_bytes;
    p.number[2] = c->state == DRAINING;
    msg_broker_post(b, &p, NULL, 0);
}
