/* The barrier of conduit smp: a row of words for a few threads with a core each, else a tree (barrier_tree.c).
 *
 * In both, notifying is all that a thread has to do: once all threads have notified, each can complete the barrier
 * without any other thread doing anything more (UPC 1.3, 6.6.1; conduit.h). A thread may compute between notify and
 * wait without delaying anybody.
 *
 * The row: each thread writes its own word of one cache line and waits for all words. The line moves from core to core
 * with every write, and a thread that gets it for writing has read what the others wrote; for two threads that takes
 * half the time of a line each. Two sets of words alternate, because a fast thread may be one barrier ahead.
 *
 * The model of both, in all interleavings: tests/protocols/barrier.pml.
 */
#include <stdio.h>
#include <stdlib.h>

#include "conduit/queue/queue.h"
#include "conduit/launch/launch.h"
#include "conduit/smp/smp.h"

extern const int fathom_mythread;

enum { FEW = 4, KINDS = 15, HAS_FIRST = 16, PHASE_SHIFT = 8 };

struct row {
    _Alignas(128) uint64_t word[2][FEW]; /* phase << PHASE_SHIFT | HAS_FIRST | kinds; two sets, one line */
    struct {
        _Alignas(64) uint64_t first, other;
    } said[2][FEW];
};
static struct row *row;

static int threads;
static uint64_t phase;

static void notify_in_row(const struct conduit_ballot *mine) {
    int turn = phase & 1;
    uint64_t word = phase << PHASE_SHIFT | mine->kinds;
    if (mine->first) {
        row->said[turn][fathom_mythread].first = mine->first;
        row->said[turn][fathom_mythread].other = mine->other;
        word |= HAS_FIRST;
    }
    __atomic_store_n(&row->word[turn][fathom_mythread], word, __ATOMIC_RELEASE);
}

static inline bool try_row(struct conduit_ballot *all) {
    int turn = phase & 1;
    uint64_t kinds = 0;
    for (int t = 0; t < threads; t++) {
        uint64_t word = __atomic_load_n(&row->word[turn][t], __ATOMIC_ACQUIRE);
        if (word >> PHASE_SHIFT != phase) return false;
        kinds |= word;
    }
    *all = (struct conduit_ballot){kinds & KINDS, 0, 0};
    if (__builtin_expect(!(kinds & HAS_FIRST), 1)) return true;
    for (int t = 0; t < threads; t++) {
        if (!(row->word[turn][t] & HAS_FIRST)) continue;
        struct conduit_ballot from = {0, row->said[turn][t].first, row->said[turn][t].other};
        conduit_ballot_merge(all, &from);
    }
    return true;
}

/* ---- the barrier ------------------------------------------------------------------------------------------------- */

void smp_barrier_prepare(int count) {
    threads = count;
    if (count <= FEW && count <= launch_cores()) row = smp_shared(sizeof *row);
    if (row || tree_prepare(count)) return;
    fprintf(stderr, "fathom: no memory for the barrier of %d threads\n", count);
    exit(1);
}

void smp_barrier_notify(const struct conduit_ballot *mine) {
    phase++;
    if (row)
        notify_in_row(mine);
    else if (!tree_notify(mine, phase))
        return;
    bells_ring_all();
}

bool smp_barrier_try(struct conduit_ballot *all) { return row ? try_row(all) : tree_try(all, phase); }
