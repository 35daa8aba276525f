/* Collectives of near members that know the places of all buffers (GAS_SYMMETRIC): each member moves its part straight
 * from source to destination, without messages. The only synchronisation is the barriers that the caller asks for. That
 * is the code that a program would write by hand.
 *
 * Without a barrier or a promise at the beginning (MYSYNC), a member would have to hear from the others one by one;
 * then the ways of collective_near.c serve, which carry the data along. Where MYSYNC is asked for at the end, it is a
 * barrier.
 */
#define FATHOM_COPY_TELLS
#include "gas/collective.h"
#include "gas/near.h"

/* Members that others may wait for reading or writing beside, see near_help. */
static bool may_help(gas_team t, unsigned sync) {
    return !(sync & GAS_OUT_NOSYNC) && t->size > 1 && conduit_near.count <= conduit_cores();
}

static bool begin(gas_team t, unsigned sync) {
    if (!(sync & (GAS_IN_NOSYNC | GAS_IN_ALLSYNC))) return false;
    if (sync & GAS_IN_ALLSYNC) gas_inside_barrier(t);
    return true;
}

static bool end(gas_team t, unsigned sync) {
    if (!(sync & GAS_OUT_NOSYNC)) gas_inside_barrier(t);
    return true;
}

bool gas_symmetric_broadcast(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    enum core_mechanism way = gas_way(t, CORE_BROADCAST, n);
    if (way == CORE_TREE || !begin(t, sync)) return false;
    bool is_root = t->rank == root;
    if (way == CORE_HELP && !may_help(t, sync)) way = CORE_READ;
    size_t help = way == CORE_HELP ? n / (size_t)t->size & ~(size_t)63 : 0;
    gas_took(t, CORE_BROADCAST, n, help ? CORE_HELP : CORE_READ);
    /* The root writes the end of the block to the others while these read the rest (see collective_near.c). */
    for (int i = 1; help && is_root && i < t->size; i++)
        fathom_copy_near(gas_team_twin(t, near_next(t, i), dst) + n - help, (const char *)src + n - help, help);
    if (dst != src) fathom_copy_near(dst, src, is_root ? n : n - help);
    return end(t, sync);
}

bool gas_symmetric_scatter(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    (void)root;
    if (!begin(t, sync)) return false;
    memmove(dst, (const char *)src + n * (size_t)t->rank, n);
    return end(t, sync);
}

bool gas_symmetric_gather(gas_team t, void *dst, const void *src, size_t n, int root, unsigned sync) {
    if (!begin(t, sync)) return false;
    size_t all = n * (size_t)t->size;
    enum core_mechanism way = gas_way(t, CORE_NEAR_GATHER, all);
    gas_took(t, CORE_NEAR_GATHER, all, way);
    if (way == CORE_WRITE) {
        fathom_copy_near((char *)dst + n * (size_t)t->rank, src, n);
    } else if (t->rank == root) {
        for (int i = 0; i < t->size; i++) {
            int r = near_next(t, i);
            fathom_copy_near((char *)dst + n * (size_t)r, gas_team_twin(t, r, src), n);
        }
    }
    return end(t, sync);
}

/* Each member begins with itself, so that not all are at one member at once. */
static void to_all(gas_team t, char *dst, const char *src, size_t n, enum core_collective which, size_t parts) {
    size_t all = n * (size_t)t->size, mine = n * (size_t)t->rank;
    enum core_mechanism way = gas_way(t, which, all) == CORE_WRITE ? CORE_WRITE : CORE_READ;
    gas_took(t, which, all, way);
    for (int i = 0; i < t->size; i++) {
        int r = near_next(t, i);
        size_t his = n * (size_t)r;
        if (way == CORE_WRITE)
            fathom_copy_near(gas_team_twin(t, r, dst) + mine, src + (parts == 1 ? 0 : his), n);
        else
            fathom_copy_near(dst + his, gas_team_twin(t, r, src) + (parts == 1 ? 0 : mine), n);
    }
}

bool gas_symmetric_gather_all(gas_team t, void *dst, const void *src, size_t n, unsigned sync) {
    if (!begin(t, sync)) return false;
    to_all(t, dst, src, n, CORE_NEAR_GATHER_ALL, 1);
    return end(t, sync);
}

bool gas_symmetric_exchange(gas_team t, void *dst, const void *src, size_t n, unsigned sync) {
    if (!begin(t, sync)) return false;
    to_all(t, dst, src, n, CORE_NEAR_EXCHANGE, (size_t)t->size);
    return end(t, sync);
}
