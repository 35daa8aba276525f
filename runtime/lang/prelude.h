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
 * FATHOM_FIRST is chosen so that, on one node, the word is the very address at which every process maps that byte.
 * Null is 0. A pointer with phase is a word and the phase, counted in elements. (docs/decisions/0001)
 */
#ifndef FATHOM_PRELUDE_H
#define FATHOM_PRELUDE_H

#define FATHOM_SEG_BITS 37 /* 128 GiB of address space a thread */
#define FATHOM_FIRST 256ul /* thread 0 starts at 2^45: clear of executables, heaps and sanitizers' shadows */
#define FATHOM_BASE (FATHOM_FIRST << FATHOM_SEG_BITS)
#define FATHOM_STEP (1ul << FATHOM_SEG_BITS)
#define FATHOM_INLINE static __inline__ __attribute__((always_inline, unused))

typedef unsigned long fathom_ptr;
/* Aligned so that one instruction can move it: a strict access to it does not tear. */
typedef struct fathom_pptr {
    fathom_ptr addr;
    unsigned long phase;
} __attribute__((aligned(16))) fathom_pptr;

/* Written once by the runtime before main, constant ever after; saying so here lets loads of them leave loops. */
extern const int fathom_mythread;
extern const int fathom_threads;
/* floor(2^64 / threads) + 1: for 0 <= x < 2^32, the high word of x * magic is x / threads (0 if threads is 1). */
extern const unsigned long fathom_threads_magic;
/* Address of thread 0's copy of a static shared object minus the address of its symbol. */
extern const unsigned long fathom_static_delta;
/* Depth of upc_forall statements with affinity around the code now running. */
extern int fathom_forall_depth;

#ifdef FATHOM_STATIC_THREADS
#define FATHOM_T ((long)FATHOM_STATIC_THREADS)
#else
#define FATHOM_T ((long)fathom_threads)
#endif

FATHOM_INLINE long fathom_floordiv(long a, long b) {
    long q = a / b;
    return q - ((a % b) < 0);
}

/* floor(x / THREADS) */
FATHOM_INLINE long fathom_div_threads(long x) {
#ifdef FATHOM_STATIC_THREADS
    return fathom_floordiv(x, FATHOM_T);
#else
    if (__builtin_expect((unsigned long)x >> 32 == 0, 1)) {
        unsigned long m = fathom_threads_magic;
        return m ? (long)(unsigned long)(((unsigned __int128)(unsigned long)x * m) >> 64) : x;
    }
    return fathom_floordiv(x, FATHOM_T);
#endif
}

FATHOM_INLINE long fathom_thread_of(fathom_ptr p) { return (long)(p >> FATHOM_SEG_BITS) - (long)FATHOM_FIRST; }
FATHOM_INLINE unsigned long fathom_offset_of(fathom_ptr p) { return p & (FATHOM_STEP - 1); }
FATHOM_INLINE fathom_ptr fathom_make(long thread, unsigned long offset) {
    return ((FATHOM_FIRST + (unsigned long)thread) << FATHOM_SEG_BITS) + offset;
}
/* Thread 0's copy of the static shared object whose symbol is at `sym`. */
FATHOM_INLINE fathom_ptr fathom_static(const void *sym) { return (unsigned long)sym + fathom_static_delta; }

/* ---- block size 1 ---------------------------------------------------------------------------------------------- */

FATHOM_INLINE fathom_ptr fathom_cyclic_add(fathom_ptr p, long i, unsigned long size) {
    if (__builtin_constant_p(i) && i == 0) return p;
    if (__builtin_constant_p(i) && i == 1) {
        if (p >= ((FATHOM_FIRST + (unsigned long)FATHOM_T - 1) << FATHOM_SEG_BITS))
            return p + size - (((unsigned long)FATHOM_T - 1) << FATHOM_SEG_BITS);
        return p + FATHOM_STEP;
    }
    if (__builtin_constant_p(i) && i == -1) {
        if (p < FATHOM_BASE + FATHOM_STEP) return p - size + (((unsigned long)FATHOM_T - 1) << FATHOM_SEG_BITS);
        return p - FATHOM_STEP;
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

/* ---- block size > 1 -------------------------------------------------------------------------------------------- */

FATHOM_INLINE fathom_pptr fathom_block_add(fathom_pptr p, long i, unsigned long block, unsigned long size) {
    if (__builtin_constant_p(i) && i == 0) return p;
    if (__builtin_constant_p(i) && i == 1) {
        p.phase++;
        p.addr += size;
        if (__builtin_expect(p.phase == block, 0)) {
            p.phase = 0;
            p.addr += FATHOM_STEP - block * size;
            if (p.addr >= ((FATHOM_FIRST + (unsigned long)FATHOM_T) << FATHOM_SEG_BITS))
                p.addr += block * size - ((unsigned long)FATHOM_T << FATHOM_SEG_BITS);
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

/* ---- conversions ----------------------------------------------------------------------------------------------- */

FATHOM_INLINE fathom_pptr fathom_pptr_of(fathom_ptr p, unsigned long phase) {
    fathom_pptr r = {p, phase};
    return r;
}

#include FATHOM_CONDUIT_HEADER /* "…/conduit/<name>/fathom_conduit.h" */
#include "calls.h"
#include "unit.h"
#include "forall.h"
#include "inline.h"

#endif
