/* Where allocations begin and end (gas/extent.h), while all threads allocate, ask and give back, each what others have allocated, too.
 *
 *     extents ROUNDS SEED
 *
 * Between two barriers allocations stay, and every thread asks about places in them; then some are given back, and new ones take their places. */
#include <stdbool.h>

#include "program.h"
#include "gas/extent.h"
#include "lang/random.h"

enum { EACH = 12, MOST = 3000 };

struct allocation {
    fathom_ptr at;
    uint64_t bytes;
    bool all_have;
};
static uint64_t seed, common; /* of this thread; the same on all */
static size_t below(size_t n) { return (size_t)fathom_random_below(&seed, n); }

static fathom_ptr entry(int owner, int i) { return board_place(owner, 0) + (size_t)i * sizeof(struct allocation); }
static struct allocation read_entry(int owner, int i) {
    struct allocation a;
    gas_get(&a, entry(owner, i), sizeof a);
    return a;
}

static void ask(const struct allocation *a) {
    size_t at = below(2) ? 0 : below(a->bytes);
    long low = (long)fathom_offset_of(a->at);
    struct gas_extent e;
    CHECK(gas_extent_of(a->at + at, &e));
    CHECK(e.thread == (a->all_have ? -1 : fathom_thread_of(a->at)));
    CHECK(e.low == low && e.high >= low + (long)a->bytes && e.high < low + (long)a->bytes + 256);
}

static void allocate(int i) {
    struct allocation a = {.bytes = 1 + below(MOST), .all_have = below(2)};
    a.at = a.all_have ? gas_global_alloc(a.bytes) : gas_alloc(a.bytes);
    CHECK(a.at != 0);
    gas_put(entry(fathom_mythread, i), &a, sizeof a);
}

int main(int argc, char **argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 100;
    common = argc > 2 ? (uint64_t)atol(argv[2]) : 1;
    seed = common * 64 + (uint64_t)fathom_mythread + 77;
    for (int i = 0; i < EACH; i++) allocate(i);
    struct gas_extent e;
    CHECK(gas_extent_of(board_place(0, 8), &e) && e.thread == -1 && e.low == 0);
    CHECK(!gas_extent_of(0, &e) && !gas_extent_of(fathom_make(fathom_threads, 4096), &e));
    for (long round = 0; round < rounds; round++) {
        gas_barrier();
        for (int k = 0; k < 40; k++) {
            struct allocation a = read_entry((int)below((size_t)fathom_threads), (int)below(EACH));
            ask(&a);
        }
        gas_barrier();
        /* Some are given back, by whomever. */
        uint64_t chance = common * 1000003 + (uint64_t)round;
        bool is_freed[EACH];
        for (int owner = 0; owner < fathom_threads; owner++)
            for (int i = 0; i < EACH; i++) {
                bool freed = fathom_random_below(&chance, 3) == 0;
                int by = (int)fathom_random_below(&chance, (uint64_t)fathom_threads);
                if (owner == fathom_mythread) is_freed[i] = freed;
                if (freed && by == fathom_mythread) gas_free(read_entry(owner, i).at);
            }
        gas_barrier();
        for (int i = 0; i < EACH; i++)
            if (is_freed[i]) allocate(i);
    }
    gas_barrier();
    if (fathom_mythread == 0) printf("good\n");
    return 0;
}
