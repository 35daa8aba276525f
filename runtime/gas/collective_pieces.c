/* Collectives whose pieces have different sizes, and reductions of which each member gets a share.
 *
 * The members announce where their pieces lie and how large they are by a collective of one pair for each piece; then
 * each fetches what is its own, by gets, from near and far members in the same way. So the data are moved once,
 * from the segment of the member that has them; data outside of it are copied into it first.
 */
#include "gas/calls.h"
#include "gas/collective.h"

#include <string.h>

/* A piece, as it is announced. */
struct piece {
    fathom_ptr at;
    uint64_t bytes;
};

/* Data that others may fetch: where they are, or a copy, which is freed at the end. */
struct offer {
    fathom_ptr at, copy;
};

static bool is_mine(const void *p, size_t n) {
    uintptr_t start = (uintptr_t)fathom_local(fathom_make(fathom_mythread, 0)), at = (uintptr_t)p;
    return at >= start && at - start < core_memory.segment_bytes && n <= core_memory.segment_bytes - (at - start);
}

static fathom_ptr room_for(const char *function, size_t n) {
    fathom_ptr p = gas_alloc(n);
    if (!p)
        gas_fatal("%s: no shared memory left for a copy of %zu bytes, which are outside of this thread's segment",
                  function, n);
    return p;
}

static struct offer offer(const char *function, const void *src, size_t n) {
    if (n == 0) return (struct offer){0, 0};
    if (is_mine(src, n)) return (struct offer){fathom_word(src), 0};
    fathom_ptr copy = room_for(function, n);
    memcpy(fathom_local(copy), src, n);
    return (struct offer){copy, copy};
}

/* Nobody reads the offer any more. */
static void withdraw(gas_team t, struct offer o) {
    gas_inside_barrier(t);
    gas_free(o.copy);
}

static void check(const char *function, gas_team t, int root) {
    gas_team_check(function, t);
    if (root < 0 || root >= t->size) gas_fatal("%s: root %d of a team of %d", function, root, t->size);
}

static gas_handle fetch(const char *function, void *dst, size_t n, struct piece from, int rank) {
    if (from.bytes != n)
        gas_fatal("%s: rank %d has a piece of %lu bytes, but %zu are expected of it", function, rank, from.bytes, n);
    return n ? gas_get_nb(dst, from.at, n) : GAS_DONE;
}

static void fetch_all(const char *function, gas_team t, char *dst, const size_t *at, const size_t *bytes,
                      const struct piece *from) {
    gas_handle *ops = gas_room((size_t)t->size * sizeof *ops);
    for (int i = 0; i < t->size; i++) {
        int r =
            gas_rank_around(t->rank + i - (t->rank + i >= t->size ? t->size : 0), t->size); /* not all from rank 0 */
        ops[r] = fetch(function, dst + at[r], bytes[r], from[r], r);
    }
    gas_wait_all(ops, (size_t)t->size);
    free(ops);
}

void gas_gather_pieces(gas_team t, void *dst, const size_t *at, const size_t *bytes, const void *src, size_t n,
                       int root) {
    static const char function[] = "gas_gather_pieces";
    check(function, t, root);
    GAS_TEAM_CALL(t);
    gas_call(t, GAS_CALL_GATHER_PIECES, root, 0);
    struct offer mine = offer(function, src, n);
    struct piece p = {mine.at, n}, *all = t->rank == root ? gas_room((size_t)t->size * sizeof *all) : NULL;
    gas_inside_gather(t, all, &p, sizeof p, root, 0);
    if (all) fetch_all(function, t, dst, at, bytes, all);
    withdraw(t, mine);
    free(all);
}

void gas_gather_all_pieces(gas_team t, void *dst, const size_t *at, const size_t *bytes, const void *src, size_t n) {
    static const char function[] = "gas_gather_all_pieces";
    check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_call(t, GAS_CALL_GATHER_ALL_PIECES, -1, 0);
    struct offer mine = offer(function, src, n);
    struct piece p = {mine.at, n}, *all = gas_room((size_t)t->size * sizeof *all);
    gas_inside_gather_all(t, all, &p, sizeof p, 0);
    fetch_all(function, t, dst, at, bytes, all);
    withdraw(t, mine);
    free(all);
}

/* One copy of all pieces, one behind the other, unless all are in the segment; `all` is where each is. */
static struct offer offer_pieces(const char *function, gas_team t, const void *src, const size_t *at,
                                 const size_t *bytes, struct piece *all) {
    const char *from = src;
    size_t sum = 0;
    bool here = true;
    for (int r = 0; r < t->size; r++) {
        sum += bytes[r];
        here &= bytes[r] == 0 || is_mine(from + at[r], bytes[r]);
    }
    fathom_ptr copy = here || sum == 0 ? 0 : room_for(function, sum), next = copy;
    for (int r = 0; r < t->size; r++) {
        all[r].bytes = bytes[r];
        all[r].at = bytes[r] == 0 ? 0 : copy ? next : fathom_word(from + at[r]);
        if (copy && bytes[r]) memcpy(fathom_local(next), from + at[r], bytes[r]);
        next += bytes[r];
    }
    return (struct offer){copy, copy};
}

void gas_scatter_pieces(gas_team t, void *dst, size_t n, const void *src, const size_t *at, const size_t *bytes,
                        int root) {
    static const char function[] = "gas_scatter_pieces";
    check(function, t, root);
    GAS_TEAM_CALL(t);
    gas_call(t, GAS_CALL_SCATTER_PIECES, root, 0);
    struct piece p, *all = t->rank == root ? gas_room((size_t)t->size * sizeof *all) : NULL;
    struct offer mine = all ? offer_pieces(function, t, src, at, bytes, all) : (struct offer){0, 0};
    gas_inside_scatter(t, &p, all, sizeof p, root, 0);
    gas_handle op = fetch(function, dst, n, p, root);
    gas_wait(&op);
    withdraw(t, mine);
    free(all);
}

void gas_exchange_pieces(gas_team t, void *dst, const size_t *dst_at, const size_t *dst_bytes, const void *src,
                         const size_t *src_at, const size_t *src_bytes) {
    static const char function[] = "gas_exchange_pieces";
    check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_call(t, GAS_CALL_EXCHANGE_PIECES, -1, 0);
    struct piece *mine = gas_room((size_t)t->size * sizeof *mine), *all = gas_room((size_t)t->size * sizeof *all);
    struct offer o = offer_pieces(function, t, src, src_at, src_bytes, mine);
    gas_inside_exchange(t, all, mine, sizeof *mine, 0);
    fetch_all(function, t, dst, dst_at, dst_bytes, all);
    withdraw(t, o);
    free(mine);
    free(all);
}

/* ---- reductions whose results are dealt out ---------------------------------------------------------------------- */

/* In the order of collective.h, so that a share has the same value as in a reduction of the whole. */
static void reduce_scatter_by(gas_team t, void *dst, const void *src, size_t count, const struct gas_operator *o) {
    size_t n = gas_elements(o, count);
    gas_call(t, GAS_CALL_REDUCE_SCATTER, -1, n);
    char *all = gas_room(n * (size_t)t->size);
    gas_inside_exchange(t, all, src, n, 0);
    int width = gas_tree_width(t->size), extra = t->size - width;
    for (int i = 0; i < extra; i++) {
        char *a = all + n * (size_t)(2 * i);
        gas_combine(o, a, a, a + n, count);
    }
    for (int w = 1; w < width; w *= 2)
        for (int i = 0; i + w < width; i += 2 * w) {
            char *a = all + n * (size_t)gas_tree_rank(i, extra);
            gas_combine(o, a, a, all + n * (size_t)gas_tree_rank(i + w, extra), count);
        }
    if (n) memcpy(dst, all, n);
    free(all);
}

void gas_reduce_scatter(gas_team t, void *dst, const void *src, size_t count, enum gas_atomic_type type,
                        enum gas_atomic_op op) {
    check("gas_reduce_scatter", t, 0);
    GAS_TEAM_CALL(t);
    struct gas_arithmetic a = gas_arithmetic_of("gas_reduce_scatter", type, op);
    reduce_scatter_by(t, dst, src, count, &a.operator);
}

void gas_reduce_scatter_with(gas_team t, void *dst, const void *src, size_t count, size_t elem_bytes,
                             gas_combiner *combine, void *context) {
    check("gas_reduce_scatter_with", t, 0);
    GAS_TEAM_CALL(t);
    struct gas_custom c = gas_custom_of("gas_reduce_scatter_with", elem_bytes, combine, context);
    reduce_scatter_by(t, dst, src, count, &c.operator);
}
