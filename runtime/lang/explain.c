/* What explained programs call beside or instead of the library's functions: each does what it stands for, and takes
 * down how often, how much, between which threads and how long.
 *
 * Looking at the clock may take longer than what is timed. So calls are timed always while they take long; where those
 * before were short, some at irregular distances stand for the others. Both kinds of times are kept apart.
 */
#define FATHOM_COPY_TELLS
#include "lang/explain_trace.h"

#include <stdio.h>
#include <string.h>

#include "gas/gas_internal.h"
#include "gas_tuning.h"
#include "lang/library.h"
#include "lang/random.h"
#include "upc_nb.h"

enum {
    LONG_BYTES = 1024,  /* from here on a transfer is not counted inline */
    QUIET_TICKS = 1024, /* what is shorter is not worth a look at the clock every time */
    EVENT_TICKS = 1000, /* what is shorter is on no timeline, barriers excepted */
    MEAN_DISTANCE = 64, /* between short calls that are timed */
    BARRIERS = 8        /* so many short barriers have one on the timeline */
};

_Static_assert(TRACE_SERVED == GAS_BY_LINE + 1, "the numbers of the mechanisms");

static uint32_t epoch; /* barriers that this thread has passed */

/* ---- time -------------------------------------------------------------------------------------------------------- */

static uint64_t took(uint64_t begin, uint64_t end) {
    uint64_t ticks = end - begin;
    return ticks > trace->look_ticks ? ticks - trace->look_ticks : 0;
}

/* A call under way; begin is 0 if it is not timed. */
struct timing {
    uint64_t begin;
    bool stands_for_others;
};

static void add_time(struct trace_stat *stat, bool stands_for_others, uint64_t ticks) {
    if (stands_for_others) {
        stat->sampled++;
        stat->sampled_ticks += ticks;
        if (ticks > stat->sampled_longest) stat->sampled_longest = ticks;
    } else {
        stat->timed++;
        stat->ticks += ticks;
    }
}

static uint64_t draw(void) {
    static uint64_t state;
    return fathom_random(&state);
}

/* How many calls later the next is timed; is this one, which was not counted out by `left`, to be? */
static bool is_turn(struct fathom_site *s) {
    bool quiet = s->quiet >= FATHOM_EXPLAIN_QUIET;
    if (quiet && s->left && --s->left) return false;
    s->left = quiet ? 1 + draw() % (2 * MEAN_DISTANCE) : 1;
    return true;
}

static struct timing timed(struct fathom_site *s, struct trace_stat *stat) {
    trace_noted = s;
    stat->began = trace_ticks();
    return (struct timing){stat->began, s->quiet >= FATHOM_EXPLAIN_QUIET};
}

/* The beginning of a call. */
static struct timing begin_call(struct fathom_site *s) {
    if (!trace) return (struct timing){0};
    struct trace_stat *stat = trace_stat(s);
    stat->calls++;
    return is_turn(s) ? timed(s, stat) : (struct timing){0};
}

static uint64_t end_call(struct fathom_site *s, struct timing t, uint64_t other) {
    if (!t.begin || !trace) return 0;
    uint64_t end = trace_ticks(), ticks = took(t.begin, end);
    struct trace_stat *stat = trace_stat(s);
    trace_noted = NULL;
    stat->began = 0;
    add_time(stat, t.stands_for_others, ticks);
    s->quiet = ticks < QUIET_TICKS ? s->quiet + (s->quiet < FATHOM_EXPLAIN_QUIET) : 0;
    if (ticks >= EVENT_TICKS) trace_event(s, t.begin, end, other);
    return ticks;
}

/* Counted out by `left`. */
struct fathom_span fathom_explain_long_begin(struct fathom_site *s) {
    return (struct fathom_span){s, begin_call(s).begin};
}
void fathom_explain_long_end(struct fathom_span *span) {
    end_call(span->site, (struct timing){span->begin, span->site->quiet >= FATHOM_EXPLAIN_QUIET}, ~0ul);
}

/* ---- single accesses --------------------------------------------------------------------------------------------- */

/* Room for new samples: every second group goes, and fewer are taken from now on. */
static void thin_samples(struct fathom_site *s, struct trace_stat *stat, struct trace_sample *list) {
    uint64_t kept = 0;
    for (uint64_t i = 0; i < stat->samples; i++)
        if (!(i & 8)) list[kept++] = list[i];
    stat->samples = kept;
    s->sparse = s->sparse << 1 | 8; /* one bit more */
    s->turn &= s->sparse;
}

/* The next group is somewhere in the next stretch: what comes round regularly is not always met at the same place. */
static void draw_turn(struct fathom_site *s) { s->turn = draw() & s->sparse; }

/* What a load takes beyond one that hits the first cache. */
static void time_load(struct trace_stat *stat, fathom_ptr p, uint64_t stands_for) {
    if (!fathom_is_near(p)) return;
    uint64_t ticks = trace_time_load(fathom_local(p));
    trace_note_time(trace_ticks());
    if (ticks > 1u << 16) return; /* an interruption */
    ticks = ticks > trace_load_ticks ? ticks - trace_load_ticks : 0;
    if (fathom_thread_of(p) == fathom_mythread) {
        stat->own_loads += stands_for;
        stat->own_ticks += ticks * stands_for;
    } else {
        stat->near_loads += stands_for;
        stat->near_ticks += ticks * stands_for;
    }
}

void fathom_explain_sample(struct fathom_site *s, fathom_ptr p, unsigned long weight) {
    if (!trace) return;
    struct trace_stat *stat = trace_stat(s);
    struct trace_sample *list = trace_samples(s);
    if (stat->samples == trace->site_samples) thin_samples(s, stat, list);
    long t = fathom_thread_of(p);
    list[stat->samples++] = (struct trace_sample){p, s->hits[t] - weight, weight < ~0u ? (uint32_t)weight : ~0u, epoch};
    if (weight == 1) {
        /* Two of a group, not always the same ones. */
        if (((s->hits[t] + s->turn / 8) & 3) == 0) time_load(stat, p, 4 * ((s->sparse >> 3) + 1));
        if ((s->hits[t] & 7) == 0) draw_turn(s);
    } else {
        trace_note_time(trace_ticks());
    }
}

/* Accesses, after which the next to the thread that has had `n` is one to look at. */
static uint64_t until_sample(const struct fathom_site *s, uint64_t n) {
    uint64_t period = s->sparse | 7, ahead = (s->turn - n) & period;
    return period - ahead < 7 || ahead == 0 ? 0 : ahead;
}

const unsigned long fathom_explain_ones[8] = {1ul,       1ul << 8,  1ul << 16, 1ul << 24,
                                              1ul << 32, 1ul << 40, 1ul << 48, 1ul << 56};

/* Adds what a tally has counted, of which the last was at p; looks at that if it is its turn. Says after how many more to
 * call again. */
unsigned long fathom_explain_unpack(struct fathom_site *s, unsigned long packed, fathom_ptr p) {
    unsigned long next = 255;
    long at = fathom_thread_of(p);
    for (long t = 0; t < FATHOM_T; t++) {
        unsigned long n = s->hits[t] += packed >> 8 * t & 255;
        if (!trace) continue;
        if (t == at && ((n - 1) & s->sparse) == s->turn) fathom_explain_sample(s, p, 1);
        uint64_t due = until_sample(s, n);
        if (due + 1 < next) next = due + 1;
    }
    return next;
}

/* ---- walks ------------------------------------------------------------------------------------------------------- */

#define LONGEST_WALK 4096ul /* accesses that are not added at once */

/* Adds n accesses to consecutive elements, the last of them at `last`: the `phase`-th of its block, or (0) the last of it. */
void fathom_explain_add_walk(struct fathom_site *s, unsigned long n, fathom_ptr last, unsigned long phase,
                             unsigned long block) {
    unsigned long threads = (unsigned long)FATHOM_T, t = (unsigned long)fathom_thread_of(last);
    if (t >= threads) return;
    unsigned long here = phase ? phase : block; /* elements of the last block up to it */
    if (!block || n <= here) {
        s->hits[t] += n;
        return;
    }
    s->hits[t] += here;
    unsigned long blocks = (n - here) / block, rest = (n - here) % block;
    for (unsigned long back = 1; back <= threads; back++) {
        unsigned long whole = blocks / threads + (back <= blocks % threads);
        s->hits[(t + threads - back) % threads] += whole * block + (back == blocks % threads + 1 ? rest : 0);
    }
}

/* Of a walk that has just been at thread t, with `here` more elements in the block: after how many accesses the one to
 * thread `to` comes that follows `due` others to it. */
static unsigned long until_turn(unsigned long due, unsigned long to, unsigned long t, unsigned long here,
                                unsigned long block, unsigned long threads) {
    if (to == t && due < here) return due;
    if (to == t) due -= here;
    unsigned long between = to == t ? threads - 1 : (to + threads - t - 1) % threads;
    return here + between * block + due / block * block * threads + due % block;
}

/* Adds a walk's n accesses, looks at the last if it is its turn, and says after how many more to call again. */
unsigned long fathom_explain_walked(struct fathom_site *s, unsigned long n, fathom_ptr last, unsigned long phase,
                                    unsigned long block) {
    fathom_explain_add_walk(s, n, last, phase, block);
    unsigned long threads = (unsigned long)FATHOM_T, t = (unsigned long)fathom_thread_of(last), next = LONGEST_WALK;
    if (!trace || t >= threads) return next;
    if (((s->hits[t] - 1) & s->sparse) == s->turn) fathom_explain_sample(s, last, 1);
    unsigned long here = phase ? block - phase : 0;
    for (unsigned long to = block ? 0 : t; to < (block ? threads : t + 1); to++) {
        unsigned long due = until_sample(s, s->hits[to]);
        unsigned long turn = block ? until_turn(due, to, t, here, block, threads) : due;
        if (turn + 1 < next) next = turn + 1;
    }
    return next;
}

/* ---- far accesses ------------------------------------------------------------------------------------------------ */

static void add_messages(struct fathom_site *s, fathom_ptr p) {
    if (!gas_served.messages) return;
    __atomic_fetch_add(&s->served[0], gas_served.messages, __ATOMIC_RELAXED); /* the progress thread takes some back */
    if (gas_served.by == GAS_BY_OUTBOX || gas_served.by == GAS_BY_OWNER) gas_message_counted(p, &s->served[0]);
}

#ifdef FATHOM_CONDUIT_DISTRIBUTED
/* Far accesses, wherever generated code makes them; the site has just been set. */
void fathom_explain_far_get(void *dst, fathom_ptr src, unsigned long n);
void fathom_explain_far_read(void *dst, fathom_ptr src, unsigned long n);
void fathom_explain_far_put(fathom_ptr dst, const void *src, unsigned long n);
void fathom_explain_far_update(fathom_ptr p, enum fathom_update_object object, enum fathom_update_op op,
                               unsigned long operand);

/* Of some, what mechanism they take is noted: unless one is under way inside another call, which notes for itself. */
static uint64_t begin_far(struct fathom_site *s) {
    gas_served = (struct gas_served){GAS_ALONE, 0};
    if (!trace_noted && trace_stat(s)->timed % MEAN_DISTANCE == 0) trace_noted = s;
    return trace_ticks();
}
static void end_far(struct fathom_site *s, uint64_t begin, fathom_ptr p) {
    add_messages(s, p);
    if (trace_noted == s) trace_noted = NULL;
    uint64_t end = trace_ticks(), ticks = took(begin, end);
    add_time(trace_stat(s), false, ticks);
    if (ticks >= (1u << 16)) trace_event(s, begin, end, (uint64_t)fathom_thread_of(p));
    trace_note_time(end);
}

/* An update that its owner does not compute, and a write of a bit-field, are a read and a write: the read counts, for which the
 * thread waits. */
static struct fathom_site *half;
static void end_read(struct fathom_site *s, uint64_t begin, fathom_ptr p) {
    half = s;
    if (gas_served.by) s->served[gas_served.by]++;
    end_far(s, begin, p);
}
static void end_write(struct fathom_site *s, uint64_t begin, fathom_ptr p) {
    if (gas_served.by && half != s) s->served[gas_served.by]++;
    half = NULL;
    end_far(s, begin, p);
}

void fathom_explain_far_get(void *dst, fathom_ptr src, unsigned long n) {
    struct fathom_site *s = fathom_explain_here;
    uint64_t begin = trace && s ? begin_far(s) : 0;
    fathom_far_get(dst, src, n);
    if (begin) end_read(s, begin, src);
}
void fathom_explain_far_read(void *dst, fathom_ptr src, unsigned long n) {
    struct fathom_site *s = fathom_explain_here;
    uint64_t begin = trace && s ? begin_far(s) : 0;
    gas_far_read_told(dst, src, n, __builtin_return_address(0));
    if (begin) end_read(s, begin, src);
}
void fathom_explain_far_put(fathom_ptr dst, const void *src, unsigned long n) {
    struct fathom_site *s = fathom_explain_here;
    uint64_t begin = trace && s ? begin_far(s) : 0;
    fathom_far_put(dst, src, n);
    if (begin) end_write(s, begin, dst);
}
void fathom_explain_far_update(fathom_ptr p, enum fathom_update_object object, enum fathom_update_op op,
                               unsigned long operand) {
    struct fathom_site *s = fathom_explain_here;
    uint64_t begin = trace && s ? begin_far(s) : 0;
    fathom_far_update(p, object, op, operand);
    if (begin) end_write(s, begin, p);
}

struct fathom_span trace_far_begin(void) {
    struct fathom_site *s = fathom_explain_here;
    return (struct fathom_span){s, trace && s ? begin_far(s) : 0};
}
void trace_far_end(const struct fathom_span *span, fathom_ptr p) {
    if (span->begin) end_write(span->site, span->begin, p);
}

/* ---- loops in strips --------------------------------------------------------------------------------------------- */

unsigned long fathom_explain_strip_next(struct fathom_site *s, struct fathom_strip *strip, unsigned long n) {
    if (strip->done < strip->end || !strip->slots) return fathom_strip_next(strip, n); /* nothing is fetched */
    struct timing t = begin_call(s);
    unsigned long before = fathom_strips_fetched, run = fathom_strip_next(strip, n);
    s->served[0] += fathom_strips_fetched - before;
    end_call(s, t, ~0ul);
    return run;
}
long fathom_explain_own_run(struct fathom_site *s, struct fathom_strip *strip, long *first) {
    struct timing t = begin_call(s);
    unsigned long before = fathom_strips_fetched;
    long run = fathom_own_run(strip, first);
    s->served[0] += fathom_strips_fetched - before;
    end_call(s, t, ~0ul);
    return run;
}
long fathom_explain_nest_next(struct fathom_site *s, struct fathom_nest *nest) {
    struct timing t = begin_call(s);
    unsigned long before = fathom_strips_fetched;
    long rows = fathom_nest_next(nest);
    s->served[0] += fathom_strips_fetched - before;
    end_call(s, t, ~0ul);
    return rows;
}
void fathom_explain_gather_fetch(struct fathom_site *s, struct fathom_strip *strip, int first, int behind,
                                 unsigned long n) {
    struct timing t = begin_call(s);
    unsigned long before = gas_gather_requests;
    fathom_gather_fetch(strip, first, behind, n);
    s->served[0] += gas_gather_requests - before;
    end_call(s, t, ~0ul);
}
unsigned long fathom_explain_kept_fetch(struct fathom_site *s, struct fathom_kept *k, struct fathom_strip *strip,
                                        struct fathom_own *o, unsigned long n) {
    struct timing t = begin_call(s);
    unsigned long before = gas_gather_requests, iterations = fathom_kept_fetch(k, strip, o, n);
    s->served[0] += gas_gather_requests - before;
    end_call(s, t, ~0ul);
    return iterations;
}
#endif

/* ---- transfers --------------------------------------------------------------------------------------------------- */

static void count(struct fathom_site *s, fathom_ptr p, uint64_t n) {
    unsigned long t = (unsigned long)fathom_thread_of(p);
    if (!trace || t >= trace->threads) return;
    s->hits[t]++;
    trace_moved(s)[t] += n - s->bytes; /* what is not said by the site */
}

static struct timing begin_transfer(struct fathom_site *s, fathom_ptr p, unsigned long n) {
    if (!trace) return (struct timing){0};
    count(s, p, n);
    struct trace_stat *stat = trace_stat(s);
    uint64_t number = stat->calls++;
    if (!is_turn(s)) return (struct timing){0};
    /* Where it went, for those who look for patterns. */
    struct trace_sample *list = trace_samples(s);
    list[stat->samples++ % trace->site_samples] = (struct trace_sample){p, number, 1, epoch};
    if (stat->samples == 2 * trace->site_samples) stat->samples = trace->site_samples;
    return timed(s, stat);
}

struct fathom_span trace_transfer_begin(struct fathom_site *s, fathom_ptr p, uint64_t n) {
    return (struct fathom_span){s, begin_transfer(s, p, n).begin};
}
void trace_transfer_end(const struct fathom_span *span, fathom_ptr p) {
    end_call(span->site, (struct timing){span->begin, span->site->quiet >= FATHOM_EXPLAIN_QUIET},
             (uint64_t)fathom_thread_of(p));
}

#define TRANSFER(where, n, ...)                                                                                        \
    struct timing timing = begin_transfer(s, where, n);                                                                \
    __VA_ARGS__;                                                                                                       \
    end_call(s, timing, (uint64_t)fathom_thread_of(where))

/* Of a copy both ends count, if they are on two threads. */
static fathom_ptr copied(struct fathom_site *s, fathom_ptr dst, fathom_ptr src, unsigned long n) {
    bool dst_is_mine = fathom_thread_of(dst) == fathom_mythread;
    fathom_ptr other = dst_is_mine ? src : dst, second = dst_is_mine ? dst : src;
    if (fathom_thread_of(second) != fathom_mythread) count(s, second, n);
    return other;
}

void fathom_explain_long_memcpy(struct fathom_site *s, fathom_ptr dst, fathom_ptr src, unsigned long n) {
    fathom_ptr p = copied(s, dst, src, n);
    TRANSFER(p, n, fathom_memcpy(dst, src, n));
}
void fathom_explain_long_memget(struct fathom_site *s, void *dst, fathom_ptr src, unsigned long n) {
    TRANSFER(src, n, fathom_memget(dst, src, n));
}
void fathom_explain_long_memput(struct fathom_site *s, fathom_ptr dst, const void *src, unsigned long n) {
    TRANSFER(dst, n, fathom_memput(dst, src, n));
}
void fathom_explain_long_memset(struct fathom_site *s, fathom_ptr dst, int c, unsigned long n) {
    TRANSFER(dst, n, fathom_memset(dst, c, n));
}

upc_handle_t fathom_explain_upc_memcpy_nb(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n) {
    fathom_ptr p = copied(s, dst.addr, src.addr, n);
    TRANSFER(p, n, upc_handle_t h = gas_copy_nb(dst.addr, src.addr, n));
    return h;
}
upc_handle_t fathom_explain_upc_memget_nb(struct fathom_site *s, void *dst, fathom_pptr src, unsigned long n) {
    if (fathom_explain_is_short(s, src.addr, n, 0)) return gas_get_nb(dst, src.addr, n);
    TRANSFER(src.addr, n, upc_handle_t h = gas_get_nb(dst, src.addr, n));
    return h;
}
upc_handle_t fathom_explain_upc_memput_nb(struct fathom_site *s, fathom_pptr dst, const void *src, unsigned long n) {
    if (fathom_explain_is_short(s, dst.addr, n, 0)) return gas_put_nb(dst.addr, src, n);
    TRANSFER(dst.addr, n, upc_handle_t h = gas_put_nb(dst.addr, src, n));
    return h;
}
upc_handle_t fathom_explain_upc_memset_nb(struct fathom_site *s, fathom_pptr dst, int c, unsigned long n) {
    if (fathom_explain_is_short(s, dst.addr, n, 0)) return gas_fill_nb(dst.addr, c, n);
    TRANSFER(dst.addr, n, upc_handle_t h = gas_fill_nb(dst.addr, c, n));
    return h;
}
void fathom_explain_upc_memcpy_nbi(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n) {
    fathom_ptr p = copied(s, dst.addr, src.addr, n);
    TRANSFER(p, n, gas_copy_nbi(dst.addr, src.addr, n));
}
void fathom_explain_upc_memget_nbi(struct fathom_site *s, void *dst, fathom_pptr src, unsigned long n) {
    if (fathom_explain_is_short(s, src.addr, n, 0)) {
        gas_get_nbi(dst, src.addr, n);
        return;
    }
    TRANSFER(src.addr, n, gas_get_nbi(dst, src.addr, n));
}
void fathom_explain_upc_memput_nbi(struct fathom_site *s, fathom_pptr dst, const void *src, unsigned long n) {
    if (fathom_explain_is_short(s, dst.addr, n, 0)) {
        gas_put_nbi(dst.addr, src, n);
        return;
    }
    TRANSFER(dst.addr, n, gas_put_nbi(dst.addr, src, n));
}
void fathom_explain_upc_memset_nbi(struct fathom_site *s, fathom_pptr dst, int c, unsigned long n) {
    if (fathom_explain_is_short(s, dst.addr, n, 0)) {
        gas_fill_nbi(dst.addr, c, n);
        return;
    }
    TRANSFER(dst.addr, n, gas_fill_nbi(dst.addr, c, n));
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

void bupc_memget_fstrided(void *dst, size_t dstlen, size_t dststride, size_t dstcount, fathom_pptr src, size_t srclen,
                          size_t srcstride, size_t srccount);
void bupc_memput_fstrided(fathom_pptr dst, size_t dstlen, size_t dststride, size_t dstcount, const void *src,
                          size_t srclen, size_t srcstride, size_t srccount);
void bupc_memget_ilist(size_t dstcount, void *const *dst, size_t dstlen, size_t srccount, const fathom_pptr *src,
                       size_t srclen);
void bupc_memput_ilist(size_t dstcount, const fathom_pptr *dst, size_t dstlen, size_t srccount, const void *const *src,
                       size_t srclen);

void fathom_explain_bupc_memget_fstrided(struct fathom_site *s, void *dst, unsigned long dstlen,
                                         unsigned long dststride, unsigned long dstcount, fathom_pptr src,
                                         unsigned long srclen, unsigned long srcstride, unsigned long srccount) {
    struct timing t = begin_transfer(s, src.addr, srclen * srccount);
    bupc_memget_fstrided(dst, dstlen, dststride, dstcount, src, srclen, srcstride, srccount);
    end_call(s, t, (uint64_t)fathom_thread_of(src.addr));
}
void fathom_explain_bupc_memput_fstrided(struct fathom_site *s, fathom_pptr dst, unsigned long dstlen,
                                         unsigned long dststride, unsigned long dstcount, const void *src,
                                         unsigned long srclen, unsigned long srcstride, unsigned long srccount) {
    struct timing t = begin_transfer(s, dst.addr, dstlen * dstcount);
    bupc_memput_fstrided(dst, dstlen, dststride, dstcount, src, srclen, srcstride, srccount);
    end_call(s, t, (uint64_t)fathom_thread_of(dst.addr));
}

/* Each piece counts for its thread. */
static struct timing begin_list(struct fathom_site *s, const fathom_pptr *list, unsigned long n, unsigned long bytes) {
    if (!trace) return (struct timing){0};
    for (unsigned long i = 0; i < n; i++) count(s, list[i].addr, bytes);
    return begin_call(s);
}
void fathom_explain_bupc_memget_ilist(struct fathom_site *s, unsigned long dstcount, void *const *dst,
                                      unsigned long dstlen, unsigned long srccount, const fathom_pptr *src,
                                      unsigned long srclen) {
    struct timing t = begin_list(s, src, srccount, srclen);
    bupc_memget_ilist(dstcount, dst, dstlen, srccount, src, srclen);
    end_call(s, t, ~0ul);
}
void fathom_explain_bupc_memput_ilist(struct fathom_site *s, unsigned long dstcount, const fathom_pptr *dst,
                                      unsigned long dstlen, unsigned long srccount, const void *const *src,
                                      unsigned long srclen) {
    struct timing t = begin_list(s, dst, dstcount, dstlen);
    bupc_memput_ilist(dstcount, dst, dstlen, srccount, src, srclen);
    end_call(s, t, ~0ul);
}

/* ---- synchronisation --------------------------------------------------------------------------------------------- */

#define TIMED(...)                                                                                                     \
    struct timing timing = begin_call(s);                                                                              \
    __VA_ARGS__;                                                                                                       \
    end_call(s, timing, ~0ul)
/* Barriers are timed one and all where there is somebody to wait for: one long wait among short ones would stand for none
 * of them. */
static struct timing begin_barrier(struct fathom_site *s) {
    if (!trace) return (struct timing){0};
    struct trace_stat *stat = trace_stat(s);
    stat->calls++;
    if (trace->threads == 1) return (struct timing){0};
    stat->began = trace_ticks();
    return (struct timing){stat->began, false};
}
/* Of short waits some are taken down, the same ones in all threads: their ends put the threads' clocks together. */
static void end_barrier(struct fathom_site *s, struct timing t) {
    epoch++;
    if (!t.begin || !trace) return;
    uint64_t end = trace_ticks(), ticks = took(t.begin, end);
    struct trace_stat *stat = trace_stat(s);
    uint64_t number = stat->calls - 1;
    stat->began = 0;
    add_time(stat, false, ticks);
    if (ticks >= EVENT_TICKS || number < BARRIERS || (number * 0x9e3779b97f4a7c15ul >> 32) % BARRIERS == 0)
        trace_event(s, t.begin, end, TRACE_BARRIER | number);
}
struct fathom_span trace_barrier_begin(struct fathom_site *s) {
    return (struct fathom_span){s, begin_barrier(s).begin};
}
void trace_barrier_end(const struct fathom_span *span) { end_barrier(span->site, (struct timing){span->begin, false}); }

#define BARRIER(...)                                                                                                   \
    struct timing timing = begin_barrier(s);                                                                           \
    __VA_ARGS__;                                                                                                       \
    end_barrier(s, timing)

void fathom_explain_notify(struct fathom_site *s, int has_value, int value) { TIMED(fathom_notify(has_value, value)); }
void fathom_explain_wait(struct fathom_site *s, int has_value, int value) { BARRIER(fathom_wait(has_value, value)); }
void fathom_explain_barrier(struct fathom_site *s, int has_value, int value) {
    BARRIER(fathom_barrier(has_value, value));
}
void fathom_explain_long_fence(struct fathom_site *s) { TIMED(fathom_fence()); }

/* The entry of a lock; null if there are more locks than room. */
static struct trace_lock *lock_entry(fathom_ptr lock) {
    struct trace_lock *list = trace_part(trace->locks_at);
    uint64_t start = (lock >> 6) * 0x9e3779b97f4a7c15ul >> 56;
    for (uint64_t i = 0; i < TRACE_LOCKS; i++) {
        struct trace_lock *l = &list[(start + i) % TRACE_LOCKS];
        if (l->address == lock) return l;
        if (!l->address) {
            l->address = lock;
            l->shortest = ~0ul;
            trace->locks++;
            return l;
        }
        if (i > 16) break;
    }
    return NULL;
}

/* A lock was taken, after a wait that was timed or not. */
static void locked(struct fathom_site *s, fathom_ptr lock, struct timing t, uint64_t waited, bool at_once) {
    struct trace_lock *l = lock_entry(lock);
    if (!l) return;
    l->taken++;
    l->site = s->index;
    if (!t.begin) return;
    /* One that was free at once and stands for others says how long taking it takes, not how long others waited. */
    if (!t.stands_for_others || !at_once) l->waited += waited;
    if (waited > l->longest) l->longest = waited;
    if (waited < l->shortest) l->shortest = waited;
    l->since = trace_ticks();
}

/* Whether a near lock is free is tried first: who need not wait need not look at the clock. */
void fathom_explain_upc_lock(struct fathom_site *s, fathom_ptr lock) {
    if (!trace || !lock) {
        upc_lock(lock);
        return;
    }
    count(s, lock, 0);
    bool at_once;
    struct timing t;
    if (fathom_is_near(lock)) {
        struct trace_stat *stat = trace_stat(s);
        bool many = stat->calls++ >= FATHOM_EXPLAIN_QUIET;
        t = (struct timing){0};
        if (!many || s->left-- <= 1) {
            t = (struct timing){trace_ticks(), many};
            s->left = 1 + draw() % (2 * MEAN_DISTANCE);
        }
        at_once = upc_lock_attempt(lock);
        if (!at_once) t = (struct timing){t.begin ? t.begin : trace_ticks(), false};
        stat->began = at_once ? 0 : t.begin;
    } else {
        trace_stat(s)->calls++;
        t = (struct timing){trace_stat(s)->began = trace_ticks(), false};
        at_once = false;
    }
    if (!at_once) upc_lock(lock);
    uint64_t waited = end_call(s, t, (uint64_t)fathom_thread_of(lock));
    locked(s, lock, t, waited, at_once);
}

int fathom_explain_upc_lock_attempt(struct fathom_site *s, fathom_ptr lock) {
    if (!trace || !lock) return upc_lock_attempt(lock);
    count(s, lock, 0);
    struct timing t = begin_call(s);
    int done = upc_lock_attempt(lock);
    uint64_t waited = end_call(s, t, (uint64_t)fathom_thread_of(lock));
    if (done) locked(s, lock, t, waited, true);
    return done;
}

void fathom_explain_upc_unlock(struct fathom_site *s, fathom_ptr lock) {
    if (!trace || !lock) {
        upc_unlock(lock);
        return;
    }
    count(s, lock, 0);
    struct trace_lock *l = lock_entry(lock);
    if (l && l->since) {
        l->held += trace_ticks() - l->since;
        l->held_timed++;
        l->since = 0;
    }
    struct timing t = begin_call(s);
    upc_unlock(lock);
    end_call(s, t, (uint64_t)fathom_thread_of(lock));
}

/* ---- atomics ----------------------------------------------------------------------------------------------------- */

void upc_atomic_strict(fathom_ptr domain, void *fetch, int op, fathom_pptr target, const void *op1, const void *op2);
void upc_atomic_relaxed(fathom_ptr domain, void *fetch, int op, fathom_pptr target, const void *op1, const void *op2);

void fathom_explain_upc_atomic_strict(struct fathom_site *s, fathom_ptr domain, void *fetch, int op, fathom_pptr target,
                                      const void *operand1, const void *operand2) {
    count(s, target.addr, 8);
    struct timing t = begin_call(s);
    upc_atomic_strict(domain, fetch, op, target, operand1, operand2);
    end_call(s, t, (uint64_t)fathom_thread_of(target.addr));
}
static void add_served(struct fathom_site *s, fathom_ptr p) {
    if (!trace) return;
    if (gas_served.by) s->served[gas_served.by]++;
    add_messages(s, p);
}
void fathom_explain_upc_atomic_relaxed(struct fathom_site *s, fathom_ptr domain, void *fetch, int op,
                                       fathom_pptr target, const void *operand1, const void *operand2) {
    count(s, target.addr, 8);
    struct timing t = begin_call(s);
    gas_served = (struct gas_served){GAS_ALONE, 0};
    upc_atomic_relaxed(domain, fetch, op, target, operand1, operand2);
    add_served(s, target.addr);
    end_call(s, t, (uint64_t)fathom_thread_of(target.addr));
}
#ifdef FATHOM_CONDUIT_DISTRIBUTED
const void *fathom_explain_fetch_all(struct fathom_site *s, const struct fathom_fetch *f, unsigned long n) {
    struct timing t = begin_call(s);
    unsigned long before = gas_gather_requests;
    const void *results = fathom_fetch_all(f, n);
    s->served[0] += gas_gather_requests - before;
    end_call(s, t, ~0ul);
    const fathom_ptr *places = fathom_gather_places(0, n);
    for (unsigned long k = 0; results && k < n; k++)
        if (places[k] != ~0ul) count(s, places[k], 8);
    return results;
}
void fathom_explain_atomic_update(struct fathom_site *s, fathom_ptr p, enum fathom_update_object object,
                                  enum fathom_update_op op, unsigned long operand) {
    count(s, p, s->bytes);
    struct timing t = begin_call(s);
    gas_served = (struct gas_served){GAS_ALONE, 0};
    fathom_atomic_update(p, object, op, operand);
    add_served(s, p);
    end_call(s, t, (uint64_t)fathom_thread_of(p));
}
#endif

/* ---- memory ------------------------------------------------------------------------------------------------------ */

void trace_allocated(struct fathom_site *s, fathom_ptr p, uint64_t nblocks, uint64_t nbytes) {
    if (!trace || !p) return;
    if (trace->objects == TRACE_OBJECTS) {
        trace->objects_lost++;
        return;
    }
    struct trace_object *o = (struct trace_object *)trace_part(trace->objects_at) + trace->objects++;
    *o = (struct trace_object){p, nblocks, nbytes, s->index};
}
static fathom_pptr allocated(struct fathom_site *s, fathom_pptr p, uint64_t nblocks, uint64_t nbytes) {
    trace_allocated(s, p.addr, nblocks, nbytes);
    return p;
}

fathom_pptr fathom_explain_upc_alloc(struct fathom_site *s, unsigned long nbytes) {
    TIMED(fathom_pptr p = upc_alloc(nbytes));
    return allocated(s, p, 0, nbytes);
}
fathom_pptr fathom_explain_upc_local_alloc(struct fathom_site *s, unsigned long nblocks, unsigned long nbytes) {
    TIMED(fathom_pptr p = upc_local_alloc(nblocks, nbytes));
    return allocated(s, p, 0, nblocks * nbytes);
}
fathom_pptr fathom_explain_upc_all_alloc(struct fathom_site *s, unsigned long nblocks, unsigned long nbytes) {
    TIMED(fathom_pptr p = upc_all_alloc(nblocks, nbytes));
    return allocated(s, p, nblocks, nbytes);
}
fathom_pptr fathom_explain_upc_global_alloc(struct fathom_site *s, unsigned long nblocks, unsigned long nbytes) {
    TIMED(fathom_pptr p = upc_global_alloc(nblocks, nbytes));
    return allocated(s, p, nblocks, nbytes);
}

/* ---- collectives: what each thread takes from others, or gives them ---------------------------------------------- */

void upc_all_broadcast(fathom_pptr dst, fathom_pptr src, size_t n, int flags);
void upc_all_scatter(fathom_pptr dst, fathom_pptr src, size_t n, int flags);
void upc_all_gather(fathom_pptr dst, fathom_pptr src, size_t n, int flags);
void upc_all_gather_all(fathom_pptr dst, fathom_pptr src, size_t n, int flags);
void upc_all_exchange(fathom_pptr dst, fathom_pptr src, size_t n, int flags);

static void count_all(struct fathom_site *s, unsigned long n) {
    for (int t = 0; t < gas_count(); t++) count(s, fathom_make(t, 0), n);
}

void fathom_explain_upc_all_broadcast(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f) {
    count(s, src.addr, n);
    TIMED(upc_all_broadcast(dst, src, n, f));
}
void fathom_explain_upc_all_scatter(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f) {
    count(s, src.addr, n);
    TIMED(upc_all_scatter(dst, src, n, f));
}
void fathom_explain_upc_all_gather(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f) {
    count(s, dst.addr, n);
    TIMED(upc_all_gather(dst, src, n, f));
}
void fathom_explain_upc_all_gather_all(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n,
                                       int f) {
    count_all(s, n);
    TIMED(upc_all_gather_all(dst, src, n, f));
}
void fathom_explain_upc_all_exchange(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f) {
    count_all(s, n);
    TIMED(upc_all_exchange(dst, src, n, f));
}
