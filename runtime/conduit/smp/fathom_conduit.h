/* Conduit smp, inline part: every segment is mapped by every process at the address that is the pointer's word, so a
 * shared access is a load or a store. Included by the prelude; includes nothing. */
#ifndef FATHOM_CONDUIT_SMP_H
#define FATHOM_CONDUIT_SMP_H

#define FATHOM_CONDUIT_SMP 1

/* The words of distributed.h, where a word is an address. */
FATHOM_INLINE void *fathom_local(fathom_ptr p) { return (void *)p; }
FATHOM_INLINE fathom_ptr fathom_word(const volatile void *p) { return (fathom_ptr)p; }
FATHOM_INLINE void *fathom_cast(fathom_ptr p) { return (void *)p; }
FATHOM_INLINE void *fathom_place(fathom_ptr p) { return (void *)p; }
FATHOM_INLINE fathom_ptr fathom_place_word(const volatile void *p) { return (fathom_ptr)p; }
FATHOM_INLINE int fathom_is_near(fathom_ptr p) { return (void)p, 1; } /* every thread is */

/* A null strict access (6.6.1 p5): everything before is seen by all threads before anything after. */
FATHOM_INLINE void fathom_fence(void) {
    fathom_look();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* What this thread has written so far comes before whatever it tells others next. */
FATHOM_INLINE void fathom_settle(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }

/* What a strict access needs before it, and after a read: nothing later may pass it, nor it anything earlier. The fence
 * lets the relaxed writes before a strict read drain; x86 keeps every other pair in order by itself. */
FATHOM_INLINE void fathom_strict_begin(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
FATHOM_INLINE void fathom_strict_end(void) { __atomic_thread_fence(__ATOMIC_ACQ_REL); }

/* Strict accesses, for generated code; distributed.h has the same functions. `near` is 1. A scalar of a machine word is one
 * atomic access, which is its own fence. */
FATHOM_INLINE void fathom_strict_read(int near, fathom_ptr p, void *value, unsigned long n) {
    (void)near;
    fathom_look();
    fathom_strict_begin();
    fathom_load_scalar(value, fathom_local(p), n);
}
FATHOM_INLINE void fathom_strict_write(int near, fathom_ptr p, const void *value, unsigned long n) {
    (void)near;
    fathom_store_scalar(fathom_local(p), value, n);
    fathom_fence_after_atomic();
}
FATHOM_INLINE void fathom_strict_read_object(int near, fathom_ptr p, void *value, unsigned long n) {
    (void)near;
    fathom_look();
    fathom_strict_begin();
    __builtin_memcpy(value, fathom_local(p), n);
    fathom_strict_end();
}
FATHOM_INLINE void fathom_strict_write_object(int near, fathom_ptr p, const void *value, unsigned long n) {
    (void)near;
    fathom_strict_begin();
    __builtin_memcpy(fathom_local(p), value, n);
    fathom_fence();
}
/* Where the object can be read and written until fathom_strict_close. */
FATHOM_INLINE void *fathom_strict_open(int near, fathom_ptr p, void *copy, unsigned long skip, unsigned long n) {
    (void)near, (void)copy, (void)skip, (void)n;
    fathom_strict_begin();
    return fathom_local(p);
}
FATHOM_INLINE void fathom_strict_close(int near, fathom_ptr p, const void *copy, unsigned long skip, unsigned long n) {
    (void)near, (void)p, (void)copy, (void)skip, (void)n;
    fathom_fence();
}

/* Strict accesses to a pointer of two words. */
FATHOM_INLINE fathom_pptr fathom_strict_load2(fathom_ptr p) {
    fathom_look();
    return fathom_load_pair((void *)p);
}
FATHOM_INLINE fathom_pptr fathom_strict_store2(fathom_ptr p, fathom_pptr v) {
    fathom_store_pair((void *)p, v);
    return v;
}

FATHOM_INLINE void fathom_memcpy(fathom_ptr dst, fathom_ptr src, unsigned long n) {
    fathom_copy_near((void *)dst, (const void *)src, n);
}
FATHOM_INLINE void fathom_memget(void *dst, fathom_ptr src, unsigned long n) {
    fathom_copy_near(dst, (const void *)src, n);
}
FATHOM_INLINE void fathom_memput(fathom_ptr dst, const void *src, unsigned long n) {
    fathom_copy_near((void *)dst, src, n);
}
FATHOM_INLINE void fathom_memput_relaxed(fathom_ptr dst, const void *src, unsigned long n) {
    fathom_memput(dst, src, n);
}
FATHOM_INLINE void fathom_memput_gathered(fathom_ptr dst, const void *src, unsigned long n) {
    fathom_memput(dst, src, n);
}
FATHOM_INLINE void fathom_memset(fathom_ptr dst, int c, unsigned long n) {
    if (n) __builtin_memset((void *)dst, c, n);
}

#endif
