/* What generated C begins with when a program is to be explained (`--explain`): the prelude, and the counters that
 * generated code keeps. A program compiled without never sees this file.
 *
 * Every place of the source that accesses shared memory, or calls what communicates, is a site. An access adds one to its
 * site's count for the thread that has the object; now and then (explain_sample decides when) it is looked at closely.
 * Accesses that the compiler has made plain C in a loop are counted in a register and added when the loop is left.
 */
#ifndef FATHOM_EXPLAIN_H
#define FATHOM_EXPLAIN_H

/* In generated code the inline functions of the prelude call these instead, which time the call for the site at hand. The
 * runtime's sources have included the prelude before. */
#ifndef FATHOM_PRELUDE_H
#define fathom_far_get fathom_explain_far_get
#define fathom_far_read fathom_explain_far_read
#define fathom_far_put fathom_explain_far_put
#define fathom_far_update fathom_explain_far_update
#ifdef __SPLIT_C__
#define fathom_far_memput fathom_explain_far_memput
#define fathom_split_far_get fathom_explain_split_far_get
#define fathom_split_far_put fathom_explain_split_far_put
#define fathom_split_far_store fathom_explain_split_far_store
#endif
#include "prelude.h"
#endif

struct fathom_site {
    unsigned long *hits;  /* accesses, by the thread that has the object */
    unsigned long *moved; /* bytes that calls have moved, likewise */
    unsigned long *calls; /* of what is a call */
    /* Far accesses by the mechanism that served them, as enum gas_service numbers them; [0]: messages that they began. */
    unsigned long *served;
    /* Access number n is sampled where (n & sparse) == turn: groups of 8, at random distances. */
    unsigned long sparse, turn;
    /* So many calls later one is timed; so many accesses later at the latest, tallies look whether one is due. */
    unsigned long left;
    unsigned quiet; /* calls that were timed, one after the other, and found short */
    unsigned index, bytes;
    /* A record in one line, which the runtime carries into the trace as it is: crates/explain/src/site.rs writes and
     * reads it. */
    const char *text;
    const void *object; /* symbol of the static shared object, or null */
};

/* Where accesses are counted until a trace is open, or where there is none. */
extern unsigned long fathom_explain_nowhere[];
#define FATHOM_EXPLAIN_DENSE 24ul /* a site's first samples are 8 of 32 accesses */
/* The site of the access under way, for what is timed inside it. */
extern struct fathom_site *fathom_explain_here;

void fathom_explain_sample(struct fathom_site *s, fathom_ptr p, unsigned long weight);

#define FATHOM_EXPLAIN_QUIET 16 /* from so many short ones on, only some are timed */

FATHOM_INLINE void fathom_explain_touch(struct fathom_site *s, fathom_ptr p) {
    unsigned long t = (unsigned long)fathom_thread_of(p);
    if (__builtin_expect(t >= (unsigned long)FATHOM_T, 0)) return; /* null and the like: the access itself will tell */
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    fathom_explain_here = s;
#endif
    unsigned long n = s->hits[t]++;
    if (__builtin_expect((n & s->sparse) == s->turn, 0)) fathom_explain_sample(s, p, 1);
}

/* Accesses of a loop that calls nothing: counted in a register, a byte for each thread, and added when a byte may be full, a
 * sample is due, or the loop is left. With more threads than bytes as any other access. */
struct fathom_tally {
    struct fathom_site *site;
    unsigned long packed, left;
};
extern const unsigned long fathom_explain_ones[8]; /* in the i-th byte */
unsigned long fathom_explain_unpack(struct fathom_site *s, unsigned long packed, fathom_ptr p);
FATHOM_INLINE void fathom_explain_tally(struct fathom_tally *y, fathom_ptr p) {
    if (__builtin_expect(FATHOM_T > 8, 0)) {
        fathom_explain_touch(y->site, p);
        return;
    }
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    fathom_explain_here = y->site;
#endif
    y->packed += fathom_explain_ones[p >> FATHOM_SEG_BITS & 7];
    if (__builtin_expect(--y->left == 0, 0)) {
        y->left = fathom_explain_unpack(y->site, y->packed, p);
        y->packed = 0;
    }
}
FATHOM_INLINE void fathom_explain_tallied(struct fathom_tally *y) {
    if (FATHOM_T > 8) return;
    for (int t = 0; t < (int)FATHOM_T; t++) y->site->hits[t] += y->packed >> 8 * t & 255;
    y->site->left = y->left;
}

/* Accesses of a loop by a pointer that nothing else moves, each to the element after the last one's, or all to one thread
 * (block 0): how many there were says whose they were. */
struct fathom_walk {
    struct fathom_site *site;
    unsigned long block, left, from; /* `from` is what `left` was when they were last added */
    fathom_ptr last;
    unsigned long phase; /* how many elements of its block there are up to it; 0: all */
};
unsigned long fathom_explain_walked(struct fathom_site *s, unsigned long n, fathom_ptr last, unsigned long phase,
                                    unsigned long block);
void fathom_explain_add_walk(struct fathom_site *s, unsigned long n, fathom_ptr last, unsigned long phase,
                             unsigned long block);
FATHOM_INLINE void fathom_explain_walk(struct fathom_walk *w, fathom_ptr p, unsigned long phase) {
    w->last = p;
    w->phase = phase;
    if (__builtin_expect(--w->left == 0, 0))
        w->left = w->from = fathom_explain_walked(w->site, w->from, p, phase, w->block);
}
FATHOM_INLINE void fathom_explain_walk_end(struct fathom_walk *w) {
    unsigned long n = w->from - w->left;
    if (!n) return;
    w->site->left = w->left;
    fathom_explain_add_walk(w->site, n, w->last, w->phase, w->block);
}

/* Accesses of a loop to memory of one thread: counted here, added when the block is left. */
struct fathom_run {
    struct fathom_site *site;
    fathom_ptr base;
    unsigned long n;
};
FATHOM_INLINE void fathom_explain_run(struct fathom_run *r) {
    unsigned long t = (unsigned long)fathom_thread_of(r->base);
    if (!r->n || t >= (unsigned long)FATHOM_T) return;
    unsigned long before = r->site->hits[t], after = before + r->n;
    r->site->hits[t] = after;
    if (__builtin_expect(((before ^ after) & ~1023ul) || r->site->sparse == FATHOM_EXPLAIN_DENSE, 0))
        fathom_explain_sample(r->site, r->base, r->n);
}

/* Counts a short transfer, and says 1; or says 0: it is one to count and time by a call. Where the size is written in the
 * program (`fixed`), the site says it, and counting the calls is enough. */
FATHOM_INLINE int fathom_explain_is_short(struct fathom_site *s, fathom_ptr p, unsigned long n, int fixed) {
    unsigned long t = (unsigned long)fathom_thread_of(p);
    if (n >= 1024 || t >= (unsigned long)FATHOM_T || !fathom_is_near(p) || --s->left == 0) return 0;
    s->hits[t]++;
    if (!fixed) s->moved[t] += n;
    return 1;
}
/* Likewise for a copy, of which both ends count if they are on two threads. */
FATHOM_INLINE int fathom_explain_is_short_copy(struct fathom_site *s, fathom_ptr dst, fathom_ptr src, unsigned long n,
                                               int fixed) {
    unsigned long t = (dst >> FATHOM_SEG_BITS) - FATHOM_FIRST, u = (src >> FATHOM_SEG_BITS) - FATHOM_FIRST;
    if (t >= (unsigned long)FATHOM_T || u >= (unsigned long)FATHOM_T || n >= 1024) return 0;
    if (!fathom_is_near(dst) || !fathom_is_near(src) || --s->left == 0) return 0;
    ++*s->calls;
    s->hits[t]++;
    if (!fixed) s->moved[t] += n;
    if (t == u) return 1;
    s->hits[u]++;
    if (!fixed) s->moved[u] += n;
    return 1;
}

/* A call that is timed as a whole, unless those before it were short: then one of 64 is. */
struct fathom_span {
    struct fathom_site *site;
    unsigned long begin;
};
struct fathom_span fathom_explain_long_begin(struct fathom_site *s);
void fathom_explain_long_end(struct fathom_span *span);
FATHOM_INLINE struct fathom_span fathom_explain_begin(struct fathom_site *s) {
    if (--s->left == 0) return fathom_explain_long_begin(s);
    ++*s->calls;
    return (struct fathom_span){s, 0};
}
FATHOM_INLINE void fathom_explain_end(struct fathom_span *span) {
    if (span->begin) fathom_explain_long_end(span);
}

#ifdef FATHOM_CONDUIT_DISTRIBUTED
/* What a loop in strips fetches is timed, and its messages are counted, at the loop. */
unsigned long fathom_explain_strip_next(struct fathom_site *s, struct fathom_strip *strip, unsigned long n);
long fathom_explain_own_run(struct fathom_site *s, struct fathom_strip *strip, long *first);
long fathom_explain_nest_next(struct fathom_site *s, struct fathom_nest *nest);
void fathom_explain_gather_fetch(struct fathom_site *s, struct fathom_strip *strip, int first, int behind,
                                 unsigned long n);
unsigned long fathom_explain_kept_fetch(struct fathom_site *s, struct fathom_kept *k, struct fathom_strip *strip,
                                        struct fathom_own *o, unsigned long n);
/* Atomic operations that a loop makes for many iterations together are counted, and timed, at the operation. */
const void *fathom_explain_fetch_all(struct fathom_site *s, const struct fathom_fetch *f, unsigned long n);
/* An atomic operation of Berkeley UPC whose result is not used. */
void fathom_explain_atomic_update(struct fathom_site *s, fathom_ptr p, enum fathom_update_object object,
                                  enum fathom_update_op op, unsigned long operand);
#endif

void fathom_explain_notify(struct fathom_site *s, int has_value, int value);
void fathom_explain_wait(struct fathom_site *s, int has_value, int value);
void fathom_explain_barrier(struct fathom_site *s, int has_value, int value);
void fathom_explain_long_fence(struct fathom_site *s);
FATHOM_INLINE void fathom_explain_fence(struct fathom_site *s) {
    if (--s->left == 0) {
        fathom_explain_long_fence(s);
        return;
    }
    ++*s->calls;
    fathom_fence();
}

struct fathom_transfer;
void fathom_explain_long_memcpy(struct fathom_site *s, fathom_ptr dst, fathom_ptr src, unsigned long n);
void fathom_explain_long_memget(struct fathom_site *s, void *dst, fathom_ptr src, unsigned long n);
void fathom_explain_long_memput(struct fathom_site *s, fathom_ptr dst, const void *src, unsigned long n);
void fathom_explain_long_memset(struct fathom_site *s, fathom_ptr dst, int c, unsigned long n);
FATHOM_INLINE void fathom_explain_upc_memcpy(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n) {
    if (fathom_explain_is_short_copy(s, dst.addr, src.addr, n, 0))
        fathom_memcpy(dst.addr, src.addr, n);
    else
        fathom_explain_long_memcpy(s, dst.addr, src.addr, n);
}
FATHOM_INLINE void fathom_explain_upc_memget(struct fathom_site *s, void *dst, fathom_pptr src, unsigned long n) {
    if (fathom_explain_is_short(s, src.addr, n, 0))
        fathom_memget(dst, src.addr, n);
    else
        fathom_explain_long_memget(s, dst, src.addr, n);
}
FATHOM_INLINE void fathom_explain_upc_memput(struct fathom_site *s, fathom_pptr dst, const void *src, unsigned long n) {
    if (fathom_explain_is_short(s, dst.addr, n, 0))
        fathom_memput(dst.addr, src, n);
    else
        fathom_explain_long_memput(s, dst.addr, src, n);
}
FATHOM_INLINE void fathom_explain_upc_memset(struct fathom_site *s, fathom_pptr dst, int c, unsigned long n) {
    if (fathom_explain_is_short(s, dst.addr, n, 0))
        fathom_memset(dst.addr, c, n);
    else
        fathom_explain_long_memset(s, dst.addr, c, n);
}
FATHOM_INLINE void fathom_explain_fixed_upc_memcpy(struct fathom_site *s, fathom_pptr dst, fathom_pptr src,
                                                   unsigned long n) {
    if (fathom_explain_is_short_copy(s, dst.addr, src.addr, n, 1))
        fathom_memcpy(dst.addr, src.addr, n);
    else
        fathom_explain_long_memcpy(s, dst.addr, src.addr, n);
}
FATHOM_INLINE void fathom_explain_fixed_upc_memget(struct fathom_site *s, void *dst, fathom_pptr src, unsigned long n) {
    if (fathom_explain_is_short(s, src.addr, n, 1))
        fathom_memget(dst, src.addr, n);
    else
        fathom_explain_long_memget(s, dst, src.addr, n);
}
FATHOM_INLINE void fathom_explain_fixed_upc_memput(struct fathom_site *s, fathom_pptr dst, const void *src,
                                                   unsigned long n) {
    if (fathom_explain_is_short(s, dst.addr, n, 1))
        fathom_memput(dst.addr, src, n);
    else
        fathom_explain_long_memput(s, dst.addr, src, n);
}
FATHOM_INLINE void fathom_explain_fixed_upc_memset(struct fathom_site *s, fathom_pptr dst, int c, unsigned long n) {
    if (fathom_explain_is_short(s, dst.addr, n, 1))
        fathom_memset(dst.addr, c, n);
    else
        fathom_explain_long_memset(s, dst.addr, c, n);
}
struct fathom_transfer *fathom_explain_upc_memcpy_nb(struct fathom_site *s, fathom_pptr dst, fathom_pptr src,
                                                     unsigned long n);
struct fathom_transfer *fathom_explain_upc_memget_nb(struct fathom_site *s, void *dst, fathom_pptr src,
                                                     unsigned long n);
struct fathom_transfer *fathom_explain_upc_memput_nb(struct fathom_site *s, fathom_pptr dst, const void *src,
                                                     unsigned long n);
struct fathom_transfer *fathom_explain_upc_memset_nb(struct fathom_site *s, fathom_pptr dst, int c, unsigned long n);
void fathom_explain_upc_memcpy_nbi(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n);
void fathom_explain_upc_memget_nbi(struct fathom_site *s, void *dst, fathom_pptr src, unsigned long n);
void fathom_explain_upc_memput_nbi(struct fathom_site *s, fathom_pptr dst, const void *src, unsigned long n);
void fathom_explain_upc_memset_nbi(struct fathom_site *s, fathom_pptr dst, int c, unsigned long n);

void fathom_explain_bupc_memget_fstrided(struct fathom_site *s, void *dst, unsigned long dstlen,
                                         unsigned long dststride, unsigned long dstcount, fathom_pptr src,
                                         unsigned long srclen, unsigned long srcstride, unsigned long srccount);
void fathom_explain_bupc_memput_fstrided(struct fathom_site *s, fathom_pptr dst, unsigned long dstlen,
                                         unsigned long dststride, unsigned long dstcount, const void *src,
                                         unsigned long srclen, unsigned long srcstride, unsigned long srccount);
void fathom_explain_bupc_memget_ilist(struct fathom_site *s, unsigned long dstcount, void *const *dst,
                                      unsigned long dstlen, unsigned long srccount, const fathom_pptr *src,
                                      unsigned long srclen);
void fathom_explain_bupc_memput_ilist(struct fathom_site *s, unsigned long dstcount, const fathom_pptr *dst,
                                      unsigned long dstlen, unsigned long srccount, const void *const *src,
                                      unsigned long srclen);

void fathom_explain_upc_lock(struct fathom_site *s, fathom_ptr lock);
int fathom_explain_upc_lock_attempt(struct fathom_site *s, fathom_ptr lock);
void fathom_explain_upc_unlock(struct fathom_site *s, fathom_ptr lock);

fathom_pptr fathom_explain_upc_alloc(struct fathom_site *s, unsigned long nbytes);
fathom_pptr fathom_explain_upc_all_alloc(struct fathom_site *s, unsigned long nblocks, unsigned long nbytes);
fathom_pptr fathom_explain_upc_global_alloc(struct fathom_site *s, unsigned long nblocks, unsigned long nbytes);
fathom_pptr fathom_explain_upc_local_alloc(struct fathom_site *s, unsigned long nblocks, unsigned long nbytes);

/* An atomic operation, after which the caller makes the real call. */
void fathom_explain_upc_atomic_strict(struct fathom_site *s, fathom_ptr domain, void *fetch, int op, fathom_pptr target,
                                      const void *operand1, const void *operand2);
void fathom_explain_upc_atomic_relaxed(struct fathom_site *s, fathom_ptr domain, void *fetch, int op,
                                       fathom_pptr target, const void *operand1, const void *operand2);

void fathom_explain_upc_all_broadcast(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f);
void fathom_explain_upc_all_scatter(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f);
void fathom_explain_upc_all_gather(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f);
void fathom_explain_upc_all_gather_all(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f);
void fathom_explain_upc_all_exchange(struct fathom_site *s, fathom_pptr dst, fathom_pptr src, unsigned long n, int f);

#ifdef __SPLIT_C__
#include "explain_split_c.h"
#endif

#endif
