/* What C11's atomics do not give on every compiler: a compare-and-swap of 16 bytes that is no call into libatomic, a
 * fence behind an atomic operation that costs nothing where that operation is a fence already, and fences that
 * ThreadSanitizer understands. All other accesses are the builtins of gcc and clang with C11's orders.
 */
#ifndef MSG_ATOMICS_H
#define MSG_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define MSG_TSAN 1
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define MSG_TSAN 1
#endif

/* One slot's content. Its two words are written together, and may be read one after the other, `stamp` first. (It stands
 * first, too, because ThreadSanitizer knows an atomic operation by its address.) */
struct msg_slot {
    _Alignas(16) uint64_t stamp;
    uint64_t word;
};

#ifdef MSG_TSAN
void __tsan_acquire(void *at);
void __tsan_release(void *at);
#endif

/* Puts `new` into *at if *at is `old`. Acquire and release. (ThreadSanitizer's own operation of 16 bytes stores one half after the
 * other, and readers saw the new stamp with the old word. So it is told of the instruction.) */
static inline bool msg_swap_slot(struct msg_slot *at, struct msg_slot old, struct msg_slot new) {
#if defined __x86_64__
    bool done;
#ifdef MSG_TSAN
    __tsan_release(at);
#endif
    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(done), "+m"(*at), "+a"(old.stamp), "+d"(old.word)
                     : "b"(new.stamp), "c"(new.word)
                     : "memory");
#ifdef MSG_TSAN
    __tsan_acquire(at);
#endif
    return done;
#elif defined __aarch64__ && !defined MSG_TSAN
    uint64_t word, stamp;
    uint32_t failed;
    /* What was loaded is known to have been whole only if the store succeeds; so a pair that differs is believed without
     * (its words are written together, and either one that differs says that another message is there). */
    do {
        __asm__ volatile("ldaxp %0, %1, %2" : "=&r"(stamp), "=&r"(word) : "Q"(*at) : "memory");
        if (word != old.word || stamp != old.stamp) {
            __asm__ volatile("clrex" ::: "memory");
            return false;
        }
        __asm__ volatile("stlxp %w0, %2, %3, %1" : "=&r"(failed), "=Q"(*at) : "r"(new.stamp), "r"(new.word) : "memory");
    } while (failed);
    return true;
#else
    typedef unsigned __int128 pair;
    union {
        struct msg_slot slot;
        pair pair;
    } from = {old}, to = {new};
    return __atomic_compare_exchange_n((pair *)at, &from.pair, to.pair, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
#endif
}

/* What was written before is seen by whoever, behind a fence of its own, did not show this thread what it had written. */
static inline void msg_fence(void) {
#ifdef MSG_TSAN
    /* It knows no fences; an atomic operation of all on one word orders as much. */
    extern uint64_t msg_all_fences;
    __atomic_fetch_add(&msg_all_fences, 1, __ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* The same, directly behind an atomic read-modify-write. */
static inline void msg_fence_behind_swap(void) {
#if defined __x86_64__ && !defined MSG_TSAN
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#else
    msg_fence();
#endif
}

/* The line is about to be written here: one transfer brings it, where a read and then a write of it are two. */
static inline void msg_want_line(const void *at) {
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)at));
#else
    __builtin_prefetch(at, 1);
#endif
}

static inline void msg_pause(void) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("isb");
#endif
}

#endif
