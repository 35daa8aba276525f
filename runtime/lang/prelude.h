/* What every generated C file begins with: the representation of pointers-to-shared and their arithmetic.
 *
 * This file is preprocessed together with the user's program, so it includes nothing and takes no names but its own.
 * The runtime's own sources include it too. Everything here is arithmetic on words; what differs between conduits
 * (how a word becomes an address that this process can use) is in the conduit's own inline header.
 *
 * A pointer-to-shared without phase (block size 1 or indefinite) is one word:
 *
 *     (FATHOM_FIRST + thread) << FATHOM_SEG_BITS  |  offset in that thread's segment
 *
 * The word has room for 2^27 threads. A process maps the segments that it reaches one after the other from FATHOM_BASE
 * on. FATHOM_FIRST is chosen so that, where those are all, the word is the very address at which every process maps that
 * byte; elsewhere a word that is near becomes an address by one addition (conduit/distributed.h). Null is 0. A pointer
 * with phase is a word and the phase, counted in elements. (docs/decisions/0001)
 */
#ifndef FATHOM_PRELUDE_H
#define FATHOM_PRELUDE_H

#define FATHOM_SEG_BITS 37 /* 128 GiB of address space a thread */
#define FATHOM_FIRST 256ul
/* The first segment starts at 2^45, as a word and in memory: clear of executables, heaps and sanitizers' shadows. */
#define FATHOM_BASE (FATHOM_FIRST << FATHOM_SEG_BITS)
#define FATHOM_STEP (1ul << FATHOM_SEG_BITS)
/* Not static: a C inline function with external linkage must not refer to a static one (C11, 6.7.4 p3), and users write such
 * functions. In this form of GNU C nothing is ever emitted for the function but what is inlined. */
#define FATHOM_INLINE extern __inline__ __attribute__((always_inline, gnu_inline, unused))

typedef unsigned long fathom_ptr;
__extension__ typedef unsigned __int128 fathom_u128;
/* Aligned so that one instruction can move it: a strict access to it does not tear. */
typedef struct fathom_pptr {
    fathom_ptr addr;
    unsigned long phase;
} __attribute__((aligned(16))) fathom_pptr;

/* Written once by the runtime before main, constant ever after; saying so here lets loads of them leave loops. */
extern const int fathom_mythread;
extern const int fathom_threads;
/* floor(2^127 / threads) + 1, high and low word: what division by THREADS multiplies with. */
extern const unsigned long fathom_threads_magic[2];
/* Address of thread 0's copy of a static shared object minus the address of its symbol. */
extern const unsigned long fathom_static_delta;
/* Words of near threads begin at `base`; `bytes` of address space, from FATHOM_BASE on, hold their segments. */
extern const unsigned long fathom_near_base, fathom_near_bytes;
/* Depth of upc_forall statements with affinity around the code now running. */
extern int fathom_forall_depth;

/* A program may wait by looking at an object until another thread has written it. Where that thread has to have this processor,
 * it must not wait until this one's time is over: so strict reads and fences are counted, and now and then let others go first. */
#define FATHOM_LOOKS 256
extern unsigned fathom_looks;
void fathom_looked_often(unsigned looks);
FATHOM_INLINE void fathom_look(void) {
    unsigned looks = __atomic_load_n(&fathom_looks, __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&fathom_looks, looks, __ATOMIC_RELAXED);
    if (__builtin_expect(looks % FATHOM_LOOKS == 0, 0)) fathom_looked_often(looks);
}

#ifdef FATHOM_STATIC_THREADS
#define FATHOM_T ((long)FATHOM_STATIC_THREADS)
#else
#define FATHOM_T ((long)fathom_threads)
#endif

/* floor(a / b) for b > 0. No branch, so that the C compiler can move it out of loops: for a negative a, floor(a / b) is the
 * complement of floor(~a / b). A constant power of two takes a shift. */
FATHOM_INLINE long fathom_floordiv(long a, long b) {
    if (__builtin_constant_p(b) && b > 0 && (b & (b - 1)) == 0) return a >> __builtin_ctzl((unsigned long)b);
    long s = a >> 63;
    return (long)((unsigned long)(a ^ s) / (unsigned long)b) ^ s;
}

/* floor(x / THREADS). In the dynamic environment it is the product with a rounded-up reciprocal m of 127 bits: the result is
 * exact, because 2x m / 2^128 exceeds x / THREADS by less than 2^-64, and 1 / THREADS is more than that. */
FATHOM_INLINE long fathom_div_threads(long x) {
#ifdef FATHOM_STATIC_THREADS
    return fathom_floordiv(x, FATHOM_T);
#else
    long s = x >> 63;
    unsigned long twice = (unsigned long)(x ^ s) << 1;
    fathom_u128 high = (fathom_u128)twice * fathom_threads_magic[0];
    fathom_u128 low = (fathom_u128)twice * fathom_threads_magic[1];
    return (long)(unsigned long)((high + (unsigned long)(low >> 64)) >> 64) ^ s;
#endif
}

/* The same for -2^32 <= x < 2^32: the upper half of the reciprocal is exact enough, because its error, less than THREADS /
 * 2^63 of it, makes less than 2^32 / 2^63 here. */
FATHOM_INLINE long fathom_div_threads_narrow(long x) {
#ifdef FATHOM_STATIC_THREADS
    return fathom_floordiv(x, FATHOM_T);
#else
    long s = x >> 63;
    unsigned long twice = (unsigned long)(x ^ s) << 1;
    return (long)(unsigned long)(((fathom_u128)twice * (fathom_threads_magic[0] + 1)) >> 64) ^ s;
#endif
}

FATHOM_INLINE long fathom_thread_of(fathom_ptr p) { return (long)(p >> FATHOM_SEG_BITS) - (long)FATHOM_FIRST; }
FATHOM_INLINE unsigned long fathom_offset_of(fathom_ptr p) { return p & (FATHOM_STEP - 1); }
FATHOM_INLINE fathom_ptr fathom_make(long thread, unsigned long offset) {
    return ((FATHOM_FIRST + (unsigned long)thread) << FATHOM_SEG_BITS) + offset;
}
/* Is it in a segment that this process reaches? */
FATHOM_INLINE int fathom_is_shared(const volatile void *p) {
    return (unsigned long)p - FATHOM_BASE < fathom_near_bytes;
}
/* Thread 0's copy of the static shared object whose symbol is at `sym`. GCC keeps track of pointers, not of integers: so it
 * knows that the elements of two arrays do not overlap. For clang that arithmetic would be an error in the program. */
FATHOM_INLINE fathom_ptr fathom_static(const void *sym) {
#ifdef __clang__
    return (unsigned long)sym + fathom_static_delta;
#else
    return (fathom_ptr)((const char *)sym + (long)fathom_static_delta);
#endif
}

/* The byte at the same offset, `threads` threads on. */
FATHOM_INLINE fathom_ptr fathom_threads_on(fathom_ptr p, long threads) {
    return p + ((unsigned long)threads << FATHOM_SEG_BITS);
}

/* ---- indefinite block size: everything on one thread ------------------------------------------------------------- */

FATHOM_INLINE fathom_ptr fathom_flat_add(fathom_ptr p, long i, unsigned long size) {
    return p + (unsigned long)i * size;
}
FATHOM_INLINE long fathom_flat_diff(fathom_ptr a, fathom_ptr b, unsigned long size) {
    return (long)(a - b) / (long)size;
}

/* ---- block size 1 ------------------------------------------------------------------------------------------------ */

/* Keeps a conditional assignment a branch: predicted, it takes the comparison out of the chain from one increment of a
 * pointer to the next, which a conditional move would leave in. */
FATHOM_INLINE fathom_ptr fathom_branch(fathom_ptr p) {
    __asm__("" : "+r"(p));
    return p;
}

FATHOM_INLINE fathom_ptr fathom_cyclic_add(fathom_ptr p, long i, unsigned long size) {
    if (__builtin_constant_p(i) && i == 0) return p;
    if (__builtin_constant_p(i) && i == 1) {
        fathom_ptr q = p + FATHOM_STEP;
        if (p >= ((FATHOM_FIRST + (unsigned long)FATHOM_T - 1) << FATHOM_SEG_BITS))
            q = fathom_branch(p + size - (((unsigned long)FATHOM_T - 1) << FATHOM_SEG_BITS));
        return q;
    }
    if (__builtin_constant_p(i) && i == -1) {
        fathom_ptr q = p - FATHOM_STEP;
        if (p < FATHOM_BASE + FATHOM_STEP)
            q = fathom_branch(p - size + (((unsigned long)FATHOM_T - 1) << FATHOM_SEG_BITS));
        return q;
    }
    long n = fathom_thread_of(p) + i;
    long q = fathom_div_threads(n);
    return p + ((unsigned long)(i - q * FATHOM_T) << FATHOM_SEG_BITS) + (unsigned long)q * size;
}
FATHOM_INLINE long fathom_cyclic_diff(fathom_ptr a, fathom_ptr b, unsigned long size) {
    long bytes = (long)(fathom_offset_of(a) - fathom_offset_of(b));
    return bytes / (long)size * FATHOM_T + (fathom_thread_of(a) - fathom_thread_of(b));
}
/* Element i of an array that starts on thread 0. */
FATHOM_INLINE fathom_ptr fathom_cyclic_elem(fathom_ptr start, long i, unsigned long size) {
    long q = fathom_div_threads(i);
    return start + ((unsigned long)(i - q * FATHOM_T) << FATHOM_SEG_BITS) + (unsigned long)q * size;
}

/* The same, where the type of the subscript has at most 32 bits. */
FATHOM_INLINE fathom_ptr fathom_cyclic_elem_narrow(fathom_ptr start, long i, unsigned long size) {
    long q = fathom_div_threads_narrow(i);
    return start + ((unsigned long)(i - q * FATHOM_T) << FATHOM_SEG_BITS) + (unsigned long)q * size;
}
/* Element i of an array with one element on each thread, or the place behind the last one, on thread 0 again. The
 * element itself, if it exists, is fathom_threads_on(start, i). */
FATHOM_INLINE fathom_ptr fathom_row_elem(fathom_ptr start, long i, unsigned long size) {
    return i == FATHOM_T ? start + size : fathom_threads_on(start, i);
}

/* ---- block size > 1 ---------------------------------------------------------------------------------------------- */

FATHOM_INLINE fathom_pptr fathom_block_add(fathom_pptr p, long i, unsigned long block, unsigned long size) {
    if (__builtin_constant_p(i) && i == 0) return p;
    /* A constant less than a block away is in this block or in the next one. */
    if (__builtin_constant_p(i) && i > 0 && (unsigned long)i < block) {
        p.phase += (unsigned long)i;
        p.addr += (unsigned long)i * size;
        if (__builtin_expect(p.phase >= block, 0)) {
            p.phase -= block;
            p.addr += FATHOM_STEP - block * size;
            if (p.addr >= ((FATHOM_FIRST + (unsigned long)FATHOM_T) << FATHOM_SEG_BITS))
                p.addr += block * size - ((unsigned long)FATHOM_T << FATHOM_SEG_BITS);
        }
        return p;
    }
    if (__builtin_constant_p(i) && i < 0 && (unsigned long)-i < block) {
        int first = p.addr < FATHOM_BASE + FATHOM_STEP;
        p.phase += (unsigned long)i;
        p.addr += (unsigned long)i * size;
        if (__builtin_expect((long)p.phase < 0, 0)) {
            p.phase += block;
            p.addr += first ? ((unsigned long)FATHOM_T - 1) << FATHOM_SEG_BITS : block * size - FATHOM_STEP;
        }
        return p;
    }
    long n = (long)p.phase + i;
    long b = fathom_floordiv(n, (long)block);
    long phase = n - b * (long)block;
    long q = fathom_div_threads(fathom_thread_of(p.addr) + b);
    fathom_pptr r;
    r.addr = p.addr + ((unsigned long)(b - q * FATHOM_T) << FATHOM_SEG_BITS) +
             (unsigned long)(phase - (long)p.phase) * size + (unsigned long)q * block * size;
    r.phase = (unsigned long)phase;
    return r;
}
FATHOM_INLINE long fathom_block_diff(fathom_pptr a, fathom_pptr b, unsigned long block, unsigned long size) {
    long elems = (long)(fathom_offset_of(a.addr) - fathom_offset_of(b.addr)) / (long)size;
    long blocks = (elems - ((long)a.phase - (long)b.phase)) / (long)block; /* whole blocks on one thread */
    return (blocks * FATHOM_T + (fathom_thread_of(a.addr) - fathom_thread_of(b.addr))) * (long)block +
           ((long)a.phase - (long)b.phase);
}
FATHOM_INLINE fathom_ptr fathom_block_elem(fathom_ptr start, long i, unsigned long block, unsigned long size) {
    long b = fathom_floordiv(i, (long)block);
    long phase = i - b * (long)block;
    long q = fathom_div_threads(b);
    return start + ((unsigned long)(b - q * FATHOM_T) << FATHOM_SEG_BITS) +
           ((unsigned long)q * block + (unsigned long)phase) * size;
}

/* The pointer to element i of an array that starts on thread 0. */
FATHOM_INLINE fathom_pptr fathom_block_at(fathom_ptr start, long i, unsigned long block, unsigned long size) {
    fathom_pptr r;
    r.addr = fathom_block_elem(start, i, block, size);
    r.phase = (unsigned long)(i - fathom_floordiv(i, (long)block) * (long)block);
    return r;
}

/* ---- conversions ------------------------------------------------------------------------------------------------- */

FATHOM_INLINE fathom_pptr fathom_pptr_of(fathom_ptr p, unsigned long phase) {
    fathom_pptr r = {p, phase};
    return r;
}
/* The pointer without its phase. */
FATHOM_INLINE fathom_ptr fathom_word_of(fathom_pptr p) { return p.addr; }
/* A pointer to shared void, by bytes. */
FATHOM_INLINE fathom_pptr fathom_void_add(fathom_pptr p, long bytes) {
    return fathom_pptr_of(p.addr + (unsigned long)bytes, 0);
}

/* ---- one word at once -------------------------------------------------------------------------------------------- */

/* A scalar of 1, 2, 4 or 8 bytes, loaded or stored atomically and sequentially consistent whatever its type. */
typedef unsigned char fathom_scalar1 __attribute__((may_alias));
typedef unsigned short fathom_scalar2 __attribute__((may_alias));
typedef unsigned int fathom_scalar4 __attribute__((may_alias));
typedef unsigned long fathom_scalar8 __attribute__((may_alias));
FATHOM_INLINE void fathom_load_scalar(void *value, const void *at, unsigned long n) {
    switch (n) {
    case 1: *(fathom_scalar1 *)value = __atomic_load_n((const fathom_scalar1 *)at, __ATOMIC_SEQ_CST); break;
    case 2: *(fathom_scalar2 *)value = __atomic_load_n((const fathom_scalar2 *)at, __ATOMIC_SEQ_CST); break;
    case 4: *(fathom_scalar4 *)value = __atomic_load_n((const fathom_scalar4 *)at, __ATOMIC_SEQ_CST); break;
    default: *(fathom_scalar8 *)value = __atomic_load_n((const fathom_scalar8 *)at, __ATOMIC_SEQ_CST);
    }
}
FATHOM_INLINE void fathom_store_scalar(void *at, const void *value, unsigned long n) {
    switch (n) {
    case 1: __atomic_store_n((fathom_scalar1 *)at, *(const fathom_scalar1 *)value, __ATOMIC_SEQ_CST); break;
    case 2: __atomic_store_n((fathom_scalar2 *)at, *(const fathom_scalar2 *)value, __ATOMIC_SEQ_CST); break;
    case 4: __atomic_store_n((fathom_scalar4 *)at, *(const fathom_scalar4 *)value, __ATOMIC_SEQ_CST); break;
    default: __atomic_store_n((fathom_scalar8 *)at, *(const fathom_scalar8 *)value, __ATOMIC_SEQ_CST);
    }
}

/* ---- two words at once ------------------------------------------------------------------------------------------- */

/* A full fence after an atomic access: x86 has it in the access itself, where a sequentially consistent store is an
 * exchange. Other processors order such an access with other atomic ones only, and plain accesses may still pass it. */
FATHOM_INLINE void fathom_fence_after_atomic(void) {
#ifdef __x86_64__
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* Writes `now` at a place that is aligned to 16 bytes if the two words there are *old; else puts them into *old. Says
 * whether it wrote. A full fence. */
#ifdef __x86_64__
#define FATHOM_SWAPS_PAIRS 1
FATHOM_INLINE int fathom_swap_pair(void *at, fathom_pptr *old, fathom_pptr now) {
    unsigned char done;
    __asm__ volatile("lock cmpxchg16b %0\n\tsete %3"
                     : "+m"(*(fathom_pptr *)at), "+a"(old->addr), "+d"(old->phase), "=q"(done)
                     : "b"(now.addr), "c"(now.phase)
                     : "memory", "cc");
    return done;
}
#elif defined(__aarch64__)
#define FATHOM_SWAPS_PAIRS 1
/* What ldaxp reads is both words of one moment only if the stlxp after it succeeds (Arm ARM, B2.2.1): so what was found is
 * written back where it is not *old. */
FATHOM_INLINE int fathom_swap_pair(void *at, fathom_pptr *old, fathom_pptr now) {
    unsigned long addr, phase, store_addr, store_phase;
    unsigned int failed;
    int same;
    __asm__ volatile("1: ldaxp %0, %1, %6\n\t"
                     "cmp %0, %7\n\t"
                     "ccmp %1, %8, #0, eq\n\t"
                     "csel %2, %9, %0, eq\n\t"
                     "csel %3, %10, %1, eq\n\t"
                     "cset %w5, eq\n\t"
                     "stlxp %w4, %2, %3, %6\n\t"
                     "cbnz %w4, 1b\n\t"
                     "dmb ish"
                     : "=&r"(addr), "=&r"(phase), "=&r"(store_addr), "=&r"(store_phase), "=&r"(failed), "=&r"(same),
                       "+Q"(*(fathom_pptr *)at)
                     : "r"(old->addr), "r"(old->phase), "r"(now.addr), "r"(now.phase)
                     : "memory", "cc");
    old->addr = addr;
    old->phase = phase;
    return same;
}
#endif

#ifdef FATHOM_SWAPS_PAIRS
/* Reads both words, a full fence. Compares with null and, where equal, writes null: the place must be writable. */
FATHOM_INLINE fathom_pptr fathom_load_pair(void *at) {
    fathom_pptr v = {0, 0};
    fathom_swap_pair(at, &v, v);
    return v;
}
/* Writes both words, a full fence. */
FATHOM_INLINE void fathom_store_pair(void *at, fathom_pptr v) {
    fathom_pptr old = {((volatile fathom_pptr *)at)->addr, ((volatile fathom_pptr *)at)->phase};
    while (!fathom_swap_pair(at, &old, v)) {}
}
#else /* no instruction moves two words */
FATHOM_INLINE fathom_pptr fathom_load_pair(void *at) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    fathom_pptr v = *(volatile fathom_pptr *)at;
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
    return v;
}
FATHOM_INLINE void fathom_store_pair(void *at, fathom_pptr v) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    *(volatile fathom_pptr *)at = v;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
#endif

#include "copy.h"
#include FATHOM_CONDUIT_HEADER /* "…/conduit/<name>/fathom_conduit.h" */
#include "calls.h"
#include "unit.h"
#include "forall.h"
#ifdef FATHOM_CONDUIT_DISTRIBUTED
#include "computes.h"
#include "strip.h"
#include "kept.h"
#include "update.h"
#include "ahead.h"
#include "batch.h"
#include "fetch.h"
#include "together.h"
#endif
#include "inline.h"
#ifdef __SPLIT_C__
#include "split_c.h"
#endif

#endif
