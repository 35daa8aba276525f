/* The ends of the message queues that are measured: how they are connected, and what sending and taking a message is; see
 * queue_ends.h.
 *
 * A message is made from words of the sender's own memory, and its receiver reads all of it, whatever the mechanism: so they can be
 * compared. The first word is the message's number, which the receiver checks.
 */
#define _GNU_SOURCE
#include "probe/queue_ends.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "probe/rounds.h"
#include "probe/sharing.h"

enum { PATIENCE_MS = 3000, LOOKS = 1024, PAGE = 4096, LINE = 64 };

/* ---- connecting -------------------------------------------------------------------------------------------------- */

static socklen_t address_of(struct sockaddr_un *address, const char *name) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    size_t n = strlen(name);
    memcpy(address->sun_path + 1, name, n); /* no file: it goes with the socket */
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n);
}

int queue_listener(char name[64]) {
    static unsigned count;
    struct sockaddr_un address;
    snprintf(name, 64, "fathom-prober-%d-%u", (int)getpid(), count++);
    socklen_t bytes = address_of(&address, name);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && (bind(fd, (struct sockaddr *)&address, bytes) != 0 || listen(fd, 1) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* This process's own end, not yet connected. */
static bool make(struct queue_end *e, const struct queue_plan *plan) {
    *e = (struct queue_end){.plan = plan};
    bool basic = plan->mechanism == BASIC, bulk = plan->mechanism == BULK;
    unsigned flags = plan->single ? MSG_SINGLE : 0;
    uint32_t room = 256;
    if (basic)
        for (room = 1 << 16; room < 4 * plan->burst * (plan->bytes + 64); room *= 2) {}
    size_t all = plan->places * plan->place;
    if (!(e->endpoint = msg_endpoint_create())) return false;
    if (!(e->inbox = msg_queue_create(e->endpoint, 0, room, flags | (basic ? MSG_BASIC : 0)))) return false;
    if (bulk && msg_set_window(e->inbox, all) != MSG_OK) return false;
    if (!(e->outbox = msg_transmit_create(e->endpoint, 0, 1, bulk ? 0 : flags))) return false;
    if (plan->mechanism == TAG_ON || plan->mechanism == IN_PLACE) {
        msg_region *region = msg_region_create(e->outbox, all);
        if (!region) return false;
        e->memory = msg_region_memory(region);
    } else if (!(e->memory = aligned_alloc(PAGE, (all + PAGE - 1) / PAGE * PAGE))) {
        return false;
    }
    memset(e->memory, 1, all); /* its pages exist */
    return true;
}

/* Where to wait for this: a row for each direction. */
static bool connect_both(struct queue_end *e, int socket, bool first, char why[200]) {
    bool good = false;
    if (socket < 0)
        snprintf(why, 200, "threads 0 and 1 find no way to each other: %s", strerror(errno));
    else if (!e->endpoint || !e->memory)
        snprintf(why, 200, "%s", msg_error());
    else
        good = first ? msg_dial(e->outbox, 0, socket, PATIENCE_MS) == MSG_OK &&
                           msg_answer(e->inbox, 0, socket, PATIENCE_MS) == MSG_OK
                     : msg_answer(e->inbox, 1, socket, PATIENCE_MS) == MSG_OK &&
                           msg_dial(e->outbox, 0, socket, PATIENCE_MS) == MSG_OK;
    if (!good && !*why) snprintf(why, 200, "%s", msg_error());
    if (socket >= 0) close(socket);
    return good;
}

bool queue_listen(struct queue_end *e, const struct queue_plan *plan, int listener, char why[200]) {
    *why = 0;
    if (!make(e, plan)) snprintf(why, 200, "%s", msg_error());
    struct pollfd waits = {listener, POLLIN, 0};
    int n = *why ? 0 : poll(&waits, 1, PATIENCE_MS);
    if (n == 0 && !*why) errno = ETIMEDOUT;
    int socket = n > 0 ? accept4(listener, NULL, NULL, SOCK_CLOEXEC) : -1;
    return connect_both(e, socket, true, why);
}

bool queue_call(struct queue_end *e, const struct queue_plan *plan, const char *name, char why[200]) {
    *why = 0;
    if (!make(e, plan)) snprintf(why, 200, "%s", msg_error());
    struct sockaddr_un address;
    socklen_t bytes = address_of(&address, name);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && (*why || connect(fd, (struct sockaddr *)&address, bytes) != 0)) {
        int error = errno;
        close(fd);
        fd = -1;
        errno = error;
    }
    return connect_both(e, fd, false, why);
}

void queue_close(struct queue_end *e) {
    bool own = e->plan && e->plan->mechanism != TAG_ON && e->plan->mechanism != IN_PLACE;
    msg_endpoint_close(e->endpoint);
    if (own) free(e->memory);
    *e = (struct queue_end){0};
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

bool queue_patience(struct queue_end *e, unsigned *looks) {
    if (++*looks % LOOKS == 0 && now_ns() > e->end_ns) {
        e->is_late = true;
        return false;
    }
    /* Bulk has a third thread, which may have no processor of its own. */
    if (e->plan->mechanism == BULK)
        sched_yield();
    else
        pause_briefly();
    return true;
}

/* The words that messages are made of, but for the first. */
static const char *words(void) {
    static char *text;
    if (!text && (text = aligned_alloc(PAGE, TOGETHER_BYTES))) memset(text, 1, TOGETHER_BYTES);
    if (!text) gas_fatal("the prober has no memory");
    return text;
}

/* Writes a message: copies it; where the data are in place, their maker has written a word of each line; what is copied later
 * is the sender's own, and has been there before. */
static void fill(struct queue_end *e, char *at, bool copies) {
    size_t bytes = e->plan->bytes;
    if (copies) memcpy(at, words(), bytes);
    if (e->plan->mechanism == IN_PLACE)
        for (size_t line = LINE; line + 8 <= bytes; line += LINE) *(volatile uint64_t *)(at + line) = e->sent;
    memcpy(at, &e->sent, sizeof e->sent < bytes ? sizeof e->sent : bytes);
    if (e->plan->flushes) flush_lines(at, bytes);
}

/* Is this place out of use? */
static bool is_free(struct queue_end *e, unsigned at) {
    if (!e->is_used[at]) return true;
    if (e->plan->mechanism != BULK) return msg_is_released(e->outbox, 0, e->ticket[at]);
    return msg_bulk_is_done(&e->job[at]) && msg_is_released(e->outbox, 0, e->job[at].ticket);
}

static bool send_express(struct queue_end *e) {
    unsigned looks = 0;
    for (size_t i = 0; i < e->plan->bytes; i += QUEUE_EXPRESS_BYTES)
        while (msg_express(e->outbox, 0, 1, e->sent + i) != MSG_OK)
            if (!queue_patience(e, &looks)) return false;
    return true;
}

static bool send_basic(struct queue_end *e) {
    unsigned looks = 0;
    char *at;
    while (!(at = msg_basic_reserve(e->outbox, 0, (uint32_t)e->plan->bytes)))
        if (!queue_patience(e, &looks)) return false;
    fill(e, at, true);
    msg_basic_add(e->outbox, 0, 1, (uint32_t)e->plan->bytes);
    msg_basic_publish(e->outbox, 0);
    return true;
}

bool queue_send(struct queue_end *e) {
    const struct queue_plan *plan = e->plan;
    unsigned looks = 0, at = e->at;
    if (plan->mechanism == EXPRESS || plan->mechanism == BASIC) {
        bool done = plan->mechanism == EXPRESS ? send_express(e) : send_basic(e);
        e->sent += done;
        return done;
    }
    char *data = e->memory + at * plan->place;
    while (!is_free(e, at))
        if (!queue_patience(e, &looks)) return false;
    fill(e, data, plan->mechanism == TAG_ON);
    for (;;) {
        int status =
            plan->mechanism == BULK   ? msg_bulk(e->outbox, 0, 1, 0, at * plan->place, data, plan->bytes, &e->job[at])
            : plan->mechanism == COPY ? msg_send(e->outbox, 0, 1, data, (uint32_t)plan->bytes, NULL)
                                      : msg_tag_on(e->outbox, 0, 1, 0, data, (uint32_t)plan->bytes, &e->ticket[at]);
        if (status == MSG_OK) break;
        if (status != MSG_FULL) {
            e->is_wrong = true;
            return false;
        }
        if (!queue_patience(e, &looks)) return false;
    }
    e->is_used[at] = plan->mechanism != COPY;
    e->at = (at + 1) % plan->places;
    e->sent++;
    return true;
}

static inline bool next(struct queue_end *e, msg_message *m) {
    unsigned looks = 0;
    while (!msg_receive(e->inbox, m))
        if (!queue_patience(e, &looks)) return false;
    return true;
}

bool queue_take(struct queue_end *e) {
    msg_message m;
    size_t bytes = e->plan->bytes;
    if (e->plan->mechanism == EXPRESS) {
        for (size_t i = 0; i < bytes; i += QUEUE_EXPRESS_BYTES) {
            if (!next(e, &m)) return false;
            e->is_wrong |= m.word != e->taken + i;
        }
    } else {
        if (!next(e, &m)) return false;
        /* msg_send sends a word as Express. */
        const char *data = m.kind == MSG_EXPRESS ? (const char *)&m.word : m.data;
        uint64_t number = 0;
        memcpy(&number, data, bytes < sizeof number ? bytes : sizeof number);
        e->is_wrong |= m.bytes != bytes || number != e->taken;
        for (size_t i = 8; i + 8 <= bytes; i += 8) {
            uint64_t word = *(const volatile uint64_t *)(data + i);
            USED(word);
        }
        if (e->plan->flushes) flush_lines((char *)data, bytes);
        msg_release(e->inbox, &m);
    }
    e->taken++;
    return true;
}
