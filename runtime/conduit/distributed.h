/* The inline part of every conduit that does not map all segments into all processes: a word is near, and an addition
 * makes it an address for loads and stores, or it is far, and a call of gas moves the data (gas/far.c). Included by the
 * prelude; includes nothing.
 *
 * A node's segments lie one after the other from FATHOM_BASE on, whatever the numbers of its threads: so the number of
 * threads of a job is not limited by the address space of a process.
 *
 * Relaxed accesses (UPC 1.3, 6.5.1.1) need only be seen by the thread itself in its own order: a far write may still be
 * under way when the function returns, and later far accesses of the same thread to the same place see it; the fences
 * wait for it.
 */
#ifndef FATHOM_CONDUIT_DISTRIBUTED_H
#define FATHOM_CONDUIT_DISTRIBUTED_H

#define FATHOM_CONDUIT_DISTRIBUTED 1

/* Address minus word of what is near: FATHOM_BASE - fathom_near_base. Constant after start. */
extern const unsigned long fathom_near_bias;

/* gas/far.c */
void fathom_far_get(void *dst, fathom_ptr src, unsigned long n);
void fathom_far_read(void *dst, fathom_ptr src,
                     unsigned long n); /* relaxed: from a line, if they are on (gas/lines.h) */
void fathom_far_put(fathom_ptr dst, const void *src,
                    unsigned long n); /* relaxed: src may change, data may be under way */
void fathom_far_memput_gathered(fathom_ptr dst, const void *src, unsigned long n);
void fathom_far_memput(fathom_ptr dst, const void *src, unsigned long n); /* complete when it returns */
void fathom_far_memcpy(fathom_ptr dst, fathom_ptr src, unsigned long n);
void fathom_far_memset(fathom_ptr dst, int c, unsigned long n);
void *fathom_far_cast(fathom_ptr p);
void fathom_far_settle(void); /* completes the far writes of this thread */
void fathom_far_fence(void);  /* and serves messages, once */
void fathom_far_strict(void); /* the same, and a strict access follows */
void fathom_far_strict_put(fathom_ptr dst, const void *src, unsigned long n); /* a strict write */

FATHOM_INLINE int fathom_is_near(fathom_ptr p) { return p - fathom_near_base < fathom_near_bytes; }

/* The address of a byte that is known to be near, and its word. Not for null. */
FATHOM_INLINE void *fathom_local(fathom_ptr p) { return (void *)(p + fathom_near_bias); }
FATHOM_INLINE fathom_ptr fathom_word(const volatile void *p) { return (fathom_ptr)p - fathom_near_bias; }
/* What a program's cast to a pointer-to-local makes of any pointer-to-shared: of null a null pointer, of a far one an
 * address that no access survives. */
FATHOM_INLINE void *fathom_cast(fathom_ptr p) {
    return __builtin_expect(fathom_is_near(p), 1) ? fathom_local(p) : fathom_far_cast(p);
}
/* For generated code: as if the word were an address, so that C finds members and elements of the object there. What it
 * finds is made a word again, and never accessed. */
FATHOM_INLINE void *fathom_place(fathom_ptr p) { return (void *)p; }
FATHOM_INLINE fathom_ptr fathom_place_word(const volatile void *p) { return (fathom_ptr)p; }
/* If `near`, the address, else as fathom_place; and the word of what C has found there. */
FATHOM_INLINE void *fathom_place_if(int near, fathom_ptr p) { return near ? fathom_local(p) : fathom_place(p); }
FATHOM_INLINE fathom_ptr fathom_word_if(int near, const volatile void *p) {
    return near ? fathom_word(p) : (fathom_ptr)p;
}

FATHOM_INLINE void fathom_fence(void) {
    fathom_look();
    fathom_far_fence();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
/* What this thread has written so far is at its place. */
FATHOM_INLINE void fathom_settle(void) {
    fathom_far_settle();
    __atomic_thread_fence(__ATOMIC_RELEASE);
}
FATHOM_INLINE void fathom_strict_begin(int near) {
    if (near)
        fathom_far_fence();
    else
        fathom_far_strict();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
FATHOM_INLINE void fathom_strict_end(void) { __atomic_thread_fence(__ATOMIC_ACQ_REL); }

FATHOM_INLINE void fathom_memget(void *dst, fathom_ptr src, unsigned long n) {
    if (fathom_is_near(src))
        fathom_copy_near(dst, fathom_local(src), n);
    else
        fathom_far_get(dst, src, n);
}
FATHOM_INLINE void fathom_memput_relaxed(fathom_ptr dst, const void *src, unsigned long n) {
    if (fathom_is_near(dst))
        fathom_copy_near(fathom_local(dst), src, n);
    else
        fathom_far_put(dst, src, n);
}
FATHOM_INLINE void fathom_memput(fathom_ptr dst, const void *src, unsigned long n) {
    if (fathom_is_near(dst))
        fathom_copy_near(fathom_local(dst), src, n);
    else
        fathom_far_memput(dst, src, n);
}
/* As upc_memput: it need not be there before the next fence. */
FATHOM_INLINE void fathom_memput_gathered(fathom_ptr dst, const void *src, unsigned long n) {
    if (fathom_is_near(dst))
        fathom_copy_near(fathom_local(dst), src, n);
    else
        fathom_far_memput_gathered(dst, src, n);
}
FATHOM_INLINE void fathom_memcpy(fathom_ptr dst, fathom_ptr src, unsigned long n) {
    if (fathom_is_near(dst) && fathom_is_near(src))
        fathom_copy_near(fathom_local(dst), fathom_local(src), n);
    else
        fathom_far_memcpy(dst, src, n);
}
FATHOM_INLINE void fathom_memset(fathom_ptr dst, int c, unsigned long n) {
    if (fathom_is_near(dst))
        __builtin_memset(fathom_local(dst), c, n);
    else
        fathom_far_memset(dst, c, n);
}

/* For generated code: where the n bytes at p can be read; `copy` has room for them. */
FATHOM_INLINE void *fathom_read(fathom_ptr p, void *copy, unsigned long n) {
    if (__builtin_expect(fathom_is_near(p), 1)) return fathom_local(p);
    fathom_far_read(copy, p, n);
    return copy;
}
/* Where bytes skip to skip + n - 1 of the object at p can be read and written; `copy` has room for the object. `near` says
 * whether p is near. What has been written is brought back by fathom_close, with the pointer that this returned. */
FATHOM_INLINE void *fathom_open(int near, fathom_ptr p, void *copy, unsigned long skip, unsigned long n) {
    if (__builtin_expect(near, 1)) return fathom_local(p);
    fathom_far_read((char *)copy + skip, p + skip, n);
    return copy;
}
/* The same for objects that the program calls volatile, and for strict accesses: nothing that was fetched before is used. */
FATHOM_INLINE void *fathom_volatile_read(fathom_ptr p, void *copy, unsigned long n) {
    if (__builtin_expect(fathom_is_near(p), 1)) return fathom_local(p);
    fathom_far_get(copy, p, n);
    return copy;
}
FATHOM_INLINE void *fathom_volatile_open(int near, fathom_ptr p, void *copy, unsigned long skip, unsigned long n) {
    if (__builtin_expect(near, 1)) return fathom_local(p);
    fathom_far_get((char *)copy + skip, p + skip, n);
    return copy;
}
FATHOM_INLINE void fathom_close(int near, fathom_ptr p, const void *copy, unsigned long skip, unsigned long n) {
    if (__builtin_expect(!near, 0)) fathom_far_put(p + skip, (const char *)copy + skip, n);
}
/* Writes, relaxed. What is small is copied for the call only, so that a near value can stay in a register. */
FATHOM_INLINE void fathom_write(int near, fathom_ptr p, const void *src, unsigned long n) {
    if (__builtin_expect(near, 1)) {
        fathom_copy_near(fathom_local(p), src, n);
    } else if (n <= sizeof(fathom_pptr)) {
        fathom_pptr copy;
        __builtin_memcpy(&copy, src, n <= sizeof copy ? n : 0); /* compilers that do not optimise warn of larger ones */
        fathom_far_put(p, &copy, n);
    } else {
        fathom_far_put(p, src, n);
    }
}

/* Strict accesses, for generated code. `near` says whether p is near. A near scalar of a machine word is one atomic access. */
FATHOM_INLINE void fathom_strict_read(int near, fathom_ptr p, void *value, unsigned long n) {
    fathom_look();
    fathom_strict_begin(near);
    if (__builtin_expect(near, 1)) {
        fathom_load_scalar(value, fathom_local(p), n);
    } else {
        fathom_far_get(value, p, n);
        fathom_strict_end();
    }
}
FATHOM_INLINE void fathom_strict_write(int near, fathom_ptr p, const void *value, unsigned long n) {
    if (__builtin_expect(near, 1)) {
        fathom_far_fence();
        fathom_store_scalar(fathom_local(p), value, n);
        fathom_fence_after_atomic();
    } else {
        fathom_far_strict_put(p, value, n);
    }
}
FATHOM_INLINE void fathom_strict_read_object(int near, fathom_ptr p, void *value, unsigned long n) {
    fathom_look();
    fathom_strict_begin(near);
    if (__builtin_expect(near, 1))
        __builtin_memcpy(value, fathom_local(p), n);
    else
        fathom_far_get(value, p, n);
    fathom_strict_end();
}
FATHOM_INLINE void fathom_strict_write_object(int near, fathom_ptr p, const void *value, unsigned long n) {
    fathom_strict_begin(near);
    fathom_write(near, p, value, n);
    fathom_fence();
}
FATHOM_INLINE void *fathom_strict_open(int near, fathom_ptr p, void *copy, unsigned long skip, unsigned long n) {
    fathom_strict_begin(near);
    return fathom_volatile_open(near, p, copy, skip, n);
}
FATHOM_INLINE void fathom_strict_close(int near, fathom_ptr p, const void *copy, unsigned long skip, unsigned long n) {
    fathom_close(near, p, copy, skip, n);
    fathom_fence();
}

/* Strict accesses to a pointer of two words, anywhere. */
FATHOM_INLINE fathom_pptr fathom_strict_load2(fathom_ptr at) {
    int near = fathom_is_near(at);
    fathom_look();
    fathom_strict_begin(near);
    if (near) return fathom_load_pair(fathom_local(at));
    fathom_pptr v;
    fathom_far_get(&v, at, sizeof v); /* gas moves 16 aligned bytes at once */
    return v;
}
FATHOM_INLINE fathom_pptr fathom_strict_store2(fathom_ptr at, fathom_pptr v) {
    int near = fathom_is_near(at);
    fathom_strict_begin(near);
    if (near) {
        fathom_store_pair(fathom_local(at), v);
    } else {
        fathom_far_put(at, &v, sizeof v);
        fathom_far_fence();
    }
    return v;
}

#endif
