/* Compares the collective calls of two members: calls.h. */
#include "gas/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conduit/progress.h"

/* What is known of another member. */
struct known {
    struct gas_calls calls;
    uint64_t oldest;  /* the first call that is still among them */
    uint32_t barrier; /* of all threads, at which it waits (core_barrier_awaited); 0: at none */
};

/* Those of a thread that may be making one. */
static void read_calls(struct known *k, const struct gas_calls *c) {
    k->calls.count = __atomic_load_n(&c->count, __ATOMIC_ACQUIRE);
    for (int i = 0; i < GAS_CALLS; i++) {
        const struct gas_call *from = &c->last[i];
        k->calls.last[i] = (struct gas_call){__atomic_load_n(&from->bytes, __ATOMIC_RELAXED),
                                             __atomic_load_n(&from->what, __ATOMIC_RELAXED)};
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    uint64_t after = __atomic_load_n(&c->count, __ATOMIC_RELAXED) + 1; /* the next one may be half written */
    k->oldest = after > GAS_CALLS ? after - GAS_CALLS : 0;
}

/* ---- a message --------------------------------------------------------------------------------------------------- */

static enum gas_call_kind kind_of(const struct gas_call *c) { return (enum gas_call_kind)(c->what >> 32); }

static const char *name_of(enum gas_call_kind kind) {
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
    snprintf(text, room, "%s%s%s%s%s", name_of(kind_of(c)), has ? " (" : "", root, bytes, has ? ")" : "");
    return text;
}

enum { TEXT = 128 };
#define RULE "all threads make the same collective calls in the same order"

static _Noreturn void differ(gas_team t, int rank, const struct gas_call *mine, const struct gas_call *his) {
    char one[TEXT], other[TEXT];
    gas_fatal("the collective calls differ: thread %d makes %s, thread %d %s: " RULE, fathom_mythread,
              text_of(one, sizeof one, mine), gas_team_member(t, rank), text_of(other, sizeof other, his));
}

static _Noreturn void wait_for_each_other(gas_team t, int rank, const struct gas_call *mine) {
    char one[TEXT];
    gas_fatal("this thread is in %s and waits for thread %d, which waits for it at a barrier: " RULE,
              text_of(one, sizeof one, mine), gas_team_member(t, rank));
}

/* ---- the comparison ---------------------------------------------------------------------------------------------- */

static bool is_same(const struct gas_call *a, const struct gas_call *b) {
    return a->what == b->what && a->bytes == b->bytes;
}

static void compare(gas_team t, int rank, const struct known *his, bool in_this) {
    const struct gas_calls *mine = t->calls;
    if (mine->count == 0) return;
    uint64_t current = mine->count - 1, k = mine->count > GAS_CALLS ? mine->count - GAS_CALLS : 0;
    if (k < his->oldest) k = his->oldest;
    for (; k <= current && k < his->calls.count; k++) {
        const struct gas_call *a = &mine->last[k % GAS_CALLS], *b = &his->calls.last[k % GAS_CALLS];
        if (k == current ? !is_same(a, b) : kind_of(a) != kind_of(b)) differ(t, rank, a, b);
    }
    if (in_this && !conduit_has_pthreads && his->calls.count <= current && his->barrier &&
        (int32_t)(his->barrier - core_barriers_begun()) > 0)
        wait_for_each_other(t, rank, &mine->last[current % GAS_CALLS]);
}

/* ---- near members ------------------------------------------------------------------------------------------------ */

/* The barrier is read before and after: so it held while the calls were read. */
static void compare_near(gas_team t, int rank, bool in_this) {
    int thread = gas_team_member(t, rank);
    struct known his;
    his.barrier = core_barrier_awaited(thread);
    read_calls(&his, gas_area_calls(t->areas[rank]));
    if (core_barrier_awaited(thread) != his.barrier) his.barrier = 0;
    compare(t, rank, &his, in_this);
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
    (void)nargs, (void)payload, (void)bytes;
    struct known own = {0};
    gas_team t = gas_team_numbered(args[0]);
    own.barrier = core_barrier_awaited(fathom_mythread);
    if (t) read_calls(&own, t->calls);
    if (core_barrier_awaited(fathom_mythread) != own.barrier) own.barrier = 0;
    core_reply(token, GAS_SYNC_CALLS_TOLD, &own, sizeof own, (uint64_t[]){args[0], t != NULL}, 2);
}

static void on_told(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs;
    struct answer *a = answers[gas_token_source(token)];
    a->is_asked = false;
    if (a->team != args[0] || !args[1]) return;
    memcpy(&a->known, payload, bytes);
    a->has_come = true;
}

static void compare_far(gas_team t, int rank, bool in_this) {
    int thread = gas_team_member(t, rank);
    struct answer *a = answers[thread];
    if (!a) a = answers[thread] = calloc(1, sizeof *a);
    if (!a) core_fatal("no memory to compare collective calls");
    if (a->has_come && a->team == t->id) compare(t, rank, &a->known, in_this);
    if (a->is_asked) return;
    if (a->team != t->id) a->has_come = false;
    a->team = t->id;
    /* If there is no room, it is asked later: this thread must not wait for room while what it waits for may have come. */
    a->is_asked = true;
    if (!core_try_request(thread, GAS_SYNC_CALLS_ASKED, &t->id, 1)) a->is_asked = false;
}

void gas_calls_look_up(gas_team t, int rank, bool in_this) {
    gas_team_look_up(t, rank);
    (t->is_near ? compare_near : compare_far)(t, rank, in_this);
}

void gas_calls_start(void) {
    core_service(GAS_SYNC_CALLS_ASKED, on_asked);
    core_handler(GAS_SYNC_CALLS_TOLD, on_told);
    if (!gas_all_near()) answers = core_table((size_t)fathom_threads, sizeof *answers);
}
