/* Taking turns with the engine: records, stops, and the messages that are served while a thread is stopped.
 *
 * Who has the turn is settled as tests/protocols/baton.pml models it.
 *
 * A thread that is stopped is in its own call of sim_stop, at a place where messages can be served as by a progress
 * thread (conduit/progress.h), unless it stopped inside the messages' own code. So a thread serves others at the time at
 * which their messages arrive, whatever it computes at that time.
 */
#define _GNU_SOURCE
#include "conduit/launch/launch.h"
#include "conduit/sim/sim.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/progress.h"

int sim_me = -1, sim_threads;
struct sim_thread *sim_self;
bool sim_has_turns;

static int file = -1; /* what is shared with the engine */
static struct sim_head *head;
static struct sim_baton *batons;
static char *out, *in;
static unsigned stops;        /* of this thread */
static volatile bool is_busy; /* a signal handler finds this thread at a stop, or writing a record */

/* The head, also before main, and before sim_attach; NULL outside of a simulation. */
static struct sim_head *early_head(void) {
    static struct sim_head *early;
    if (!head && !early) {
        const char *text = getenv("FATHOM_SIM");
        void *h = text ? mmap(NULL, SIM_HEAD, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(text), 0) : MAP_FAILED;
        if (h == MAP_FAILED) return NULL;
        early = h;
    }
    struct sim_head *h = head ? head : early;
    return h->version == SIM_VERSION ? h : NULL;
}

const uint64_t *sim_costs(void) {
    struct sim_head *h = early_head();
    return h ? h->costs : NULL;
}

const uint64_t *sim_declared(void) { return head->declared; }

void sim_has_accesses(void) {
    struct sim_head *h = early_head();
    if (h) h->has_accesses = 1;
}

bool sim_takes_accesses(void) { return head && head->accesses && sim_may_stop(); }

static bool map_shared(void *at, size_t bytes, int fd, size_t from) {
    return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)from) != MAP_FAILED;
}

static const char cannot_map[] = "fathom: cannot map what is shared with the simulation: %s\n";

int sim_attach(void) {
    const char *text = getenv("FATHOM_SIM");
    int fd = text ? atoi(text) : -1;
    struct sim_head *h = fd < 0 ? MAP_FAILED : mmap(NULL, SIM_HEAD, PROT_READ, MAP_SHARED, fd, 0);
    if (h == MAP_FAILED || h->version != SIM_VERSION) {
        fprintf(stderr, "fathom: this program is linked for simulated machines: start it by `fathom simulate`%s\n",
                h == MAP_FAILED ? "" : " of the same version of Fathom");
        exit(1);
    }
    sim_threads = (int)h->threads;
    munmap(h, SIM_HEAD);
    /* Of the blocks a thread maps its own alone, in the room behind the batons: a process has a page of tables for each
     * 2 MiB, and another for each GiB, in which it has anything. */
    void *room = mmap(NULL, sim_blocks((size_t)sim_threads) + SIM_BLOCK, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED || !map_shared(room, sim_blocks((size_t)sim_threads), fd, 0)) {
        fprintf(stderr, cannot_map, strerror(errno));
        exit(1);
    }
    file = fd;
    unsetenv("FATHOM_SIM"); /* what the program starts is not part of the job */
    head = room;
    batons = (struct sim_baton *)((char *)room + SIM_HEAD);
    return sim_threads;
}

static long futex(uint32_t *word, int what, uint32_t value) { return syscall(SYS_futex, word, what, value, NULL); }

static void wake_engine(void) {
    __atomic_store_n(&head->engine, 1, __ATOMIC_RELEASE);
    futex(&head->engine, FUTEX_WAKE, 1);
}

/* Waits for this thread's turn, and takes it. */
static uint32_t take_turn(void) {
    uint32_t *word = &batons[sim_me].turn, turn;
    while ((turn = __atomic_load_n(word, __ATOMIC_ACQUIRE)) == SIM_STOPPED) futex(word, FUTEX_WAIT, SIM_STOPPED);
    *word = SIM_STOPPED; /* nobody else writes it before this thread has stopped again */
    return turn;
}

static bool is_before(uint64_t at, uint32_t thread, uint64_t other_at, uint32_t other) {
    return at != other_at ? at < other_at : thread < other;
}

/* This thread's next event: its first record, or its stop. */
static uint64_t next_event(void) {
    uint64_t work = sim_self->out_bytes ? ((struct sim_op *)out)->work : sim_self->work, at;
    return __builtin_add_overflow(sim_self->now, work, &at) ? UINT64_MAX : at;
}

/* Hands the baton on: to the thread whose turn is foreseen, if that comes before all events that have become known since,
 * and no thread that polls has an earlier one now; else to the engine. */
static void hand_over(void) {
    uint32_t next = batons[sim_me].next;
    if (next && !head->touched_count) {
        struct sim_baton *to = &batons[--next];
        uint64_t at = next_event();
        if (is_before(at, (uint32_t)sim_me, head->soonest_at, head->soonest))
            head->soonest_at = at, head->soonest = (uint32_t)sim_me;
        if (is_before(to->at, next, head->soonest_at, head->soonest)) {
            __atomic_store_n(&to->turn, SIM_RUN, __ATOMIC_RELEASE);
            futex(&to->turn, FUTEX_WAKE, 1);
            return;
        }
    }
    wake_engine();
}

void sim_touch(int thread) {
    struct sim_baton *to = &batons[thread];
    if (!to->polls || thread == sim_me) return;
    to->polls = 0;
    if (head->touched_count < SIM_MOST_TOUCHED) head->touched[head->touched_count] = (uint32_t)thread;
    head->touched_count++;
    head->toucher = (uint32_t)sim_me;
}

/* ---- words of other segments ------------------------------------------------------------------------------------- */

void sim_share_segments(int fd, uint64_t bytes) {
    if (head->per_ns || sim_me) return;
    head->segments_of = (uint32_t)getpid();
    head->segments_bytes = bytes;
    head->segments = fd;
}

uint64_t *sim_fetch_list(void) {
    bool can = head->segments >= 0 && !head->cannot_fetch && sim_has_turns;
    return can ? (uint64_t *)((char *)sim_self + SIM_FETCH) : NULL;
}

bool sim_hand_over_list(uint32_t count) {
    bool was_busy = is_busy;
    is_busy = true;
    sim_self->fetches = count;
    head->fetcher = (uint32_t)sim_me + 1;
    wake_engine();
    take_turn();
    is_busy = was_busy;
    return !head->cannot_fetch;
}

/* The processor's time of this thread. */
static uint64_t used_ns(void) {
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t used;          /* when the last record was complete */
static uint64_t asking = 1000; /* what it takes to ask, at least */

/* Picoseconds of work since the last record. */
static uint64_t work_done(void) {
    uint64_t counted = sim_counted();
    if (!head->per_ns) return counted;
    uint64_t ns = used_ns() - used, work;
    if (ns <= asking) return 0;
    return __builtin_mul_overflow(ns - asking, head->per_ns, &work) ? SIM_LONGEST : work;
}

static void work_begins(void) {
    if (head->per_ns) used = used_ns();
}

void sim_begin(int me) {
    sim_me = me;
    char *block = (char *)head + sim_blocks((size_t)sim_threads);
    if (!map_shared(block, SIM_BLOCK, file, sim_blocks((size_t)sim_threads) + (size_t)me * SIM_BLOCK)) {
        int why = errno;
        if (launch_end(1)) fprintf(stderr, cannot_map, strerror(why));
        _exit(1);
    }
    close(file);
    sim_self = (struct sim_thread *)block;
    sim_self->out_at = SIM_OUT;
    sim_self->out_most = SIM_OUT_BYTES;
    out = block + SIM_OUT;
    in = block + SIM_IN;
    sim_self->stop = SIM_START;
    sim_self->process = (uint32_t)getpid();
    if (__atomic_add_fetch(&head->started, 1, __ATOMIC_ACQ_REL) == (uint32_t)sim_threads) wake_engine();
    take_turn();
    sim_has_turns = true;
    for (int i = 0; i < 100 && head->per_ns; i++) {
        work_begins();
        uint64_t ns = used_ns() - used;
        if (ns < asking) asking = ns;
    }
    work_begins();
    if (me == 0) sim_tell_places();
}

/* ---- stops ------------------------------------------------------------------------------------------------------- */

static void serve(void) {
    struct sim_message *m = (struct sim_message *)in;
    uint64_t *args = (uint64_t *)(m + 1);
    conduit_deliver_beside(&(struct conduit_message){.thread = (int)m->thread,
                                                     .handler = m->handler,
                                                     .nargs = m->nargs,
                                                     .reply = m->reply,
                                                     .args = args,
                                                     .payload = args + m->nargs,
                                                     .bytes = m->bytes});
}

bool sim_may_stop(void) { return sim_has_turns && !is_busy && !conduit_beside && !conduit_engine.inside; }

void sim_stop(enum sim_stop why) {
    int before = errno;
    bool was_busy = is_busy;
    is_busy = true;
    sim_flush_accesses();
    sim_fetch();
    sim_self->may_serve = !conduit_engine.inside && !conduit_beside;
    sim_self->work = work_done();
    sim_self->place = sim_place();
    if (sim_does_it_again(why, out, sim_self->out_bytes, sim_self->work) && !head->per_ns) {
        why = SIM_AGAIN;
        batons[sim_me].polls = 1;
    }
    stops++;
    for (sim_self->stop = why;; sim_self->stop = SIM_SERVED) {
        __atomic_store_n(&sim_self->has_stopped, 1, __ATOMIC_RELEASE);
        hand_over();
        uint32_t turn = take_turn();
        sim_self->out_bytes = 0;
        out = (char *)sim_self + sim_self->out_at;
        if (turn == SIM_RUN) break;
        serve();
        sim_self->work = 0;
    }
    batons[sim_me].polls = 0;
    if (sim_self->repeated) sim_has_repeated(sim_self->repeated);
    sim_self->repeated = 0;
    work_begins();
    is_busy = was_busy;
    errno = before;
}

unsigned sim_stops(void) { return stops; }

bool sim_asks_again(unsigned *asked) {
    bool again = *asked == stops;
    *asked = stops;
    return again;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static size_t whole(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

void sim_record(enum sim_record what, int thread, size_t bytes, uint64_t offset, uint64_t id,
                const struct sim_part *parts, int count) {
    if (what != SIM_ACCESSES) sim_flush_accesses();
    size_t length = sizeof(struct sim_op);
    for (int i = 0; i < count; i++) length += whole(parts[i].bytes);
    bool may_stop = sim_self->out_bytes && !conduit_engine.inside && !conduit_beside;
    if (sim_self->out_bytes + length > (may_stop ? sim_self->out_most : SIM_OUT_BYTES)) sim_stop(SIM_FULL);
    bool was_busy = is_busy;
    is_busy = true;
    char *at = out + sim_self->out_bytes;
    *(struct sim_op *)at = (struct sim_op){
        what,   sim_place(), (uint32_t)thread, conduit_beside || what == SIM_ACCESSES ? 0 : work_done(), bytes,
        offset, id};
    at += sizeof(struct sim_op);
    for (int i = 0; i < count; at += whole(parts[i++].bytes))
        if (parts[i].bytes) memcpy(at, parts[i].at, parts[i].bytes);
    sim_self->out_bytes += (uint32_t)length;
    if (what != SIM_ACCESSES) work_begins();
    is_busy = was_busy;
}
