/* A small lock for the runtime's own short sections, in memory that threads share; not fair. 0 is free. */
#ifndef GAS_MUTEX_H
#define GAS_MUTEX_H

#include "core/core.h"
#include "lang/prelude.h"

struct mutex {
    uint32_t word; /* 0 free, 1 taken, 2 taken and somebody may sleep */
};

void gas_mutex_wait(struct mutex *m);

static inline void mutex_lock(struct mutex *m) {
    uint32_t c = 0;
    if (__builtin_expect(
            !__atomic_compare_exchange_n(&m->word, &c, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED), 0))
        gas_mutex_wait(m);
}

static inline void mutex_unlock(struct mutex *m) {
    if (__atomic_exchange_n(&m->word, 0, __ATOMIC_RELEASE) == 2) conduit_wake(&m->word, 1, ~0u);
}

#endif
