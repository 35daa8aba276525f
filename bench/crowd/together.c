/* Collectives of UPC beside those of gas.h: together.h.
 *
 *     FATHOM_THREADS=4 together BATCHES BATCH_US [ROW...]       as the programs of bench/comm (side.h)
 */
#include "gas.h"
#include "together.h"

/* As the compiler calls them; upc_collective.h is UPC. */
enum { UPC_MYSYNC = 2 | 16, UPC_SUM = 1 };
void upc_all_broadcast(fathom_pptr dst, fathom_pptr src, size_t n, int flags);
void upc_all_scatter(fathom_pptr dst, fathom_pptr src, size_t n, int flags);
void upc_all_gather(fathom_pptr dst, fathom_pptr src, size_t n, int flags);
void upc_all_gather_all(fathom_pptr dst, fathom_pptr src, size_t n, int flags);
void upc_all_exchange(fathom_pptr dst, fathom_pptr src, size_t n, int flags);
void upc_all_reduceL(fathom_pptr dst, fathom_pptr src, int op, size_t nelems, size_t blk_size, void *func, int flags);
void upc_all_prefix_reduceL(fathom_pptr dst, fathom_pptr src, int op, size_t nelems, size_t blk_size, void *func,
                            int flags);

static const unsigned sync = GAS_IN_MYSYNC | GAS_OUT_MYSYNC | GAS_SYMMETRIC;
static uint64_t source_at, target_at; /* offsets in every segment */

static fathom_ptr on(int thread, uint64_t offset) { return fathom_make(thread, offset); }
static fathom_pptr pointer(int thread, uint64_t offset) { return (fathom_pptr){on(thread, offset), 0}; }
static void *whole(int thread, uint64_t offset) {
    fathom_ptr p = on(thread, offset);
    return fathom_is_near(p) ? fathom_local(p) : NULL;
}

#define EACH(i, root, n) for (long i = 0, root = 0; i < (n); i++, root = root + 1 < count ? root + 1 : 0)

static void upc_broadcast(long n) {
    EACH(i, r, n) upc_all_broadcast(pointer(0, target_at), pointer((int)r, source_at), size, UPC_MYSYNC);
}
static void by_gas_broadcast(long n) {
    EACH(i, r, n) gas_broadcast(gas_world(), target, whole((int)r, source_at), size, (int)r, sync);
}
static void upc_scatter(long n) {
    EACH(i, r, n) upc_all_scatter(pointer(0, target_at), pointer((int)r, source_at), size, UPC_MYSYNC);
}
static void by_gas_scatter(long n) {
    EACH(i, r, n) gas_scatter(gas_world(), target, whole((int)r, source_at), size, (int)r, sync);
}
static void upc_gather(long n) {
    EACH(i, r, n) upc_all_gather(pointer((int)r, target_at), pointer(0, source_at), size, UPC_MYSYNC);
}
static void by_gas_gather(long n) {
    EACH(i, r, n) gas_gather(gas_world(), whole((int)r, target_at), source, size, (int)r, sync);
}
static void upc_gather_all(long n) {
    for (long i = 0; i < n; i++) upc_all_gather_all(pointer(0, target_at), pointer(0, source_at), size, UPC_MYSYNC);
}
static void by_gas_gather_all(long n) {
    for (long i = 0; i < n; i++) gas_gather_all(gas_world(), target, source, size, sync);
}
static void upc_exchange(long n) {
    for (long i = 0; i < n; i++) upc_all_exchange(pointer(0, target_at), pointer(0, source_at), size, UPC_MYSYNC);
}
static void by_gas_exchange(long n) {
    for (long i = 0; i < n; i++) gas_exchange(gas_world(), target, source, size, sync);
}
static void upc_reduce(long n) {
    EACH(i, r, n)
    upc_all_reduceL(pointer((int)r, target_at), pointer(0, source_at), UPC_SUM, (size_t)count, 1, NULL, UPC_MYSYNC);
}
static void by_gas_reduce(long n) {
    EACH(i, r, n) gas_reduce(gas_world(), target, source, 1, GAS_I64, GAS_ADD, (int)r, sync);
}
static void upc_scan(long n) {
    for (long i = 0; i < n; i++)
        upc_all_prefix_reduceL(pointer(0, target_at), pointer(0, source_at), UPC_SUM, (size_t)count, 1, NULL,
                               UPC_MYSYNC);
}
static void by_gas_scan(long n) {
    for (long i = 0; i < n; i++) gas_scan(gas_world(), target, source, 1, GAS_I64, GAS_ADD, 0, sync);
}

#define PAIR(f, n)                                                                                                     \
    {#f " " #n, "upc", upc_##f, SIDE_BOTH, n, together_fill, f##_check, 0}, {                                          \
#f " " #n, "gas", by_gas_##f, SIDE_BOTH, n, together_fill, f##_check, 0                                        \
    }
#define PAIR_OF_ONE(f)                                                                                                 \
    {#f " 8", "upc", upc_##f, SIDE_BOTH, 8, together_fill_one, f##_check, 0}, {                                        \
#f " 8", "gas", by_gas_##f, SIDE_BOTH, 8, together_fill_one, f##_check, 0                                      \
    }
static const struct side_row rows[] = {TOGETHER_SIZES(PAIR, broadcast),
                                       TOGETHER_SIZES(PAIR, scatter),
                                       TOGETHER_SIZES(PAIR, gather),
                                       TOGETHER_SIZES(PAIR, gather_all),
                                       TOGETHER_SIZES(PAIR, exchange),
                                       PAIR_OF_ONE(reduce),
                                       PAIR_OF_ONE(scan)};

static long agree(long mine) {
    gas_broadcast(gas_world(), &mine, &mine, sizeof mine, 0, 0);
    return mine;
}

int main(int argc, char **argv) {
    gas_start(&argc, &argv);
    me = gas_me(), count = gas_count();
    if (count > TOGETHER_MOST) gas_fatal("at most %d threads", TOGETHER_MOST);
    size_t room = (size_t)count * TOGETHER_LONGEST;
    fathom_ptr all = gas_all_alloc(2 * room);
    if (!all) gas_fatal("no room for %zu bytes of shared memory; set FATHOM_HEAP", 2 * room);
    source_at = fathom_offset_of(all), target_at = source_at + room;
    source = fathom_local(on(me, source_at)), target = fathom_local(on(me, target_at));
    struct side side = {.me = me, .barrier = gas_barrier, .agree = agree, .unbound = count > 2};
    side_main(&side, rows, sizeof rows / sizeof rows[0], argc, argv);
    return 0;
}
