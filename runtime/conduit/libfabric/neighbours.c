/* Threads of this computer that are not near: there are more than may share memory, or FATHOM_NODE_MAX has made sets of
 * them. What a set shares decides what a program may address, and which threads meet in memory. But all threads that were forked here
 * can share memory besides, in place of libfabric's messages and operations:
 *
 * - Messages go through queues of all of this computer's threads (conduit/queue), as between near threads. Their memory is made
 *   before the fork; so all threads of the computer do so or none. If there is no other computer, libfabric is not opened.
 * - The segments of all threads are one file, which each thread maps a second time, apart from where near segments are: a transfer
 *   is a copy, without the other's help or the kernel's. Either all threads of the job do so or none: what way a put
 *   takes, both sides know. A word is loaded or stored whole. Strict accesses of a program keep their order because each
 *   copy is fenced on both sides.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "conduit/launch/launch.h"
#include "conduit/libfabric/fabric.h"
#include "conduit/libfabric/hosts.h"
#include "conduit/queue/queue.h"
#include "lang/prelude.h"

static char *mapped; /* the segments of this computer's threads, or null */
static bool in_use;
static struct {
    char *at; /* null: there are no queues */
    size_t left;
} queues;

/* For each thread its queues, its bell and what it hears of barriers, whose pages exist when they are used. */
bool neighbours_prepare(int sets, bool wanted) {
    enum { OF_EACH = 4096, OF_ALL = 1 << 20 };
    int threads = hosts.of[hosts.mine].threads;
    if (sets < 2 || !wanted || threads > RING_SENDERS) return true;
    size_t bytes = queue_bytes(threads) + OF_EACH * (size_t)threads + OF_ALL;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return false;
    madvise(p, bytes, MADV_DONTDUMP);
    queues.at = p;
    queues.left = bytes;
    return true;
}

bool neighbours_have_queues(void) { return queues.at; }

void *cluster_shared(size_t bytes) {
    if (!queues.at) return conduit_built.shared_memory(bytes);
    bytes = (bytes + 127) / 128 * 128;
    if (bytes > queues.left) return NULL;
    queues.at += bytes;
    queues.left -= bytes;
    return queues.at - bytes;
}

void neighbours_map(int fd, bool huge) {
    size_t bytes = fabric_segment_bytes * (size_t)hosts.of[hosts.mine].threads;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (p == MAP_FAILED) return;
    madvise(p, bytes, MADV_DONTDUMP);
    if (!huge) madvise(p, bytes, MADV_HUGEPAGE);
    mapped = p;
}

void neighbours_start(bool wanted) {
    bool has = mapped || conduit_near.count == hosts.of[hosts.mine].threads;
    in_use = boot_agree(wanted && has);
}

bool neighbours_are_in_use(void) { return in_use; }

/* Whose process has ended is not reached, as over the network. */
bool neighbours_reach(int thread) { return in_use && fabric_is_here(thread) && !launch_is_gone(thread); }

static void put_word(void *there, const void *mine, size_t n) {
    uint64_t v[2];
    memcpy(v, mine, n);
    cluster_word_store(there, v, n);
}

static void get_word(void *mine, void *there, size_t n) {
    uint64_t v[2];
    cluster_word_load(v, there, n);
    memcpy(mine, v, n);
}

void neighbours_copy(bool is_put, uint64_t at, void *mine, size_t n) {
    size_t thread = (size_t)((int)fathom_thread_of(at) - hosts.of[hosts.mine].first);
    char *there = mapped + thread * fabric_segment_bytes + fathom_offset_of(at);
    bool is_word = cluster_is_word(at, n);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (is_put)
        is_word ? put_word(there, mine, n) : (void)memcpy(there, mine, n);
    else
        is_word ? get_word(mine, there, n) : (void)memcpy(mine, there, n);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
