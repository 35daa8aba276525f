/* Split-C, inline part (docs/split-c.md). A global or spread pointer is one word, as a pointer-to-shared without phase:
 * a processor and an offset in its segment. Any object of a processor can be pointed to, because the program's data and
 * bss, its stack and its heap lie in the segment (split_c_start.c). Static data are also, and for the program itself,
 * where the linker has put them: the same pages twice.
 *
 * Reads and writes wait for their data; among themselves they are sequentially consistent. Gets, puts and stores need not
 * be complete before `sync`.
 */
#ifndef FATHOM_SPLIT_C_H
#define FATHOM_SPLIT_C_H

/* Constant after start: the static data as the program has them, their length and their offset in the segment; the
 * address of the own segment; the offset of two counters, of the bytes that stores have brought. */
extern const unsigned long fathom_split_data, fathom_split_data_bytes, fathom_split_data_offset, fathom_split_here;
extern const unsigned long fathom_split_stored;
/* The number of all_store_sync so far: its parity chooses the counter. */
extern unsigned long fathom_split_epoch;

/* split_c.c */
fathom_ptr fathom_split_outside(const volatile void *p);
void fathom_split_far_get(void *dst, fathom_ptr src, unsigned long n);
void fathom_split_far_put(fathom_ptr dst, const void *src, unsigned long n);
void fathom_split_far_store(fathom_ptr dst, const void *src, unsigned long n);
/* A spread array of a block: its memory on all processors that meet the declaration, without any communication; until
 * its scope ends. */
fathom_ptr fathom_split_enter(long blocks, unsigned long bytes);
void fathom_split_leave(const fathom_ptr *array);
int fathom_split_main(int (*program)(int, char **), int argc, char **argv);

/* A pointer that all processors can use, to an object of this one (or to near memory). */
FATHOM_INLINE fathom_ptr fathom_split_global(const volatile void *p) {
    unsigned long at = (unsigned long)p - fathom_split_data;
    if (at < fathom_split_data_bytes) return fathom_make(fathom_mythread, fathom_split_data_offset + at);
    if (__builtin_expect(fathom_is_shared(p), 1)) return fathom_word(p);
    return fathom_split_outside(p);
}
/* The local part of a global pointer: where the object at this offset is on the own processor. */
FATHOM_INLINE void *fathom_split_local(fathom_ptr p) {
    unsigned long offset = fathom_offset_of(p), at = offset - fathom_split_data_offset;
    if (p == 0) return (void *)0;
    if (at < fathom_split_data_bytes) return (void *)(fathom_split_data + at);
    return (void *)(fathom_split_here + offset);
}
/* The same local part, on another processor. */
FATHOM_INLINE fathom_ptr fathom_split_on(long processor, fathom_ptr p) {
    return p == 0 ? 0 : fathom_make(processor, fathom_offset_of(p));
}

/* Where an object may be far, and is, `call` is all of the function. */
#ifdef FATHOM_CONDUIT_DISTRIBUTED
#define FATHOM_SPLIT_IF_FAR(near, call)                                                                                \
    if (!(near)) {                                                                                                     \
        call;                                                                                                          \
        return;                                                                                                        \
    }
#else
#define FATHOM_SPLIT_IF_FAR(near, call) (void)(near)
#endif

/* ---- reads and writes -------------------------------------------------------------------------------------------- */

FATHOM_INLINE void fathom_blocking_read(int near, fathom_ptr p, void *value, unsigned long n) {
    FATHOM_SPLIT_IF_FAR(near, fathom_far_get(value, p, n));
    fathom_load_scalar(value, fathom_local(p), n);
}
FATHOM_INLINE void fathom_blocking_write(int near, fathom_ptr p, const void *value, unsigned long n) {
    FATHOM_SPLIT_IF_FAR(near, fathom_far_memput(p, value, n));
    fathom_store_scalar(fathom_local(p), value, n);
}
FATHOM_INLINE void fathom_blocking_read_object(int near, fathom_ptr p, void *value, unsigned long n) {
    FATHOM_SPLIT_IF_FAR(near, fathom_far_get(value, p, n));
    __builtin_memcpy(value, fathom_local(p), n);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}
FATHOM_INLINE void fathom_blocking_write_object(int near, fathom_ptr p, const void *value, unsigned long n) {
    FATHOM_SPLIT_IF_FAR(near, fathom_far_memput(p, value, n));
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __builtin_memcpy(fathom_local(p), value, n);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* ---- gets, puts, stores ------------------------------------------------------------------------------------------ */

FATHOM_INLINE void fathom_split_get(void *dst, fathom_ptr src, unsigned long n) {
    FATHOM_SPLIT_IF_FAR(fathom_is_near(src), fathom_split_far_get(dst, src, n));
    __builtin_memcpy(dst, fathom_local(src), n);
}
FATHOM_INLINE void fathom_split_put(fathom_ptr dst, const void *src, unsigned long n) {
    FATHOM_SPLIT_IF_FAR(fathom_is_near(dst), fathom_split_far_put(dst, src, n));
    __builtin_memcpy(fathom_local(dst), src, n);
}
/* The word of the counter of a processor to which this one stores. */
FATHOM_INLINE fathom_ptr fathom_split_counter(long processor) {
    return fathom_make(processor, fathom_split_stored + (fathom_split_epoch & 1) * 64);
}
FATHOM_INLINE void fathom_split_store(fathom_ptr dst, const void *src, unsigned long n) {
    FATHOM_SPLIT_IF_FAR(fathom_is_near(dst), fathom_split_far_store(dst, src, n));
    __builtin_memcpy(fathom_local(dst), src, n);
    unsigned long *counter = (unsigned long *)fathom_local(fathom_split_counter(fathom_thread_of(dst)));
    __atomic_fetch_add(counter, n, __ATOMIC_RELEASE);
}

#endif
