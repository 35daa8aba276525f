/* Kernels of the area mechanisms between threads: a collective, or a transfer that is not near, by the way that the request says,
 * through the calls that a program makes; and a turn of waiting.
 *
 *     collective   decision=all-reduce take=slices bytes=65536 members=2
 *     far_transfer decision=put take=message bytes=4096 pieces=16 with=1
 *     look
 *
 * `bytes` is what one thread ends up with, or of a scatter begins with; of pieces, the length of each. Roots change from one
 * collective to the next, so that none begins before the one before it has come to its end somewhere.
 */
#include <stdio.h>
#include <string.h>

#include "gas_tuning.h"
#include "probe/communication.h"
#include "probe/rounds.h"

enum { MOST = 4 << 20, GROUP = 8 };

/* Applies `decision: take` to this thread; false, and the reply says why, if that cannot be. */
static bool force(const char *decision, const char *take, struct reply *reply) {
    char line[100];
    snprintf(line, sizeof line, "%s: %s", decision, take);
    const char *wrong = gas_tune(line);
    if (wrong)
        reply_error(reply, "%s", wrong);
    else if (!gas_tune_can(take))
        reply_impossible(reply, REASON_OPERATION,
                         "neither this processor nor the conduit has the mechanism "
                         "`%s`",
                         take);
    else
        return true;
    gas_tune_reset();
    return false;
}

/* ---- collectives ------------------------------------------------------------------------------------------------- */

static struct {
    gas_team team;
    size_t bytes;   /* of a part */
    size_t written; /* by who sends */
    char *dst, *src;
    int root;
} c;

static int next_root(void) { return c.root = (c.root + 1) % gas_team_size(c.team); }

/* What is sent has been written since it was sent last, as in a program: the others have no copy of its lines. */
static const void *written(void) {
    static char value;
    value++;
    for (size_t at = 0; at < c.written; at += 64) ((volatile char *)c.src)[at] = value;
    return c.src;
}

static void broadcasts(void *argument, long n) {
    for ((void)argument; n; n--) gas_broadcast(c.team, c.dst, written(), c.bytes, next_root(), 0);
}
static void scatters(void *argument, long n) {
    for ((void)argument; n; n--) gas_scatter(c.team, c.dst, written(), c.bytes, next_root(), 0);
}
static void gathers(void *argument, long n) {
    for ((void)argument; n; n--) gas_gather(c.team, c.dst, written(), c.bytes, next_root(), 0);
}
static void gathers_for_all(void *argument, long n) {
    for ((void)argument; n; n--) gas_gather_all(c.team, c.dst, written(), c.bytes, 0);
}
static void exchanges(void *argument, long n) {
    for ((void)argument; n; n--) gas_exchange(c.team, c.dst, written(), c.bytes, 0);
}
static void reductions(void *argument, long n) {
    for ((void)argument; n; n--) gas_reduce(c.team, c.dst, written(), c.bytes / 8, GAS_F64, GAS_ADD, next_root(), 0);
}
static void reductions_for_all(void *argument, long n) {
    for ((void)argument; n; n--) gas_all_reduce(c.team, c.dst, written(), c.bytes / 8, GAS_F64, GAS_ADD, 0);
}

static void scans(void *argument, long n) {
    for ((void)argument; n; n--) gas_scan(c.team, c.dst, written(), c.bytes / 8, GAS_F64, GAS_ADD, 0, 0);
}

static const struct {
    const char *decision;
    void (*body)(void *, long);
    bool is_far, has_parts;
} collectives[] = {
    {"broadcast", broadcasts, false, false},
    {"near-gather", gathers, false, true},
    {"near-gather-all", gathers_for_all, false, true},
    {"near-exchange", exchanges, false, true},
    {"reduce", reductions, false, false},
    {"scan", scans, false, false},
    {"all-reduce", reductions_for_all, false, false},
    {"far-broadcast", broadcasts, true, false},
    {"far-scatter", scatters, true, true},
    {"far-gather", gathers, true, true},
    {"far-gather-all", gathers_for_all, true, true},
    {"far-exchange", exchanges, true, true},
    {"far-reduce", reductions, true, false},
    {"far-all-reduce", reductions_for_all, true, false},
    {"stream", broadcasts, true, false},
};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

static void collective_kernel(const struct request *request, struct reply *reply) {
    static fathom_ptr memory;
    const char *decision = request_word(request, "decision", "");
    int which = 0, near, members = (int)request_number(request, "members", gas_count());
    size_t bytes = (size_t)request_number(request, "bytes", 4096);
    while (which < COLLECTIVES && strcmp(collectives[which].decision, decision) != 0) which++;
    if (which == COLLECTIVES || bytes > MOST || members < 1 || members > gas_count()) {
        reply_error(reply, "there is no collective `%.40s` with %zu bytes on %d threads", decision, bytes, members);
        return;
    }
    gas_near(&near);
    if ((near == gas_count()) == collectives[which].is_far) {
        if (collectives[which].is_far)
            reply_impossible(reply, REASON_NEAR, "all threads are near");
        else
            reply_impossible(reply, REASON_APART, "not all threads are near");
        return;
    }
    if (!memory) memory = gas_all_alloc((size_t)2 * MOST);
    if (!memory) gas_fatal("the prober has no memory");
    c.src = fathom_local(fathom_make(gas_me(), fathom_offset_of(memory)));
    c.dst = c.src + MOST;
    memset(c.src, 0, bytes);
    c.bytes = collectives[which].has_parts ? bytes / (size_t)members : bytes;
    c.written = collectives[which].body == scatters || collectives[which].body == exchanges ? bytes : c.bytes;
    c.team = gas_world();
    c.root = -1;
    if (members < gas_count()) {
        c.team = gas_team_split(gas_world(), gas_me() < members ? 0 : -1, gas_me());
        if (!c.team) return;
    }
    place_crowd();
    if (force(decision, request_word(request, "take", ""), reply)) {
        sample_rounds(request, reply, c.team, collectives[which].body, NULL, NULL);
        reply_fact(reply, "this_computer", gas_on_this_computer(gas_team_thread(c.team, members - 1)));
        gas_tune_reset();
    }
    if (c.team != gas_world()) gas_team_free(c.team);
}

/* ---- far transfers ----------------------------------------------------------------------------------------------- */

static struct {
    fathom_ptr far;
    char *own;
    size_t bytes, pieces;
    gas_domain domain;
} f;

static void puts_alone(void *argument, long n) {
    for ((void)argument; n; n--) gas_put(f.far, f.own, f.bytes);
}
static void gets_alone(void *argument, long n) {
    for ((void)argument; n; n--) gas_get(f.own, f.far, f.bytes);
}
static void puts_together(void *argument, long n) {
    for ((void)argument; n; n--) {
        for (size_t i = 0; i < GROUP; i++) gas_put_nbi(f.far + i * f.bytes, f.own + i * f.bytes, f.bytes);
        gas_sync_puts();
    }
}
static void gets_together(void *argument, long n) {
    for ((void)argument; n; n--) {
        for (size_t i = 0; i < GROUP; i++) gas_get_nbi(f.own + i * f.bytes, f.far + i * f.bytes, f.bytes);
        gas_sync_gets();
    }
}
static void put_pieces(void *argument, long n) {
    ptrdiff_t here = (ptrdiff_t)f.bytes, there = 2 * here;
    for ((void)argument; n; n--) gas_put_strided(f.far, &there, f.own, &here, f.bytes, &f.pieces, 1);
}
static void get_pieces(void *argument, long n) {
    ptrdiff_t here = (ptrdiff_t)f.bytes, there = 2 * here;
    for ((void)argument; n; n--) gas_get_strided(f.own, &here, f.far, &there, f.bytes, &f.pieces, 1);
}
static void additions(void *argument, long n) {
    uint64_t one = 1, old;
    for ((void)argument; n; n--) gas_domain_atomic(f.domain, &old, f.far, GAS_ADD, &one, NULL);
}

static const struct {
    const char *decision;
    void (*body)(void *, long);
    int at_once; /* transfers in an operation; 0: as the request says */
} transfers[] = {
    {"put", puts_alone, 1},
    {"get", gets_alone, 1},
    {"put-together", puts_together, GROUP},
    {"get-together", gets_together, GROUP},
    {"put-pieces", put_pieces, 0},
    {"get-pieces", get_pieces, 0},
    {"atomic", additions, 1},
};
enum { TRANSFERS = sizeof transfers / sizeof *transfers };

/* The partner only serves; what it would have to decide alike, a domain, is made beforehand by all. */
static void far_kernel(const struct request *request, struct reply *reply) {
    const char *decision = request_word(request, "decision", ""), *take = request_word(request, "take", "");
    size_t which = 0, bytes, pieces, with;
    while (which < TRANSFERS && strcmp(transfers[which].decision, decision) != 0) which++;
    if (!argument_within(request, reply, "bytes", 8, 1, TOGETHER_BYTES / 2, &bytes) ||
        !argument_within(request, reply, "pieces", 1, 1, TOGETHER_BYTES, &pieces) ||
        !argument_within(request, reply, "with", 1, 0, 1000000, &with))
        return;
    size_t span = which < TRANSFERS && transfers[which].at_once ? (size_t)transfers[which].at_once : 2 * pieces;
    if (which == TRANSFERS || with >= (size_t)gas_count() || bytes > TOGETHER_BYTES / span) {
        reply_error(reply, "there is no transfer `%.40s` of %zu bytes with thread %zu", decision, bytes, with);
        return;
    }
    f.domain = NULL;
    if (!force(decision, take, reply)) return;
    if (transfers[which].body == additions) f.domain = gas_domain_create(GAS_U64, 1u << GAS_ADD);
    if (gas_me() != 0) gas_tune_reset();
    if (!together_begin(request, reply, (int)with, 1, TOGETHER_ANYWHERE) || !together_directs(NULL)) {
        if (f.domain) gas_domain_free(f.domain);
        gas_tune_reset();
        return;
    }
    f.far = together_memory((int)with), f.own = together_private();
    f.bytes = bytes, f.pieces = pieces;
    if (gas_is_local((int)with)) {
        reply_impossible(reply, REASON_NEAR, "the other thread is near");
    } else {
        sample(request, reply, transfers[which].body, NULL, NULL);
        reply_fact(reply, "this_computer", gas_on_this_computer((int)with));
    }
    gas_tune_reset();
    if (f.domain) gas_domain_free(f.domain);
    together_end();
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

static void looks(void *argument, long n) {
    for ((void)argument; n; n--) {
        unsigned round = 0;
        gas_wait_hint(&round);
    }
}

/* `look`: a turn of waiting for another thread, before the first yield. */
static void look_kernel(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    sample(request, reply, looks, NULL, NULL);
    reply_fact(reply, "spins", gas_tuned_spins());
    reply_fact(reply, "crowded", is_crowded());
}

const struct kernel kernels_ways[] = {
    {"collective", collective_kernel}, {"far_transfer", far_kernel}, {"look", look_kernel}, {NULL, NULL}};
