/* What radix.sc and sample.sc share: the arguments, the keys, the clock, and the checks of a result.
 *
 * Each processor has `keys` keys of 32 bits. A key is a function of the seed and of its place, so that every processor
 * can compute all of them. After a sort the keys of processor 0 are the smallest, in order, and so on; how many a
 * processor has then is up to the sort. If a key is lost, changed or misplaced, the program's status is 1.
 */
#ifndef SORTS_H
#define SORTS_H

#include <limits.h>
#include <split-c/split-c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef REPETITIONS
#define REPETITIONS 5
#endif
enum { KEYS_TO_COMPARE = 1 << 22 };

static void *room(size_t count, size_t bytes) {
    void *p = malloc(count * bytes + 1);
    if (!p) {
        fprintf(stderr, "processor %d: no memory for %zu objects of %zu bytes\n", MYPROC, count, bytes);
        splitc_exit(1);
    }
    return p;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* A sort of `n` keys from each processor: keys[p] are those of processor p, and as much room is in other[p]. It says
 * where this processor's sorted keys are, and how many. */
struct sorted {
    uint32_t *key;
    int count;
};
struct form {
    const char *name;
    struct sorted (*sort)(int n, uint32_t keys[PROCS] ::[n], uint32_t other[PROCS] ::[n]);
};

static const char *const distributions[] = {"random", "sorted", "equal", "few"};
enum { RANDOM, SORTED, EQUAL, FEW, DISTRIBUTIONS };

struct settings {
    const char *form, *distribution;
    int keys, seed;
};

/* A positive number; 0 if the text is none. */
static int number(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    return *text && !*end && value > 0 && value <= INT_MAX ? (int)value : 0;
}
static int is_meant(const char *argument, const char *name) {
    return strcmp(argument, "all") == 0 || strcmp(argument, name) == 0;
}
/* [FORM [KEYS [DISTRIBUTION [SEED]]]]; false if they make no sense. All keys together are counted in an int. */
static int read_settings(struct settings *s, const struct form *forms, int count, int argc, char **argv) {
    int known = 0;
    *s = (struct settings){"all", "all", 100000, 1};
    if (argc > 1) s->form = argv[1];
    if (argc > 2) s->keys = number(argv[2]);
    if (argc > 3) s->distribution = argv[3];
    if (argc > 4) s->seed = number(argv[4]);
    for (int f = 0; f < count; f++)
        for (int d = 0; d < DISTRIBUTIONS; d++)
            known += is_meant(s->form, forms[f].name) && is_meant(s->distribution, distributions[d]);
    return argc <= 5 && known && s->keys > 0 && s->seed > 0 && s->keys <= INT_MAX / PROCS;
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

/* A random number that is a function of `at` (the finalizer of SplitMix64). */
static uint64_t scramble(uint64_t at) {
    at += 0x9e3779b97f4a7c15;
    at = (at ^ at >> 30) * 0xbf58476d1ce4e5b9;
    at = (at ^ at >> 27) * 0x94d049bb133111eb;
    return at ^ at >> 31;
}

/* Key `place` of `all`; those of processor p begin at place p * keys. */
static uint32_t first_key(int distribution, int seed, int64_t place, int64_t all) {
    uint64_t of_seed = scramble((uint64_t)seed), random = scramble(of_seed + (uint64_t)place);
    switch (distribution) {
    case RANDOM: return (uint32_t)random;
    case SORTED: return (uint32_t)(((uint64_t)place << 32) / (uint64_t)all);
    case EQUAL: return (uint32_t)of_seed;
    default: return (uint32_t)scramble(of_seed ^ random % 16); /* one of 16 */
    }
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

/* A sum over keys that does not depend on their order, and differs if a key is another. */
static uint64_t sum_of(const uint32_t *key, int n) {
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) sum += scramble(key[i]);
    return sum;
}

/* What a processor says of its part of a result. */
struct part {
    const uint32_t *global key;
    int count, ascending;
    uint32_t first, last;
    uint64_t sum_before, sum_after;
};
static struct part parts[PROCS] ::;

static int by_key(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* All keys, sorted by one processor; null if they are too many for that. */
static uint32_t *serial(const struct settings *s, int distribution) {
    int all = s->keys * PROCS;
    if (all > KEYS_TO_COMPARE) return 0;
    uint32_t *key = room(all, sizeof *key);
    for (int i = 0; i < all; i++) key[i] = first_key(distribution, s->seed, i, all);
    qsort(key, all, sizeof *key, by_key);
    return key;
}

static void say(struct sorted mine, uint64_t sum_before) {
    struct part part = {(const uint32_t *global)mine.key, mine.count, 1};
    for (int i = 1; i < mine.count; i++) part.ascending = part.ascending && mine.key[i - 1] <= mine.key[i];
    if (mine.count) part.first = mine.key[0], part.last = mine.key[mine.count - 1];
    part.sum_before = sum_before;
    part.sum_after = sum_of(mine.key, mine.count);
    parts[MYPROC] = part;
}

/* Called by one processor, when all have said what they have. `fullest` becomes the largest part, in keys. */
static int is_right(const struct settings *s, const uint32_t *expected, int *fullest) {
    int64_t all = 0;
    uint64_t difference = 0;
    uint32_t last = 0;
    int good = 1;
    *fullest = 0;
    for (int p = 0; p < PROCS; p++) {
        struct part part = parts[p];
        good = good && part.ascending && (part.count == 0 || part.first >= last);
        if (good && expected && part.count <= s->keys * PROCS - all) {
            uint32_t *copy = room(part.count, sizeof *copy);
            bulk_read(copy, (void *global)part.key, part.count * sizeof *copy);
            good = memcmp(copy, expected + all, part.count * sizeof *copy) == 0;
            free(copy);
        }
        if (part.count) last = part.last;
        if (part.count > *fullest) *fullest = part.count;
        all += part.count;
        difference += part.sum_after - part.sum_before;
    }
    return good && all == (int64_t)s->keys * PROCS && difference == 0;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static int ascending_double(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One line of the table; false if the result is wrong. */
static int measure(const struct settings *s, const struct form *form, int distribution, void *spread space[2]) {
    int n = s->keys, wrong = 0, fullest = 0;
    uint32_t *expected = 0;
    double ns[REPETITIONS];
    on_one expected = serial(s, distribution);
    for (int r = 0; r < REPETITIONS; r++) {
        uint32_t *key = (uint32_t *)((char *spread)space[0] + MYPROC);
        for (int i = 0; i < n; i++)
            key[i] = first_key(distribution, s->seed, (int64_t)MYPROC * n + i, (int64_t)n * PROCS);
        uint64_t sum = sum_of(key, n);
        barrier();
        double start = get_seconds();
        struct sorted mine = form->sort(n, (uint32_t(*spread)[n])space[0], (uint32_t(*spread)[n])space[1]);
        barrier();
        ns[r] = (get_seconds() - start) * 1e9 / n;
        say(mine, sum);
        barrier();
        on_one wrong += !is_right(s, expected, &fullest);
        barrier();
    }
    on_one {
        qsort(ns, REPETITIONS, sizeof *ns, ascending_double);
        printf("%-6s %-8s %9.2f (%.2f to %.2f) ns %9.2f%s\n", form->name, distributions[distribution],
               ns[REPETITIONS / 2], ns[0], ns[REPETITIONS - 1], (double)fullest / n, wrong ? "  WRONG" : "");
        free(expected);
    }
    return all_bcast(wrong) == 0;
}

/* Runs the forms that the arguments name, on the distributions that they name. */
static int run(const char *name, const struct form *forms, int count, int argc, char **argv) {
    struct settings s;
    void *spread space[2];
    int wrong = 0;
    if (!read_settings(&s, forms, count, argc, argv)) {
        on_one fprintf(stderr,
                       "%s: its arguments are [fine|bulk|all [KEYS [random|sorted|equal|few|all [SEED]]]]; KEYS "
                       "are those of one processor, fewer than 2^31 in all\n",
                       name);
        return 2;
    }
    for (int i = 0; i < 2; i++) {
        space[i] = all_spread_malloc(PROCS, s.keys * sizeof(uint32_t));
        if (space[i] == 0) {
            on_one fprintf(stderr, "%s: no memory for %d keys on each processor\n", name, s.keys);
            return 1;
        }
    }
    on_one printf("%s in Split-C: %d keys on each of %d processors, seed %d\n"
                  "form   keys     time per key of a processor: median of %d (range), keys of the fullest / average\n",
                  name, s.keys, PROCS, s.seed, REPETITIONS);
    for (int f = 0; f < count; f++)
        for (int d = 0; d < DISTRIBUTIONS; d++)
            if (is_meant(s.form, forms[f].name) && is_meant(s.distribution, distributions[d]))
                wrong += !measure(&s, &forms[f], d, space);
    on_one printf("the keys are %s\n", wrong                               ? "NOT sorted"
                                       : s.keys * PROCS <= KEYS_TO_COMPARE ? "sorted, the same as by a serial sort"
                                                                           : "sorted, none lost (by their sums)");
    return wrong != 0;
}

#endif
