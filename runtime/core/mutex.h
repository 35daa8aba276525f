/* A small lock for the runtime's own short sections, in memory that threads share; not fair. Zeroed memory is free.
 *
 * A thread that waits for it serves no messages: the holder is in a section that sends none and waits for no thread,
 * and the waiter may itself be in a handler. So the waiter sleeps on the lock's own word, not on its bell, and the lock
 * works in a POSIX thread or a forked child of a thread, too. tests/protocols/mutex.pml is the model.
 */
#ifndef CORE_MUTEX_H
#define CORE_MUTEX_H

#include <stdbool.h>
#include <stdint.h>

struct mutex {
    uint32_t word; /* 0 free, 1 taken, 2 taken and a thread may sleep */
};

/* Waits at most `ms` milliseconds, by the clock; false: the mutex is not taken. mutex_lock waits for ever. */
bool mutex_wait(struct mutex *m, int ms);
void mutex_wake(struct mutex *m);

static inline bool mutex_try(struct mutex *m) {
    uint32_t free = 0;
    return __atomic_compare_exchange_n(&m->word, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void mutex_lock(struct mutex *m) {
    if (__builtin_expect(!mutex_try(m), 0)) mutex_wait(m, -1);
}

static inline bool mutex_lock_within(struct mutex *m, int ms) { return mutex_try(m) || mutex_wait(m, ms); }

static inline void mutex_unlock(struct mutex *m) {
    if (__atomic_exchange_n(&m->word, 0, __ATOMIC_RELEASE) == 2) mutex_wake(m);
}

#endif
