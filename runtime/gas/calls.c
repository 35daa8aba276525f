/* Compares the collective calls of two members: calls.h. */
#include "gas/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduit/progress.h"

/* What is known of another member. What it waits for was read first: a member that waits for this one has stayed where it is. */
struct known {
    struct gas_need need; /* kind is meant only where number is not 0 */
    uint32_t barrier;     /* of all threads, at which it waits (core_barrier_awaited); 0: at none */
    bool blocks;          /* it does nothing else meanwhile */
    uint64_t told; /* the messages of its stream to this one (far members), as many as there were after its calls */
    uint64_t oldest, oldest_begun; /* the first calls that are still among these: */
    struct gas_calls calls;
};

/* ---- what is needed ---------------------------------------------------------------------------------------------- */

/* By near thread. */
static struct noted {
    _Alignas(64) uint64_t version; /* odd while it is being written */
    uint64_t words[5];             /* a struct gas_need */
} * noted;

void gas_calls_prepare(void) { noted = core_shared((size_t)conduit_near.count * sizeof *noted); }

enum { NEED_WORDS = 5 };
static void pack(uint64_t *words, const struct gas_need *n) {
    words[0] = n->team;
    words[1] = n->number;
    words[2] = (uint64_t)n->kind << 2 | n->counted;
    words[3] = (uint64_t)(uint32_t)n->low << 32 | (uint32_t)n->high;
    words[4] = (uint64_t)(uint32_t)n->thread << 32 | (uint32_t)n->also;
}
static struct gas_need unpack(const uint64_t *words) {
    return (struct gas_need){.team = words[0],
                             .number = words[1],
                             .kind = (enum gas_call_kind)(words[2] >> 2),
                             .counted = (enum gas_counted)(words[2] & 3),
                             .low = (int)(words[3] >> 32),
                             .high = (int)words[3],
                             .also = (int)words[4],
                             .thread = (int)(words[4] >> 32)};
}

static void note(const struct gas_need *n) {
    if (conduit_has_pthreads) return; /* another POSIX thread of this process may do what is needed for it */
    struct noted *own = &noted[fathom_mythread - conduit_near.first];
    uint64_t words[NEED_WORDS];
    pack(words, n);
    __atomic_store_n(&own->version, own->version + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (int i = 0; i < NEED_WORDS; i++) __atomic_store_n(&own->words[i], words[i], __ATOMIC_RELAXED);
    __atomic_store_n(&own->version, own->version + 1, __ATOMIC_RELEASE);
}

static struct gas_need need_of(int thread) {
    const struct noted *his = &noted[thread - conduit_near.first];
    uint64_t words[NEED_WORDS], version = __atomic_load_n(&his->version, __ATOMIC_ACQUIRE);
    for (int i = 0; i < NEED_WORDS; i++) words[i] = __atomic_load_n(&his->words[i], __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (version % 2 != 0 || __atomic_load_n(&his->version, __ATOMIC_RELAXED) != version) return (struct gas_need){0};
    return unpack(words);
}

/* Has this thread yet to do what the other needs of it? */
static bool is_needed(const struct gas_need *n) {
    gas_team t = n->number ? gas_team_numbered(n->team) : NULL;
    if (!t || !((n->low <= t->rank && t->rank <= n->high) || n->also == t->rank)) return false;
    switch (n->counted) {
    case GAS_COUNTS_BEGUN: return __atomic_load_n(&t->calls->begun, __ATOMIC_RELAXED) < n->number;
    case GAS_COUNTS_ROUNDS: return __atomic_load_n(&t->round, __ATOMIC_RELAXED) < n->number;
    default: return __atomic_load_n(&t->calls->count, __ATOMIC_RELAXED) < n->number;
    }
}

void gas_need_data(struct gas_need *n, const struct gas_team *t, int root) {
    switch (n->kind) {
    case GAS_CALL_BROADCAST:
    case GAS_CALL_SCATTER:
    case GAS_CALL_SCATTER_PIECES: n->low = n->high = root; break;
    case GAS_CALL_SCAN: n->high = t->rank - 1; break;
    case GAS_CALL_REDUCE:
    case GAS_CALL_GATHER:
    case GAS_CALL_GATHER_PIECES:
        if (t->rank == root) n->high = t->size - 1;
        break;
    case GAS_CALL_ALLOCATION:
    case GAS_CALL_SPLIT:
    case GAS_CALL_FREE: break; /* made of others */
    default: n->high = t->size - 1;
    }
}

/* ---- what was called --------------------------------------------------------------------------------------------- */

static uint64_t oldest_of(uint64_t count, uint64_t kept) { return count > kept ? count - kept : 0; }

/* Of a thread that may be making a call. */
static void read_calls(struct known *k, const struct gas_calls *c) {
    k->calls.begun = __atomic_load_n(&c->begun, __ATOMIC_ACQUIRE);
    k->calls.count = __atomic_load_n(&c->count, __ATOMIC_ACQUIRE);
    for (int i = 0; i < GAS_CALLS; i++) {
        const struct gas_call *from = &c->last[i];
        k->calls.last[i] = (struct gas_call){__atomic_load_n(&from->bytes, __ATOMIC_RELAXED),
                                             __atomic_load_n(&from->what, __ATOMIC_RELAXED)};
    }
    for (int i = 0; i < GAS_BEGUN; i++) k->calls.begun_last[i] = __atomic_load_n(&c->begun_last[i], __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    /* The next ones may be half written. */
    k->oldest = oldest_of(__atomic_load_n(&c->count, __ATOMIC_RELAXED) + 1, GAS_CALLS);
    k->oldest_begun = oldest_of(__atomic_load_n(&c->begun, __ATOMIC_RELAXED) + 1, GAS_BEGUN);
}

/* ---- a message --------------------------------------------------------------------------------------------------- */

static enum gas_call_kind kind_of(const struct gas_call *c) { return (enum gas_call_kind)(c->what >> 32); }

const char *gas_call_name(enum gas_call_kind kind) {
    switch (kind) {
    case GAS_CALL_BARRIER: return "a barrier of the team";
    case GAS_CALL_BROADCAST: return "a broadcast";
    case GAS_CALL_SCATTER: return "a scatter";
    case GAS_CALL_GATHER: return "a gather";
    case GAS_CALL_GATHER_ALL: return "a gather to all";
    case GAS_CALL_EXCHANGE: return "an exchange of all with all";
    case GAS_CALL_REDUCE: return "a reduction";
    case GAS_CALL_ALL_REDUCE: return "a reduction for all";
    case GAS_CALL_SCAN: return "a scan";
    case GAS_CALL_REDUCE_SCATTER: return "a reduction whose result is dealt out";
    case GAS_CALL_SCATTER_PIECES: return "a scatter of pieces";
    case GAS_CALL_GATHER_PIECES: return "a gather of pieces";
    case GAS_CALL_GATHER_ALL_PIECES: return "a gather of pieces to all";
    case GAS_CALL_EXCHANGE_PIECES: return "an exchange of pieces";
    case GAS_CALL_ALLOCATION: return "an allocation by all";
    case GAS_CALL_SPLIT: return "a split of the team";
    case GAS_CALL_FREE: return "the end of the team";
    }
    return "another";
}

/* "a broadcast (root 1, 8 bytes)" */
static const char *text_of(char *text, size_t room, const struct gas_call *c) {
    char root[32] = "", bytes[40] = "";
    if ((uint32_t)c->what) snprintf(root, sizeof root, "root %u", (uint32_t)c->what - 1);
    if (c->bytes) snprintf(bytes, sizeof bytes, "%s%lu bytes", *root ? ", " : "", (unsigned long)c->bytes);
    bool has = *root || *bytes;
    snprintf(text, room, "%s%s%s%s%s", gas_call_name(kind_of(c)), has ? " (" : "", root, bytes, has ? ")" : "");
    return text;
}

enum { TEXT = 128 };
#define RULE "all threads make the same collective calls in the same order"

static _Noreturn void differ(gas_team t, int rank, const struct gas_call *mine, const struct gas_call *his) {
    char one[TEXT], other[TEXT];
    gas_fatal("the collective calls differ: thread %d makes %s, thread %d %s: " RULE, fathom_mythread,
              text_of(one, sizeof one, mine), gas_team_member(t, rank), text_of(other, sizeof other, his));
}

static bool is_same(const struct gas_call *a, const struct gas_call *b) {
    return a->what == b->what && a->bytes == b->bytes;
}

static void compare_with(gas_team t, int rank, const struct known *his) {
    const struct gas_calls *mine = t->calls;
    if (mine->count == 0) return;
    uint64_t current = mine->count - 1, k = oldest_of(mine->count, GAS_CALLS);
    if (k < his->oldest) k = his->oldest;
    for (; k <= current && k < his->calls.count; k++) {
        const struct gas_call *a = &mine->last[k % GAS_CALLS], *b = &his->calls.last[k % GAS_CALLS];
        if (k == current ? !is_same(a, b) : kind_of(a) != kind_of(b)) differ(t, rank, a, b);
    }
}

/* current: the one whose end is waited for. */
static void compare_begun_ones(gas_team t, int rank, const struct known *his, uint64_t current) {
    const struct gas_calls *mine = t->calls;
    uint64_t k = oldest_of(mine->begun, GAS_BEGUN);
    if (k < his->oldest_begun) k = his->oldest_begun;
    for (; k <= current && k < his->calls.begun; k++) {
        struct gas_call a = {.what = mine->begun_last[k % GAS_BEGUN]},
                        b = {.what = his->calls.begun_last[k % GAS_BEGUN]};
        if (k == current ? is_same(&a, &b) : kind_of(&a) == kind_of(&b)) continue;
        char one[TEXT], other[TEXT];
        core_fatal(
            "the members of a team have begun different collective operations, this one %s and thread %d %s: all "
            "begin the same in the same order",
            text_of(one, sizeof one, &a), gas_team_member(t, rank), text_of(other, sizeof other, &b));
    }
}

/* ---- waiting for each other -------------------------------------------------------------------------------------- */

static bool waits_at_a_barrier(const struct known *his) {
    return !conduit_has_pthreads && his->barrier && (int32_t)(his->barrier - core_barriers_begun()) > 0;
}

/* "in a broadcast", "for the handle of a broadcast of another team" */
static const char *text_of_need(char *text, size_t room, const struct gas_need *n, gas_team t) {
    static const char of_team[] = " of the team";
    const char *name = gas_call_name(n->kind);
    size_t length = strlen(name), end = sizeof of_team - 1;
    bool is_same = n->team == t->id;
    if (!is_same && length > end && strcmp(name + length - end, of_team) == 0) length -= end;
    snprintf(text, room, "%s%.*s%s", n->counted == GAS_COUNTS_BEGUN ? "for the handle of " : "in ", (int)length, name,
             is_same ? "" : " of another team");
    return text;
}

/* mine: where this thread waits */
static _Noreturn void wait_for_each_other(const char *mine, bool is_begun, gas_team t, int rank,
                                          const struct known *his) {
    char text[TEXT] = "at a barrier";
    bool meets = true;
    if (!waits_at_a_barrier(his)) {
        meets = (his->need.counted == GAS_COUNTS_BEGUN) == is_begun;
        text_of_need(text, sizeof text, &his->need, t);
    }
    gas_fatal("this thread %s for thread %d, which waits for it %s: " RULE "%s", mine, gas_team_member(t, rank), text,
              meets ? "" : ", and one with a handle (_nb) meets none that blocks");
}

/* What was found last, for gas_calls_end_job, inside the gate. */
static struct known found;

/* The other waits where it cannot go on without this thread. */
static bool is_held(const struct known *his) {
    return waits_at_a_barrier(his) || (!conduit_has_pthreads && is_needed(&his->need));
}

static bool is_in_vain(gas_team t, int rank, const struct known *his) {
    compare_with(t, rank, his);
    uint64_t made = t->calls->count;
    found = *his;
    if (his->calls.count < made && waits_at_a_barrier(his)) gas_calls_end_job(t, rank);
    bool is_past = his->calls.count > made && (t->is_near || his->told <= gas_stream_heard(t, rank));
    return is_past || (!conduit_has_pthreads && is_needed(&his->need));
}

void gas_calls_end_job(gas_team t, int rank) {
    char call[TEXT], text[TEXT + 20];
    const struct gas_calls *mine = t->calls;
    text_of(call, sizeof call, &mine->last[(mine->count - 1) % GAS_CALLS]);
    if (!waits_at_a_barrier(&found) && !is_needed(&found.need))
        gas_fatal(
            "this thread is in %s and waits for thread %d, which has made %lu calls more on the team and does not "
            "come back to this one: " RULE,
            call, gas_team_member(t, rank), (unsigned long)(found.calls.count - mine->count));
    snprintf(text, sizeof text, "is in %s and waits", call);
    wait_for_each_other(text, false, t, rank, &found);
}

static void compare_begun(gas_team t, int rank, const struct known *his, uint64_t number, const struct gas_need *mine) {
    compare_begun_ones(t, rank, his, mine->number - 1);
    if (conduit_has_pthreads || his->calls.begun >= number || !is_held(his)) return;
    char text[TEXT];
    snprintf(text, sizeof text, "waits for the handle of %s and so", gas_call_name(mine->kind));
    wait_for_each_other(text, true, t, rank, his);
}

/* ---- circles ----------------------------------------------------------------------------------------------------- */

/* A thread whose wait lasts asks the one that it waits for: have you yet to do what I need, and what do you need? Then it asks
 * the next one the same about that, until one needs this thread. Each was asked what it needs before it was asked what it has done;
 * so at the end all of them are still where they were, and stay there. A step each time the wait is looked at. */
static struct {
    struct gas_need mine, asked_about; /* what this thread needs; what the last one of the path does */
    uint64_t serial; /* of the question; from when `mine` changes, the answer to an older one is nothing */
    unsigned tries;
    bool is_asked, has_come, is_needed;
    struct known last; /* of what has come */
    int length, threads[8];
    int late; /* of those whom this thread needs, one that had not done it when it was asked; -1: none is known */
} path = {.late = -1};

/* Who is about to deal with it is not part of it. */
static bool is_same_need(const struct gas_need *a, const struct gas_need *b) {
    uint64_t one[NEED_WORDS], other[NEED_WORDS];
    struct gas_need turned = *b;
    turned.thread = a->thread;
    pack(one, a);
    pack(other, &turned);
    return memcmp(one, other, sizeof one) == 0;
}

static void note_with_late(struct gas_need *n) {
    if (path.late >= 0 && is_same_need(n, &path.mine)) n->thread = path.late;
    note(n);
}

/* Whom to ask: mostly the one with which it is about to deal, or that is known to be late; but that may have done its part, and wait
 * for those that have not. */
static int next_of(const struct gas_need *n, uint64_t tries) {
    gas_team t = tries % 2 ? gas_team_numbered(n->team) : NULL;
    if (!t || n->high < n->low) return n->thread;
    uint64_t chance = (tries + (uint64_t)fathom_mythread) * 0x9e3779b97f4a7c15ul >> 32;
    return gas_team_member(t, n->low + (int)(chance % (uint64_t)(n->high - n->low + 1)));
}

/* In the thread asked, or its progress thread: its need is read first. */
static void on_path(gas_token token, const uint64_t *args) {
    struct known own = {.need = need_of(fathom_mythread), .barrier = core_barrier_awaited(fathom_mythread)};
    struct gas_need his = unpack(args);
    uint64_t answer[NEED_WORDS + 3] = {args[NEED_WORDS]};
    own.need.thread = next_of(&own.need, args[NEED_WORDS + 1]);
    answer[1] = is_needed(&his);
    answer[2] = own.barrier;
    pack(answer + 3, &own.need);
    core_reply(token, GAS_SYNC_CALLS_TOLD, NULL, 0, answer, NEED_WORDS + 3);
}

static void on_path_told(const uint64_t *args) {
    path.is_asked = false;
    path.has_come = args[0] == path.serial;
    path.is_needed = args[1] != 0;
    path.last.barrier = (uint32_t)args[2];
    path.last.need = unpack(args + 3);
}

static void begin_path(const struct gas_need *mine) {
    path.mine = path.asked_about = *mine;
    path.asked_about.thread = next_of(mine, ++path.tries);
    path.has_come = false;
    path.length = 0;
    path.serial++;
}

static _Noreturn void end_of_circle(gas_team t, const struct gas_need *mine) {
    if (path.length == 1) {
        char call[TEXT], waits[TEXT + 40];
        bool is_begun = mine->counted == GAS_COUNTS_BEGUN;
        if (is_begun)
            snprintf(waits, sizeof waits, "waits for the handle of %s and so", gas_call_name(mine->kind));
        else
            snprintf(waits, sizeof waits, "is in %s and waits",
                     text_of(call, sizeof call, &t->calls->last[(t->calls->count - 1) % GAS_CALLS]));
        wait_for_each_other(waits, is_begun, t, gas_team_rank_of(t, path.threads[0]), &path.last);
    }
    enum { NAMED = sizeof path.threads / sizeof *path.threads };
    char text[TEXT] = "at a barrier", others[NAMED * 40] = "";
    for (int i = 1, n = 0; i < path.length && i < NAMED; i++)
        n += snprintf(others + n, sizeof others - (size_t)n, ", that one for thread %d", path.threads[i]);
    if (!waits_at_a_barrier(&path.last)) text_of_need(text, sizeof text, &path.last.need, t);
    gas_fatal("threads wait for each other in a circle: this one, %s%s, for thread %d%s, %s for this one, %s: " RULE,
              mine->counted == GAS_COUNTS_BEGUN ? "for the handle of " : "in ", gas_call_name(mine->kind),
              path.threads[0], others, path.length > NAMED ? "and so on, and the last one" : "and that one", text);
}

static void look_for_circle(gas_team t, const struct gas_need *mine) {
    if (conduit_has_pthreads) return;
    uint64_t args[NEED_WORDS + 2];
    if (!is_same_need(mine, &path.mine)) {
        path.late = -1;
        begin_path(mine);
    }
    path.mine.thread = mine->thread;
    if (path.is_asked) return;
    if (path.has_come) {
        path.has_come = false;
        int asked = path.asked_about.thread;
        if (path.length == 1 && (path.is_needed || asked == path.late)) path.late = path.is_needed ? asked : -1;
        if (path.is_needed && is_held(&path.last)) end_of_circle(t, mine);
        path.asked_about = path.last.need;
        int next = path.asked_about.thread;
        if (!path.is_needed || !path.asked_about.number || next == fathom_mythread || path.length > fathom_threads)
            begin_path(mine);
    }
    int thread = path.asked_about.thread;
    if (thread == fathom_mythread) { /* by chance: another one is asked at the next look */
        begin_path(mine);
        return;
    }
    pack(args, &path.asked_about);
    args[NEED_WORDS] = ++path.serial;
    args[NEED_WORDS + 1] = path.tries;
    path.is_asked = true;
    if (!core_try_request(thread, GAS_SYNC_CALLS_ASKED, args, NEED_WORDS + 2)) {
        path.is_asked = false;
        return;
    }
    if (path.length < (int)(sizeof path.threads / sizeof *path.threads)) path.threads[path.length] = thread;
    path.length++;
}

/* ---- near members ------------------------------------------------------------------------------------------------ */

/* The barrier is read before and after: so it held while the calls were read. */
static void read_known(struct known *k, int thread, const struct gas_calls *calls) {
    k->need = need_of(thread);
    k->barrier = core_barrier_awaited(thread);
    k->blocks = core_barrier_blocks(thread);
    if (calls) read_calls(k, calls);
    if (core_barrier_awaited(thread) != k->barrier) k->barrier = 0;
}

/* ---- far members ------------------------------------------------------------------------------------------------- */

/* The last question to a thread, and the last answer that came. It stays good for the team, if it matters: calls do not change, and a
 * thread that waits for this one stays where it is. */
struct answer {
    uint64_t team;
    bool is_asked, has_come;
    struct known known;
};
static struct answer **answers; /* by thread; null: never asked */

/* A service: the thread may be computing. A team that it does not know it has not heard of yet, or has freed. */
static void on_asked(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)payload, (void)bytes;
    if (nargs > 1) {
        on_path(token, args);
        return;
    }
    struct known own = {0};
    gas_team t = gas_team_numbered(args[0]);
    if (t) {
        read_known(&own, fathom_mythread, t->calls);
        own.told = gas_stream_told(t, gas_team_rank_of(t, gas_token_source(token)));
    }
    core_reply(token, GAS_SYNC_CALLS_TOLD, &own, sizeof own, (uint64_t[]){args[0], t != NULL}, 2);
}

static void on_told(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    if (nargs > 2) {
        on_path_told(args);
        return;
    }
    struct answer *a = answers[gas_token_source(token)];
    a->is_asked = false;
    if (a->team != args[0] || !args[1]) return;
    memcpy(&a->known, payload, bytes);
    a->has_come = true;
}

/* Null if nothing is known yet. */
static const struct known *ask(gas_team t, int thread) {
    struct answer *a = answers[thread];
    if (!a) a = answers[thread] = calloc(1, sizeof *a);
    if (!a) core_fatal("no memory to compare collective calls");
    bool is_good = a->has_come && a->team == t->id;
    if (a->is_asked) return is_good ? &a->known : NULL;
    a->has_come = is_good;
    a->team = t->id;
    /* If there is no room, it is asked later: this thread must not wait for room while what it waits for may have come. */
    a->is_asked = true;
    if (!core_try_request(thread, GAS_SYNC_CALLS_ASKED, &t->id, 1)) a->is_asked = false;
    return is_good ? &a->known : NULL;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* `room` is for a near one's. */
static const struct known *known_of(gas_team t, int rank, struct known *room) {
    int thread = gas_team_member(t, rank);
    if (!t->is_near) return ask(t, thread);
    read_known(room, thread, gas_area_calls(t->areas[rank]));
    return room;
}

static const struct gas_call *current_call(gas_team t) { return &t->calls->last[(t->calls->count - 1) % GAS_CALLS]; }
static enum gas_call_kind current_kind(gas_team t) { return kind_of(current_call(t)); }

static struct gas_need need_of_call(gas_team t, int rank, uint64_t number, enum gas_counted counted) {
    return (struct gas_need){.team = t->id,
                             .number = number,
                             .kind = current_kind(t),
                             .counted = counted,
                             .high = -1,
                             .also = rank,
                             .thread = gas_team_member(t, rank)};
}

bool gas_calls_look_up(gas_team t, int rank, uint64_t number) {
    gas_team_look_up(t, rank);
    struct known room;
    struct gas_need need = need_of_call(t, rank, number, t->is_near ? GAS_COUNTS_ROUNDS : GAS_COUNTS_CALLS);
    if (!t->is_near) gas_need_data(&need, t, (int)(uint32_t)current_call(t)->what - 1);
    note_with_late(&need);
    const struct known *his = known_of(t, rank, &room);
    if (his && is_in_vain(t, rank, his)) return true;
    look_for_circle(t, &need);
    return false;
}

void gas_calls_look_up_made(gas_team t, int rank, uint64_t number, bool are_all) {
    gas_team_look_up(t, rank);
    struct known room;
    struct gas_need need = need_of_call(t, rank, number, GAS_COUNTS_CALLS);
    if (are_all) need.high = t->size - 1;
    note_with_late(&need);
    const struct known *his = known_of(t, rank, &room);
    if (his) {
        compare_with(t, rank, his);
        if (!conduit_has_pthreads && his->calls.count < number && is_held(his)) {
            found = *his;
            gas_calls_end_job(t, rank);
        }
    }
    look_for_circle(t, &need);
}

void gas_calls_look_up_begun(gas_team t, int rank, uint64_t number, const struct gas_need *needed) {
    struct known room;
    struct gas_need need = *needed;
    need.thread = gas_team_member(t, rank);
    note_with_late(&need);
    const struct known *his = known_of(t, rank, &room);
    if (his) compare_begun(t, rank, his, number, &need);
    look_for_circle(t, &need);
}

/* What is old of this is true until this thread has made the call that the other waits for. */
const char *gas_calls_in_vain(int thread) {
    static char text[TEXT];
    if (core_is_done(thread)) return "which has terminated";
    if (conduit_has_pthreads) return NULL;
    struct known near = {0};
    const struct known *his = &near;
    if (core_is_near(thread))
        read_known(&near, thread, NULL);
    else
        his = ask(gas_world(), thread);
    if (!his) return NULL;
    if (waits_at_a_barrier(his)) return his->blocks ? "which waits for this one at a barrier" : NULL;
    if (!is_needed(&his->need)) return NULL;
    char call[TEXT / 2];
    snprintf(text, sizeof text, "which waits for this one %s",
             text_of_need(call, sizeof call, &his->need, gas_world()));
    return text;
}

void gas_calls_start(void) {
    core_service(GAS_SYNC_CALLS_ASKED, on_asked);
    core_handler(GAS_SYNC_CALLS_TOLD, on_told);
    if (!gas_all_near()) answers = core_table((size_t)fathom_threads, sizeof *answers);
}
