/* Waiting. MPI cannot be slept on: whoever rests looks up soon. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/mpi/ranks.h"

#define LONGEST_NAP_US 250

void conduit_rest(int us) {
    if (us > LONGEST_NAP_US) us = LONGEST_NAP_US;
    struct timespec nap = {0, us * 1000L};
    nanosleep(&nap, NULL);
}

void conduit_sleep(const uint32_t *word, uint32_t old, uint32_t mask, int ms) {
    /* FUTEX_WAIT_BITSET takes a point in time, FUTEX_WAIT a duration. */
    struct timespec until;
    long ns = ms > 0 ? LONGEST_NAP_US * 1000L : 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += ns;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET, old, &until, NULL, mask);
}

void conduit_wake(const uint32_t *word, int count, uint32_t mask) {
    syscall(SYS_futex, word, FUTEX_WAKE_BITSET, count, NULL, NULL, mask);
}

/* Who rests looks up soon. */
void conduit_ring(int thread) { (void)thread; }
