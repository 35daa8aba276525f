/* Lists of what loops gather, and those that are kept; lang/kept.h has the interface, docs/decisions/0017 the reasons.
 *
 * A list is made place by place: a table of this strip's places says whether one is there already. So an element travels once,
 * however many reads there are of it. One list is there for loops that are not promised to be the same again, strip after strip.
 * Of those that are, the whole loop is one strip, and the list is copied to memory of its own, unless it is larger than all
 * that may be kept; those used least recently make room.
 *
 * With FATHOM_COMM_CHECK the list of a loop is made anew each time, and compared with the one that is kept.
 *
 * Where the lists of an execution had most elements of a table, from the lowest to the highest one, the next execution with
 * the same bounds has none: that range of the table is fetched, in a piece from each thread, and the loop reads the elements where its
 * indices say, as they are then. Where the index is read from memory as it is, those of some thousand reads are looked at before: if one is
 * outside of the range, a wider one is fetched. Elsewhere each read has a test: a few reads outside of the range are made one by one, and widen it
 * the next time. After more of them the rest of the loop has lists again. If all indices were in the range that are promised to
 * stay the same, none is looked at any more.
 */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gas/check.h"
#include "gas/gather.h"
#include "gas/transfer.h"
#include "fathom_constant.h"
#include "lang/strip.h"
#include "lang/kept.h"

enum {
    MOST_KEPT = 64 << 20,
    ALIGNED = 64,
    LEAST_ENTRIES = 256,
    READS = 64, /* of an element, in a strip that is not kept */
    LOOPS = 64, /* whose tables are remembered */
    /* A table is fetched whole if this holds: range <= elements that were read * WIDER + reads / CHEAPER. For each element too many
     * there is then one less to be asked for, or a number of reads less to be looked up in the table of places. */
    WIDER = 2,
    CHEAPER = 4,
    PART = 4,         /* of what may be kept is the most that a table may take */
    MOST_OUTSIDE = 8, /* reads, in an execution */
    MOST_WIDENED = 2, /* times, in an execution */
    MOST_ELEMENT = 256,
    RANGE = 256,     /* elements: a transfer of their own costs less than their places */
    MOST_DOUBLED = 6 /* times: what was in vain is tried again after 2, 4, ... executions */
};

long fathom_kept_most = MOST_KEPT / (long)(sizeof(unsigned) + sizeof(fathom_ptr));
long fathom_kept_range = RANGE;
/* For tests: executions with a list of before, and with a whole table. */
unsigned long fathom_lists_reused, fathom_tables_whole;

struct list {
    struct list *next;
    unsigned long site, key[FATHOM_KEPT_KEY];
    int key_count;
    size_t bytes;
    fathom_ptr *places; /* each once */
    unsigned *element;
    unsigned long *first;
    size_t count, reads, left_out, iterations, places_room, element_room, first_room;
};

static struct list strip; /* of the loop that runs, if it is not kept */
static struct list *kept; /* the one used last comes first */
static size_t kept_bytes, most_bytes = MOST_KEPT;
static bool is_forced;
static fathom_ptr *places;
static size_t places_room;
static char *landed;
static size_t landed_room;

/* The places of this strip. */
static struct entry {
    fathom_ptr place;
    unsigned number, strip;
} * table;
static size_t table_size; /* a power of two, at least twice the number of places */
static unsigned strips;   /* numbers them: entries of others are free */

/* While the reads are those of the strip before, which is the usual case where indices do not change, the table is not needed. */
static bool is_following;
static size_t old_reads, old_count;

/* What the last execution of a loop with these bounds has read. */
static CONDUIT_LARGE struct seen {
    unsigned long site, bounds[3];
    long first, end; /* the elements to fetch, if end > first */
    unsigned long reads, elements, iterations;
    unsigned wait;     /* nothing is to be found out in so many executions */
    unsigned failures; /* for so many times in turn it was in vain */
    /* With this key, whose places are promised to stay the same, all reads were of these elements. */
    unsigned long key[FATHOM_KEPT_KEY];
    int key_count;
} seen[LOOPS];

static struct fathom_slot whole; /* the table of the loop that runs */
static long *lowest, *highest;   /* offsets, by thread */

void gas_kept_start(size_t bytes, bool forced) {
    if (bytes) most_bytes = bytes;
    is_forced = forced;
}

#define GROW(ROOM, POINTER, N)                                                                                         \
    do {                                                                                                               \
        if ((N) > (ROOM)) {                                                                                            \
            (ROOM) = (N) + (N) / 2 + 64;                                                                               \
            (POINTER) = gas_strip_sized((POINTER), (ROOM) * sizeof *(POINTER));                                        \
        }                                                                                                              \
    } while (0)

/* ---- a list ------------------------------------------------------------------------------------------------------ */

static size_t entry_of(fathom_ptr p) {
    size_t i = (size_t)(p * 0x9e3779b97f4a7c15ul >> 40) & (table_size - 1);
    while (table[i].strip == strips && table[i].place != p) i = (i + 1) & (table_size - 1);
    return i;
}

static void enter_places(void) {
    for (size_t i = 0; i < strip.count; i++)
        table[entry_of(strip.places[i])] = (struct entry){strip.places[i], (unsigned)i, strips};
}

static __attribute__((noinline)) void renew_table(size_t size) {
    free(table);
    table_size = size;
    table = calloc(size, sizeof *table);
    if (!table) core_fatal("no memory for %zu bytes of a list of places", size * sizeof *table);
    strips = 1;
    enter_places();
}

/* The table has the places of the strip so far, and no others. */
static void begin_table(void) {
    size_t size = table ? table_size : LEAST_ENTRIES;
    while (size < 2 * strip.count) size *= 2;
    if (!table || size > table_size || ++strips == 0)
        renew_table(size);
    else
        enter_places();
}

static void begin_strip(unsigned long site) {
    is_following = strip.site == site;
    old_reads = strip.reads;
    old_count = strip.count;
    strip.site = site;
    strip.count = strip.reads = strip.left_out = strip.iterations = 0;
    if (!is_following) begin_table();
}

/* How many of the n reads are those of the strip before, one after the other? Their numbers stay. */
static size_t follow(size_t n) {
    struct list *l = &strip;
    size_t most = old_reads - l->reads < n ? old_reads - l->reads : n, i = 0;
    for (; i < most; i++) {
        unsigned number = l->element[l->reads + i];
        if (!places[i]) {
            l->element[l->reads + i] = 0;
            l->left_out++;
            continue;
        }
        if (number >= old_count || number > l->count || l->places[number] != places[i]) break;
        if (number == l->count) l->count++;
    }
    return i;
}

fathom_ptr *fathom_kept_places(struct fathom_kept *k, unsigned long n) {
    (void)k;
    GROW(places_room, places, n);
    return places;
}

void fathom_kept_add(struct fathom_kept *k, unsigned long n) {
    (void)k;
    struct list *l = &strip;
    unsigned long i = 0;
    GROW(l->element_room, l->element, l->reads + n);
    if (is_following) {
        i = follow(n);
        if (i < n) {
            is_following = false;
            begin_table();
        }
    }
    for (; i < n; i++) {
        fathom_ptr p = places[i];
        unsigned number = 0;
        if (p) {
            size_t at = entry_of(p);
            if (table[at].strip != strips) {
                GROW(l->places_room, l->places, l->count + 1);
                table[at] = (struct entry){p, (unsigned)l->count, strips};
                l->places[l->count++] = p;
                number = (unsigned)l->count - 1;
                if (2 * l->count > table_size) renew_table(2 * table_size);
            } else {
                number = table[at].number;
            }
        } else {
            l->left_out++;
        }
        l->element[l->reads + i] = number;
    }
    l->reads += n;
}

/* ---- lists that are kept ----------------------------------------------------------------------------------------- */

static size_t bytes_of(const struct list *l) {
    return sizeof *l + l->count * sizeof *l->places + l->reads * sizeof *l->element + l->iterations * sizeof *l->first;
}

static struct list *find(const struct fathom_kept *k) {
    for (struct list **at = &kept; *at; at = &(*at)->next) {
        struct list *l = *at;
        if (l->site != k->site || l->key_count != k->count || memcmp(l->key, k->key, sizeof *l->key * (size_t)k->count))
            continue;
        *at = l->next;
        l->next = kept;
        return kept = l;
    }
    return NULL;
}

static void forget_last(void) {
    struct list **at = &kept;
    while ((*at)->next) at = &(*at)->next;
    kept_bytes -= (*at)->bytes;
    free(*at);
    *at = NULL;
}

static void keep(const struct fathom_kept *k) {
    size_t bytes = bytes_of(&strip);
    if (bytes > most_bytes) return;
    while (kept_bytes + bytes > most_bytes) forget_last();
    struct list *l = malloc(bytes);
    if (!l) return;
    *l = strip;
    l->bytes = bytes;
    l->site = k->site;
    l->key_count = k->count;
    memcpy(l->key, k->key, sizeof *l->key * (size_t)k->count);
    l->places = (fathom_ptr *)(l + 1);
    l->first = (unsigned long *)(l->places + l->count);
    l->element = (unsigned *)(l->first + l->iterations);
    memcpy(l->places, strip.places, l->count * sizeof *l->places);
    if (l->iterations) memcpy(l->first, strip.first, l->iterations * sizeof *l->first);
    memcpy(l->element, strip.element, l->reads * sizeof *l->element);
    l->next = kept;
    kept = l;
    kept_bytes += bytes;
}

void fathom_constant_changed(void) {
    CORE_GATE;
    while (kept) forget_last();
    for (int i = 0; i < LOOPS; i++) seen[i].key_count = 0;
}

static bool is_same(const struct list *a, const struct list *b) {
    return a->count == b->count && a->reads == b->reads && a->iterations == b->iterations &&
           memcmp(a->places, b->places, a->count * sizeof *a->places) == 0 &&
           memcmp(a->element, b->element, a->reads * sizeof *a->element) == 0 &&
           (!a->iterations || memcmp(a->first, b->first, a->iterations * sizeof *a->first) == 0);
}

/* ---- whole tables ------------------------------------------------------------------------------------------------ */

static struct seen *seen_of(unsigned long site, const unsigned long *bounds) {
    unsigned long h = site;
    for (int i = 0; i < 3; i++) h = (h ^ bounds[i]) * 0x9e3779b97f4a7c15ul;
    struct seen *x = &seen[h >> 32 & (LOOPS - 1)];
    if (x->site != site || memcmp(x->bounds, bounds, sizeof x->bounds)) {
        *x = (struct seen){.site = site};
        memcpy(x->bounds, bounds, sizeof x->bounds);
    }
    return x;
}

static void was_in_vain(struct seen *x) {
    if (x->failures < MOST_DOUBLED) x->failures++;
    x->wait = 1u << x->failures;
    x->first = x->end = 0;
}

static bool has_room(long first, long end, long size) {
    return end > first && (unsigned long)(end - first) <= most_bytes / PART / (unsigned long)size;
}

/* Elements first to end - 1 are among those that this execution has read. */
static void reach(struct fathom_kept *k, long first, long end) {
    if (k->from == k->end) k->from = first, k->end = end;
    if (first < k->from) k->from = first;
    if (end > k->end) k->end = end;
}

/* Adds what the list has to what those of this execution have read. */
static void note(struct fathom_kept *k, const struct list *l) {
    if (!lowest) {
        lowest = core_table((size_t)fathom_threads, sizeof *lowest);
        highest = core_table((size_t)fathom_threads, sizeof *highest);
    }
    for (int t = 0; t < fathom_threads; t++) lowest[t] = LONG_MAX, highest[t] = -1;
    for (size_t i = 0; i < l->count; i++) {
        long t = fathom_thread_of(l->places[i]), offset = (long)fathom_offset_of(l->places[i]);
        if ((unsigned long)t >= (unsigned long)fathom_threads) continue;
        if (offset < lowest[t]) lowest[t] = offset;
        if (offset > highest[t]) highest[t] = offset;
    }
    for (int t = 0; t < fathom_threads; t++) {
        if (highest[t] < 0) continue;
        long first = gas_strip_element(&whole, fathom_make(t, (unsigned long)lowest[t]));
        long end = gas_strip_element(&whole, fathom_make(t, (unsigned long)highest[t])) + 1;
        reach(k, first, end);
    }
    k->lists_reads += l->reads - l->left_out;
    k->lists_elements += l->count;
}

static bool is_worth_it(long first, long end, unsigned long list_elements, unsigned long reads) {
    return has_room(first, end, whole.size) &&
           (is_forced || (unsigned long)(end - first) <= WIDER * list_elements + reads / CHEAPER);
}
static bool lists_are_dear(const struct fathom_kept *k) {
    return is_worth_it(k->from, k->end, k->lists_elements, k->lists_reads);
}

/* The execution ends. */
static void remember(struct fathom_kept *k) {
    struct seen *x = k->seen;
    k->seen = NULL;
    if (!x) return;
    if (k->is_whole) {
        x->failures = 0;
        if (k->outside) {
            if (k->from < x->first) x->first = k->from;
            if (k->end > x->end) x->end = k->end;
            if (!is_worth_it(x->first, x->end, x->elements, x->reads)) {
                was_in_vain(x);
                return;
            }
        }
        x->key_count = k->promised;
        if (k->promised) memcpy(x->key, k->key, sizeof *k->key * (size_t)k->promised);
    } else if (k->lists_iterations) {
        if (!lists_are_dear(k)) {
            was_in_vain(x);
            return;
        }
        x->first = k->from;
        x->end = k->end;
        x->reads = k->lists_reads;
        x->elements = k->lists_elements;
        x->iterations = k->lists_iterations;
        x->key_count = 0;
    }
}

/* Are there as many reads in these n iterations as there were when it was worth it? */
static bool reads_enough(const struct fathom_kept *k, unsigned long n) {
    const struct seen *x = k->seen;
    return k->reads == ~0ul || 2 * (double)k->reads * (double)x->iterations >= (double)x->reads * (double)n;
}

const void *fathom_kept_outside(struct fathom_kept *k, unsigned long i) {
    static _Alignas(ALIGNED) char element[MOST_ELEMENT];
    long e = k->low + (long)i;
    reach(k, e, e + 1);
    if (++k->outside >= MOST_OUTSIDE) k->stops = 1;
    fathom_ptr place = gas_strip_place(&whole, e);
    if (fathom_is_near(place)) return fathom_local(place);
    gas_get(element, place, (size_t)whole.size);
    return element;
}

/* ---- indices that are looked at ---------------------------------------------------------------------------------- */

enum { VECTOR = 16 }; /* bytes */
typedef uint32_t words __attribute__((vector_size(VECTOR), aligned(4), may_alias));
typedef uint64_t longs __attribute__((vector_size(VECTOR), aligned(8), may_alias));

/* For each index, its distance d from `low` has no sign bit, and neither has last - d: modulo 2^bits, with last below half of that. */
#define ARE_INSIDE(NAME, TYPE, VECTORS, BITS)                                                                          \
    static bool NAME(const char *at, size_t n, TYPE low, TYPE last) {                                                  \
        enum { PER = VECTOR / sizeof(TYPE) };                                                                          \
        VECTORS found[2] = {{0}};                                                                                      \
        TYPE all = 0;                                                                                                  \
        for (; n >= 2 * PER; n -= 2 * PER, at += sizeof found)                                                         \
            for (int i = 0; i < 2; i++) {                                                                              \
                VECTORS d = ((const VECTORS *)at)[i] - low;                                                            \
                found[i] |= d | (last - d);                                                                            \
            }                                                                                                          \
        for (; n > 0; n--, at += sizeof(TYPE)) {                                                                       \
            TYPE d;                                                                                                    \
            memcpy(&d, at, sizeof d);                                                                                  \
            d -= low;                                                                                                  \
            all |= d | (last - d);                                                                                     \
        }                                                                                                              \
        for (int i = 0; i < PER; i++) all |= found[0][i] | found[1][i];                                                \
        return all >> (BITS - 1) == 0;                                                                                 \
    }
ARE_INSIDE(words_are_inside, uint32_t, words, 32)
ARE_INSIDE(longs_are_inside, uint64_t, longs, 64)

static bool are_inside(const struct fathom_kept *k, size_t n) {
    long last = k->low + (long)k->many - 1;
    if (k->look_bytes == 8) return longs_are_inside(k->look_from, n, (uint64_t)k->low, k->many - 1);
    long least = k->look_bytes < 0 ? 0 : INT_MIN, most = k->look_bytes < 0 ? (long)UINT_MAX : INT_MAX;
    return k->low >= least && last <= most && k->many <= INT_MAX &&
           words_are_inside(k->look_from, n, (uint32_t)k->low, (uint32_t)(k->many - 1));
}

static long index_at(const struct fathom_kept *k, size_t i) {
    int32_t word;
    long whole_word;
    if (k->look_bytes == 8) {
        memcpy(&whole_word, k->look_from + 8 * i, sizeof whole_word);
        return whole_word;
    }
    memcpy(&word, k->look_from + 4 * i, sizeof word);
    return k->look_bytes < 0 ? (long)(uint32_t)word : word;
}

void fathom_kept_look_at(struct fathom_kept *k) {
    size_t n = (size_t)(k->look_end - k->look_from) / (k->look_bytes == 8 ? 8 : 4);
    if (!n || are_inside(k, n)) return;
    for (size_t i = 0; i < n; i++) {
        long e = index_at(k, i);
        if ((unsigned long)(e - k->low) < k->many) continue;
        k->misses = 1;
        reach(k, e, e + 1);
    }
}

int fathom_kept_looked(struct fathom_kept *k) {
    fathom_kept_look_at(k);
    k->look_from = k->look_end;
    k->looked = 0;
    if (!k->misses) return 1;
    k->misses = 0;
    struct seen *x = k->seen;
    if (k->from < x->first) x->first = k->from;
    if (k->end > x->end) x->end = k->end;
    if (++k->outside > MOST_WIDENED || !is_worth_it(x->first, x->end, x->elements, x->reads))
        k->stops = 1;
    else
        k->at = NULL;
    return 0;
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

/* May this execution fetch its table as a whole? */
static void look_back(struct fathom_kept *k, const struct fathom_strip *s, const unsigned long *key, int count) {
    k->seen = NULL;
    k->is_whole = k->is_certain = k->stops = k->misses = 0;
    k->look_from = k->look_end = NULL;
    k->look_bytes = 0;
    k->looked = 0;
    k->from = k->end = 0;
    k->lists_reads = k->lists_elements = k->lists_iterations = k->outside = 0;
    if (k->phase < 0 || (count && gas_check_is_on)) return;
    struct seen *x = seen_of(k->site, key);
    if (x->wait) {
        x->wait--;
        return;
    }
    const struct fathom_gather *g = &s->gather[0];
    whole = gas_strip_table(g->start, (unsigned long)k->phase, (unsigned long)g->block, (unsigned long)g->size);
    k->seen = x;
    k->is_whole = has_room(x->first, x->end, whole.size);
    k->is_certain =
        k->is_whole && count && x->key_count == count && memcmp(x->key, key, sizeof *key * (size_t)count) == 0;
}

void fathom_kept_begin(struct fathom_kept *k, struct fathom_strip *s, unsigned long site, const char *file, int line,
                       long phase, const unsigned long *key, int count) {
    gas_gather_paid(); /* a list has its own way to see what pays */
    k->site = site;
    k->phase = phase;
    k->at = NULL;
    look_back(k, s, key, count);
    k->promised = count;
    if (count) memcpy(k->key, key, sizeof *key * (size_t)count);
    if (k->is_whole) count = 0;
    /* What is certainly too large is not even tried. */
    if ((size_t)s->trips > most_bytes / (sizeof *strip.element + sizeof *strip.places)) count = 0;
    k->file = file;
    k->line = line;
    k->count = count;
    k->before = count ? find(k) : NULL;
    k->is_known = k->before && !gas_check_is_on;
    k->is_kept = count && !k->before;
    k->shortest = s->step;
    k->list = k->is_known ? k->before : &strip;
    if (count) s->step = LONG_MAX;
    if (k->is_known) fathom_lists_reused++;
}

unsigned long fathom_kept_next(struct fathom_kept *k, struct fathom_strip *s, struct fathom_own *o) {
    if (k->is_whole && k->stops) {
        was_in_vain(k->seen);
        k->seen = NULL;
        k->is_whole = 0;
    }
    unsigned long n = fathom_own_next(s, o);
    k->reads = ~0ul;
    if (!n)
        remember(k);
    else if (!k->is_known && !k->is_whole)
        begin_strip(k->site);
    return n;
}

int fathom_kept_has_room(struct fathom_kept *k, unsigned long i) {
    struct list *l = &strip;
    if (i > 0) {
        bool has_enough = k->count ? bytes_of(l) > most_bytes
                                   : l->count >= (size_t)k->shortest || l->reads / READS >= (size_t)k->shortest;
        if (has_enough && !gas_check_is_on) return 0;
    }
    GROW(l->first_room, l->first, i + 1);
    l->first[i] = l->reads;
    l->iterations = i + 1;
    return 1;
}

unsigned long fathom_kept_fetch(struct fathom_kept *k, struct fathom_strip *s, struct fathom_own *o, unsigned long n) {
    CORE_GATE;
    struct list *l = k->list;
    if (k->is_whole) {
        const struct seen *x = k->seen;
        if (k->at) return n;
        if (!reads_enough(k, n)) {
            k->is_whole = 0;
            o->next = o->at[0];
            return 0;
        }
        k->low = x->first;
        k->many = (unsigned long)(x->end - x->first);
        k->at = gas_strip_whole(&whole, k->low, (long)k->many);
        k->zero = (const void *)((uintptr_t)k->at - (uintptr_t)(k->low * whole.size));
        fathom_tables_whole++;
        return n;
    }
    if (!k->is_known && l->iterations && l->iterations < n) {
        n = l->iterations;
        o->next = o->at[n];
        /* It is too large: the rest goes in strips of the usual length. */
        k->count = k->is_kept = 0;
        s->step = k->shortest;
    }
    if (k->seen && !k->is_known) {
        note(k, l);
        k->lists_iterations += n;
        if (k->is_kept && lists_are_dear(k)) k->is_kept = 0;
    }
    if (k->is_kept) keep(k);
    k->is_kept = 0;
    if (k->before && !k->is_known && !is_same(k->before, l)) {
        gas_check_promise(k->file, k->line);
        k->before = NULL;
    }
    size_t size = (size_t)s->gather[0].size, bytes = l->count * size + ALIGNED;
    if (bytes > landed_room) landed = gas_strip_aligned(landed, landed_room = bytes + bytes / 2);
    gas_gather_get(landed, l->places, size, l->count);
    k->at = landed;
    k->element = l->element;
    k->first = l->first;
    return n;
}
