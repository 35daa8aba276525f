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
bool neighbours_reach(int thread) {
    const struct host *h = &hosts.of[hosts.mine];
    return in_use && (unsigned)(thread - h->first) < (unsigned)h->threads && !launch_is_gone(thread);
}

union word {
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    fathom_pptr pair;
};

static void put_word(void *there, const void *mine, size_t n) {
    union word w;
    memcpy(&w, mine, n);
    switch (n) {
    case 2: __atomic_store_n((uint16_t *)there, w.u16, __ATOMIC_RELAXED); break;
    case 4: __atomic_store_n((uint32_t *)there, w.u32, __ATOMIC_RELAXED); break;
    case 8: __atomic_store_n((uint64_t *)there, w.u64, __ATOMIC_RELAXED); break;
    default: fathom_store_pair(there, w.pair);
    }
}

static void get_word(void *mine, void *there, size_t n) {
    union word w;
    switch (n) {
    case 2: w.u16 = __atomic_load_n((uint16_t *)there, __ATOMIC_RELAXED); break;
    case 4: w.u32 = __atomic_load_n((uint32_t *)there, __ATOMIC_RELAXED); break;
    case 8: w.u64 = __atomic_load_n((uint64_t *)there, __ATOMIC_RELAXED); break;
    default: w.pair = fathom_load_pair(there);
    }
    memcpy(mine, &w, n);
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
