/* Relocalisation: broadcast, scatter, gather, gather_all, exchange, permute (UPC 1.3, 7.4.2), over the collectives of gas.h.
 *
 * All arguments are single-valued (7.4 p4), and what the functions read and write are blocks at the same place on every
 * thread, or on one thread that all can name: what GAS_SYMMETRIC promises. So near threads move their blocks straight
 * from source to destination, without a word; far ones by the ways of gas.
 */
#include "collective.h"

static inline bool is_missing(upc_flag_t flags, upc_flag_t no, upc_flag_t mine) { return !(flags & (no | mine)); }

/* The flags as gas.h has them (7.3.3.1): a missing half means ALLSYNC. */
static unsigned sync_of(const char *function, fathom_pptr dst, fathom_pptr src, upc_flag_t flags) {
    if (!dst.addr || !src.addr) gas_fatal("%s: null %s", function, dst.addr ? "source" : "destination");
    check_flags(function, flags);
    unsigned sync = GAS_SYMMETRIC;
    sync |= is_missing(flags, UPC_IN_NOSYNC, UPC_IN_MYSYNC) ? GAS_IN_ALLSYNC
            : flags & UPC_IN_NOSYNC                         ? GAS_IN_NOSYNC
                                                            : GAS_IN_MYSYNC;
    sync |= is_missing(flags, UPC_OUT_NOSYNC, UPC_OUT_MYSYNC) ? GAS_OUT_ALLSYNC
            : flags & UPC_OUT_NOSYNC                          ? GAS_OUT_NOSYNC
                                                              : GAS_OUT_MYSYNC;
    if (sync & GAS_IN_MYSYNC) fathom_settle(); /* the barrier of ALLSYNC does so, too */
    return sync;
}

static void on_thread_0(const char *function, const char *which, fathom_ptr p) {
    if (fathom_thread_of(p) != 0)
        gas_fatal("%s: %s has affinity to thread %ld, not to thread 0 (UPC 1.3, 7.4.2)", function, which,
                  fathom_thread_of(p));
}

/* The place of the same offset on another thread, for a pointer to thread 0's. */
static inline fathom_ptr on(int thread, fathom_ptr p) { return fathom_make(thread, fathom_offset_of(p)); }
static inline void *here(fathom_ptr p) { return fathom_local(on(gas_me(), p)); }
/* The one thread's that has the whole; null if it is out of reach. */
static inline void *whole(fathom_ptr p) { return fathom_is_near(p) ? fathom_local(p) : NULL; }

void upc_all_broadcast(fathom_pptr dst, fathom_pptr src, size_t nbytes, upc_flag_t flags) {
    unsigned sync = sync_of("upc_all_broadcast", dst, src, flags);
    on_thread_0("upc_all_broadcast", "dst", dst.addr);
    gas_broadcast(gas_world(), here(dst.addr), whole(src.addr), nbytes, (int)fathom_thread_of(src.addr), sync);
}

void upc_all_scatter(fathom_pptr dst, fathom_pptr src, size_t nbytes, upc_flag_t flags) {
    unsigned sync = sync_of("upc_all_scatter", dst, src, flags);
    on_thread_0("upc_all_scatter", "dst", dst.addr);
    gas_scatter(gas_world(), here(dst.addr), whole(src.addr), nbytes, (int)fathom_thread_of(src.addr), sync);
}

void upc_all_gather(fathom_pptr dst, fathom_pptr src, size_t nbytes, upc_flag_t flags) {
    unsigned sync = sync_of("upc_all_gather", dst, src, flags);
    on_thread_0("upc_all_gather", "src", src.addr);
    gas_gather(gas_world(), whole(dst.addr), here(src.addr), nbytes, (int)fathom_thread_of(dst.addr), sync);
}

void upc_all_gather_all(fathom_pptr dst, fathom_pptr src, size_t nbytes, upc_flag_t flags) {
    unsigned sync = sync_of("upc_all_gather_all", dst, src, flags);
    on_thread_0("upc_all_gather_all", "src", src.addr);
    on_thread_0("upc_all_gather_all", "dst", dst.addr);
    gas_gather_all(gas_world(), here(dst.addr), here(src.addr), nbytes, sync);
}

void upc_all_exchange(fathom_pptr dst, fathom_pptr src, size_t nbytes, upc_flag_t flags) {
    unsigned sync = sync_of("upc_all_exchange", dst, src, flags);
    on_thread_0("upc_all_exchange", "src", src.addr);
    on_thread_0("upc_all_exchange", "dst", dst.addr);
    gas_exchange(gas_world(), here(dst.addr), here(src.addr), nbytes, sync);
}

/* Each thread has one block for one other, which does not know from whom it comes: a put. */
void upc_all_permute(fathom_pptr dst, fathom_pptr src, fathom_ptr perm, size_t nbytes, upc_flag_t flags) {
    if (!dst.addr || !src.addr) gas_fatal("upc_all_permute: null %s", dst.addr ? "source" : "destination");
    if (!perm) gas_fatal("upc_all_permute: null perm");
    collective_enter("upc_all_permute", flags);
    on_thread_0("upc_all_permute", "src", src.addr);
    on_thread_0("upc_all_permute", "dst", dst.addr);
    on_thread_0("upc_all_permute", "perm", perm);
    int to = *(const int *)here(perm);
    if (to < 0 || to >= gas_count())
        gas_fatal("upc_all_permute: perm[%d] is %d, not a thread of %d (UPC 1.3, 7.4.2.6 p4)", gas_me(), to,
                  gas_count());
    gas_put(on(to, dst.addr), here(src.addr), nbytes);
    collective_leave(flags);
}

/* ---- agreement --------------------------------------------------------------------------------------------------- */

static void take_first(const struct gas_operator *o, void *dst, const void *a, const void *b, size_t count) {
    (void)o;
    for (size_t i = 0; i < count; i++) {
        int first = ((const int *)a)[i], second = ((const int *)b)[i];
        ((int *)dst)[i] = first ? first : second;
    }
}

int collective_first(int value) {
    static const struct gas_operator first = {sizeof(int), take_first};
    int all;
    fathom_fence();
    gas_reduce_by(gas_world(), &all, &value, 1, &first, -1, 0);
    return all;
}
