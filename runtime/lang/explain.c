/* What explained programs call beside or instead of the library's functions: each does what it stands for, and takes
 * down how often, how much, between which threads and how long.
 *
 * Short calls are timed now and then, as looking at the clock would take longer than they do; long ones always.
 */
#include "lang/explain_trace.h"

#include "gas/gas_internal.h"
#include "lang/library.h"
#include "upc_nb.h"

enum {
    LONG_BYTES = 1024,  /* from here on a transfer is timed every time */
    SHORT_TIMED = 63,   /* of others those whose number has none of these bits */
    EVENT_TICKS = 1000  /* what is shorter is on no timeline, barriers excepted */
};
#define BARRIER (~1ul) /* in place of a thread */

/* ---- time ------------------------------------------------------------------------------------------------------ */

static uint64_t took(uint64_t begin, uint64_t end) {
    uint64_t ticks = end - begin;
    return ticks > trace->look_ticks ? ticks - trace->look_ticks : 0;
}

static void add_time(struct trace_stat *stat, uint64_t ticks) {
    stat->timed++;
    stat->ticks += ticks;
    if (ticks > stat->longest) stat->longest = ticks;
}

/* The beginning of a call; 0 if this one is not timed. */
static uint64_t begin_call(struct fathom_site *s, bool always) {
    if (!trace) return 0;
    struct trace_stat *stat = trace_stat(s);
    uint64_t number = stat->calls++;
    if (!always && number > SHORT_TIMED && (number & SHORT_TIMED)) return 0;
    return stat->began = trace_ticks();
}

static uint64_t end_call(struct fathom_site *s, uint64_t begin, uint64_t other) {
    if (!begin || !trace) return 0;
    uint64_t end = trace_ticks(), ticks = took(begin, end);
    struct trace_stat *stat = trace_stat(s);
    stat->began = 0;
    add_time(stat, ticks);
    if (ticks >= EVENT_TICKS || other == BARRIER) trace_event(s, begin, end, other);
    return ticks;
}

struct fathom_span fathom_explain_begin(struct fathom_site *s) { return (struct fathom_span){s, begin_call(s, true)}; }
void fathom_explain_end(struct fathom_span *span) { end_call(span->site, span->begin, ~0ul); }

/* ---- single accesses ------------------------------------------------------------------------------------------- */

/* Room for new samples: every second group goes, and fewer are taken from now on. */
static void thin_samples(struct fathom_site *s, struct trace_stat *stat, struct trace_sample *list) {
    uint64_t kept = 0;
    for (uint64_t i = 0; i < stat->samples; i++)
        if (!(i & 8)) list[kept++] = list[i];
    stat->samples = kept;
    s->sparse = s->sparse << 1 | 8;
    s->turn &= s->sparse;
}

/* The next group is somewhere in the next stretch: what comes round regularly is not always met at the same place. */
static void draw_turn(struct fathom_site *s) {
    static uint64_t state = 0x2545f4914f6cdd1d;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    s->turn = (state >> 20) & s->sparse;
}

/* What a load takes beyond one that hits the first cache. */
static void time_load(struct trace_stat *stat, fathom_ptr p, uint64_t stands_for) {
    if (!fathom_is_near(p)) return;
    uint64_t ticks = trace_time_load(fathom_local(p));
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
    struct trace_sample *list = (struct trace_sample *)trace_part(trace->samples_at) + s->index * TRACE_SAMPLES;
    if (stat->samples == TRACE_SAMPLES) thin_samples(s, stat, list);
    long t = fathom_thread_of(p);
    list[stat->samples++] = (struct trace_sample){p, s->hits[t] - weight, weight};
    if (weight == 1) {
        time_load(stat, p, (s->sparse >> 3) + 1);
        if (s->sparse && (s->hits[t] & 7) == 0) draw_turn(s);
    }
    trace_note_time(trace_ticks());
}

#ifdef FATHOM_CONDUIT_DISTRIBUTED
/* Far accesses, wherever generated code makes them; the site has just been set. */
void fathom_explain_far_get(void *dst, fathom_ptr src, unsigned long n);
void fathom_explain_far_put(fathom_ptr dst, const void *src, unsigned long n);

static void add_far(struct fathom_site *s, uint64_t begin, fathom_ptr p) {
    uint64_t end = trace_ticks(), ticks = took(begin, end);
    add_time(trace_stat(s), ticks);
    if (ticks >= (1u << 16)) trace_event(s, begin, end, (uint64_t)fathom_thread_of(p));
    trace_note_time(end);
}

void fathom_explain_far_get(void *dst, fathom_ptr src, unsigned long n) {
    struct fathom_site *s = fathom_explain_here;
    uint64_t begin = trace && s ? trace_ticks() : 0;
    fathom_far_get(dst, src, n);
    if (begin) add_far(s, begin, src);
}
void fathom_explain_far_put(fathom_ptr dst, const void *src, unsigned long n) {
    struct fathom_site *s = fathom_explain_here;
    uint64_t begin = trace && s ? trace_ticks() : 0;
    fathom_far_put(dst, src, n);
    if (begin) add_far(s, begin, dst);
}
#endif

/* ---- transfers ------------------------------------------------------------------------------------------------- */

static void count(struct fathom_site *s, fathom_ptr p, uint64_t n) {
    unsigned long t = (unsigned long)fathom_thread_of(p);
    if (!trace || t >= trace->threads) return;
    s->hits[t]++;
    trace_moved(s)[t] += n;
}

/* Does the call take long enough to be timed every time? */
static bool is_long(fathom_ptr p, unsigned long n) { return n >= LONG_BYTES || !fathom_is_near(p); }

static uint64_t begin_transfer(struct fathom_site *s, fathom_ptr p, unsigned long n, bool always) {
    if (!trace) return 0;
    count(s, p, n);
    struct trace_stat *stat = trace_stat(s);
    if (!(stat->calls & SHORT_TIMED) || n >= LONG_BYTES) { /* where it went, for those who look for patterns */
        struct trace_sample *list = (struct trace_sample *)trace_part(trace->samples_at) + s->index * TRACE_SAMPLES;
        list[stat->samples++ % TRACE_SAMPLES] = (struct trace_sample){p, stat->calls, 1};
        if (stat->samples == 2 * TRACE_SAMPLES) stat->samples = TRACE_SAMPLES;
    }
    return begin_call(s, always || is_long(p, n));
}

#define TRANSFER(always, where, n, ...)                                                                                \
    uint64_t begin = begin_transfer(s, where, n, always);                                                              \
    __VA_ARGS__;                                                                                                       \
    end_call(s, begin, (uint64_t)fathom_thread_of(where))

/* Of a copy both ends count, if they are on two threads. */
static fathom_ptr copied(struct fathom_site *s, fathom_ptr dst, fathom_ptr src, unsigned long n) {
    bool dst_is_mine = fathom_thread_of(dst) == fathom_mythread;
    fathom_ptr other = dst_is_mine ? src : dst, second = dst_is_mine ? dst : src;
    if (fathom_thread_of(second) != fathom_mythread) count(s, second, n);
    return other;
}

void fathom_explain_upc_memcpy(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n) {
    fathom_ptr p = copied(s, dst.addr, src.addr, n);
    TRANSFER(false, p, n, fathom_memcpy(dst.addr, src.addr, n));
}
void fathom_explain_long_memget(struct fathom_site *s, void *dst, fathom_ptr src, unsigned long n) {
    TRANSFER(true, src, n, fathom_memget(dst, src, n));
}
void fathom_explain_long_memput(struct fathom_site *s, fathom_ptr dst, const void *src, unsigned long n) {
    TRANSFER(true, dst, n, fathom_memput(dst, src, n));
}
void fathom_explain_long_memset(struct fathom_site *s, fathom_ptr dst, int c, unsigned long n) {
    TRANSFER(true, dst, n, fathom_memset(dst, c, n));
}

upc_handle_t fathom_explain_upc_memcpy_nb(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n) {
    fathom_ptr p = copied(s, dst.addr, src.addr, n);
    TRANSFER(false, p, n, upc_handle_t h = gas_copy_nb(dst.addr, src.addr, n));
    return h;
}
upc_handle_t fathom_explain_upc_memget_nb(struct fathom_site *s, void *dst, fathom_pptr src, unsigned long n) {
    TRANSFER(false, src.addr, n, upc_handle_t h = gas_get_nb(dst, src.addr, n));
    return h;
}
upc_handle_t fathom_explain_upc_memput_nb(struct fathom_site *s, fathom_pptr dst, const void *src, unsigned long n) {
    TRANSFER(false, dst.addr, n, upc_handle_t h = gas_put_nb(dst.addr, src, n));
    return h;
}
upc_handle_t fathom_explain_upc_memset_nb(struct fathom_site *s, fathom_pptr dst, int c, unsigned long n) {
    TRANSFER(false, dst.addr, n, upc_handle_t h = gas_fill_nb(dst.addr, c, n));
    return h;
}
void fathom_explain_upc_memcpy_nbi(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n) {
    fathom_ptr p = copied(s, dst.addr, src.addr, n);
    TRANSFER(false, p, n, gas_copy_nbi(dst.addr, src.addr, n));
}
void fathom_explain_upc_memget_nbi(struct fathom_site *s, void *dst, fathom_pptr src, unsigned long n) {
    TRANSFER(false, src.addr, n, gas_get_nbi(dst, src.addr, n));
}
void fathom_explain_upc_memput_nbi(struct fathom_site *s, fathom_pptr dst, const void *src, unsigned long n) {
    TRANSFER(false, dst.addr, n, gas_put_nbi(dst.addr, src, n));
}
void fathom_explain_upc_memset_nbi(struct fathom_site *s, fathom_pptr dst, int c, unsigned long n) {
    TRANSFER(false, dst.addr, n, gas_fill_nbi(dst.addr, c, n));
}

/* ---- synchronisation ------------------------------------------------------------------------------------------- */

#define ALWAYS(...) TIMED(~0ul, __VA_ARGS__)
#define TIMED(other, ...)                                                                                              \
    uint64_t begin = begin_call(s, true);                                                                              \
    __VA_ARGS__;                                                                                                       \
    end_call(s, begin, other)

void fathom_explain_notify(struct fathom_site *s, int has_value, int value) {
    ALWAYS(fathom_notify(has_value, value));
}
void fathom_explain_wait(struct fathom_site *s, int has_value, int value) {
    TIMED(BARRIER, fathom_wait(has_value, value));
}
void fathom_explain_barrier(struct fathom_site *s, int has_value, int value) {
    TIMED(BARRIER, fathom_barrier(has_value, value));
}
void fathom_explain_fence(struct fathom_site *s) {
    uint64_t begin = begin_call(s, false);
    fathom_fence();
    end_call(s, begin, ~0ul);
}

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

static void locked(struct fathom_site *s, fathom_ptr lock, uint64_t waited, uint64_t now) {
    struct trace_lock *l = lock_entry(lock);
    if (!l) return;
    l->taken++;
    l->waited += waited;
    if (waited > l->longest) l->longest = waited;
    if (waited < l->shortest) l->shortest = waited;
    l->since = now;
    l->site = s->index;
}

void fathom_explain_upc_lock(struct fathom_site *s, fathom_ptr lock) {
    uint64_t begin = begin_call(s, true);
    upc_lock(lock);
    if (!begin) return;
    count(s, lock, 0);
    uint64_t waited = end_call(s, begin, (uint64_t)fathom_thread_of(lock));
    locked(s, lock, waited, trace_ticks());
}

int fathom_explain_upc_lock_attempt(struct fathom_site *s, fathom_ptr lock) {
    uint64_t begin = begin_call(s, true);
    int done = upc_lock_attempt(lock);
    if (!begin) return done;
    count(s, lock, 0);
    end_call(s, begin, (uint64_t)fathom_thread_of(lock));
    if (done) locked(s, lock, 0, trace_ticks());
    return done;
}

void fathom_explain_upc_unlock(struct fathom_site *s, fathom_ptr lock) {
    uint64_t begin = begin_call(s, true);
    upc_unlock(lock);
    if (!begin) return;
    count(s, lock, 0);
    struct trace_lock *l = lock_entry(lock);
    if (l && l->since) {
        l->held += begin - l->since;
        l->since = 0;
    }
    end_call(s, begin, (uint64_t)fathom_thread_of(lock));
}

/* ---- atomics --------------------------------------------------------------------------------------------------- */

void upc_atomic_strict(fathom_ptr domain, void *fetch, int op, fathom_pptr target, const void *op1, const void *op2);
void upc_atomic_relaxed(fathom_ptr domain, void *fetch, int op, fathom_pptr target, const void *op1, const void *op2);

void fathom_explain_upc_atomic_strict(struct fathom_site *s, fathom_ptr domain, void *fetch, int op,
                                      fathom_pptr target, const void *operand1, const void *operand2) {
    count(s, target.addr, 8);
    uint64_t begin = begin_call(s, !fathom_is_near(target.addr));
    upc_atomic_strict(domain, fetch, op, target, operand1, operand2);
    end_call(s, begin, (uint64_t)fathom_thread_of(target.addr));
}
void fathom_explain_upc_atomic_relaxed(struct fathom_site *s, fathom_ptr domain, void *fetch, int op,
                                       fathom_pptr target, const void *operand1, const void *operand2) {
    count(s, target.addr, 8);
    uint64_t begin = begin_call(s, !fathom_is_near(target.addr));
    upc_atomic_relaxed(domain, fetch, op, target, operand1, operand2);
    end_call(s, begin, (uint64_t)fathom_thread_of(target.addr));
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static fathom_pptr allocated(struct fathom_site *s, fathom_pptr p, uint64_t nblocks, uint64_t nbytes) {
    if (!trace || !p.addr) return p;
    if (trace->objects == TRACE_OBJECTS) {
        trace->objects_lost++;
        return p;
    }
    struct trace_object *o = (struct trace_object *)trace_part(trace->objects_at) + trace->objects++;
    *o = (struct trace_object){p.addr, nblocks, nbytes, s->index};
    return p;
}

fathom_pptr fathom_explain_upc_alloc(struct fathom_site *s, unsigned long nbytes) {
    ALWAYS(fathom_pptr p = upc_alloc(nbytes));
    return allocated(s, p, 0, nbytes);
}
fathom_pptr fathom_explain_upc_local_alloc(struct fathom_site *s, unsigned long nblocks, unsigned long nbytes) {
    ALWAYS(fathom_pptr p = upc_local_alloc(nblocks, nbytes));
    return allocated(s, p, 0, nblocks * nbytes);
}
fathom_pptr fathom_explain_upc_all_alloc(struct fathom_site *s, unsigned long nblocks, unsigned long nbytes) {
    ALWAYS(fathom_pptr p = upc_all_alloc(nblocks, nbytes));
    return allocated(s, p, nblocks, nbytes);
}
fathom_pptr fathom_explain_upc_global_alloc(struct fathom_site *s, unsigned long nblocks, unsigned long nbytes) {
    ALWAYS(fathom_pptr p = upc_global_alloc(nblocks, nbytes));
    return allocated(s, p, nblocks, nbytes);
}

/* ---- collectives: what each thread takes from others, or gives them --------------------------------------------- */

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
    ALWAYS(upc_all_broadcast(dst, src, n, f));
}
void fathom_explain_upc_all_scatter(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f) {
    count(s, src.addr, n);
    ALWAYS(upc_all_scatter(dst, src, n, f));
}
void fathom_explain_upc_all_gather(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f) {
    count(s, dst.addr, n);
    ALWAYS(upc_all_gather(dst, src, n, f));
}
void fathom_explain_upc_all_gather_all(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n,
                                       int f) {
    count_all(s, n);
    ALWAYS(upc_all_gather_all(dst, src, n, f));
}
void fathom_explain_upc_all_exchange(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f) {
    count_all(s, n);
    ALWAYS(upc_all_exchange(dst, src, n, f));
}
