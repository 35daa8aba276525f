/* What gas_tell reports is what was taken: every way that the table can force, and what serves instead where a way cannot be
 * taken, which nobody can tell from the table. */
#include "suite.h"

#include "gas_tuning.h"

enum { DECISIONS = 64 };
static struct {
    char decision[24];
    char mechanism[16];
} told[DECISIONS]; /* the last of each decision */
static int decisions;

static void take_down(const struct gas_choice *c) {
    int built_in;
    ASSERT(gas_choice_ranges(c, &built_in) != NULL, "%s has no ranges", c->decision);
    int i = 0;
    while (i < decisions && strcmp(told[i].decision, c->decision) != 0) i++;
    ASSERT(i < DECISIONS, "more than %d decisions", DECISIONS);
    if (i == decisions) snprintf(told[decisions++].decision, sizeof told[i].decision, "%s", c->decision);
    snprintf(told[i].mechanism, sizeof told[i].mechanism, "%s", c->mechanism);
}
static void listen(const char *line) {
    const char *wrong = line ? gas_tune(line) : NULL;
    ASSERT(!wrong, "%s: %s", line, wrong ? wrong : "");
    decisions = 0;
    gas_tell(take_down);
}
/* The mechanism that was told last for a decision; "" if none was. */
static const char *heard(const char *decision) {
    gas_tell(NULL);
    gas_tune_reset();
    for (int i = 0; i < decisions; i++)
        if (strcmp(told[i].decision, decision) == 0) return told[i].mechanism;
    return "";
}
static void expect(const char *line, const char *decision, const char *mechanism) {
    const char *was = heard(decision);
    ASSERT(strcmp(was, mechanism) == 0, "`%s`: %s is told of %s, not %s", line ? line : "", *was ? was : "nothing",
           decision, mechanism);
}

enum { N = 40000 };
static char *shared_dst, *shared_src;

static void perform(int kind, size_t n, char *dst, char *src) {
    switch (kind) {
    case 0: gas_broadcast(gas_world(), dst, src, n, 0, 0); break;
    case 1: gas_gather(gas_world(), dst, src, n, 0, 0); break;
    case 2: gas_gather_all(gas_world(), dst, src, n, 0); break;
    case 3: gas_exchange(gas_world(), dst, src, n, 0); break;
    case 4: gas_reduce(gas_world(), dst, src, n / 8, GAS_I64, GAS_ADD, 0, 0); break;
    case 5: gas_all_reduce(gas_world(), dst, src, n / 8, GAS_I64, GAS_ADD, 0); break;
    case 6: gas_scan(gas_world(), dst, src, n / 8, GAS_I64, GAS_ADD, 0, 0); break;
    default: gas_scatter(gas_world(), dst, src, n, 0, 0);
    }
}

CASE(told_of_every_way_of_a_collective) {
    static const struct {
        int kind;
        const char *decision, *ways[3];
    } near_ones[] =
        {
            {0, "broadcast", {"read", "tree"}},
            {1, "near-gather", {"read", "write"}},
            {2, "near-gather-all", {"read", "write", "pieces"}},
            {3, "near-exchange", {"read", "write", "pieces"}},
            {4, "reduce", {"whole", "slices", "tree"}},
            {5, "all-reduce", {"whole", "slices", "tree"}},
            {6, "scan", {"whole", "doubling"}},
        },
      far_ones[] = {
          {0, "far-broadcast", {"tree", "spread"}},    {1, "far-gather", {"flat", "tree"}},
          {2, "far-gather-all", {"doubling", "ring"}}, {3, "far-exchange", {"pairs", "doubling"}},
          {4, "far-reduce", {"tree", "slices"}},       {5, "far-all-reduce", {"tree", "slices"}},
          {7, "far-scatter", {"flat", "tree"}},
      };
    int near;
    gas_near(&near);
    if (count() == 1) return;
    fathom_ptr memory = everywhere(2 * N * (size_t)count());
    shared_dst = here(memory), shared_src = shared_dst + N * (size_t)count();
    memset(shared_src, 1, N * (size_t)count());
    for (int i = 0; i < 7; i++)
        for (int w = 0; w < 3; w++) {
            bool is_near = near == count();
            const char *decision = is_near ? near_ones[i].decision : far_ones[i].decision;
            const char *way = is_near ? near_ones[i].ways[w] : far_ones[i].ways[w];
            if (!way) continue;
            char line[80];
            snprintf(line, sizeof line, "%s: %s", decision, way);
            listen(line);
            perform(is_near ? near_ones[i].kind : far_ones[i].kind, N, shared_dst, shared_src);
            expect(line, decision, way);
        }
    if (near == count()) {
        /* In a cache line there is but one way. */
        listen("all-reduce: slices");
        perform(5, 8, shared_dst, shared_src);
        expect("all-reduce: slices", "all-reduce", "whole");
        /* In place, what a round writes is what it has posted. */
        listen("near-exchange: read");
        perform(3, N, shared_dst, shared_dst);
        expect("near-exchange: read", "near-exchange", "pieces");
        /* To memory that others cannot reach. */
        char *own = malloc(N * (size_t)count());
        listen("near-gather: write");
        perform(1, N, own, shared_src);
        expect("near-gather: write", "near-gather", "read");
        /* Who does not wait for readers has no time to help them. */
        listen("broadcast: help");
        gas_broadcast(gas_world(), shared_dst, shared_src, N, 0, GAS_IN_MYSYNC | GAS_OUT_NOSYNC);
        expect("broadcast: help", "broadcast", "read");
        free(own);
    }
    free_everywhere(memory);
}

CASE(told_of_copies_near_and_far) {
    fathom_ptr memory = everywhere(N);
    fathom_ptr there = on(neighbour(1), memory);
    char own[N / 2];
    memset(own, 3, sizeof own);
    ptrdiff_t packed = 8, apart = 64, other = 24, wide_apart = 80;
    size_t few = 3, many = 200;
    bool is_near = gas_is_local(neighbour(1));
    if (is_near) {
        /* Always one store, whatever the table says; beyond, as it says. */
        const char *string = "contiguous: string";
        listen(string);
        gas_put_strided(there, &packed, own, &packed, 8, &(size_t){1}, 1);
        expect(string, "contiguous", "in-place");
        listen(string);
        gas_put_strided(there, &packed, own, &packed, 8, &many, 1);
        expect(string, "contiguous", gas_tune_can("string") ? "string" : "library");
        /* Elements that vectors do not have, and too few to ask for ahead. */
        listen("gather: vector");
        gas_get_strided(own, &other, there, &wide_apart, 24, &many, 1);
        const char *instead = heard("gather");
        ASSERT(strcmp(instead, "loop") == 0 || strcmp(instead, "wide") == 0, "%s served 24 bytes", instead);
        listen("gather: prefetch");
        gas_get_strided(own, &packed, there, &apart, 8, &few, 1);
        instead = heard("gather");
        ASSERT(strcmp(instead, "prefetch") != 0 && *instead, "`%s` of 3 elements", instead);
        listen("gather: prefetch");
        gas_get_strided(own, &packed, there, &apart, 8, &many, 1);
        expect("gather: prefetch", "gather", "prefetch");
    } else {
        const char *direct = gas_tune_can("direct") ? "direct" : "message";
        listen("put: direct");
        gas_put(there, own, 100);
        expect("put: direct", "put", direct);
        listen("get: message");
        gas_get(own, there, 100);
        expect("get: message", "get", "message");
        listen("put-together: direct");
        gas_handle h = gas_put_nb(there, own, 5000);
        gas_wait(&h);
        expect("put-together: direct", "put-together", direct);
        listen("put-pieces: each");
        gas_put_strided(there, &apart, own, &packed, 8, &many, 1);
        expect("put-pieces: each", "put-pieces", gas_tune_can("each") ? "each" : "pack");
    }
    free_everywhere(memory);
}

/* What others have done here meanwhile, by handlers, is none of it. */
CASE(told_of_nothing_that_is_done_for_others) {
    fathom_ptr memory = everywhere(N);
    char own[4000];
    memset(own, 1, sizeof own);
    ptrdiff_t packed = 8, apart = 64;
    size_t many = 300;
    listen(NULL);
    if (me() == 0 && !gas_is_local(neighbour(1)))
        for (int i = 0; i < 20; i++) gas_put_strided(on(neighbour(1), memory), &apart, own, &packed, 8, &many, 1);
    gas_barrier();
    gas_tell(NULL);
    if (me() != 0)
        for (int i = 0; i < decisions; i++)
            ASSERT(strcmp(told[i].decision, "scatter") != 0, "thread 0's put is told to thread %d", me());
    gas_tune_reset();
    free_everywhere(memory);
}
