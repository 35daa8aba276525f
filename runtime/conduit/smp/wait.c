/* Sleeping on a word that processes share (futex), and how many processors there are. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/smp/smp.h"

void conduit_sleep(const uint32_t *word, uint32_t old, uint32_t mask, int ms) {
    /* FUTEX_WAIT_BITSET takes a point in time, FUTEX_WAIT a duration. */
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET, old, &until, NULL, mask);
}

void conduit_wake(const uint32_t *word, int count, uint32_t mask) {
    syscall(SYS_futex, word, FUTEX_WAKE_BITSET, count, NULL, NULL, mask);
}

void conduit_rest(int us) {
    struct timespec nap = {0, us * 1000L};
    nanosleep(&nap, NULL);
}

void smp_relax(unsigned round) {
    if (round < 64)
        conduit_pause();
    else
        sched_yield();
}

int conduit_cores(void) {
    static int cores; /* asked once: the answer is wanted in waiting loops */
    if (!cores) {
        cpu_set_t set;
        if (sched_getaffinity(0, sizeof set, &set) == 0) {
            cores = CPU_COUNT(&set);
        } else { /* more processors than a cpu_set_t holds */
            long n = sysconf(_SC_NPROCESSORS_ONLN);
            cores = n > 0 ? (int)n : 1;
        }
    }
    return cores;
}
