/* Relocalisation: broadcast, scatter, gather, gather_all, exchange, permute (UPC 1.3, 7.4.2).
 *
 * Nothing is staged: each thread moves its own part straight from source to destination. Where a thread both reads
 * from all and writes its own memory, it pulls, beginning with itself, so that no thread is asked by all at once.
 */
#include "collective.h"

#include <stdlib.h>
#include <string.h>

/* ---- a word from every thread ---------------------------------------------------------------------------------- */

static char (*words)[COLLECTIVE_WORD];

void collective_share(const void *word, size_t n) {
    if (!words) {
        words = malloc((size_t)gas_count() * sizeof *words);
        if (!words) gas_fatal("no memory left for the collective functions");
    }
    char mine[COLLECTIVE_WORD] = {0};
    if (n) memcpy(mine, word, n);
    fathom_fence(); /* what this thread has written before is there for those that learn of it */
    gas_gather_all(gas_world(), words, mine, sizeof mine, 0);
}

void collective_look(int thread, void *word, size_t n) { memcpy(word, words[thread], n); }

/* ---- data ------------------------------------------------------------------------------------------------------ */

static void enter(const char *function, fathom_pptr dst, fathom_pptr src, upc_flag_t flags) {
    if (!dst.addr || !src.addr) gas_fatal("%s: null %s", function, dst.addr ? "source" : "destination");
    collective_enter(function, flags);
}

static void on_thread_0(const char *function, const char *which, fathom_ptr p) {
    if (fathom_thread_of(p) != 0)
        gas_fatal("%s: %s has affinity to thread %ld, not to thread 0 (UPC 1.3, 7.4.2)", function, which,
                  fathom_thread_of(p));
}

/* The place of the same offset on another thread, for a pointer to thread 0's. */
static inline fathom_ptr on(int thread, fathom_ptr p) { return p + ((fathom_ptr)thread << FATHOM_SEG_BITS); }

void upc_all_broadcast(fathom_pptr dst, fathom_pptr src, size_t nbytes, upc_flag_t flags) {
    enter("upc_all_broadcast", dst, src, flags);
    on_thread_0("upc_all_broadcast", "dst", dst.addr);
    fathom_ptr mine = on(gas_me(), dst.addr);
    if (mine != src.addr) gas_copy(mine, src.addr, nbytes);
    collective_leave(flags);
}

void upc_all_scatter(fathom_pptr dst, fathom_pptr src, size_t nbytes, upc_flag_t flags) {
    enter("upc_all_scatter", dst, src, flags);
    on_thread_0("upc_all_scatter", "dst", dst.addr);
    gas_copy(on(gas_me(), dst.addr), src.addr + (size_t)gas_me() * nbytes, nbytes);
    collective_leave(flags);
}

void upc_all_gather(fathom_pptr dst, fathom_pptr src, size_t nbytes, upc_flag_t flags) {
    enter("upc_all_gather", dst, src, flags);
    on_thread_0("upc_all_gather", "src", src.addr);
    gas_copy(dst.addr + (size_t)gas_me() * nbytes, on(gas_me(), src.addr), nbytes);
    collective_leave(flags);
}

void upc_all_gather_all(fathom_pptr dst, fathom_pptr src, size_t nbytes, upc_flag_t flags) {
    enter("upc_all_gather_all", dst, src, flags);
    on_thread_0("upc_all_gather_all", "src", src.addr);
    on_thread_0("upc_all_gather_all", "dst", dst.addr);
    int threads = gas_count(), me = gas_me();
    fathom_ptr mine = on(me, dst.addr);
    for (int i = 0; i < threads; i++) {
        int from = me + i < threads ? me + i : me + i - threads;
        gas_copy(mine + (size_t)from * nbytes, on(from, src.addr), nbytes);
    }
    collective_leave(flags);
}

void upc_all_exchange(fathom_pptr dst, fathom_pptr src, size_t nbytes, upc_flag_t flags) {
    enter("upc_all_exchange", dst, src, flags);
    on_thread_0("upc_all_exchange", "src", src.addr);
    on_thread_0("upc_all_exchange", "dst", dst.addr);
    int threads = gas_count(), me = gas_me();
    fathom_ptr mine = on(me, dst.addr);
    for (int i = 0; i < threads; i++) {
        int from = me + i < threads ? me + i : me + i - threads;
        gas_copy(mine + (size_t)from * nbytes, on(from, src.addr) + (size_t)me * nbytes, nbytes);
    }
    collective_leave(flags);
}

void upc_all_permute(fathom_pptr dst, fathom_pptr src, fathom_ptr perm, size_t nbytes, upc_flag_t flags) {
    enter("upc_all_permute", dst, src, flags);
    if (!perm) gas_fatal("upc_all_permute: null perm");
    on_thread_0("upc_all_permute", "src", src.addr);
    on_thread_0("upc_all_permute", "dst", dst.addr);
    on_thread_0("upc_all_permute", "perm", perm);
    int to;
    gas_get(&to, on(gas_me(), perm), sizeof to);
    if (to < 0 || to >= gas_count())
        gas_fatal("upc_all_permute: perm[%d] is %d, not a thread of %d (UPC 1.3, 7.4.2.6 p4)", gas_me(), to, gas_count());
    gas_copy(on(to, dst.addr), on(gas_me(), src.addr), nbytes);
    collective_leave(flags);
}
