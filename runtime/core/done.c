/* Which threads have terminated, and how the others learn it.
 *
 * Where all threads are near, or a supervisor counts them, the conduit knows (conduit_done_count, conduit_is_done).
 * Otherwise the threads tell each other by messages, over a tree: thread t's parent is (t - 1) / FAN. If each told all
 * others, the end of a job of n threads would be n * n messages. So a message carries a summary: how many threads have
 * terminated, and which of those had begun the fewest barriers, for a barrier that would wait for it. A thread sums up
 * its part of the tree. It tells its parent when the whole part has terminated, or all of it but one thread, or when
 * the fewest barriers have become fewer. Thread 0 has the summary of the job, which goes down the tree on the same
 * occasions. That is a handful of messages up and a handful down, whatever the number of threads.
 *
 * Messages about the same threads may overtake each other where the thread and its progress thread both send. So a
 * summary only ever grows: the greater count holds, and the fewer barriers. A thread that wants to know about one other
 * thread asks it (core_is_done): a thread that has terminated still answers. All state is used inside the engine only
 * (conduit/progress.h).
 */
#include <stdlib.h>

#include "conduit/progress.h"
#include "core/core.h"

enum { FAN = 8 };

/* The summary of a part of the tree. */
struct summary {
    int count;      /* at least this number have terminated */
    int first;      /* one of them that had begun no more barriers than any other; -1: none */
    uint32_t phase; /* how many it had begun */
};

static bool leaving;                        /* this thread has terminated and serves the others */
static int part;                            /* threads in this one's part of the tree, itself among them */
static struct summary own, below[FAN], job; /* of this thread, of its children's parts, of all */
static struct summary told_up, told_down;   /* last */
static unsigned char *known;                /* by thread: it has been asked, or it has terminated */
enum { ASKED = 1, DONE = 2 };

/* ---- summaries --------------------------------------------------------------------------------------------------- */

static bool is_fewer(const struct summary *a, const struct summary *b) {
    return a->first >= 0 && (b->first < 0 || (int32_t)(a->phase - b->phase) < 0);
}

static void take_fewer(struct summary *into, const struct summary *from) {
    if (!is_fewer(from, into)) return;
    into->first = from->first;
    into->phase = from->phase;
}

/* A newer summary of the same part, or an older one. */
static void update(struct summary *s, const struct summary *news) {
    if (news->count > s->count) s->count = news->count;
    take_fewer(s, news);
}

static struct summary of_part(void) {
    struct summary all = own;
    for (int i = 0; i < FAN; i++) {
        all.count += below[i].count;
        take_fewer(&all, &below[i]);
    }
    return all;
}

/* Is it worth a message to the threads that know `told`, about a part of this number of threads? */
static bool is_news(const struct summary *s, const struct summary *told, int threads) {
    return is_fewer(s, told) || (s->count >= threads - 1 && s->count > told->count);
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

static bool is_told(void) { return conduit_near.count < fathom_threads; } /* by messages */
static long child(int i) { return (long)fathom_mythread * FAN + 1 + i; }
static int parent(void) { return (fathom_mythread - 1) / FAN; }

static int threads_in_part(void) {
    long first = fathom_mythread, last = first, n = 0;
    for (; first < fathom_threads; first = first * FAN + 1, last = last * FAN + FAN)
        n += (last < fathom_threads ? last + 1 : fathom_threads) - first;
    return (int)n;
}

static void tell(int thread, enum core_handler what, const struct summary *s) {
    uint64_t args[] = {(uint64_t)s->count, (uint64_t)s->first, s->phase};
    core_request(thread, what, NULL, 0, args, 3);
}

static struct summary told(const uint64_t *args) {
    return (struct summary){(int)args[0], (int)args[1], (uint32_t)args[2]};
}

static void on_done(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    struct summary s = told(args);
    update(&below[gas_token_source(token) - child(0)], &s);
    core_news |= CORE_NEWS_DONE;
}

static void on_all_done(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    struct summary s = told(args);
    update(&job, &s);
    core_news |= CORE_NEWS_DONE;
}

/* While it waits for room to send, more messages may come. */
void core_done_advance(void) {
    if (!is_told()) return;
    bool entered = conduit_enter();
    while (core_news & CORE_NEWS_DONE) {
        core_news &= (unsigned char)~CORE_NEWS_DONE;
        struct summary mine = of_part();
        if (fathom_mythread == 0) {
            update(&job, &mine);
        } else if (is_news(&mine, &told_up, part)) {
            told_up = mine;
            tell(parent(), CORE_DONE, &mine);
        }
        if (!is_news(&job, &told_down, fathom_threads)) continue;
        struct summary all = told_down = job;
        for (int i = 0; i < FAN && child(i) < fathom_threads; i++) tell((int)child(i), CORE_ALL_DONE, &all);
    }
    conduit_leave(entered);
}

/* ---- one thread -------------------------------------------------------------------------------------------------- */

static void on_question(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)args, (void)nargs, (void)payload, (void)bytes;
    core_reply(token, CORE_IS_DONE_ANSWER, NULL, 0, &(uint64_t){leaving}, 1);
}

static void on_answer(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    known[gas_token_source(token)] = args[0] ? DONE : 0;
}

bool core_is_done(int thread) {
    CORE_GATE;
    if (thread == fathom_mythread) return leaving;
    if (conduit_is_done(thread)) {
        while (!core_is_near(thread) && core_poll()) {} /* what it sent before is here, and may be what is waited for */
        return true;
    }
    if (core_is_near(thread)) return false;
    if (!known[thread]) {
        known[thread] = ASKED;
        core_request(thread, CORE_IS_DONE, NULL, 0, NULL, 0);
    }
    return known[thread] == DONE;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

bool core_is_leaving(void) { return leaving; }

static int count_told(void) { return __atomic_load_n(&job.count, __ATOMIC_RELAXED); }

int core_done_count(void) {
    int seen = conduit_done_count(), heard = count_told();
    return heard > seen ? heard : seen;
}

int core_done_before(uint32_t barrier) {
    CORE_GATE;
    bool entered = conduit_enter();
    struct summary s = job;
    conduit_leave(entered);
    if (s.first >= 0 && (int32_t)(s.phase - barrier) < 0) return s.first;
    int lost = conduit_lost();
    return lost >= 0 && !core_is_near(lost) ? lost : -1;
}

void core_done_start(void) {
    struct summary nobody = {.first = -1};
    own = job = told_up = told_down = nobody;
    for (int i = 0; i < FAN; i++) below[i] = nobody;
    core_service(CORE_DONE, on_done);
    core_service(CORE_ALL_DONE, on_all_done);
    core_service(CORE_IS_DONE, on_question);
    core_handler(CORE_IS_DONE_ANSWER, on_answer);
    if (!is_told()) return;
    part = threads_in_part();
    known = core_table((size_t)fathom_threads, sizeof *known);
}

/* The others sleep; the last one wakes them. */
static void wait_for_near(void) {
    conduit_done();
    if (conduit_done_count() == fathom_threads)
        for (int i = 0; i < conduit_near.count; i++) conduit_ring(conduit_near.first + i);
    for (unsigned round = 0; conduit_done_count() < fathom_threads;) core_wait_rung(&round);
}

/* A thread that ended without a message informs no other: then the supervisor knows that all have terminated. */
static void wait_for_far(void) {
    bool entered = conduit_enter();
    own = (struct summary){1, fathom_mythread, core_barriers_begun()};
    core_news |= CORE_NEWS_DONE;
    conduit_leave(entered);
    conduit_done(); /* first: what a conduit sends then reaches the others before they may leave */
    core_done_advance();
    for (unsigned round = 0; count_told() < fathom_threads;) {
        if (!core_wait(&round) || conduit_done_count() < fathom_threads) continue;
        struct summary all = {.count = fathom_threads, .first = -1};
        entered = conduit_enter();
        update(&job, &all);
        core_news |= CORE_NEWS_DONE;
        conduit_leave(entered);
    }
    core_done_advance();
    while (core_poll()) {} /* what was sent before is delivered */
}

void core_done(void) {
    CORE_GATE;
    leaving = true;
    core_forget_handlers();
    if (core_is_holding) core_let_go();
    (is_told() ? wait_for_far : wait_for_near)();
}
