/* Waiting for a mutex: spins for a moment, then sleeps. After Drepper, "Futexes Are Tricky", the second mutex. */
#define _GNU_SOURCE
#include "core/mutex.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/core.h"

/* The sections are short: shorter than falling asleep, unless the holder has lost its processor. */
static bool spin(struct mutex *m) {
    for (unsigned left = core_spins() / 20; left; left--) {
        if (!__atomic_load_n(&m->word, __ATOMIC_RELAXED) && mutex_try(m)) return true;
        conduit_pause();
    }
    return false;
}

bool mutex_wait(struct mutex *m, int ms) {
    if (spin(m)) return true;
    int before = errno;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    bool late = false, taken;
    while (!(taken = __atomic_exchange_n(&m->word, 2, __ATOMIC_ACQUIRE) == 0) && !late)
        late = syscall(SYS_futex, &m->word, FUTEX_WAIT_BITSET, 2, ms < 0 ? NULL : &until, NULL,
                       FUTEX_BITSET_MATCH_ANY) != 0 &&
               errno == ETIMEDOUT;
    errno = before;
    return taken;
}

void mutex_wake(struct mutex *m) {
    int before = errno;
    syscall(SYS_futex, &m->word, FUTEX_WAKE, 1, NULL, NULL, 0);
    errno = before;
}
