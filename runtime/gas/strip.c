/* Loops in strips; lang/strip.h has the interface, and the plan (crates/lower) the loops for which it is used.
 *
 * A strip is a number of consecutive iterations. What a slot reads in it are consecutive elements of an array: whatever
 * the block size, those of one thread lie in one piece of its segment. So a strip takes at most one transfer from each
 * far thread and slot. They land in a room of the slot; `land[t]` is where offset 0 of thread t's segment would be: an element
 * is at land[t] + its offset, in a near thread's segment too, which is read in place.
 *
 * Within a strip the loop runs in runs of iterations, in which each slot's elements follow each other in memory. Where a
 * block is long, that is so in the block. Otherwise the elements are joined: copied one after the other, some at a time (join.h).
 *
 * While a strip runs, the next two are on their way to rooms of other sets, where they come from other computers: what the
 * loop writes is not among what it reads. With two of them the network has always something to carry: while the first one's data travel,
 * the second one's request does. Where the text has a jump out of the loop, the first strip is short and fetched alone, since the loop may be
 * left in it. What was begun for a loop that was left is waited for before the rooms are used again.
 *
 * Elements that the loop does not reach, because it is left early or reads under a condition, may lie outside of the array,
 * and of the segment. What is outside of the segment is not touched.
 *
 * The loop's body calls nothing that could come here again, so the rooms are there once. Private memory that the body writes
 * is asked about (fathom_strip_stores), because joined and landed elements are copies.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gas/check.h"
#include "gas/extent.h"
#include "gas/foreseen.h"
#include "gas/gather.h"
#include "gas/halo.h"
#include "gas/join.h"
#include "gas/slot.h"
#include "gas/transfer.h"
#include "lang/fetch.h"
#include "lang/strip.h"

enum {
    FIRST_BYTES = 8192,   /* of a slot, in the first strip of a loop that may be left early, */
    GROWTH = 4,           /* whose strips become longer, up to: */
    MOST_BYTES = 131072,  /* below the size of the second-level cache; */
    AHEAD_BYTES = 49152,  /* from one thread, where two others are on their way meanwhile */
    SETS = 3,             /* of rooms: one of the strip at hand, the others of strips on their way */
    LEAST_TRIPS = 4,      /* fewer far accesses are made one by one */
    LEAST_GATHERED = 8,   /* the same, of those whose places are computed */
    LEAST_COPIED = 32768, /* bytes that are copied in one go: less may be foreseen (foreseen.c), */
    LEAST_PIECE = 4096,   /* where each thread's pieces have as many */
    LEAST_PLACE = 8,      /* bytes: a gathered element has a place */
    LEAST_RUN = 32,       /* iterations: shorter runs are joined */
    ALIGNED = GAS_ROOM_ALIGNED,
};

long fathom_strips_from = LONG_MAX;
long fathom_gathers_from = LONG_MAX;
unsigned long fathom_strips_fetched; /* transfers, for tests */

static size_t elements, gathered; /* of each strip, and of those that gather; or 0 */
static bool is_forced;
static long *own; /* iterations of a strip */
static size_t own_size;

/* Where a slot's elements are in this strip. */
struct room {
    char *bytes;
    size_t size;
    struct gas_join joined;
    struct gas_slot_place place; /* of the strip's first element */
    uintptr_t *land;             /* by thread */
    long *low, *high;            /* by thread: the first offset of the strip, and the one behind the last */
};
static CONDUIT_LARGE struct room rooms[SETS][FATHOM_STRIP_SLOTS];
static int at_hand; /* the set of the strip at hand */
/* The strips that are on their way, to the sets that come behind the one at hand. */
static struct {
    struct gas_transfer transfer;
    unsigned long count; /* pieces */
    long end;            /* the iteration behind the strip */
} ahead[SETS];
static int ahead_count;

void gas_strip_start(void) {
    struct core_comm wanted = gas_comm_wanted();
    if (!wanted.strips) return;
    elements = wanted.strip_elements;
    gathered = wanted.gather_elements;
    is_forced = wanted.force;
    gas_kept_start(wanted.kept_bytes, is_forced);
    gas_sites_start(wanted.sites);
    if (conduit_near.count == fathom_threads && !is_forced) return;
    if (wanted.foresee) {
        gas_foreseen_start(wanted.foreseen_runs);
        gas_nest_start(wanted.foreseen_runs);
    }
    fathom_strips_from = is_forced ? 1 : LEAST_TRIPS;
    if (wanted.gathers) fathom_gathers_from = is_forced ? 1 : LEAST_GATHERED;
}

void *gas_strip_sized(void *old, size_t bytes) {
    void *p = realloc(old, bytes);
    if (!p) core_fatal("no memory for %zu bytes that a loop reads ahead", bytes);
    return p;
}

void *gas_strip_aligned(void *old, size_t bytes) {
    free(old);
    void *p = aligned_alloc(ALIGNED, (bytes + ALIGNED - 1) / ALIGNED * ALIGNED);
    if (!p) core_fatal("no memory for %zu bytes that a loop reads ahead", bytes);
    return p;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* Offsets of elements 0 to n - 1, on whatever threads. */
static void bounds(const struct fathom_slot *t, long n, long *low, long *high) {
    struct gas_slot_place first = gas_slot_place(t, 0), last = gas_slot_place(t, n - 1);
    *low = first.offset;
    *high = last.offset + t->size;
    if (first.left >= n) return;
    /* Other threads' blocks of the same rounds. */
    *low -= (t->block - first.left) * t->size;
    *high += (last.left - 1) * t->size;
}

static bool reads_far(const struct fathom_slot *t, long n) {
    if (is_forced) return true;
    if (t->block == 0) return !gas_is_near_thread(t->thread);
    long b = fathom_floordiv(t->first, t->block), in = t->first - b * t->block, last = b;
    if (in + n > t->block) last = fathom_floordiv(t->first + n - 1, t->block);
    if (last - b >= fathom_threads - 1) return true; /* of all threads */
    for (; b <= last; b++)
        if (!gas_is_near_thread(t->thread + b - fathom_div_threads(t->thread + b) * fathom_threads)) return true;
    return false;
}

/* ---- the question before the loop -------------------------------------------------------------------------------- */

void fathom_strip_begin(struct fathom_strip *s, long trips) {
    s->slots = s->gathers = s->sources = s->may_be_left = 0;
    s->may_run = trips > 0 && !core_in_handler();
    s->trips = trips;
    s->done = s->end = s->ahead = 0;
}

static struct fathom_slot described(fathom_ptr start, unsigned long phase, long index, unsigned long block,
                                    unsigned long size, long extra) {
    struct fathom_slot t;
    t.at = NULL;
    t.thread = fathom_thread_of(start);
    t.base = (long)fathom_offset_of(start) - (long)(block ? phase * size : 0);
    t.first = index + (block ? (long)phase : 0);
    t.block = (long)block;
    t.size = (long)size;
    t.extra = extra;
    return t;
}

void fathom_strip_range(struct fathom_strip *s, fathom_ptr start, unsigned long phase, long index, unsigned long block,
                        unsigned long size, long extra) {
    struct fathom_slot t = described(start, phase, index, block, size, extra);
    /* A null pointer, perhaps of a loop that never follows it; a place beyond all memory, of one that ends before it. */
    long most = LONG_MAX / 16 >> (64 - __builtin_clzl(size)); /* at most LONG_MAX / 16 / size, without a division */
    if ((unsigned long)t.thread >= (unsigned long)fathom_threads || s->trips > most || t.first > most ||
        t.first < -most || t.block > most)
        s->may_run = 0;
    s->slot[s->slots++] = t;
}

void fathom_strip_gather(struct fathom_strip *s, fathom_ptr start, unsigned long bytes, unsigned long block,
                         unsigned long size) {
    struct fathom_gather g = {.size = (long)size, .block = (long)block, .start = start};
    g.thread = block ? -1 : fathom_thread_of(start);
    if (bytes) {
        g.low = (long)fathom_offset_of(start);
        g.high = g.low + (long)bytes;
    }
    if ((unsigned long)fathom_thread_of(start) >= (unsigned long)fathom_threads) s->may_run = 0;
    s->gather[s->gathers++] = g;
}

void fathom_strip_source(struct fathom_strip *s, const volatile void *from, long bytes) {
    s->source[s->sources++] = (struct fathom_source){from, bytes};
}

/* Does the loop read anything far? */
static bool is_far(const struct fathom_strip *s) {
    for (int i = 0; i < s->gathers; i++)
        if (is_forced || s->gather[i].thread < 0 || !gas_is_near_thread(s->gather[i].thread)) return true;
    for (int i = 0; i < s->slots; i++)
        if (reads_far(&s->slot[i], s->trips + s->slot[i].extra)) return true;
    return false;
}

/* The object behind a pointer with such a block size. Behind the end of one that a single thread has, a pointer with blocks leads to the next thread, where something
 * else may be. */
static bool object_of(const struct fathom_strip *s, fathom_ptr p, long block, struct gas_extent *e) {
    return is_far(s) && gas_extent_of(p, e) && (block == 0 || e->thread < 0);
}

/* Are offsets low to high - 1 of a thread (-1: of all) among those of a table? That of a pointer is within its object. */
static bool is_in_table(const struct fathom_strip *s, long thread, long low, long high) {
    for (int i = 0; i < s->gathers; i++) {
        const struct fathom_gather *g = &s->gather[i];
        struct gas_extent e = {g->thread, g->low, g->high};
        if (thread >= 0 && g->thread >= 0 && thread != g->thread) continue;
        if (g->high == 0 && !object_of(s, g->start, g->block, &e)) return true;
        if (e.low < high && low < e.high) return true;
    }
    return false;
}

/* Private memory, and the part of it at hand, which lies in one segment. */
struct parts {
    uintptr_t from, end; /* of what is left */
    long thread, low, high;
};

static struct parts parts_of(const volatile void *from, long bytes) {
    uintptr_t at = (uintptr_t)from, end = at + (uintptr_t)bytes;
    return (struct parts){.from = at, .end = end < at ? UINTPTR_MAX : end};
}

/* Goes to the next part that is in a segment which this process reaches, if there is one. Where a condition keeps the program from the beginning, that may be
 * outside of them. */
static bool next_part(struct parts *p) {
    uintptr_t limit = FATHOM_BASE + fathom_near_bytes;
    if (p->from < FATHOM_BASE) p->from = FATHOM_BASE;
    if (p->end > limit) p->end = limit;
    if (p->from >= p->end) return false;
    fathom_ptr word = fathom_word((const void *)p->from);
    uintptr_t behind = (p->from | (FATHOM_STEP - 1)) + 1;
    if (behind > p->end) behind = p->end;
    p->thread = fathom_thread_of(word);
    p->low = (long)fathom_offset_of(word);
    p->high = p->low + (long)(behind - p->from);
    p->from = behind;
    return true;
}

/* The same, of a source. */
static bool is_in_source(const struct fathom_strip *s, long thread, long low, long high) {
    for (int i = 0; i < s->sources; i++) {
        struct parts p = parts_of(s->source[i].from, s->source[i].bytes);
        while (next_part(&p))
            if ((thread < 0 || thread == p.thread) && p.low < high && low < p.high) return true;
    }
    return false;
}

static bool is_gathered(const struct fathom_strip *s, long thread, long low, long high) {
    return is_in_table(s, thread, low, high) || is_in_source(s, thread, low, high);
}

static bool overlap(const struct fathom_slot *t, long n, long low, long high) {
    long from, to;
    bounds(t, n + t->extra, &from, &to);
    return from < high && low < to;
}

/* Are they, or what slots read? */
static bool is_read(const struct fathom_strip *s, const struct gas_extent *e) {
    bool is = is_gathered(s, e->thread, e->low, e->high);
    for (int i = 0; i < s->slots && !is; i++) {
        const struct fathom_slot *t = &s->slot[i];
        bool are_elsewhere = t->block == 0 && e->thread >= 0 && t->thread != e->thread;
        is = !are_elsewhere && overlap(t, s->trips, e->low, e->high);
    }
    return is;
}

void fathom_strip_writes(struct fathom_strip *s, fathom_ptr start, unsigned long phase, long index, unsigned long block,
                         unsigned long size, long extra) {
    if (!s->may_run) return;
    struct fathom_slot w = described(start, phase, index, block, size, extra);
    struct gas_extent e = {.thread = w.block == 0 ? w.thread : -1};
    bounds(&w, s->trips + extra, &e.low, &e.high);
    if (is_read(s, &e)) s->may_run = 0;
}

void fathom_strip_writes_object(struct fathom_strip *s, fathom_ptr start, long bytes, unsigned long block) {
    if (!s->may_run) return;
    long low = (long)fathom_offset_of(start);
    struct gas_extent e = {-1, low, low + bytes};
    if ((bytes == 0 && !object_of(s, start, (long)block, &e)) || is_read(s, &e)) s->may_run = 0;
}

void fathom_strip_writes_array(struct fathom_strip *s, fathom_ptr start, long bytes) {
    long low = (long)fathom_offset_of(start);
    if (is_in_source(s, -1, low, bytes ? low + bytes : LONG_MAX)) s->may_run = 0;
}

void fathom_strip_writes_anything(struct fathom_strip *s) {
    if (is_in_source(s, -1, LONG_MIN, LONG_MAX)) s->may_run = 0;
}

/* The object that is partly in a segment within reach; a pointer to private memory leads to no other thread's part. */
static bool object_here(const struct fathom_strip *s, const volatile void *from, struct gas_extent *e) {
    fathom_ptr word = fathom_word((const void *)from);
    bool is_known = object_of(s, word, 0, e);
    e->thread = fathom_thread_of(word);
    return is_known;
}

void fathom_strip_stores(struct fathom_strip *s, const volatile void *from, long bytes) {
    if (!s->may_run) return;
    for (int i = 0; i < s->sources && bytes > 0; i++) {
        const struct fathom_source *x = &s->source[i];
        if ((uintptr_t)from < (uintptr_t)x->from + (uintptr_t)x->bytes &&
            (uintptr_t)x->from < (uintptr_t)from + (uintptr_t)bytes)
            s->may_run = 0;
    }
    if (bytes < 0) {
        struct gas_extent e;
        if (fathom_is_shared(from) && (!object_here(s, from, &e) || is_read(s, &e))) s->may_run = 0;
        return;
    }
    struct parts p = parts_of(from, bytes);
    while (next_part(&p))
        if (is_read(s, &(struct gas_extent){p.thread, p.low, p.high})) s->may_run = 0;
}

bool gas_strip_loads(const struct fathom_strip *s, const volatile char *from, long bytes) {
    if (bytes < 0) {
        struct gas_extent e;
        return !fathom_is_shared(from) || (object_here(s, from, &e) && !is_in_table(s, e.thread, e.low, e.high));
    }
    struct parts p = parts_of(from, bytes);
    while (next_part(&p))
        if (is_in_table(s, p.thread, p.low, p.high)) return 0;
    return 1;
}

/* Are there threads whose data take a while, in which this one need not do anything? */
static bool any_elsewhere(void) {
    static int known; /* 1: none */
    for (int t = 0; !known && t < fathom_threads; t++)
        if (!gas_is_near_thread(t) && gas_is_elsewhere(t)) known = 2;
    if (!known) known = 1;
    return known == 2;
}

/* The bytes of a slot's longest strip. */
static long most_bytes(const struct fathom_slot *t) {
    if (!any_elsewhere()) return MOST_BYTES;
    long block = t->block ? t->block * t->size : MOST_BYTES, threads = MOST_BYTES / block + 1;
    if (threads > fathom_threads) threads = fathom_threads;
    return threads * AHEAD_BYTES < MOST_BYTES ? threads * AHEAD_BYTES : MOST_BYTES;
}

/* The iterations of a loop's longest strips. */
static long longest(const struct fathom_strip *s) {
    long iterations = MOST_BYTES; /* where nothing but places is computed ahead */
    for (int i = 0; i < s->slots; i++) {
        long most = most_bytes(&s->slot[i]) / s->slot[i].size;
        if (iterations > most) iterations = most;
    }
    return iterations;
}

static int open_strip(struct fathom_strip *s, const void *loop) {
    if (!s->may_run) return 0;
    s->loop = loop;
    long widest = 1;
    for (int i = 0; i < s->slots; i++)
        if (s->slot[i].size > widest) widest = s->slot[i].size;
    for (int i = 0; i < s->gathers; i++)
        if (s->gather[i].size > widest) widest = s->gather[i].size;
    if (!is_far(s) || (s->gathers && !s->slots && !is_forced && !gas_gather_pays(s->loop))) return 0;
    if (!gas_site_is_admitted(s->loop)) return s->may_run = 0;
    size_t wanted = s->gathers && gathered ? gathered : elements;
    s->most = wanted ? (long)wanted : LONG_MAX;
    if (s->gathers && widest < LEAST_PLACE) widest = LEAST_PLACE;
    long first = s->gathers ? MOST_BYTES / widest : s->may_be_left ? FIRST_BYTES / widest : longest(s);
    s->step = wanted ? (long)wanted : first > 0 ? first : 1;
    return 1;
}

/* The blocks of a upc_forall, each of which is a loop in strips. */
static struct {
    bool are_strips;
    struct fathom_own own;
    long lo, step, first[FATHOM_STRIP_SLOTS]; /* of the whole loop */
    long next, left;                          /* iterations of the block at hand */
} each;

static void begin_blocks(const struct fathom_strip *s, const struct fathom_own *o) {
    each.own = *o;
    each.lo = o->next;
    each.step = s->step;
    each.left = 0;
    for (int i = 0; i < s->slots; i++) each.first[i] = s->slot[i].first;
}

int fathom_strip_open_blocks(struct fathom_strip *s, struct fathom_own *o) {
    if (!open_strip(s, __builtin_return_address(0)) || !s->may_run) return 0;
    bool are_as_long = true;
    for (int i = 0; i < s->slots; i++) are_as_long &= s->slot[i].block == o->block;
    enum gas_halo halo = are_as_long ? gas_halo_begin(s, o, elements, is_forced) : GAS_HALO_OTHER;
    each.are_strips = halo == GAS_HALO_OTHER;
    if (each.are_strips) begin_blocks(s, o);
    return halo != GAS_HALO_NONE;
}

int fathom_strip_open_to_check(struct fathom_strip *s) { return open_strip(s, __builtin_return_address(0)); }

int fathom_strip_open(struct fathom_strip *s) {
    static bool has_said;
    int open = open_strip(s, __builtin_return_address(0));
    if (open && gas_check_is_on && !has_said) {
        has_said = true;
        core_say("FATHOM_COMM_CHECK: a loop in strips compares nothing: compile the program with -fcomm-check");
    }
    return open;
}

/* ---- landing ----------------------------------------------------------------------------------------------------- */

/* The transfers of a strip. The first far piece is fetched by itself if it stays the only one. */
struct landing {
    struct gas_transfer *transfer;
    fathom_ptr only;
    void *to;
    size_t bytes;
    int count;
};

static struct landing *landing; /* of `fetch_piece` */

/* Fetches the only one with those that are on their way together. */
static void begin_only(const struct landing *l) { gas_transfer_get(l->transfer, l->to, l->only, l->bytes); }

bool gas_strip_is_in_place(long thread, long low, long high) {
    return gas_is_near_thread(thread) && !is_forced && low >= 0 && (size_t)high <= core_memory.segment_bytes;
}

static bool is_in_place(const struct room *r, long t) { return gas_strip_is_in_place(t, r->low[t], r->high[t]); }

/* The threads that have elements of a slot: so many, from `first` on. */
struct extent {
    long first, threads;
    size_t bytes; /* of the room for what is not read in place */
};

/* Makes low[] and high[] for elements begin to end - 1. */
static struct extent extent_of(const struct fathom_slot *t, struct room *r, long begin, long end) {
    if (!r->land) {
        r->land = core_table((size_t)fathom_threads, sizeof *r->land);
        r->low = core_table((size_t)fathom_threads, sizeof *r->low);
        r->high = core_table((size_t)fathom_threads, sizeof *r->high);
    }
    struct gas_slot_place p = r->place = gas_slot_place(t, begin);
    r->joined.next = GAS_JOIN_NONE;
    struct extent x = {.first = p.thread, .threads = 1};
    r->low[p.thread] = p.offset;
    if (p.left >= end - begin) { /* in one block */
        r->high[p.thread] = p.offset + (end - begin) * t->size;
    } else {
        long blocks = fathom_floordiv(t->first + end - 1, t->block) - fathom_floordiv(t->first + begin, t->block) + 1;
        if (blocks > fathom_threads) blocks = fathom_threads;
        x.threads = blocks;
        /* Each thread's first block of the strip is among the first ones, and its last among the last ones. */
        for (long k = 1, at = begin; k < blocks; k++) {
            at += p.left;
            p = gas_slot_place(t, at);
            r->low[p.thread] = p.offset;
        }
        for (long k = 0, at = end - 1; k < blocks; k++) {
            p = gas_slot_place(t, at);
            r->high[p.thread] = p.offset + t->size;
            at -= t->block - p.left + 1; /* to the last element of the block before */
        }
    }
    for (long k = 0; k < x.threads; k++) {
        long thread = (x.first + k) % fathom_threads;
        if (!is_in_place(r, thread)) x.bytes += (size_t)(r->high[thread] - r->low[thread]) + 2 * ALIGNED;
    }
    return x;
}

/* Makes land[], with places from `room` on for what is not read in place. What is near of it is copied; `piece` is told of the rest. */
static void arrange(struct room *r, struct extent x, char *bytes, void (*piece)(fathom_ptr from, char *to, size_t n)) {
    uintptr_t room = (uintptr_t)bytes;
    for (long k = 0; k < x.threads; k++) {
        long thread = (x.first + k) % fathom_threads;
        if (is_in_place(r, thread)) {
            r->land[thread] = (uintptr_t)fathom_local(fathom_make(thread, 0));
            continue;
        }
        /* With the alignment that it has in the segment. */
        long low = r->low[thread], high = r->high[thread], limit = (long)core_memory.segment_bytes;
        uintptr_t to = ((room + ALIGNED - 1) & ~(uintptr_t)(ALIGNED - 1)) + ((uintptr_t)low & (ALIGNED - 1));
        r->land[thread] = to - (uintptr_t)low;
        room = to + (uintptr_t)(high - low);
        if (low < 0) to -= (uintptr_t)low, low = 0;
        if (high > limit) high = limit;
        if (low >= high) continue;
        fathom_ptr from = fathom_make(thread, (unsigned long)low);
        if (gas_is_near_thread(thread))
            memcpy((void *)to, fathom_local(from), (size_t)(high - low));
        else
            piece(from, (char *)to, (size_t)(high - low));
    }
}

static void fetch_piece(fathom_ptr from, char *to, size_t n) {
    if (gas_rows_have(from, to, n)) return;
    struct landing *l = landing;
    if (l->count++) {
        if (l->count == 2) begin_only(l);
        gas_transfer_get(l->transfer, to, from, n);
    } else {
        l->only = from, l->to = to, l->bytes = n;
    }
}

/* Makes land[] for the threads that have elements begin to end - 1 of the slot. */
static void land(const struct fathom_slot *t, struct room *r, long begin, long end, struct landing *l) {
    struct extent x = extent_of(t, r, begin, end);
    if (x.bytes > r->size) {
        r->size = x.bytes + x.bytes / 2;
        r->bytes = gas_strip_sized(r->bytes, r->size);
        memset(r->bytes, 0, r->size);
    }
    landing = l;
    arrange(r, x, r->bytes, fetch_piece);
}

static struct room scratch; /* of what is foreseen */

size_t gas_strip_extent(const struct fathom_slot *t, long begin, long end) {
    return extent_of(t, &scratch, begin, end).bytes;
}

void gas_strip_arrange(const struct fathom_slot *t, long begin, long end, char *room,
                       void (*piece)(fathom_ptr from, char *to, size_t bytes)) {
    arrange(&scratch, extent_of(t, &scratch, begin, end), room, piece);
}

static void has_come(fathom_ptr from, char *to, size_t n) { (void)from, (void)to, (void)n; }

/* What the first n iterations read has been foreseen, or not. Of elements that follow each other nothing else need be known. */
static enum gas_foreseen land_foreseen(struct fathom_strip *s, long n) {
    char *room[FATHOM_STRIP_SLOTS];
    enum gas_foreseen has = gas_foreseen_take(s, n, room);
    for (int i = 0; i < s->slots && has != GAS_FORESEEN_NOT; i++) {
        struct fathom_slot *t = &s->slot[i];
        if (has == GAS_FORESEEN_ELEMENTS)
            t->at = room[i];
        else
            arrange(&rooms[at_hand][i], extent_of(t, &rooms[at_hand][i], 0, n + t->extra), room[i], has_come);
    }
    return has;
}

/* The same for the elements that all slots read in iterations begin to end - 1. */
static void land_all(const struct fathom_strip *s, struct room *r, long begin, long end, struct landing *l) {
    for (int i = 0; i < s->slots; i++) land(&s->slot[i], &r[i], begin, end + s->slot[i].extra, l);
}

/* Waits for them; returns how many there were. */
static unsigned long finish(struct landing *l) {
    if (l->count == 1)
        gas_get(l->to, l->only, l->bytes);
    else if (l->count)
        gas_transfer_wait(l->transfer);
    return (unsigned long)l->count;
}

static int set_behind(int k) { return (at_hand + k) % SETS; }

/* The next set takes the place of the one at hand. */
static void advance(void) {
    at_hand = set_behind(1);
    ahead_count--;
}

/* Waits for the strips that are on their way, whoever wanted them. */
static void end_ahead(void) {
    while (ahead_count) {
        advance();
        gas_transfer_wait(&ahead[at_hand].transfer);
    }
}

/* A message for a short rest costs more than what overlaps. */
long gas_strip_rest(const struct fathom_strip *s) { return s->gathers || s->most < LONG_MAX ? 0 : s->step / 3; }

/* The iterations of the next strip where n are left. */
static long strip_of(const struct fathom_strip *s, long n) { return n <= s->step + gas_strip_rest(s) ? n : s->step; }

/* Begins to fetch up to n iterations behind those that have landed or are on their way. */
static void begin_ahead(struct fathom_strip *s, long n) {
    int set = set_behind(++ahead_count);
    struct landing l = {.transfer = &ahead[set].transfer};
    long from = s->ahead;
    s->ahead = ahead[set].end = from + strip_of(s, n);
    land_all(s, rooms[set], from, s->ahead, &l);
    if (l.count == 1) begin_only(&l);
    ahead[set].count = (unsigned long)l.count;
}

/* Strips that come later are longer. */
static void lengthen(struct fathom_strip *s) {
    long most = longest(s), longer = s->step * GROWTH < most ? s->step * GROWTH : most;
    if (longer < s->step) longer = s->step;
    s->step = longer < s->most ? longer : s->most;
}

/* Returns whether slot[...].at are set for the whole strip. */
static bool next_strip(struct fathom_strip *s, unsigned long n) {
    CORE_GATE;
    bool is_first = s->end == 0, foresees = is_first && gas_foreseen_is_on;
    bool is_alone = is_first && s->may_be_left; /* the loop may be left in this strip */
    struct gas_transfer apart = {0}, *awaited = &apart;
    struct landing l = {.transfer = &apart};
    enum gas_foreseen has = GAS_FORESEEN_NOT;
    if (s->ahead > s->end) {
        advance();
        awaited = &ahead[at_hand].transfer;
        s->end = ahead[at_hand].end;
        fathom_strips_fetched += ahead[at_hand].count;
    } else {
        end_ahead();
        s->end = s->ahead = s->done + strip_of(s, n > LONG_MAX ? LONG_MAX : (long)n);
        if (foresees) has = land_foreseen(s, s->end);
        if (has != GAS_FORESEEN_NOT)
            is_alone = false;
        else
            land_all(s, rooms[at_hand], s->done, s->end, &l);
        fathom_strips_fetched += (unsigned long)l.count;
    }
    long left = (long)n - (s->ahead - s->done);
    if (left > 0) lengthen(s);
    if (left <= 0 || is_alone || !s->slots || !any_elsewhere()) {
        finish(&l);
    } else {
        if (l.count == 1) begin_only(&l);
        for (; left > 0 && ahead_count < SETS - 1; left = (long)n - (s->ahead - s->done)) begin_ahead(s, left);
    }
    gas_transfer_wait(awaited);
    if (foresees) gas_foreseen_begin();
    return has == GAS_FORESEEN_ELEMENTS;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* The iterations of a run of this strip, if all slots are joined in pieces as long, one after the other; or 0. */
static long steady;

static unsigned long next_pieces(struct fathom_strip *s) {
    for (int i = 0; i < s->slots; i++) s->slot[i].at = gas_join_next(&rooms[at_hand][i].joined);
    s->done += steady;
    return (unsigned long)steady;
}

unsigned long fathom_strip_next(struct fathom_strip *s, unsigned long n) {
    long begin = -1;
    if (s->done == s->end) {
        begin = s->done;
        if (next_strip(s, n)) {
            s->done = s->end;
            return (unsigned long)(s->end - begin);
        }
    } else if (steady && steady <= s->end - s->done && (unsigned long)steady <= n &&
               rooms[at_hand][0].joined.next == s->done) {
        return next_pieces(s);
    }
    long run = s->end - s->done;
    if ((unsigned long)run > n) run = (long)n;
    struct gas_slot_place p[FATHOM_STRIP_SLOTS];
    bool goes_on[FATHOM_STRIP_SLOTS]; /* joined before, and from here on; where in the array is not computed */
    for (int i = 0; i < s->slots; i++) {
        const struct fathom_slot *t = &s->slot[i];
        const struct room *r = &rooms[at_hand][i];
        goes_on[i] = r->joined.next == s->done;
        if (goes_on[i])
            p[i] = (struct gas_slot_place){.left = r->joined.left};
        else
            p[i] = s->done == begin ? r->place : gas_slot_place(t, s->done);
        long follow = p[i].left - t->extra;
        if (s->gathers) continue; /* many at once */
        if (follow < run && follow >= LEAST_RUN) run = follow;
        /* What crosses the end of a long block is joined, and nothing behind it. */
        if (follow < LEAST_RUN && t->block >= 2 * LEAST_RUN && p[i].left < run) run = p[i].left;
    }
    for (int i = 0; i < s->slots && !s->gathers; i++) {
        const struct fathom_slot *t = &s->slot[i];
        if (p[i].left >= run + t->extra) continue;
        long piece = goes_on[i] ? rooms[at_hand][i].joined.piece : gas_join_piece(t);
        if (run > piece) run = piece;
    }
    for (int i = 0; i < s->slots; i++) {
        struct fathom_slot *t = &s->slot[i];
        struct room *r = &rooms[at_hand][i];
        if (p[i].left >= run + t->extra && !goes_on[i])
            t->at = (const void *)(r->land[p[i].thread] + (uintptr_t)p[i].offset);
        else
            t->at = gas_join(&r->joined, t, r->land, p[i], s->done, run + t->extra, run);
    }
    s->done += run;
    steady = s->slots ? run : 0;
    for (int i = 0; i < s->slots; i++) {
        const struct gas_join *j = &rooms[at_hand][i].joined;
        if (j->next != s->done || j->piece != run || !j->is_even) steady = 0;
    }
    return (unsigned long)run;
}

/* ---- loops that copy ---------------------------------------------------------------------------------------------- */

int fathom_strip_copy(const struct fathom_strip *s, char *to) {
    const struct fathom_slot *t = &s->slot[0];
    long n = s->trips, least = is_forced ? 1 : LEAST_COPIED;
    if (n * t->size < least || (t->block && t->block * t->size < LEAST_PIECE && !is_forced)) return 0;
    CORE_GATE;
    struct gas_transfer transfer = {0};
    for (long e = 0; e < n;) {
        struct gas_slot_place p = gas_slot_place(t, e);
        long count = p.left < n - e ? p.left : n - e;
        size_t bytes = (size_t)(count * t->size);
        fathom_ptr from = fathom_make(p.thread, (unsigned long)p.offset);
        if (gas_is_near_thread(p.thread)) {
            memcpy(to, fathom_local(from), bytes);
        } else {
            fathom_strips_fetched++;
            if (count == n)
                gas_get(to, from, bytes);
            else
                gas_transfer_get(&transfer, to, from, bytes);
        }
        to += bytes;
        e += count;
    }
    gas_transfer_wait(&transfer);
    return 1;
}

/* ---- tables that are fetched as a whole (kept.c) ------------------------------------------------------------------ */

struct fathom_slot gas_strip_table(fathom_ptr start, unsigned long phase, unsigned long block, unsigned long size) {
    return described(start, phase, 0, block, size, 0);
}

const void *gas_strip_whole(const struct fathom_slot *table, long first, long n) {
    struct gas_transfer t = {0};
    struct landing l = {.transfer = &t};
    end_ahead();
    struct room *r = &rooms[at_hand][0];
    land(table, r, first, first + n, &l);
    gas_gather_requests += finish(&l);
    struct gas_slot_place p = gas_slot_place(table, first);
    return p.left >= n ? (const void *)(r->land[p.thread] + (uintptr_t)p.offset)
                       : gas_join(&r->joined, table, r->land, p, first, n, 0);
}

fathom_ptr gas_strip_place(const struct fathom_slot *table, long element) {
    struct gas_slot_place p = gas_slot_place(table, element);
    return fathom_make(p.thread, (unsigned long)p.offset);
}

long gas_strip_element(const struct fathom_slot *t, fathom_ptr place) {
    long at = (long)fathom_offset_of(place) - t->base;
    if (!t->block) return at / t->size - t->first;
    long round = fathom_floordiv(at, t->block * t->size), in = (at - round * t->block * t->size) / t->size;
    return (round * fathom_threads + fathom_thread_of(place) - t->thread) * t->block + in - t->first;
}

/* ---- iterations of this thread ----------------------------------------------------------------------------------- */

long *fathom_own_list(struct fathom_strip *s, struct fathom_own *o) {
    long most = o->hi - o->next < s->step ? o->hi - o->next : s->step;
    if (most > 0 && (size_t)most > own_size) {
        own_size = (size_t)most;
        own = gas_strip_sized(own, own_size * sizeof *own);
    }
    o->at = own;
    return own;
}

long gas_next_own(struct fathom_own *o) {
    while (o->next < o->hi) {
        long b = fathom_floordiv(o->next + o->shift, o->block), t = b - fathom_div_threads(b) * fathom_threads;
        long behind = (b + 1) * o->block - o->shift;
        if (t == fathom_mythread) return behind < o->hi ? behind : o->hi;
        o->next = behind + ((fathom_mythread - t + fathom_threads) % fathom_threads - 1) * o->block;
    }
    return o->hi;
}

long fathom_own_run(struct fathom_strip *s, long *first) {
    if (!each.are_strips) return gas_halo_run(s, first);
    if (each.left == 0) {
        long behind = gas_next_own(&each.own);
        if (each.own.next >= each.own.hi) return 0;
        each.next = each.own.next;
        each.left = s->trips = behind - each.next;
        each.own.next = behind;
        s->done = s->end = s->ahead = 0;
        s->step = each.step;
        for (int i = 0; i < s->slots; i++) s->slot[i].first = each.first[i] + each.next - each.lo;
    }
    long n = (long)fathom_strip_next(s, (unsigned long)each.left);
    *first = each.next;
    each.next += n;
    each.left -= n;
    return n;
}

unsigned long fathom_own_next(struct fathom_strip *s, struct fathom_own *o) {
    fathom_own_list(s, o);
    long most = o->hi - o->next < s->step ? o->hi - o->next : s->step;
    unsigned long n = 0;
    if (!o->block) {
        while ((long)n < most) own[n++] = o->next++;
        return n;
    }
    for (long behind; (behind = gas_next_own(o)), o->next < o->hi;) {
        while (o->next < behind && n < (unsigned long)s->step) own[n++] = o->next++;
        if (n == (unsigned long)s->step) break;
    }
    return n;
}
