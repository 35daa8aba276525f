/* Teams: the world, and the teams that it is split into. */
#include "gas/calls.h"
#include "gas/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "conduit/progress.h"

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)

/* The world team's area on each thread: a static shared object, so that every thread knows where it is. */
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n"
        ".balign 64\n"
        ".globl fathom_world_area\n"
        ".hidden fathom_world_area\n"
        "fathom_world_area:\n"
        ".zero " TEXT(GAS_AREA_BYTES) "\n"
                                      ".popsection\n");
extern char fathom_world_area[];

static struct gas_team world;
static gas_team teams;      /* that this thread is in */
static uint32_t teams_made; /* by this thread; numbers the teams of which it is the first member */

static void *room(size_t n) {
    void *p = calloc(1, n);
    if (!p) gas_fatal("no memory for a team");
    return p;
}

void gas_team_refuse(const char *function, const struct gas_team *t) {
    if (!core_has_started) core_before_start();
    gas_fatal(t ? "%s: the team has been freed" : "%s: null team", function);
}

gas_team gas_world(void) { return &world; }
int gas_team_rank(gas_team t) {
    gas_team_check("gas_team_rank", t);
    return t->rank;
}
int gas_team_size(gas_team t) {
    gas_team_check("gas_team_size", t);
    return t->size;
}

int gas_team_thread(gas_team t, int rank) {
    gas_team_check("gas_team_thread", t);
    if (rank < 0 || rank >= t->size) gas_fatal("gas_team_thread: rank %d of a team of %d", rank, t->size);
    return gas_team_member(t, rank);
}

void gas_team_start(void) {
    size_t n = (size_t)fathom_threads;
    world = (struct gas_team){.rank = fathom_mythread, .size = fathom_threads};
    world.is_near = gas_all_near();
    teams = &world;
    if (world.is_near) {
        world.areas = room(n * sizeof *world.areas);
        for (int r = 0; r < fathom_threads; r++)
            world.areas[r] = fathom_local(fathom_threads_on(fathom_static(fathom_world_area), r));
    } else {
        world.streams = core_table(n, sizeof *world.streams);
    }
    world.calls = world.is_near ? gas_area_calls(world.areas[world.rank]) : room(sizeof *world.calls);
}

/* The list is used inside the engine, where the progress thread looks for teams, too (calls.c). */
static void list(gas_team t) {
    bool entered = conduit_enter();
    t->next = teams;
    teams = t;
    conduit_leave(entered);
}

static void unlist(gas_team t) {
    bool entered = conduit_enter();
    gas_team *at = &teams;
    while (*at != t) at = &(*at)->next;
    *at = t->next;
    conduit_leave(entered);
}

gas_team gas_team_numbered(uint64_t id) {
    gas_team t = teams;
    while (t && t->id != id) t = t->next;
    return t;
}

bool gas_team_enter(gas_team t) {
    uint32_t me = core_pthread() + 1;
    if (t->caller && t->caller != me)
        gas_fatal("two POSIX threads of this process are in collective calls on one team at the same time: one at a "
                  "time may be");
    t->caller = me;
    t->depth++;
    return true;
}

void gas_team_leave(const gas_team *entered) {
    gas_team t = *entered;
    if (t && --t->depth == 0) t->caller = 0;
}

void gas_team_look_up(const struct gas_team *t, int rank) {
    /* Messages that it sent before it terminated may still be on their way through a queue. */
    if (!core_is_done(gas_team_member(t, rank)) || core_poll()) return;
    static struct {
        uint64_t team;
        int rank, times;
    } seen;
    if (seen.team != t->id || seen.rank != rank) seen.times = 0;
    seen.team = t->id;
    seen.rank = rank;
    if (++seen.times < 3) return;
    gas_fatal("waits in a collective function for thread %d, which has terminated: it would wait forever",
              gas_team_member(t, rank));
}

/* ---- splitting --------------------------------------------------------------------------------------------------- */

struct choice {
    int colour, key, rank;
    uint32_t teams_made;
};

static int compare(const void *a, const void *b) {
    const struct choice *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->rank - y->rank;
}

gas_team gas_team_split(gas_team parent, int colour, int key) {
    gas_team_check("gas_team_split", parent);
    GAS_TEAM_CALL(parent);
    core_gate_check();
    size_t n = (size_t)parent->size;
    struct choice mine = {colour, key, parent->rank, ++teams_made}, *all = room(n * sizeof *all);
    gas_call(parent, GAS_CALL_SPLIT, -1, 0);
    gas_inside_gather_all(parent, all, &mine, sizeof mine, 0);
    int members = 0;
    for (size_t i = 0; i < n; i++)
        if (all[i].colour == colour) all[members++] = all[i];
    qsort(all, (size_t)members, sizeof *all, compare);

    gas_team t = NULL;
    fathom_ptr area = 0, *areas = room(n * sizeof *areas);
    if (colour >= 0) {
        t = room(sizeof *t);
        int *threads = room((size_t)members * sizeof *threads);
        t->size = members;
        t->threads = threads;
        t->is_near = true;
        for (int r = 0; r < members; r++) {
            threads[r] = gas_team_member(parent, all[r].rank);
            if (threads[r] == fathom_mythread) t->rank = r;
            t->is_near &= core_is_near(threads[r]);
        }
        t->id = (uint64_t)(threads[0] + 1) << 32 | all[0].teams_made;
        if (t->is_near) {
            area = gas_alloc(GAS_AREA_BYTES);
            if (!area) gas_fatal("no shared memory left for a team");
            gas_area_start(fathom_local(area));
        }
    }
    gas_inside_gather_all(parent, areas, &area, sizeof area, 0);
    if (t && t->is_near) {
        t->areas = room((size_t)members * sizeof *t->areas);
        for (int r = 0; r < members; r++) t->areas[r] = fathom_local(areas[all[r].rank]);
    } else if (t) {
        t->streams = room((size_t)members * sizeof *t->streams);
    }
    if (t) {
        t->calls = t->is_near ? gas_area_calls(t->areas[t->rank]) : room(sizeof *t->calls);
        list(t);
    }
    free(areas);
    free(all);
    return t;
}

/* ---- from a list, and between teams ------------------------------------------------------------------------------ */

gas_team gas_team_create(gas_team parent, const int *ranks, int n) {
    gas_team_check("gas_team_create", parent);
    if (n < 0) gas_fatal("gas_team_create: a list of %d ranks", n);
    int place = -1;
    bool *taken = room((size_t)parent->size);
    for (int i = 0; i < n; i++) {
        if (ranks[i] < 0 || ranks[i] >= parent->size)
            gas_fatal("gas_team_create: rank %d in the list, of a team of %d", ranks[i], parent->size);
        if (taken[ranks[i]]) gas_fatal("gas_team_create: rank %d is in the list twice", ranks[i]);
        taken[ranks[i]] = true;
        if (ranks[i] == parent->rank) place = i;
    }
    free(taken);
    gas_team t = gas_team_split(parent, place < 0 ? -1 : 0, place);
    bool same = !t || t->size == n;
    for (int i = 0; t && same && i < n; i++) same = t->threads[i] == gas_team_member(parent, ranks[i]);
    if (!same) gas_fatal("gas_team_create: the members give different lists");
    return t;
}

int gas_team_rank_of(gas_team t, int thread) {
    gas_team_check("gas_team_rank_of", t);
    if (thread < 0 || thread >= fathom_threads) gas_fatal("gas_team_rank_of: thread %d of %d", thread, fathom_threads);
    if (!t->threads) return thread;
    for (int r = 0; r < t->size; r++)
        if (t->threads[r] == thread) return r;
    return -1;
}

int gas_team_translate(gas_team from, int rank, gas_team to) {
    gas_team_check("gas_team_translate", from);
    gas_team_check("gas_team_translate", to);
    return gas_team_rank_of(to, gas_team_thread(from, rank));
}

int gas_team_alloc(gas_team t, size_t n, fathom_ptr *at) {
    gas_team_check("gas_team_alloc", t);
    GAS_TEAM_CALL(t);
    core_gate_check();
    enum { NO_ROOM = 1 }; /* no address of an allocation; 0 is that of no bytes */
    fathom_ptr mine = gas_alloc(n), said = mine || n == 0 ? mine : NO_ROOM;
    gas_call(t, GAS_CALL_ALLOCATION, -1, 0);
    gas_inside_gather_all(t, at, &said, sizeof said, 0);
    bool all = true;
    for (int r = 0; r < t->size; r++) all &= at[r] != NO_ROOM;
    if (all) return 1;
    gas_free(mine);
    memset(at, 0, (size_t)t->size * sizeof *at);
    return 0;
}

/* The last ones that were freed are kept without their content, so that whoever uses one still is told so. */
static void keep_ended(gas_team t) {
    enum { KEPT = 64 };
    static gas_team ended[KEPT];
    static unsigned next;
    *t = (struct gas_team){.size = 0};
    free(ended[next]);
    ended[next] = t;
    next = (next + 1) % KEPT;
}

void gas_team_free(gas_team t) {
    if (!t) return;
    gas_team_check("gas_team_free", t);
    if (t == &world) gas_fatal("gas_team_free of the world team");
    CORE_GATE;
    if (t->begun_now)
        gas_fatal(
            "gas_team_free: %d collective operations of the team have been begun and not waited for: wait for their "
            "handles first",
            t->begun_now);
    gas_call(t, GAS_CALL_FREE, -1, 0);
    if (t->is_near) {
        fathom_fence();
        gas_near_close(t);
        for (int r = 0; t->rank == 0 && r < t->size; r++) gas_free(fathom_word(t->areas[r]));
    } else {
        gas_inside_barrier(t);
    }
    unlist(t);
    if (!t->is_near) free(t->calls);
    if (t->streams) gas_stream_close(t);
    if (t->crews[0] || t->crews[1]) gas_schedule_forget(t);
    free((void *)(uintptr_t)t->threads);
    free(t->areas);
    free(t->scratch);
    free(t->streams);
    keep_ended(t);
}
