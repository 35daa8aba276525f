/* Collectives with pieces of different sizes that are begun (collective_begun.c): each member sends each piece to the
 * member that it is for. Where the pieces lie and how large they are is read when the collective is begun, and not kept. */
#include "gas/collective_begun.h"

void gas_begun_send_pieces(struct gas_schedule *s, const char *src, const size_t *at, const size_t *bytes) {
    gas_team t = s->team;
    size_t to_copy = 0;
    for (int r = 0; r < t->size; r++)
        if (r != t->rank && begun_needs_copy(s, src + at[r], bytes[r])) to_copy += bytes[r];
    char *room = to_copy ? gas_schedule_room(s, to_copy) : NULL;
    for (int i = 1; i < t->size; i++) {
        int to = begun_around(t, t->rank + i);
        const char *from = src + at[to];
        if (begun_needs_copy(s, from, bytes[to])) {
            from = memcpy(room, from, bytes[to]);
            room += bytes[to];
        }
        STEP(GAS_STEP_SEND, .rank = to, .from = from, .n = bytes[to]);
    }
}

static void take_pieces(struct gas_schedule *s, char *dst, const size_t *at, const size_t *bytes) {
    gas_team t = s->team;
    for (int i = 1; i < t->size; i++) {
        int from = begun_around(t, t->rank - i);
        STEP(GAS_STEP_TAKE, .rank = from, .to = dst + at[from], .n = bytes[from]);
    }
}

/* This member's piece for itself: n bytes of it are there, and n are expected. */
static void keep_own(const char *function, gas_team t, void *dst, size_t expected, const void *src, size_t n) {
    if (n != expected)
        gas_fatal("%s: rank %d has a piece of %zu bytes, but %zu are expected of it", function, t->rank, n, expected);
    begun_copied(dst, src, n);
}

gas_handle gas_scatter_pieces_nb(gas_team t, void *dst, size_t n, const void *src, const size_t *at,
                                 const size_t *bytes, int root) {
    static const char function[] = "gas_scatter_pieces_nb";
    begun_check(function, t, root);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    if (t->rank == root) keep_own(function, t, dst, n, (const char *)src + at[root], bytes[root]);
    if (t->size == 1) return GAS_DONE;
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_SCATTER_PIECES, root, t->size);
    if (t->rank == root)
        gas_begun_send_pieces(s, src, at, bytes);
    else
        STEP(GAS_STEP_TAKE, .rank = root, .to = dst, .n = n);
    return gas_schedule_begin(s);
}

gas_handle gas_gather_pieces_nb(gas_team t, void *dst, const size_t *at, const size_t *bytes, const void *src, size_t n,
                                int root) {
    static const char function[] = "gas_gather_pieces_nb";
    begun_check(function, t, root);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    if (t->rank == root) keep_own(function, t, (char *)dst + at[root], bytes[root], src, n);
    if (t->size == 1) return GAS_DONE;
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_GATHER_PIECES, root, t->size);
    if (t->rank == root)
        take_pieces(s, dst, at, bytes);
    else
        STEP(GAS_STEP_SEND, .rank = root, .from = begun_lasting(s, src, n), .n = n);
    return gas_schedule_begin(s);
}

gas_handle gas_gather_all_pieces_nb(gas_team t, void *dst, const size_t *at, const size_t *bytes, const void *src,
                                    size_t n) {
    static const char function[] = "gas_gather_all_pieces_nb";
    begun_check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    keep_own(function, t, (char *)dst + at[t->rank], bytes[t->rank], src, n);
    if (t->size == 1) return GAS_DONE;
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_GATHER_ALL_PIECES, -1, 2 * t->size);
    const char *from = begun_lasting(s, src, n);
    for (int i = 1; i < t->size; i++) STEP(GAS_STEP_SEND, .rank = begun_around(t, t->rank + i), .from = from, .n = n);
    take_pieces(s, dst, at, bytes);
    return gas_schedule_begin(s);
}

gas_handle gas_exchange_pieces_nb(gas_team t, void *dst, const size_t *dst_at, const size_t *dst_bytes, const void *src,
                                  const size_t *src_at, const size_t *src_bytes) {
    static const char function[] = "gas_exchange_pieces_nb";
    begun_check(function, t, 0);
    GAS_TEAM_CALL(t);
    gas_begun_enter(function);
    int me = t->rank;
    keep_own(function, t, (char *)dst + dst_at[me], dst_bytes[me], (const char *)src + src_at[me], src_bytes[me]);
    if (t->size == 1) return GAS_DONE;
    struct gas_schedule *s = gas_schedule_new(t, GAS_CALL_EXCHANGE_PIECES, -1, 2 * t->size);
    gas_begun_send_pieces(s, src, src_at, src_bytes);
    take_pieces(s, dst, dst_at, dst_bytes);
    return gas_schedule_begin(s);
}
