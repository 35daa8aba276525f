/* The calls of msg_broker.h: finding the broker, asking it, and waiting for its answer. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "msg/broker.h"

#define OF_COMPUTER "/run/fathom/broker.sock"

enum { GREETING_MS = 10000, ANSWER_MS = 10000, STACK = 256 * 1024 };

/* ---- finding it --------------------------------------------------------------------------------------------------- */

/* Which socket; false: the path is too long. */
static bool find_path(char path[108], const char *given) {
    const char *named = given ? given : getenv("FATHOM_BROKER"), *own = getenv("XDG_RUNTIME_DIR");
    int length;
    struct stat is;
    if (named && *named) {
        length = snprintf(path, 108, "%s", named);
    } else {
        length = own && *own ? snprintf(path, 108, "%s/fathom/broker.sock", own) : 0;
        if (length == 0 || (length < 108 && stat(path, &is) != 0 && stat(OF_COMPUTER, &is) == 0))
            length = snprintf(path, 108, "%s", OF_COMPUTER);
    }
    if (length < 108) return true;
    msg_fail("the path of the broker's socket is too long (%d bytes; 107 are the most): set FATHOM_BROKER", length);
    return false;
}

static void explain_no_connection(const char *path, int error) {
    struct stat is;
    bool of_computer = strcmp(path, OF_COMPUTER) == 0;
    const char *start = of_computer
                            ? "sudo fathom broker --system, or for this user alone: fathom broker --socket PATH, "
                              "and set FATHOM_BROKER=PATH for the programs"
                            : "fathom broker --socket ";
    const char *where = of_computer ? "" : path;
    if (error == ENOENT)
        msg_fail("no broker runs: there is no %s. Start one: %s%s", path, start, where);
    else if (error == ECONNREFUSED && stat(path, &is) == 0 && !S_ISSOCK(is.st_mode))
        msg_fail("%s is no socket: is it the right path? (FATHOM_BROKER, or what the program names)", path);
    else if (error == ECONNREFUSED)
        msg_fail("no broker runs: %s was left by one that ended. Start one: %s%s", path, start, where);
    else if (error == EACCES && stat(path, &is) == 0) {
        struct passwd *owner = getpwuid(is.st_uid);
        msg_fail("not permitted: %s belongs to user %s", path, owner ? owner->pw_name : "of an unknown name");
    } else if (error == EACCES)
        msg_fail("not permitted: %s is in a folder that belongs to another user", path);
    else if (error == EPROTOTYPE)
        msg_fail("%s is the socket of another program, not of a broker", path);
    else if (error == EAGAIN)
        msg_fail("the broker of %s does not answer: is it stopped?", path);
    else
        msg_fail("cannot connect to %s: %s", path, strerror(error));
}

/* One packet, in the handshake. */
static bool await_welcome(int fd, const char *path, struct msg_packet *p) {
    struct pollfd is = {fd, POLLIN, 0};
    int n;
    do n = poll(&is, 1, GREETING_MS);
    while (n < 0 && errno == EINTR);
    if (n <= 0) {
        msg_fail("the broker of %s does not answer: is it stopped?", path);
        return false;
    }
    ssize_t got = recv(fd, p, sizeof *p, 0);
    p->text[sizeof p->text - 1] = 0;
    if (got == sizeof *p && p->magic == MSG_PACKET_MAGIC && p->kind == MSG_P_WELCOME) return true;
    if (got == sizeof *p && p->magic == MSG_PACKET_MAGIC && p->kind == MSG_P_REFUSED)
        msg_fail("%s", p->text);
    else if (got <= 0)
        msg_fail("the broker of %s has closed the connection", path);
    else
        msg_fail("%s is the socket of another program, or of a broker of another version", path);
    return false;
}

int msg_broker_dial(const char *path, uint32_t *sample_ms) {
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        msg_fail("cannot make a socket: %s", strerror(errno));
        return -1;
    }
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, path, strlen(path) + 1);
    struct msg_packet p = {.magic = MSG_PACKET_MAGIC, .kind = MSG_P_HELLO, .request = MSG_BROKER_PROTOCOL};
    p.number[0] = MSG_VERSION;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        explain_no_connection(path, errno);
    } else if (send(fd, &p, sizeof p, MSG_NOSIGNAL) != sizeof p && errno != EPIPE && errno != ECONNRESET) {
        msg_fail("cannot talk to the broker of %s: %s", path, strerror(errno));
    } else if (await_welcome(fd, path, &p)) { /* also after EPIPE: a refusal may be there */
        *sample_ms = (uint32_t)p.number[0];
        return fd;
    }
    close(fd);
    return -1;
}

/* ---- forks: a child has no connection, and does not keep its parent's open, whose end the broker would not see ---------- */

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static msg_broker *all;

static void before_fork(void) { pthread_mutex_lock(&all_lock); }
static void behind_fork(void) { pthread_mutex_unlock(&all_lock); }

/* The connection's thread does not exist here, and may have had the locks. */
static void forked(void) {
    for (msg_broker *b = all; b; b = b->next) {
        if (b->socket >= 0) close(b->socket);
        b->socket = -1;
        b->forked = true;
        b->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
        b->endpoint->setting_up = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    }
    all = NULL;
    all_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

static void watch_forks(void) { pthread_atfork(before_fork, behind_fork, forked); }

static void keep(msg_broker *b) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&all_lock);
    b->next = all;
    all = b;
    pthread_mutex_unlock(&all_lock);
}

static void forget(msg_broker *b) {
    pthread_mutex_lock(&all_lock);
    for (msg_broker **at = &all; *at; at = &(*at)->next)
        if (*at == b) {
            *at = b->next;
            break;
        }
    pthread_mutex_unlock(&all_lock);
}

static bool start(msg_broker *b) {
    pthread_attr_t attributes;
    sigset_t signals, before;
    sigfillset(&signals);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    int error = pthread_create(&b->thread, &attributes, msg_broker_serve, b);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error) msg_fail("cannot start the broker's thread: %s", strerror(error));
    return error == 0;
}

static void release(msg_broker *b) {
    if (b->socket >= 0) close(b->socket);
    if (b->wake >= 0) close(b->wake);
    if (b->to_tell >= 0) close(b->to_tell);
    pthread_mutex_destroy(&b->lock);
    pthread_cond_destroy(&b->changed);
    free(b);
}

/* Without what other calls need to say that it has ended. */
static void end(msg_broker *b) {
    pthread_mutex_lock(&b->lock);
    b->ends = true;
    msg_broker_wake(b);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->thread, NULL);
    /* What peers sent stays with the queues until the endpoint is closed. */
    while (b->channels) {
        struct msg_broker_channel *c = b->channels;
        if (c->row && msg_row_of(c->transmit, c->destination) == c->row)
            msg_row_retire(c->transmit, c->destination, c->row);
        msg_channel_free(b, c);
    }
    while (b->names) {
        struct msg_broker_name *n = b->names;
        b->names = n->next;
        free(n);
    }
    msg_broker_send_nothing(b);
    if (b->socket >= 0) close(b->socket);
    b->socket = -1;
}

/* The endpoint is closed before its connections, which serve its queues. */
static void leave(msg_endpoint *e) {
    for (;;) {
        pthread_mutex_lock(&all_lock);
        msg_broker *b = all;
        while (b && b->endpoint != e) b = b->next;
        pthread_mutex_unlock(&all_lock);
        if (!b) return;
        forget(b);
        end(b);
        b->endpoint = NULL;
    }
}

msg_broker *msg_broker_connect(msg_endpoint *e, const char *socket) {
    if (msg_is_null(e, "the endpoint")) return NULL;
    msg_broker *b = calloc(1, sizeof *b);
    if (!b) {
        msg_fail("out of memory");
        return NULL;
    }
    b->endpoint = e;
    b->last = &b->first;
    pthread_mutex_init(&b->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&b->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    b->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    b->to_tell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    b->socket = -1;
    keep(b);
    if (b->wake < 0 || b->to_tell < 0)
        msg_fail("cannot make an event descriptor: %s", strerror(errno));
    else if (find_path(b->path, socket) && (b->socket = msg_broker_dial(b->path, &b->sample_ms)) >= 0 && start(b)) {
        e->leave_brokers = leave;
        return b;
    }
    forget(b);
    release(b);
    return NULL;
}

void msg_broker_close(msg_broker *b) {
    if (!b || b->forked) return;
    if (b->endpoint) {
        forget(b);
        end(b);
    }
    release(b);
}

/* ---- asking it ---------------------------------------------------------------------------------------------------- */

static struct timespec until(int timeout_ms) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += timeout_ms / 1000;
    t.tv_nsec += timeout_ms % 1000 * 1000000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000L;
    }
    return t;
}

/* With the lock held: sends the request and waits; false: see msg_error, and *late says whether only the time is over. */
static bool ask(msg_broker *b, struct msg_packet *p, int timeout_ms, bool *late) {
    struct msg_broker_wait w = {.request = p->request, .next = b->waits};
    struct timespec end = until(timeout_ms < 0 ? 0 : timeout_ms);
    b->waits = &w;
    msg_broker_post(b, p, NULL, 0);
    *late = false;
    while (!w.done && !*late) {
        if (timeout_ms < 0)
            pthread_cond_wait(&b->changed, &b->lock);
        else
            *late = pthread_cond_timedwait(&b->changed, &b->lock, &end) == ETIMEDOUT && !w.done;
    }
    for (struct msg_broker_wait **at = &b->waits; *at; at = &(*at)->next)
        if (*at == &w) {
            *at = w.next;
            break;
        }
    if (w.failed) msg_fail("%s", w.why);
    return w.done && !w.failed;
}

static bool is_name(const char *name) {
    size_t length = strlen(name);
    bool good = length > 0 && length < MSG_BROKER_NAME;
    for (size_t i = 0; good && i < length; i++)
        good = isascii((unsigned char)name[i]) && (isalnum((unsigned char)name[i]) || strchr("._-/", name[i]));
    if (good) return true;
    /* What would be an order to a terminal is not printed as it is; and no character is cut. */
    char shown[81] = {0};
    size_t n = strnlen(name, sizeof shown);
    if (n == sizeof shown)
        for (n--; n && ((unsigned char)name[n] & 0xc0) == 0x80;) n--;
    for (size_t i = 0; i < n; i++) shown[i] = name[i];
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)shown[i] < ' ' || shown[i] == 127) shown[i] = '?';
    msg_fail("'%s' is not a valid name (1 to 63 letters, digits, and . _ - /)", shown);
    return false;
}

struct msg_broker_name *msg_broker_find(msg_broker *b, const char *name) {
    struct msg_broker_name *n = b->names;
    while (n && strcmp(n->name, name) != 0) n = n->next;
    return n;
}

static uint32_t new_request(msg_broker *b) {
    if (++b->requests == 0) b->requests = 1;
    return b->requests;
}

static bool is_connected(const msg_broker *b) {
    if (b->forked)
        msg_fail("this connection to the broker of %s was made before a fork: connect in this process", b->path);
    else if (!b->endpoint)
        msg_fail("this connection to the broker of %s has ended with its endpoint", b->path);
    else if (b->socket < 0)
        msg_fail("the broker of %s has ended; this connection comes back when it is started again", b->path);
    return b->socket >= 0;
}

int msg_broker_register(msg_broker *b, const char *name, msg_queue *q, msg_transmit *answers) {
    if (!is_name(name) || msg_is_null(b, "the broker's connection") || msg_is_null(q, "the queue")) return MSG_FAILED;
    if (q->endpoint != b->endpoint || (answers && answers->endpoint != b->endpoint))
        return msg_fail("the queue of '%s' belongs to another endpoint than this connection", name);
    struct msg_broker_name *n = calloc(1, sizeof *n);
    if (!n) return msg_fail("out of memory");
    strcpy(n->name, name);
    n->queue = q;
    n->answers = answers;
    pthread_mutex_lock(&b->lock);
    bool good = is_connected(b), late;
    if (good && msg_broker_find(b, name))
        good = msg_fail("'%s' is registered by this connection already", name) == MSG_OK;
    if (good) {
        /* Before the answer, behind which a client may come. */
        n->next = b->names;
        b->names = n;
        struct msg_packet p = {.kind = MSG_P_REGISTER, .request = new_request(b)};
        strcpy(p.name, name);
        p.number[0] = q->slots;
        p.number[1] = answers ? answers->destinations : 0;
        p.number[2] = q->basic;
        good = ask(b, &p, ANSWER_MS, &late);
        if (late) {
            msg_fail("the broker of %s has not answered in %d s: is it stopped?", b->path, ANSWER_MS / 1000);
            p.kind = MSG_P_WITHDRAW; /* it may still get both */
            msg_broker_post(b, &p, NULL, 0);
        }
        if (!good)
            for (struct msg_broker_name **at = &b->names; *at; at = &(*at)->next)
                if (*at == n) {
                    *at = n->next;
                    break;
                }
    }
    pthread_mutex_unlock(&b->lock);
    if (!good) free(n);
    return good ? MSG_OK : MSG_FAILED;
}

int msg_broker_withdraw(msg_broker *b, const char *name) {
    int status = MSG_FAILED;
    if (b->forked && !is_connected(b)) return MSG_FAILED;
    pthread_mutex_lock(&b->lock);
    for (struct msg_broker_name **at = &b->names; *at; at = &(*at)->next) {
        struct msg_broker_name *n = *at;
        if (strcmp(n->name, name) != 0) continue;
        struct msg_packet p = {.kind = MSG_P_WITHDRAW};
        strcpy(p.name, n->name);
        msg_broker_post(b, &p, NULL, 0);
        *at = n->next;
        free(n);
        status = MSG_OK;
        break;
    }
    pthread_mutex_unlock(&b->lock);
    return status == MSG_OK ? MSG_OK : msg_fail("'%.80s' is not registered by this connection", name);
}

int msg_broker_open(msg_broker *b, const char *name, msg_transmit *t, unsigned destination, msg_queue *inbox,
                    int timeout_ms) {
    if (!is_name(name) || msg_is_null(b, "the broker's connection") || !msg_row_is_free(t, destination))
        return MSG_FAILED;
    if (t->endpoint != b->endpoint || (inbox && inbox->endpoint != b->endpoint))
        return msg_fail("the queues for '%s' belong to another endpoint than this connection", name);
    pthread_mutex_lock(&b->lock);
    bool good = is_connected(b), late = false;
    struct msg_broker_channel *c = good ? msg_channel_new(b, name) : NULL;
    if (c) {
        uint32_t request = c->request = new_request(b);
        c->transmit = t;
        c->destination = destination;
        c->queue = inbox;
        c->answers = inbox;
        struct msg_packet p = {.kind = MSG_P_OPEN, .request = request, .source = destination};
        p.flags = inbox ? MSG_F_ANSWERS : 0;
        strcpy(p.name, name);
        good = ask(b, &p, timeout_ms, &late);
        /* Whoever failed it has freed the channel, too; only in time does it live on. */
        for (c = b->channels; c && (c->server || c->request != request); c = c->next) continue;
        if (late && c) {
            if (c->id) /* by which the broker has answered */
                msg_fail("the server of '%s' (process %u) has not answered in %d ms", name, c->pid, timeout_ms);
            else
                msg_fail("the broker of %s has not answered in %d ms: is it stopped?", b->path, timeout_ms);
            msg_channel_end(b, c, "the client did not wait for longer");
        }
    }
    pthread_mutex_unlock(&b->lock);
    if (good && !c) return msg_fail("the server of '%s' has ended", name);
    return good ? MSG_OK : MSG_FAILED;
}

int msg_broker_hang_up(msg_broker *b, msg_transmit *t, unsigned destination) {
    if (b->forked && !is_connected(b)) return MSG_FAILED;
    pthread_mutex_lock(&b->lock);
    struct msg_broker_channel *c = b->channels;
    while (c && (c->server || c->state != OPEN || c->transmit != t || c->destination != destination)) c = c->next;
    bool is_busy = c && c->row && __atomic_load_n(&c->row->jobs, __ATOMIC_ACQUIRE);
    if (c && !is_busy) msg_channel_leave(b, c);
    pthread_mutex_unlock(&b->lock);
    if (is_busy) return msg_fail("row %u has Bulk jobs that are not done: wait for msg_bulk_is_done", destination);
    return c ? MSG_OK : msg_fail("row %u was not made by msg_broker_open: msg_disconnect gives it back", destination);
}

/* ---- events ------------------------------------------------------------------------------------------------------- */

bool msg_broker_next(msg_broker *b, msg_broker_event *event, int timeout_ms) {
    if (b->forked) return false;
    struct timespec end = until(timeout_ms < 0 ? 0 : timeout_ms);
    pthread_mutex_lock(&b->lock);
    bool late = timeout_ms == 0;
    while (!b->events && !late) {
        if (timeout_ms < 0)
            pthread_cond_wait(&b->changed, &b->lock);
        else
            late = pthread_cond_timedwait(&b->changed, &b->lock, &end) == ETIMEDOUT;
    }
    bool found = b->events;
    if (found) {
        *event = b->event[b->first_event];
        event->missed = b->missed;
        b->missed = 0;
        b->first_event = (b->first_event + 1) % MSG_EVENTS;
        uint64_t count;
        if (--b->events == 0 && read(b->to_tell, &count, sizeof count) < 0) found = true; /* nothing was there */
    }
    pthread_mutex_unlock(&b->lock);
    return found;
}

int msg_broker_fd(const msg_broker *b) { return b->to_tell; }

bool msg_broker_who(msg_broker *b, const char *name, uint32_t source, msg_broker_event *who) {
    if (b->forked) return false;
    pthread_mutex_lock(&b->lock);
    struct msg_broker_channel *c = b->channels;
    while (c && !(c->server && c->state != OPENING && c->source == source && strcmp(c->name, name) == 0)) c = c->next;
    if (c) {
        *who = (msg_broker_event){.what = c->state == OPEN ? MSG_CLIENT_CAME : MSG_CLIENT_GONE, .source = source};
        who->uid = c->uid;
        who->gid = c->gid;
        who->pid = (int32_t)c->pid;
        strcpy(who->name, c->name);
    }
    pthread_mutex_unlock(&b->lock);
    return c;
}
