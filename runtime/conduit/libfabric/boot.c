/* What the processes of a job tell each other while there are no messages yet, or no more: a table in memory that the
 * threads of a computer have inherited. Two tables take turns: nobody writes into one before all have read it. Where
 * there are other computers, the supervisor sends the rows of its threads to the others, and writes theirs (computers.c).
 */
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "conduit/clock.h"
#include "conduit/launch/launch.h"
#include "conduit/libfabric/fabric.h"
#include "conduit/libfabric/hosts.h"

static struct boot {
    uint32_t arrived;  /* threads of this computer, in all rounds */
    uint32_t complete; /* rounds; a futex */
    uint32_t bytes;    /* of a row, in the round that is under way */
    char rows[];       /* two tables */
} * boot;
static uint32_t rounds; /* of a thread: begun; of a supervisor: sent to others */

static char *row(uint32_t round, int thread) {
    return boot->rows + (((size_t)(round & 1) * (size_t)cluster.threads) + (size_t)thread) * BOOT_MOST;
}

static uint32_t threads_here(void) { return (uint32_t)hosts.of[hosts.mine].threads; }

void boot_prepare(int threads) {
    size_t bytes = sizeof *boot + 2 * (size_t)threads * BOOT_MOST;
    boot = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (boot == MAP_FAILED) cluster_refuse("no memory for the start of %d threads\n", threads);
}

static void complete(uint32_t round) {
    __atomic_store_n(&boot->complete, round + 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &boot->complete, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* The last thread of the computer sees to it that the others' rows come. */
static void arrive(uint32_t round) {
    if (__atomic_add_fetch(&boot->arrived, 1, __ATOMIC_ACQ_REL) != (round + 1) * threads_here()) return;
    if (hosts.count > 1)
        launch_tell_supervisor();
    else
        complete(round);
}

/* A nap, which the end of the round ends, lasts a part of the time that has been waited: threads that looked every millisecond
 * would take the processors away from those that are awaited, of which there may be hundreds. Long ones end by themselves because a
 * thread may have ended without a word, and `idle` finds what wakes nobody. */
static void nap(uint32_t seen, long long since) {
    enum { FIRST = 1, LONG = 100, PART = 8 }; /* milliseconds */
    long long ms = (now_ms() - since) / PART;
    ms = ms < FIRST ? FIRST : ms > LONG ? LONG : ms;
    syscall(SYS_futex, &boot->complete, FUTEX_WAIT, seen, &(struct timespec){0, (long)ms * 1000000}, NULL, 0);
}

bool boot_gather(const void *mine, size_t bytes, void *all, int (*idle)(bool replies_only)) {
    enum { YIELDS = 8 };
    uint32_t round = rounds++;
    memcpy(row(round, cluster.me), mine, bytes);
    __atomic_store_n(&boot->bytes, (uint32_t)bytes, __ATOMIC_RELAXED); /* the same of all */
    arrive(round);
    long long since = now_ms();
    for (unsigned turn = 0;; turn++) {
        uint32_t seen = __atomic_load_n(&boot->complete, __ATOMIC_ACQUIRE);
        if ((int32_t)(rounds - seen) <= 0) break;
        if (launch_lost() >= 0) return false;
        if (idle && idle(false)) {
            turn = 0;
            since = now_ms();
        }
        if (turn < YIELDS)
            sched_yield();
        else
            nap(seen, since);
    }
    for (int t = 0; t < cluster.threads; t++) memcpy((char *)all + (size_t)t * bytes, row(round, t), bytes);
    return true;
}

bool boot_agree(bool mine) {
    bool *all = malloc((size_t)cluster.threads), agree = true;
    if (!all) cluster_refuse("no memory for the start of %d threads\n", cluster.threads);
    agree = boot_gather(&mine, sizeof mine, all, NULL);
    for (int t = 0; t < cluster.threads; t++) agree = agree && all[t];
    free(all);
    return agree;
}

/* ---- in the supervisor ------------------------------------------------------------------------------------------- */

size_t boot_take(char **rows) {
    if (!boot || __atomic_load_n(&boot->arrived, __ATOMIC_ACQUIRE) != (rounds + 1) * threads_here()) return 0;
    const struct host *h = &hosts.of[hosts.mine];
    size_t bytes = __atomic_load_n(&boot->bytes, __ATOMIC_RELAXED);
    *rows = malloc(bytes * (size_t)h->threads);
    if (!*rows) cluster_refuse("no memory for the start of %d threads\n", cluster.threads);
    for (int i = 0; i < h->threads; i++) memcpy(*rows + (size_t)i * bytes, row(rounds, h->first + i), bytes);
    rounds++;
    return bytes;
}

void boot_give(const char *all, size_t bytes) {
    uint32_t round = rounds - 1;
    for (int t = 0; t < cluster.threads; t++) memcpy(row(round, t), all + (size_t)t * bytes, bytes);
    complete(round);
}
