/* Collectives whose members know where all buffers are (GAS_SYMMETRIC): by every way, in every mode, on the world and on
 * teams; and that they wait for each other no more than they are asked to. */
#include "suite.h"

#include "gas_tuning.h"

static const unsigned in_modes[] = {0, GAS_IN_NOSYNC, GAS_IN_MYSYNC, GAS_IN_ALLSYNC};
static const unsigned out_modes[] = {0, GAS_OUT_NOSYNC, GAS_OUT_MYSYNC, GAS_OUT_ALLSYNC};
static const char *const ways[] = {
    "",
    "broadcast: help",
    "broadcast: tree",
    "near-gather: write",
    "near-gather-all: write",
    "near-gather-all: pieces",
    "near-exchange: write",
    "near-exchange: pieces",
};
enum { WAYS = sizeof ways / sizeof *ways, KINDS = 5, MOST = 20000 };

static uint64_t key_of(uint64_t key, int from, int to) { return key + 1000 * (uint64_t)from + (uint64_t)to; }

/* The memory of rank `root` that is at the same place as mine; null if it is not near. */
static char *of_root(gas_team team, int root, fathom_ptr mine) {
    int thread = gas_team_thread(team, root);
    return gas_is_local(thread) ? fathom_local(on(thread, mine)) : NULL;
}

static void one(gas_team team, int kind, size_t n, int root, unsigned mode, fathom_ptr memory, uint64_t key) {
    int size = gas_team_size(team), rank = gas_team_rank(team);
    char *src = here(memory), *dst = src + MOST;
    fathom_ptr my_src = on(me(), memory), my_dst = my_src + MOST;
    memset(dst, 0x5a, n * (size_t)size + 8);
    for (int to = 0; to < size; to++)
        fill_pattern(src + n * (size_t)to, n, key_of(key, rank, kind == 1 || kind == 4 ? to : 0));
    if (mode & GAS_IN_NOSYNC) gas_team_barrier(team);
    mode |= GAS_SYMMETRIC;
    switch (kind) {
    case 0: gas_broadcast(team, dst, rank == root ? src : of_root(team, root, my_src), n, root, mode); break;
    case 1: gas_scatter(team, dst, rank == root ? src : of_root(team, root, my_src), n, root, mode); break;
    case 2: gas_gather(team, rank == root ? dst : of_root(team, root, my_dst), src, n, root, mode); break;
    case 3: gas_gather_all(team, dst, src, n, mode); break;
    default: gas_exchange(team, dst, src, n, mode);
    }
    if (mode & GAS_OUT_NOSYNC) gas_team_barrier(team);
    int parts = kind <= 1 ? 1 : kind == 2 && rank != root ? 0 : size;
    for (int from = 0; from < parts; from++) {
        size_t end = pattern_end(dst + n * (size_t)from, n,
                                 key_of(key, kind <= 1 ? root : from, kind == 1 || kind == 4 ? rank : 0));
        ASSERT(end == n, "kind %d, %zu bytes, rank %d of %d, root %d, mode %u: byte %zu of part %d differs", kind, n,
               rank, size, root, mode, end, from);
    }
    for (size_t i = 0; i < 8; i++) EQUAL(0x5a, dst[n * (size_t)parts + i]);
    /* What others may still read or write to is not touched before they have told that they have returned. */
    if (!(mode & GAS_OUT_ALLSYNC)) gas_team_barrier(team);
}

CASE(collectives_with_known_addresses) {
    fathom_ptr memory = everywhere(2 * MOST + 64);
    gas_team odd = gas_team_split(gas_world(), me() % 2, -me());
    for (int w = 0; w < WAYS; w++)
        for (long i = suite_rounds(16); i-- > 0;) {
            const char *wrong = *ways[w] ? gas_tune(ways[w]) : NULL;
            ASSERT(!wrong, "%s: %s", ways[w], wrong ? wrong : "");
            gas_team team = i % 4 == 3 ? odd : gas_world();
            size_t n = random_size(&together, (MOST - 64) / (size_t)gas_count());
            int root = (int)random_below(&together, 1000) % gas_team_size(team);
            unsigned mode = in_modes[random_below(&together, 4)] | out_modes[random_below(&together, 4)];
            uint64_t key = random_word(&together);
            for (int kind = 0; kind < KINDS; kind++) one(team, kind, n, root, mode, memory, key + (uint64_t)kind);
            gas_tune_reset();
        }
    gas_team_free(odd);
    free_everywhere(memory);
}

/* Near members of a call that waits for nobody get through it, though the others have not entered it. */
CASE(collectives_with_known_addresses_wait_for_nobody) {
    int near;
    gas_near(&near);
    fathom_ptr memory = everywhere(64 + 8 * (size_t)count());
    char *mine_at = here(memory), *dst = mine_at + 8;
    memset(mine_at, me() + 1, 8);
    uint64_t *flag = (uint64_t *)(mine_at + 8 + 8 * (size_t)count());
    __atomic_store_n(flag, 0, __ATOMIC_RELAXED);
    gas_barrier();
    unsigned mode = GAS_IN_NOSYNC | GAS_OUT_NOSYNC | GAS_SYMMETRIC;
    if (near == count()) {
        /* Each enters only when the one before it has returned. */
        uint64_t *before = (uint64_t *)fathom_local(on(neighbour(-1), memory)) + (flag - (uint64_t *)mine_at);
        if (me()) WAIT_UNTIL(__atomic_load_n(before, __ATOMIC_ACQUIRE));
        gas_gather_all(gas_world(), dst, mine_at, 8, mode);
        __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    } else {
        gas_gather_all(gas_world(), dst, mine_at, 8, mode);
    }
    for (int t = 0; t < count(); t++)
        for (int k = 0; k < 8; k++) EQUAL(t + 1, dst[8 * t + k]);
    free_everywhere(memory);
}
