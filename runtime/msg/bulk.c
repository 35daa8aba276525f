/* Bulk: an endpoint's service thread, the original's service processor, copies data into receivers' windows and then sends
 * the message that says so. Jobs of a row are done in the order in which they were given. The thread begins with the first job, has all
 * signals blocked, and sleeps while there is nothing to do.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msg/internal.h"

struct msg_service {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    msg_job *first, **last;
    bool ends;
    pid_t of; /* the process that has the thread: not its children */
};

static uint64_t word_of(uint64_t offset, uint64_t bytes) { return offset / MSG_LINE << MSG_BULK_BYTES_BITS | bytes; }
static uint64_t stamp_of(unsigned tag, uint16_t word) {
    return (uint64_t)word << MSG_HIGH_SHIFT | MSG_SLOT_BULK << MSG_KIND_SHIFT | tag;
}

/* The data are copied, once, and the message is sent. False: there is no room for it. */
static bool perform(msg_job *job, bool asks_who_is_there) {
    struct msg_row *r = job->row;
    if (job->state == MSG_JOB_STARTED) {
        memcpy(r->window + job->offset, job->data, job->bytes);
        __atomic_store_n(&job->state, MSG_JOB_COPIED, __ATOMIC_RELAXED);
    }
    if (!msg_row_put(r, word_of(job->offset, job->bytes), job->stamp, &job->ticket)) {
        bool is_over = asks_who_is_there ? msg_row_is_deserted(r) : __atomic_load_n(&r->gone, __ATOMIC_ACQUIRE);
        if (!is_over) return false;
        job->ticket = MSG_NO_TICKET; /* nobody is there to receive it */
    }
    __atomic_store_n(&job->state, MSG_JOB_DONE, __ATOMIC_RELEASE);
    __atomic_fetch_sub(&r->jobs, 1, __ATOMIC_RELEASE);
    return true;
}

/* Jobs that wait for room, each behind those of its row that were given before. */
static bool has_of_row(const msg_job *held, const msg_job *end, const struct msg_row *r) {
    while (held != end && held->row != r) held = held->next;
    return held != end;
}
static void perform_held(msg_job **held, bool asks_who_is_there) {
    for (msg_job **at = held, *job; (job = *at);) {
        msg_job *next = job->next; /* a job that is done is the caller's */
        if (!has_of_row(*held, job, job->row) && perform(job, asks_who_is_there))
            *at = next;
        else
            at = &job->next;
    }
}
static void hold(msg_job **held, msg_job *job) {
    while (*held) held = &(*held)->next;
    job->next = NULL;
    *held = job;
}

/* A full row holds up its own jobs only. While jobs wait, new ones and other rows' room are looked for so often. */
enum { LOOK_MS = 5, LOOKS_TO_ASK = 20 };

static void *serve(void *with) {
    struct msg_service *s = with;
    msg_job *held = NULL;
    unsigned looks = 0;
    pthread_mutex_lock(&s->lock);
    while (!s->ends) {
        msg_job *job = s->first;
        if (!job && !held) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        if (job) s->first = job->next;
        if (!s->first) s->last = &s->first;
        pthread_mutex_unlock(&s->lock);
        if (!job) msg_row_wait(held->row, LOOK_MS);
        perform_held(&held, !job && ++looks % LOOKS_TO_ASK == 0);
        if (job && (has_of_row(held, NULL, job->row) || !perform(job, false))) hold(&held, job);
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* The endpoint's service; null: it cannot be started. */
static struct msg_service *service_of(msg_endpoint *e) {
    struct msg_service *s = __atomic_load_n(&e->service, __ATOMIC_ACQUIRE);
    pid_t me = getpid();
    if (s && s->of == me) return s;
    pthread_mutex_lock(&e->setting_up);
    s = e->service;
    if (s && s->of != me) s = NULL; /* the parent's, with what it was about to do */
    if (!s && (s = calloc(1, sizeof *s))) {
        s->of = me;
        s->last = &s->first;
        pthread_mutex_init(&s->lock, NULL);
        pthread_cond_init(&s->changed, NULL);
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &before);
        int error = pthread_create(&s->thread, NULL, serve, s);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (error) {
            msg_fail("cannot start the service thread: %s", strerror(error));
            free(s);
            s = NULL;
        }
        __atomic_store_n(&e->service, s, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&e->setting_up);
    return s;
}

void msg_service_end(msg_endpoint *e) {
    struct msg_service *s = e->service;
    e->service = NULL;
    if (!s || s->of != getpid()) return;
    pthread_mutex_lock(&s->lock);
    __atomic_store_n(&s->ends, true, __ATOMIC_RELAXED);
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free(s);
}

int msg_bulk(msg_transmit *t, unsigned destination, unsigned tag, uint16_t word, uint64_t offset, const void *data,
             uint64_t bytes, msg_job *job) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    if (!r) return MSG_NO_ROW;
    if (r->basic || r->single || tag >= MSG_TAGS || offset % MSG_LINE) return MSG_WRONG;
    if (offset > r->window_bytes || bytes > r->window_bytes - offset) return MSG_TOO_LONG;
    struct msg_service *s = r->far ? NULL : service_of(t->endpoint);
    if (!s && !r->far) return MSG_FAILED;
    uint64_t stamp = stamp_of(tag, word);
    *job = (msg_job){.state = r->far ? MSG_JOB_FAR : MSG_JOB_STARTED,
                     .row = r,
                     .data = data,
                     .bytes = bytes,
                     .offset = offset,
                     .stamp = stamp};
    if (r->far) return msg_far_bulk(r, job);
    __atomic_fetch_add(&r->jobs, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&s->lock);
    *s->last = job;
    s->last = &job->next;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return MSG_OK;
}

int msg_bulk_copy(msg_transmit *t, unsigned destination, unsigned tag, uint16_t word, uint64_t offset, const void *data,
                  uint64_t bytes, uint64_t *ticket) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    struct msg_row *r = msg_row_of(t, destination);
    if (!r) return MSG_NO_ROW;
    if (r->basic || r->far || tag >= MSG_TAGS || offset % MSG_LINE) return MSG_WRONG;
    if (offset > r->window_bytes || bytes > r->window_bytes - offset) return MSG_TOO_LONG;
    /* A copy in vain is the dearest part: it is looked for room first, though another thread may take that. */
    uint64_t tail = __atomic_load_n(&r->lane.tail, __ATOMIC_ACQUIRE);
    if (!lane_has_room(&r->lane, lane_ring_of(r->lane.ring, tail), tail) && !lane_is_clear(&r->lane, tail) &&
        lane_look(&r->lane, tail) >= LANE_IS_FULL)
        return MSG_FULL;
    memcpy(r->window + offset, data, bytes);
    return msg_row_send(r, word_of(offset, bytes), stamp_of(tag, word), ticket) ? MSG_OK : MSG_FULL;
}

bool msg_bulk_is_done(const msg_job *job) {
    /* A near row may be freed as soon as its job is done: it is not looked at. */
    if (__atomic_load_n(&job->state, __ATOMIC_ACQUIRE) == MSG_JOB_FAR) msg_far_poll_row(job->row);
    return __atomic_load_n(&job->state, __ATOMIC_ACQUIRE) == MSG_JOB_DONE;
}
