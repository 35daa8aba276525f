/* Data of threads of this computer that are not near: more threads than may share memory, or FATHOM_NODE_MAX has made sets of them.
 * What a set shares decides what a program may address, and which threads meet in memory. But the segments of all threads that
 * were forked here are one file, which each thread maps a second time, apart from where near segments are: a transfer is a copy,
 * without the other's help or the kernel's, in place of libfabric's operations or messages.
 *
 * Either all threads of the job do so or none: what way a put takes, both sides know. A word is loaded or stored whole. Strict
 * accesses of a program keep their order because each copy is fenced on both sides.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "conduit/launch/launch.h"
#include "conduit/libfabric/fabric.h"
#include "conduit/libfabric/hosts.h"
#include "lang/prelude.h"

static char *mapped; /* the segments of this computer's threads, or null */
static bool in_use;

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
