/* How many lines conflict: the associativity of a cache whose index nobody knows, and how many sets it has.
 *
 *     conflicts bytes=B stride=P threshold_ps=T broom=N    lines are one of each P bytes of B
 *       lines=L                                            as many of them take part in a search, others in each
 *       inner_ps=I inner_broom=M inner_bytes=C             of those, only lines of one set of the cache before: see below
 *       pages=normal|huge
 *
 * Walked through round and round, candidates that all fit into the cache are never missed; if a set of it has to hold one line too
 * many, at least one load a round takes more than T ps, by whatever rule lines are replaced. Candidates are left out, many at a
 * time and then one by one, as long as the rest still does not fit (group testing). What is left are lines of one set, one more than
 * it has ways, whatever the hardware makes of addresses, and whatever pages the system gave. A cache before the one in question may
 * hold some of the lines: N other lines, the broom, sweep them out of it after each round. Some of the broom may belong to the set
 * that is found, so that each is left out for a trial, and counts if that makes the rest fit.
 *
 * Where two caches lie before the one in question, lines that sweep the second are not just any: with `inner_ps`, the time that
 * a hit in the second does not reach, a smallest set of that cache is found first. It is sought in C bytes. Candidates and broom are then the
 * lines that can stand in for a member of it, which is one set of the cache before, and often of the first.
 *
 * Lines have numbers, not addresses: processors that fetch what an array of pointers points to would bring the next candidates. And
 * before a load is timed, another line of its P bytes is loaded, so that its address is translated: a walk through the tables
 * may take as long as a miss.
 *
 * Samples are ways, one for each set found. Facts of all sets of W ways: `fresh_W`, how many lines that had no part in the search were
 * tried in the place of a member, and `congruent_W`, how many could take it: their ratio is the number of sets that lines P apart
 * can fall into. A set that something else had a part in has another W, and does not count among the others.
 * With `inner_ps` the same of all sets of the cache before, `inner_fresh` and `inner_congruent`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/memory.h"

enum {
    MOST_CANDIDATES = 1 << 17,
    BESIDE = 256,
    MOST_BROOM = 256,
    MOST_WAYS = 256,
    WARM = 3,
    ROUNDS = 12,
    SURE = 36,
    PARDONED = 1,
    TRIES = 3
};
static const int LOADS = 6400; /* so many more of few lines, where few of them are missed */

/* The lines of one search. */
struct lines {
    uint32_t *number;
    int count;
};

struct hunt {
    const char *memory;            /* of the candidates */
    size_t stride, offset, beside; /* of a line within its stride; of what is loaded before it */
    uint32_t broom[MOST_BROOM];
    int broom_lines;
    double threshold_ticks;
    double end_ns;
    bool late;
};

static inline void load(const struct hunt *h, uint32_t line, size_t offset) {
    (void)*(const volatile char *)(h->memory + line * h->stride + offset);
}

static inline void sweep(const struct hunt *h) {
    for (int i = 0; i < h->broom_lines; i++) load(h, h->broom[i], h->offset);
}

/* Is it missed? */
static inline bool is_slow(const struct hunt *h, uint32_t line) {
    load(h, line, h->beside);
    uint64_t before = tick();
    load(h, line, h->offset);
    return (double)(tick() - before) > h->threshold_ticks;
}

static void shuffle(uint32_t *lines, int n) {
    for (int i = n; i > 1; i--) {
        int j = (int)random_below((uint64_t)i);
        uint32_t keep = lines[i - 1];
        lines[i - 1] = lines[j];
        lines[j] = keep;
    }
}

/* Lines that do not all fit are missed at least once in every round; lines that fit are missed when something else drove them
 * out, which does not happen round after round, or as long as they have not found their places: where a cache replaces any line, it
 * takes many rounds until the last that is not wanted is gone. Rounds without the clock come before, which bring the cache into the
 * state that rounds leave behind.
 */
static bool overflows(struct hunt *h, const uint32_t *set, int n) {
    if (now_ns() > h->end_ns) h->late = true;
    const int rounds = ROUNDS + LOADS / (n + 1), many = n / 8 > 3 ? n / 8 : 3;
    bool all_many = true;
    for (int round = 0; round < WARM && !h->late; round++) {
        for (int i = 0; i < n; i++) load(h, set[i], h->offset);
        sweep(h);
        sweep(h);
    }
    for (int round = 0, without = 0; round < rounds && !h->late; round++) {
        int slow = 0;
        for (int i = 0; i < n; i++) slow += is_slow(h, set[i]);
        /* What a set cannot hold may as well be of the broom. */
        for (int i = 0; i < h->broom_lines; i++) slow += is_slow(h, h->broom[i]);
        sweep(h);
        if (!slow && ++without > PARDONED) return false;
        all_many &= slow >= many;
        if (round + 1 == SURE && all_many) return true;
    }
    return true;
}

/* Leaves candidates of which none can be left out. Their number, or 0 if all of them fit, or in the end do. */
static int smallest_set(struct hunt *h, uint32_t *set, int n) {
    uint32_t *rest = malloc((size_t)n * sizeof *rest);
    if (!rest || !overflows(h, set, n)) return free(rest), 0;
    for (int piece = n / 4 > 0 ? n / 4 : 1;;) {
        bool smaller = false;
        for (int at = 0; at < n && n > 1 && !h->late;) {
            int out = at + piece <= n ? piece : n - at;
            memcpy(rest, set, (size_t)at * sizeof *rest);
            memcpy(rest + at, set + at + out, (size_t)(n - at - out) * sizeof *rest);
            if (n - out > 0 && overflows(h, rest, n - out)) {
                n -= out;
                memcpy(set, rest, (size_t)n * sizeof *rest);
                smaller = true;
            } else {
                at += out;
            }
        }
        if (h->late) return free(rest), 0;
        if (piece > n / 4 && piece > 1)
            piece = n / 4 > 0 ? n / 4 : 1;
        else if (piece > 1)
            piece = (piece + 1) / 2;
        else if (!smaller)
            break;
    }
    free(rest);
    return overflows(h, set, n) && !h->late ? n : 0;
}

/* Is it still so that none can be left out, and that the broom fits by itself? What else used the cache during the search may be gone,
 * or have come since: then the set says nothing.
 */
static bool is_smallest(struct hunt *h, uint32_t *set, int n) {
    bool fits = !overflows(h, NULL, 0);
    for (int i = 0; i < n && fits && !h->late; i++) {
        uint32_t out = set[i];
        set[i] = set[n - 1];
        fits = !overflows(h, set, n - 1);
        set[i] = out;
    }
    return fits && !h->late && overflows(h, set, n);
}

/* How many lines of the broom are in the set. */
static int in_broom(struct hunt *h, const uint32_t *set, int size) {
    int found = 0, lines = h->broom_lines;
    for (int i = 0; i < lines && !h->late; i++) {
        uint32_t last = h->broom[lines - 1], out = h->broom[i];
        h->broom[i] = last;
        h->broom_lines = lines - 1;
        found += !overflows(h, set, size);
        h->broom_lines = lines;
        h->broom[i] = out;
        h->broom[lines - 1] = last;
    }
    return found;
}

/* Moves the lines that can stand in for a member of the set to the front. Their number. */
static int congruent_with(struct hunt *h, uint32_t *set, int size, struct lines lines) {
    int found = 0;
    uint32_t first = set[0];
    for (int i = 0; i < lines.count && !h->late; i++) {
        uint32_t line = lines.number[i];
        bool member = line == first;
        for (int k = 1; k < size; k++) member |= line == set[k];
        set[0] = line;
        if (!member && (!overflows(h, set, size) || h->late)) continue;
        lines.number[i] = lines.number[found];
        lines.number[found++] = line;
    }
    set[0] = first;
    return found;
}

/* Ticks of a picosecond, and what reading the clock twice takes. */
static double ticks_of_ps(double *clock) {
    double started = now_ns(), least = 1e9;
    uint64_t first = tick();
    while (now_ns() - started < 2e6) {
        uint64_t before = tick(), after = tick();
        if ((double)(after - before) < least) least = (double)(after - before);
    }
    *clock = least;
    return (double)(tick() - first) / (now_ns() - started) / 1e3;
}

/* Sets aside the first lines for the broom. False if they do not fit by themselves. */
static bool bind_broom(struct hunt *h, struct lines *lines, int broom) {
    h->broom_lines = broom < lines->count / 2 ? broom : lines->count / 2;
    if (h->broom_lines > MOST_BROOM) h->broom_lines = MOST_BROOM;
    memcpy(h->broom, lines->number, (size_t)h->broom_lines * sizeof *h->broom);
    lines->number += h->broom_lines;
    lines->count -= h->broom_lines;
    return h->broom_lines == 0 || !overflows(h, NULL, 0);
}

/* All lines in any order, but `broom` neighbours first: each set of the cache before has its part of them. */
static void put_in_order(uint32_t *numbers, int n, int broom) {
    if (broom > n) broom = n;
    uint32_t first = (uint32_t)random_below((uint64_t)(n - broom) + 1);
    int rest = broom;
    for (uint32_t i = 0; i < (uint32_t)n; i++)
        if (i >= first && i < first + (uint32_t)broom)
            numbers[i - first] = i;
        else
            numbers[rest++] = i;
    shuffle(numbers, broom);
    shuffle(numbers + broom, n - broom);
}

/* What searches found. */
struct found {
    long fresh, congruent;
};

static void add(struct found *sum, struct found found) {
    sum->fresh += found.fresh;
    sum->congruent += found.congruent;
}

/* One search: a third of the lines are candidates, the others are fresh. Ways, or 0 if it found nothing; `set` has room for all, and then
 * holds the set, of `*size` lines; `*found` is what the fresh ones did.
 */
static int search(struct hunt *h, struct lines lines, uint32_t *set, int *size, struct found *found) {
    int n = lines.count / 3;
    memcpy(set, lines.number, (size_t)n * sizeof *set);
    bool found_one = false;
    *size = n;
    for (int tried = 0; tried < TRIES && !found_one; tried++) {
        *size = smallest_set(h, set, *size);
        if (!*size) return 0;
        found_one = is_smallest(h, set, *size);
    }
    if (!found_one) return 0;
    int ways = *size - 1 + in_broom(h, set, *size);
    struct lines fresh = {lines.number + n, lines.count - n};
    int congruent = congruent_with(h, set, *size, fresh);
    if (h->late) return 0;
    *found = (struct found){fresh.count, congruent};
    return ways;
}

/* Leaves the lines of one set of the cache before, which is sought among `most` lines. */
static bool keep_one_set(struct hunt *h, struct lines *lines, uint32_t *set, int broom, int most, struct found *sum) {
    int size;
    struct found found;
    if (!bind_broom(h, lines, broom)) return false;
    struct lines few = {lines->number, lines->count < most ? lines->count : most};
    if (!search(h, few, set, &size, &found)) return false;
    add(sum, found);
    /* All of them, also those of the search. */
    lines->count = congruent_with(h, set, size, *lines);
    return !h->late;
}

void run_conflicts(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    size_t bytes = (size_t)request_number(request, "bytes", 0),
           stride = (size_t)request_number(request, "stride", 4096);
    int n = stride >= 2 * BESIDE && bytes / stride <= MOST_CANDIDATES ? (int)(bytes / stride) : 0;
    if (n < 2)
        return reply_error(reply, "conflicts takes 2 to %d lines, %d bytes or more apart", (int)MOST_CANDIDATES,
                           2 * (int)BESIDE);
    int broom = (int)request_number(request, "broom", 32);
    int inner_broom = (int)request_number(request, "inner_broom", 32);
    if (broom < 0 || broom > MOST_BROOM || inner_broom < 0 || inner_broom > MOST_BROOM)
        return reply_error(reply, "a broom has 0 to %d lines", (int)MOST_BROOM);
    int taking_part = (int)request_number(request, "lines", n);
    if (taking_part < 2 || taking_part > n)
        return reply_error(reply, "`lines` must be from 2 to %d, not %d", n, taking_part);
    int inner_lines = (int)(request_number(request, "inner_bytes", (long)bytes) / (long)stride);
    char *memory = keep_memory(request, reply, bytes);
    uint32_t *numbers = memory ? malloc(2 * (size_t)n * sizeof *numbers) : NULL, *set = numbers + n;
    if (!memory) return;
    if (!numbers) return reply_impossible(reply, REASON_MEMORY, "there is no memory for a list of %d lines", n);
    double clock, ticks = ticks_of_ps(&clock), begin = now_ns();
    double threshold = ticks * (double)request_number(request, "threshold_ps", 20000);
    double inner = ticks * (double)request_number(request, "inner_ps", 0);
    int wanted = request_samples(request), sets = 0, size;
    struct found found, by_ways[MOST_WAYS + 1] = {{0}}, found_inner = {0};
    struct hunt h = {.memory = memory, .stride = stride, .end_ns = begin + request_limit_s(request) * 1e9};
    struct lines kept = {0};
    for (int tried = 0; sets < wanted && tried < TRIES * wanted && !h.late; tried++) {
        /* In another order each time, by which other sets are found. Lines of one set of the cache before serve several searches. */
        if (inner == 0 || tried % TRIES == 0 || kept.count == 0) {
            h.offset = 64 * random_below(stride / 64);
            h.beside = (h.offset + stride / 2 + BESIDE) % stride;
            put_in_order(numbers, n, inner > 0 ? inner_broom : broom);
            kept = (struct lines){numbers, taking_part};
            h.threshold_ticks = clock + inner;
            if (inner > 0 && !keep_one_set(&h, &kept, set, inner_broom, inner_lines, &found_inner)) {
                kept.count = 0;
                continue;
            }
        }
        struct lines lines = kept;
        if (inner > 0) shuffle(lines.number, lines.count);
        h.threshold_ticks = clock + threshold;
        int ways = bind_broom(&h, &lines, broom) ? search(&h, lines, set, &size, &found) : 0;
        if (!ways) continue;
        reply_sample(reply, ways);
        if (ways <= MOST_WAYS) add(&by_ways[ways], found);
        sets++;
    }
    free(numbers);
    if (!sets)
        return reply_impossible(reply, h.late ? REASON_TIME : REASON_UNSEEN,
                                h.late ? "the time was over before a set of %d lines that does not fit was found"
                                       : "no set of %d lines that does not fit was found",
                                taking_part);
    for (int w = 0; w <= MOST_WAYS; w++) {
        char name[32];
        if (!by_ways[w].fresh) continue;
        snprintf(name, sizeof name, "fresh_%d", w);
        reply_fact(reply, name, (double)by_ways[w].fresh);
        snprintf(name, sizeof name, "congruent_%d", w);
        reply_fact(reply, name, (double)by_ways[w].congruent);
    }
    reply_fact(reply, "inner_fresh", (double)found_inner.fresh);
    reply_fact(reply, "inner_congruent", (double)found_inner.congruent);
}
