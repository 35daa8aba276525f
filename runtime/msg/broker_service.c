/* The thread of a connection to the broker: packets in and out, samples of how full the queues are, and the way back to a broker
 * that has been restarted. It has all signals blocked.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <stdio.h>

#include "msg/broker.h"

enum { DRAIN_MS = 5, MOST_DRAIN_MS = 1000, AGAIN_MS = 50, MOST_AGAIN_MS = 1000, FREE_MS = 5000 };

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

void msg_broker_wake(msg_broker *b) {
    uint64_t one = 1;
    if (write(b->wake, &one, sizeof one) < 0) return; /* full, and so readable */
}

void msg_broker_post(msg_broker *b, const struct msg_packet *p, const int *fds, int count) {
    struct msg_broker_sending *s = b->socket >= 0 ? malloc(sizeof *s) : NULL;
    if (!s) { /* without a broker, or memory, the channel does not come to be */
        for (int i = 0; i < count; i++) close(fds[i]);
        return;
    }
    *s = (struct msg_broker_sending){.packet = *p, .count = count};
    s->packet.magic = MSG_PACKET_MAGIC;
    for (int i = 0; i < count; i++) s->fds[i] = fds[i];
    *b->last = s;
    b->last = &s->next;
    msg_broker_wake(b);
}

void msg_broker_tell(msg_broker *b, enum msg_broker_what what, const struct msg_broker_channel *c, const char *name,
                     const char *why) {
    if (b->events == MSG_EVENTS) {
        b->missed++;
        return;
    }
    msg_broker_event *e = &b->event[(b->first_event + b->events++) % MSG_EVENTS];
    memset(e, 0, sizeof *e);
    e->what = what;
    strncpy(e->name, name ? name : "", sizeof e->name - 1);
    strncpy(e->why, why ? why : "", sizeof e->why - 1);
    if (c) {
        e->source = c->server ? c->source : c->destination;
        e->uid = c->uid;
        e->gid = c->gid;
        e->pid = (int32_t)c->pid;
    }
    uint64_t one = 1;
    if (write(b->to_tell, &one, sizeof one) < 0) e->missed = 0; /* full, and so readable */
    pthread_cond_broadcast(&b->changed);
}

void msg_broker_answer(msg_broker *b, uint32_t request, const char *failed) {
    for (struct msg_broker_wait *w = b->waits; w; w = w->next) {
        if (w->request != request || w->done) continue;
        w->done = true;
        w->failed = failed;
        if (failed) snprintf(w->why, sizeof w->why, "%s", failed);
        pthread_cond_broadcast(&b->changed);
    }
}

/* ---- names that are registered again ------------------------------------------------------------------------------- */

void msg_broker_register_again(msg_broker *b, struct msg_broker_name *n) {
    if (++b->requests == 0) b->requests = 1;
    n->request = b->requests;
    struct msg_packet p = {.kind = MSG_P_REGISTER, .request = n->request};
    strcpy(p.name, n->name);
    p.number[0] = n->queue->slots;
    p.number[1] = n->answers ? n->answers->destinations : 0;
    p.number[2] = n->queue->basic;
    b->registering++;
    msg_broker_post(b, &p, NULL, 0);
}

/* The answer to one of those; false: it is to another request. */
static bool is_registered_again(msg_broker *b, uint32_t request, const char *refused) {
    for (struct msg_broker_name **at = &b->names; *at; at = &(*at)->next) {
        struct msg_broker_name *n = *at;
        if (!n->request || n->request != request) continue;
        n->request = 0;
        if (refused) {
            msg_broker_tell(b, MSG_NAME_LOST, NULL, n->name, refused);
            *at = n->next;
            free(n);
        }
        if (--b->registering == 0) msg_broker_tell(b, MSG_BROKER_BACK, NULL, NULL, NULL);
        return true;
    }
    return false;
}

/* ---- the socket --------------------------------------------------------------------------------------------------- */

void msg_broker_send_nothing(msg_broker *b) {
    while (b->first) {
        struct msg_broker_sending *s = b->first;
        b->first = s->next;
        for (int i = 0; i < s->count; i++) close(s->fds[i]);
        free(s);
    }
    b->last = &b->first;
}

static void lose(msg_broker *b) {
    close(b->socket);
    b->socket = -1;
    msg_broker_send_nothing(b);
    b->registering = 0;
    static const char why[] = "the broker has ended";
    for (struct msg_broker_channel *c = b->channels, *next; c; c = next) {
        next = c->next;
        if (c->state == OPENING) msg_channel_lose(b, c, why);
    }
    for (struct msg_broker_wait *w = b->waits; w; w = w->next) msg_broker_answer(b, w->request, why);
    msg_broker_tell(b, MSG_BROKER_LOST, NULL, NULL, why);
}

/* To a broker that has been started again: channels first, so that it knows which sources are in use before a client comes. */
static void come_back(msg_broker *b, int socket, uint32_t sample_ms) {
    b->socket = socket;
    b->sample_ms = sample_ms;
    for (struct msg_broker_channel *c = b->channels; c; c = c->next) {
        msg_channel_report(b, c);
        c->in.reported = c->out.reported = false;
    }
    for (struct msg_broker_name *n = b->names; n; n = n->next) msg_broker_register_again(b, n);
    if (!b->names) msg_broker_tell(b, MSG_BROKER_BACK, NULL, NULL, NULL);
}

static void handle(msg_broker *b, struct msg_packet *p, int *fds) {
    p->name[sizeof p->name - 1] = p->text[sizeof p->text - 1] = 0;
    if (p->kind == MSG_P_REGISTERED) {
        if (!is_registered_again(b, p->request, NULL)) msg_broker_answer(b, p->request, NULL);
    } else if (p->kind == MSG_P_REFUSED) {
        if (!is_registered_again(b, p->request, p->text)) {
            for (struct msg_broker_channel *c = b->channels; c; c = c->next)
                if (!c->server && c->state == OPENING && c->request == p->request) {
                    msg_channel_lose(b, c, p->text);
                    break;
                }
            msg_broker_answer(b, p->request, p->text);
        }
    } else {
        msg_channel_handle(b, p, fds);
    }
    for (int i = 0; i < MSG_OFFER_FDS; i++)
        if (fds[i] >= 0) close(fds[i]);
}

/* Packets that are there; false: the broker has ended. The broker is trusted, but not to be of this version. */
static bool take(msg_broker *b) {
    for (;;) {
        struct msg_packet p;
        int fds[MSG_OFFER_FDS] = {-1, -1, -1, -1};
        union {
            char bytes[CMSG_SPACE(sizeof fds)];
            struct cmsghdr aligned;
        } control;
        struct iovec part = {&p, sizeof p};
        struct msghdr m = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        ssize_t n = recvmsg(b->socket, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return true;
        if (n <= 0) return false;
        for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c))
            if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
                memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
        if (n != sizeof p || p.magic != MSG_PACKET_MAGIC) {
            for (int i = 0; i < MSG_OFFER_FDS; i++)
                if (fds[i] >= 0) close(fds[i]);
            return false;
        }
        handle(b, &p, fds);
    }
}

/* As much as the socket takes; false: the broker has ended. */
static bool give(msg_broker *b) {
    while (b->first) {
        struct msg_broker_sending *s = b->first;
        union {
            char bytes[CMSG_SPACE(sizeof s->fds)];
            struct cmsghdr aligned;
        } control = {{0}};
        struct iovec part = {&s->packet, sizeof s->packet};
        struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
        if (s->count) {
            size_t bytes = (size_t)s->count * sizeof(int);
            m.msg_control = control.bytes;
            m.msg_controllen = CMSG_SPACE(bytes);
            struct cmsghdr *c = CMSG_FIRSTHDR(&m);
            c->cmsg_level = SOL_SOCKET;
            c->cmsg_type = SCM_RIGHTS;
            c->cmsg_len = CMSG_LEN(bytes);
            memcpy(CMSG_DATA(c), s->fds, bytes);
        }
        ssize_t n = sendmsg(b->socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && (errno == EAGAIN || errno == ETOOMANYREFS || errno == ENOBUFS)) return true;
        if (n < 0) return false;
        b->first = s->next;
        if (!b->first) b->last = &b->first;
        for (int i = 0; i < s->count; i++) close(s->fds[i]);
        free(s);
    }
    return true;
}

/* ---- the thread --------------------------------------------------------------------------------------------------- */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

void *msg_broker_serve(void *with) {
    msg_broker *b = with;
    int64_t sample = now_ms(), free_at = sample + FREE_MS, drain = INT64_MAX, again = 0;
    int again_ms = AGAIN_MS, drain_ms = DRAIN_MS;
    pthread_mutex_lock(&b->lock);
    while (!b->ends) {
        if (b->socket >= 0 && !give(b)) lose(b);
        int64_t now = now_ms(), wake = INT64_MAX;
        bool draining = false;
        for (struct msg_broker_channel *c = b->channels; c; c = c->next) draining |= c->state >= LEAVING;
        if (!draining)
            drain = INT64_MAX, drain_ms = DRAIN_MS;
        else if (drain == INT64_MAX || b->looks_soon)
            drain = least(drain, now + (drain_ms = DRAIN_MS)); /* others may begin all the time */
        b->looks_soon = false;
        if (b->socket < 0) wake = least(wake, again = again ? again : now);
        if (b->socket >= 0 && b->sample_ms && b->channels) wake = least(wake, sample);
        if (b->endpoint->retired) wake = least(wake, free_at);
        wake = least(wake, drain);
        struct pollfd fds[2] = {{b->wake, POLLIN, 0}, {b->socket, (short)(POLLIN | (b->first ? POLLOUT : 0)), 0}};
        int64_t left = wake == INT64_MAX ? -1 : wake > now ? wake - now : 0;
        pthread_mutex_unlock(&b->lock);
        poll(fds, b->socket >= 0 ? 2 : 1, (int)left);
        uint64_t count;
        if (fds[0].revents && read(b->wake, &count, sizeof count) < 0) errno = 0; /* another look does no harm */
        pthread_mutex_lock(&b->lock);
        if (b->ends) break;
        now = now_ms();
        if (b->socket >= 0 && (fds[1].revents & (POLLIN | POLLHUP | POLLERR)) && !take(b)) lose(b);
        if (b->socket < 0 && now >= again) {
            pthread_mutex_unlock(&b->lock);
            uint32_t sample_ms = 0;
            int socket = msg_broker_dial(b->path, &sample_ms);
            pthread_mutex_lock(&b->lock);
            again_ms = socket >= 0 ? AGAIN_MS : (int)least(2 * again_ms, MOST_AGAIN_MS);
            again = socket >= 0 ? 0 : now_ms() + again_ms;
            if (socket >= 0) come_back(b, socket, sample_ms);
        }
        if (now >= drain) {
            msg_channels_drain(b);
            drain_ms = (int)least(2 * drain_ms, MOST_DRAIN_MS);
            drain = now + drain_ms;
        }
        if (b->socket >= 0 && b->sample_ms && now >= sample) {
            msg_channels_sample(b);
            sample = now + b->sample_ms;
        }
        if (now >= free_at) {
            msg_retired_free(b->endpoint, false);
            free_at = now + FREE_MS;
        }
    }
    if (b->socket >= 0) give(b); /* the ends of channels, as much as goes */
    pthread_mutex_unlock(&b->lock);
    return NULL;
}
