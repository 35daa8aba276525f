/* What the processes of a job tell each other while there are no messages yet, or no more: a table in memory that all of
 * them have inherited. Two tables take turns: nobody writes into one before all have read it. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "conduit/libfabric/fabric.h"

static struct boot {
    uint32_t arrived; /* in all rounds */
    char rows[];      /* two tables */
} * boot;
static uint32_t rounds;

static char *row(uint32_t round, int thread) {
    return boot->rows + (((size_t)(round & 1) * (size_t)cluster.threads) + (size_t)thread) * BOOT_MOST;
}

void boot_prepare(int threads) {
    size_t bytes = sizeof *boot + 2 * (size_t)threads * BOOT_MOST;
    boot = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (boot == MAP_FAILED) cluster_refuse("no memory for the start of %d threads\n", threads);
}

void boot_gather(const void *mine, size_t bytes, void *all, int (*idle)(bool replies_only)) {
    uint32_t round = rounds++;
    memcpy(row(round, cluster.me), mine, bytes);
    __atomic_add_fetch(&boot->arrived, 1, __ATOMIC_ACQ_REL);
    for (unsigned turn = 0;; turn++) {
        uint32_t left = rounds * (uint32_t)cluster.threads - __atomic_load_n(&boot->arrived, __ATOMIC_ACQUIRE);
        if ((int32_t)left <= 0) break; /* some may be a round ahead */
        if (idle && idle(false)) turn = 0;
        poll(NULL, 0, turn < 8 ? 0 : 1);
    }
    for (int t = 0; t < cluster.threads; t++) memcpy((char *)all + (size_t)t * bytes, row(round, t), bytes);
}

bool boot_agree(bool mine) {
    bool *all = malloc((size_t)cluster.threads), agree = true;
    if (!all) cluster_refuse("no memory for the start of %d threads\n", cluster.threads);
    boot_gather(&mine, sizeof mine, all, NULL);
    for (int t = 0; t < cluster.threads; t++) agree = agree && all[t];
    free(all);
    return agree;
}
