/* Where to cut sorted ranges, one on each thread, so that a given number of the least elements lies before the cuts: what
 * upc_all_sort divides its work by. All threads look for cuts at the same time, each for its own.
 *
 * As quickselect does, but of many ranges: a thread keeps for each of them between which places its cut may lie. In a round
 * it names a pivot, an element that lies between; every thread says how many elements of its range come before each
 * thread's pivot; and if all together are too few, or too many, no cut lies before those places, or none after them. Equal
 * elements have an order: by their place in the array, so by range and place in it. A round leaves at least the pivot
 * out, and a good pivot nearly everything: pivots lie in proportion to what is still missing, which is right if the ranges
 * are alike, and in every second round anywhere, which takes a logarithmic number of rounds whatever they are.
 *
 * That holds for any function; if it contradicts itself, cuts of different threads may cross, and are then put in order.
 */
#include "collective_sort.h"
#include "lang/random.h"

/* Between which places of each thread's range the cuts lie, and how many elements lie before them if all are the lowest, or
 * the highest. */
struct bounds {
    size_t *low, *high;
    size_t before_low, before_high, wanted;
};

/* Element `place` of a thread's range; thread -1: a thread that knows its cuts. */
struct pivot {
    long thread;
    size_t place;
};

static struct pivot choose(const struct bounds *b, uint64_t *state, bool in_proportion) {
    if (b->before_low == b->wanted || b->before_high == b->wanted) return (struct pivot){-1, 0};
    size_t between = b->before_high - b->before_low, which = fathom_random_below(state, between);
    long t = 0;
    while (which >= b->high[t] - b->low[t]) which -= b->high[t] - b->low[t], t++;
    size_t here = b->high[t] - b->low[t];
    if (in_proportion) which = (size_t)((double)here * (double)(b->wanted - b->before_low) / (double)between);
    return (struct pivot){t, b->low[t] + gas_least(which, here - 1)};
}

/* How many elements of this thread's range come before a pivot, of which `copy` is within reach. */
static size_t count_before(const struct sort *s, struct pivot p, fathom_ptr copy) {
    if (p.thread == gas_me()) return p.place;
    bool equals_too = gas_me() < p.thread;
    size_t low = 0, high = sort_length(s, gas_me());
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = s->compare(fathom_pptr_of(sort_element(s, gas_me(), middle), 0), fathom_pptr_of(copy, 0));
        if (order < 0 || (order == 0 && equals_too))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of every thread's pivot. Those out of reach are fetched, some while others are looked at. */
static void count_all(const struct sort *s, const struct pivot *pivots, size_t *counts) {
    gas_handle under_way[SORT_PIVOTS] = {GAS_DONE};
    size_t size = s->a.elem_bytes;
    int threads = gas_count();
    fathom_ptr copies = fathom_make(gas_me(), s->pivots);
    for (int i = 0; i < threads + SORT_PIVOTS; i++) {
        int slot = i % SORT_PIVOTS, t = i - SORT_PIVOTS;
        fathom_ptr copy = copies + (size_t)slot * size;
        if (t >= 0) counts[t] = 0;
        if (t >= 0 && pivots[t].thread >= 0) {
            gas_wait(&under_way[slot]);
            fathom_ptr at = sort_element(s, (int)pivots[t].thread, pivots[t].place);
            counts[t] = count_before(s, pivots[t], fathom_is_near(at) ? at : copy);
        }
        if (i >= threads || pivots[i].thread < 0) continue;
        fathom_ptr at = sort_element(s, (int)pivots[i].thread, pivots[i].place);
        if (!fathom_is_near(at)) under_way[slot] = gas_get_nb(fathom_local(copy), at, size);
    }
}

static void narrow(struct bounds *b, struct pivot p, const size_t *counts) {
    size_t before = 0, at = 0;
    int threads = gas_count();
    for (int t = 0; t < threads; t++) {
        size_t n = counts[t] < b->low[t] ? b->low[t] : gas_least(counts[t], b->high[t]);
        if (t == p.thread) at = n;
        before += n;
    }
    bool is_low = before < b->wanted; /* then the pivot itself comes before the cuts, too */
    for (int t = 0; t < threads; t++) {
        size_t n = counts[t] < b->low[t] ? b->low[t] : gas_least(counts[t], b->high[t]);
        (is_low ? b->low : b->high)[t] = t == p.thread ? at + is_low : n;
    }
    *(is_low ? &b->before_low : &b->before_high) = before + is_low;
}

void sort_find_cuts(const struct sort *s, size_t before, size_t *cuts) {
    size_t threads = (size_t)gas_count(), words = threads * sizeof(size_t);
    struct bounds b = {gas_room(words), gas_room(words), 0, s->n, before};
    for (size_t t = 0; t < threads; t++) {
        b.low[t] = 0;
        b.high[t] = sort_length(s, (int)t);
    }
    struct pivot *pivots = gas_room(threads * sizeof *pivots);
    size_t *counts = gas_room(words), *of_mine = gas_room(words);
    uint64_t state = (uint64_t)gas_me();
    gas_barrier(); /* all ranges are sorted */
    for (unsigned round = 0;; round++) {
        struct pivot mine = choose(&b, &state, round % 2 == 0);
        gas_gather_all(gas_world(), pivots, &mine, sizeof mine, 0);
        bool is_done = true;
        for (size_t t = 0; t < threads; t++) is_done &= pivots[t].thread < 0;
        if (is_done) break;
        count_all(s, pivots, counts);
        gas_exchange(gas_world(), of_mine, counts, sizeof *counts, 0);
        if (mine.thread >= 0) narrow(&b, mine, of_mine);
    }
    gas_scan(gas_world(), cuts, b.before_low == before ? b.low : b.high, threads, GAS_U64, GAS_MAX, 0, 0);
    free(of_mine);
    free(counts);
    free(pivots);
    free(b.high);
    free(b.low);
}
