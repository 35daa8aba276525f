/* Kernels of the area communication: puts and gets one at a time or several under way, and where the other thread is.
 *
 *     put | get   bytes=8 stride=BYTES area=BYTES group=1 way=blocking|value|explicit|implicit|relaxed both=0 with=1
 *     place       with=1
 *
 * Places follow each other `stride` bytes apart and begin again after `area`, a power of two: a group's, unless the request says
 * more. With a group, that many transfers are begun and then waited for. `relaxed` puts are those of a UPC program's relaxed
 * writes, and a fence waits for them; gets have no such way. With `both=1` the partner has as many under way with thread 0
 * at the same time, and it is the time until those of both are complete that counts. Getting to the next place is part of an
 * operation: it is an addition, which today's processors do beside a transfer and which cannot be subtracted. The other
 * files' kernels say in their heads what they take.
 */
#include "probe/communication.h"

#include <stdio.h>
#include <string.h>

const struct kernel kernels_communication[] = {
    {"put", put_kernel},
    {"get", get_kernel},
    {"block_put", block_put_kernel},
    {"block_get", block_get_kernel},
    {"scatter", scatter_kernel},
    {"round_trip", round_trip_kernel},
    {"flood", flood_kernel},
    {"funnel", funnel_kernel},
    {"send_overhead", send_overhead_kernel},
    {"receive_overhead", receive_overhead_kernel},
    {"fetch_add", fetch_add_kernel},
    {"place", place_kernel},
    {NULL, NULL},
};

static int over_handler;
static uint64_t over; /* groups of the partner's that are complete */

static void on_over(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    over++;
}

void communication_register(void) {
    over_handler = gas_register(on_over);
    communication_register_messages();
    communication_register_blocks();
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

bool communication_begin(const struct request *request, struct reply *reply, int *partner) {
    long with = request_number(request, "with", 1);
    if (with < 0 || with > gas_count()) with = gas_count(); /* which is not there */
    *partner = (int)with;
    return together_begin(request, reply, with ? *partner : 1, with ? 1 : 0, TOGETHER_ANYWHERE);
}

bool argument_within(const struct request *request, struct reply *reply, const char *name, long otherwise, long least,
                     long most, size_t *value) {
    long given = request_number(request, name, otherwise);
    *value = (size_t)given;
    if (given >= least && given <= most) return true;
    reply_error(reply, "`%s` must be from %ld to %ld, not %ld", name, least, most, given);
    return false;
}

int argument_among(const struct request *request, struct reply *reply, const char *name, const char *const *words,
                   int count) {
    const char *given = request_word(request, name, words[0]);
    for (int i = 0; i < count; i++)
        if (strcmp(given, words[i]) == 0) return i;
    reply_error(reply, "`%s` cannot be `%.40s`", name, given);
    return -1;
}

/* ---- transfers --------------------------------------------------------------------------------------------------- */

enum { MOST_GROUP = 1024 };
enum way { BLOCKING, VALUE, EXPLICIT, IMPLICIT, RELAXED };
static const char *const ways[] = {"blocking", "value", "explicit", "implicit", "relaxed"};
enum { WAYS_OF_GETS = RELAXED, WAYS_OF_PUTS };

/* Where transfers go. */
struct walk {
    fathom_ptr far;
    char *own;
    size_t bytes, stride, group, mask;
    int partner;
};

/* The loops: `one` operation at `at` each, four in a row to keep the loop itself small. The C compiler is not to know the sizes,
 * and not to move the operations.
 */
#define ONE(one)                                                                                                       \
    {                                                                                                                  \
        size_t at = walked & w.mask;                                                                                   \
        one;                                                                                                           \
        USED(at);                                                                                                      \
        walked += w.stride;                                                                                            \
    }
#define WALK(name, one)                                                                                                \
    static void name(void *argument, long n) {                                                                         \
        const struct walk w = *(struct walk *)argument; /* registers: memory may have changed after USED */            \
        size_t walked = 0;                                                                                             \
        long i = 0;                                                                                                    \
        for (; i + 4 <= n; i += 4) {                                                                                   \
            ONE(one) ONE(one) ONE(one) ONE(one)                                                                        \
        }                                                                                                              \
        for (; i < n; i++) ONE(one)                                                                                    \
    }
#define GROUPS(name, one, all)                                                                                         \
    static void name(void *argument, long n) {                                                                         \
        const struct walk w = *(struct walk *)argument;                                                                \
        static gas_handle handles[MOST_GROUP];                                                                         \
        (void)handles;                                                                                                 \
        size_t walked = 0;                                                                                             \
        for (long i = 0; i < n;) {                                                                                     \
            size_t k = 0;                                                                                              \
            for (; k < w.group && i < n; k++, i++) ONE(one)                                                            \
            all;                                                                                                       \
        }                                                                                                              \
    }

WALK(put_blocking, gas_put(w.far + at, w.own + at, w.bytes))
WALK(put_value, gas_put_value(w.far + at, (uint64_t)i, 8))
WALK(get_blocking, gas_get(w.own + at, w.far + at, w.bytes))
WALK(get_value, uint64_t value = gas_get_value(w.far + at, 8); USED(value))
GROUPS(put_explicit, handles[k] = gas_put_nb(w.far + at, w.own + at, w.bytes), gas_wait_all(handles, k))
GROUPS(put_implicit, gas_put_nbi(w.far + at, w.own + at, w.bytes), gas_sync_puts())
/* As generated code writes, and waits. */
GROUPS(put_relaxed, fathom_memput_relaxed(w.far + at, w.own + at, w.bytes), fathom_settle())
GROUPS(get_explicit, handles[k] = gas_get_nb(w.own + at, w.far + at, w.bytes), gas_wait_all(handles, k))
GROUPS(get_implicit, gas_get_nbi(w.own + at, w.far + at, w.bytes), gas_sync_gets())

/* Groups that both threads begin at one time. The partner has `towards`, to thread 0. */
static struct walk towards;
static void (*group_of)(void *argument, long n);

static void group_towards(void) {
    together_works = false;
    group_of(&towards, (long)together_words[0]);
    gas_request_short(0, over_handler, NULL, 0);
}

static void both_ways(void *argument, long n) {
    const struct walk *w = argument;
    for (long i = 0, k; i < n; i += k) {
        uint64_t wanted = over + 1;
        k = n - i < (long)w->group ? n - i : (long)w->group;
        together_start(w->partner, (uint64_t)k, 0);
        group_of(argument, k);
        together_wait(&over, wanted);
    }
}

static void transfer(const struct request *request, struct reply *reply, void (*const bodies[])(void *, long),
                     int count) {
    static struct walk w;
    size_t both;
    int partner, way = argument_among(request, reply, "way", ways, count);
    const long most = (long)TOGETHER_BYTES;
    if (way < 0 || !argument_within(request, reply, "bytes", 8, 1, most, &w.bytes) ||
        !argument_within(request, reply, "group", 1, 1, MOST_GROUP, &w.group) ||
        !argument_within(request, reply, "stride", (long)w.bytes, 1, most, &w.stride) ||
        !argument_within(request, reply, "both", 0, 0, 1, &both))
        return;
    size_t area, least = 1;
    while (w.group > 1 && least < w.group * w.stride) least *= 2;
    if (!argument_within(request, reply, "area", (long)least, (long)least, most, &area)) return;
    if ((area & (area - 1)) != 0 || w.bytes > TOGETHER_BYTES - area) {
        reply_error(reply, "`area` must be a power of two that with %zu more bytes is below %zu", w.bytes,
                    TOGETHER_BYTES);
        return;
    }
    w.mask = area - 1;
    if (way == VALUE && w.bytes != 8) {
        reply_error(reply, "a transfer by value has 8 bytes, not %zu", w.bytes);
        return;
    }
    if (!communication_begin(request, reply, &partner)) return;
    w.partner = partner;
    w.far = together_memory(partner);
    w.own = together_private();
    towards = w;
    towards.far = together_memory(0);
    group_of = bodies[way];
    if (together_directs(group_towards)) {
        sample_steps(request, reply, both ? both_ways : bodies[way], &w, (long)w.group);
        together_end();
    }
}

void put_kernel(const struct request *request, struct reply *reply) {
    static void (*const bodies[])(void *, long) = {put_blocking, put_value, put_explicit, put_implicit, put_relaxed};
    transfer(request, reply, bodies, WAYS_OF_PUTS);
}

void get_kernel(const struct request *request, struct reply *reply) {
    static void (*const bodies[])(void *, long) = {get_blocking, get_value, get_explicit, get_implicit};
    transfer(request, reply, bodies, WAYS_OF_GETS);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* Where a thread is: `near` 1 if its memory is within reach of loads and stores, and how many cores, sockets and nodes this
 * thread's processors make.
 */
void place_kernel(const struct request *request, struct reply *reply) {
    int with;
    enum { MOST = 256 };
    struct together_place places[MOST];
    if (!communication_begin(request, reply, &with)) return;
    if (!together_directs(NULL)) return;
    int count = together_processors(places, MOST), cores = 0, packages = 0;
    for (int i = 0; i < count; i++) {
        bool is_core = true, is_package = true;
        for (int j = 0; j < i; j++) {
            is_core &= places[j].core != places[i].core;
            is_package &= places[j].package != places[i].package || places[j].node != places[i].node;
        }
        cores += is_core;
        packages += is_package;
        if (is_core) {
            char name[32];
            snprintf(name, sizeof name, "core%d", cores - 1);
            reply_fact(reply, name, places[i].processor);
        }
    }
    reply_fact(reply, "near", gas_is_local(with));
    reply_fact(reply, "max_medium", (double)gas_max_medium());
    reply_fact(reply, "processors", count);
    reply_fact(reply, "cores", cores);
    reply_fact(reply, "packages", packages);
    reply_sample(reply, 0);
    together_end();
}
