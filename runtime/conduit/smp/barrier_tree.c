/* The barrier of conduit smp for more than a few threads, or for more threads than cores: a combining tree (Yew, Tzeng
 * and Lawrie 1987) that the last to arrive climbs, and words from which all see that it is complete.
 *
 * Arriving at a node is one atomic addition; whoever comes last at a node goes on to its parent, inside its notify. The
 * last at the root has heard of everybody, and writes that into one word for each group of readers. So everything is
 * written by threads that notify, and nobody depends on what another thread does after its notify. A tree in which the
 * threads that wait pass the news on, or a dissemination barrier, would be stopped by any thread that computes between
 * notify and wait.
 *
 * What the threads say travels with the addition: a count of arrivals, and of how many of them are of each kind. Only
 * values (upc_barrier with an expression), which are rare, need words of their own. A node is used again by the next
 * barrier: the last arrival clears it before it goes on, and nobody comes back before the release, which follows.
 *
 * The model, in all interleavings: tests/protocols/barrier.pml.
 */
#include <stdlib.h>

#include "conduit/launch/launch.h"
#include "conduit/smp/smp.h"

extern const int fathom_mythread;

enum {
    FIELD = 10,     /* bits of a count */
    KINDS = 4,      /* kinds of ballots, each counted; then the ballots with a value */
    WORD_KINDS = 5, /* bits below the phase in a group's word: a bit for each of these */
    FAN_IN = 4,
    FAN_IN_CROWDED = 16, /* where threads take turns, few arrive at the same time */
    LEAST_READERS = 8,
    MOST_GROUPS = 16,
};
_Static_assert(CONDUIT_MAX_NEAR < 1 << FIELD && (KINDS + 2) * FIELD <= 64, "the counts fit");

struct node {
    _Alignas(128) uint64_t arrived; /* FIELD bits each: arrivals, those of kind 0, 1, ..., those with a value */
    _Alignas(64) uint64_t first, other;
};
static struct node *nodes;

struct group {
    _Alignas(128) uint32_t word; /* phase << WORD_KINDS | has values << KINDS | kinds */
    uint64_t first, other;
};
static struct group *groups;

/* The same in all processes, and not written after the fork. */
struct shape {
    int parent; /* -1: it is the root */
    uint32_t size;
};
static struct shape *shape;
static int threads, leaves, group_count;

/* Threads t of n are dealt evenly, in order: neighbours share a node, and with it, where they are bound, a cache. */
static int share_of(int t, int n, int parts) { return (int)((long)t * parts / n); }

/* Level by level, leaves first. */
static int plan(int fan_in) {
    int first = 0, end = 0;
    for (int below = threads, n; end == 0 || below > 1; below = n) {
        n = (below + fan_in - 1) / fan_in;
        shape = realloc(shape, (size_t)(end + n) * sizeof *shape);
        if (!shape) return 0;
        for (int i = 0; i < n; i++) {
            shape[end + i].parent = -1;
            shape[end + i].size = 0;
        }
        for (int i = 0; i < below; i++) {
            int to = end + share_of(i, below, n);
            shape[to].size++;
            if (end > 0) shape[first + i].parent = to;
        }
        first = end;
        end += n;
        if (!leaves) leaves = n;
    }
    return end;
}

bool tree_prepare(int count) {
    threads = count;
    int total = plan(count <= launch_cores() ? FAN_IN : FAN_IN_CROWDED);
    if (!total) return false;
    int readers = (count + MOST_GROUPS - 1) / MOST_GROUPS;
    if (readers < LEAST_READERS) readers = LEAST_READERS;
    group_count = (count + readers - 1) / readers;
    nodes = smp_shared((size_t)total * sizeof *nodes);
    groups = smp_shared((size_t)group_count * sizeof *groups);
    return nodes && groups;
}

/* ---- what the threads say ---------------------------------------------------------------------------------------- */

static uint64_t one_of(int field) { return 1ull << FIELD * (field + 1); }

static uint64_t counted(const struct conduit_ballot *b) {
    uint64_t word = 1;
    for (int k = 0; k < KINDS; k++)
        if (b->kinds >> k & 1) word |= one_of(k);
    return b->first ? word | one_of(KINDS) : word;
}

/* Adds a value to what is said at a node: the first one, and one that differs from it. The values are in the lower
 * halves. */
static void say(struct node *at, uint64_t value) {
    uint64_t first = __atomic_load_n(&at->first, __ATOMIC_RELAXED);
    if (!first && __atomic_compare_exchange_n(&at->first, &first, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    if ((uint32_t)first != (uint32_t)value) __atomic_store_n(&at->other, value, __ATOMIC_RELAXED);
}

/* What all who arrived at the node have said; clears the node for the next barrier. By the last arrival. */
static struct conduit_ballot take(struct node *at, uint64_t arrived) {
    struct conduit_ballot b = {0, 0, 0};
    for (int k = 0; k < KINDS; k++)
        if (arrived >> FIELD * (k + 1) & ((1 << FIELD) - 1)) b.kinds |= 1ull << k;
    __atomic_store_n(&at->arrived, 0, __ATOMIC_RELAXED);
    if (__builtin_expect(arrived >= one_of(KINDS), 0)) {
        b.first = at->first;
        b.other = at->other;
        at->first = at->other = 0;
    }
    return b;
}

/* ---- the barrier ------------------------------------------------------------------------------------------------- */

static void release(const struct conduit_ballot *all, uint64_t phase) {
    uint32_t word = (uint32_t)phase << WORD_KINDS | (uint32_t)all->kinds;
    if (all->first) {
        word |= 1u << KINDS;
        for (int g = 0; g < group_count; g++) {
            groups[g].first = all->first;
            groups[g].other = all->other;
        }
    }
    /* One fence for all words; the stores may be under way side by side. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (int g = 0; g < group_count; g++) __atomic_store_n(&groups[g].word, word, __ATOMIC_RELAXED);
}

bool tree_notify(const struct conduit_ballot *mine, uint64_t phase) {
    struct conduit_ballot heard = *mine;
    for (int n = share_of(fathom_mythread, threads, leaves); n >= 0; n = shape[n].parent) {
        struct node *at = &nodes[n];
        if (__builtin_expect(heard.first != 0, 0)) {
            say(at, heard.first);
            if (heard.other) say(at, heard.other);
        }
        uint64_t arrived = __atomic_add_fetch(&at->arrived, counted(&heard), __ATOMIC_ACQ_REL);
        if ((arrived & ((1 << FIELD) - 1)) != shape[n].size) return false;
        heard = take(at, arrived);
    }
    release(&heard, phase);
    return true;
}

bool tree_try(struct conduit_ballot *all, uint64_t phase) {
    const struct group *g = &groups[share_of(fathom_mythread, threads, group_count)];
    uint32_t word = __atomic_load_n(&g->word, __ATOMIC_ACQUIRE);
    if ((word ^ (uint32_t)phase << WORD_KINDS) >> WORD_KINDS) return false; /* of the barrier before */
    *all = (struct conduit_ballot){word & ((1 << KINDS) - 1), 0, 0};
    if (__builtin_expect(word >> KINDS & 1, 0)) {
        all->first = g->first;
        all->other = g->other;
    }
    return true;
}
