/* Collectives with pieces of different sizes that are begun: every kind, size and place of buffers; many at the same time, among
 * collectives of other kinds; and what is refused.
 */
#include "begun.h"

enum { SCATTER, GATHER, GATHER_ALL, EXCHANGE, KINDS };

/* One that is under way. Pieces stand in an order that is not that of the ranks, with gaps. */
struct one {
    gas_team team;
    int kind, root;
    uint64_t salt;
    size_t most, src_room, dst_room;
    bool src_shared, dst_shared;
    char *src, *dst;
    gas_handle h;
};

/* The bytes of the piece that goes from one rank to another: in a gather to all, to each the same. */
static size_t size_of(const struct one *c, int from, int to) {
    struct suite_random r = {c->salt + (uint64_t)from * 1000 + (uint64_t)(c->kind == GATHER_ALL ? 0 : to)};
    random_word(&r);
    return random_below(&r, 4) == 0 ? 0 : random_size(&r, c->most);
}
static uint64_t key_of(const struct one *c, int from, int to) {
    return c->salt ^ ((uint64_t)from << 20 | (uint64_t)(c->kind == GATHER_ALL ? 0 : to));
}
static size_t lay_out(int n, size_t *at, const size_t *bytes) {
    size_t next = 3;
    for (int r = n - 1; r >= 0; r--) at[r] = next, next += bytes[r] + (size_t)(r % 3);
    return next + 8;
}

/* Has this member a row of pieces on this side, or one piece? */
static bool has_row(const struct one *c, bool is_src) {
    if (c->kind == EXCHANGE) return true;
    if (is_src) return c->kind == SCATTER && gas_team_rank(c->team) == c->root;
    return c->kind == GATHER_ALL || (c->kind == GATHER && gas_team_rank(c->team) == c->root);
}

/* The pieces of a row, and the size of its buffer. */
static size_t row(const struct one *c, bool is_src, size_t *at, size_t *bytes) {
    int n = gas_team_size(c->team), rank = gas_team_rank(c->team);
    for (int r = 0; r < n; r++) bytes[r] = is_src ? size_of(c, rank, r) : size_of(c, r, rank);
    return lay_out(n, at, bytes);
}

static void begin_one(struct one *c) {
    int n = gas_team_size(c->team), rank = gas_team_rank(c->team);
    size_t src_at[n], src_bytes[n], dst_at[n], dst_bytes[n];
    size_t gives = size_of(c, rank, c->root), gets = size_of(c, c->root, rank);
    c->src_room = row(c, true, src_at, src_bytes);
    c->dst_room = row(c, false, dst_at, dst_bytes);
    if (!has_row(c, true)) c->src_room = gives + 8;
    if (!has_row(c, false)) c->dst_room = gets + 8;
    c->src_shared = random_below(&mine, 2);
    c->dst_shared = random_below(&mine, 2);
    c->src = buffer(c->src_shared, c->src_room);
    c->dst = buffer(c->dst_shared, c->dst_room);
    memset(c->src, 0x33, c->src_room);
    memset(c->dst, 0x5a, c->dst_room);
    if (has_row(c, true))
        for (int r = 0; r < n; r++) fill_pattern(c->src + src_at[r], src_bytes[r], key_of(c, rank, r));
    else
        fill_pattern(c->src, gives, key_of(c, rank, c->root));
    switch (c->kind) {
    case SCATTER: c->h = gas_scatter_pieces_nb(c->team, c->dst, gets, c->src, src_at, src_bytes, c->root); break;
    case GATHER: c->h = gas_gather_pieces_nb(c->team, c->dst, dst_at, dst_bytes, c->src, gives, c->root); break;
    case GATHER_ALL: c->h = gas_gather_all_pieces_nb(c->team, c->dst, dst_at, dst_bytes, c->src, gives); break;
    default: c->h = gas_exchange_pieces_nb(c->team, c->dst, dst_at, dst_bytes, c->src, src_at, src_bytes);
    }
    memset(src_at, 0xff, sizeof src_at), memset(src_bytes, 0xff, sizeof src_bytes); /* these have been read */
    memset(dst_at, 0xff, sizeof dst_at), memset(dst_bytes, 0xff, sizeof dst_bytes);
}

static void end_one(struct one *c) {
    int n = gas_team_size(c->team), rank = gas_team_rank(c->team);
    char *want = malloc(c->dst_room);
    memset(want, 0x5a, c->dst_room);
    size_t at[n], bytes[n];
    row(c, false, at, bytes);
    if (has_row(c, false))
        for (int r = 0; r < n; r++) fill_pattern(want + at[r], bytes[r], key_of(c, r, rank));
    else if (c->kind == SCATTER)
        fill_pattern(want, size_of(c, c->root, rank), key_of(c, c->root, rank));
    ASSERT(memcmp(want, c->dst, c->dst_room) == 0, "kind %d, root %d, pieces of up to %zu bytes", c->kind, c->root,
           c->most);
    free(want);
    memset(c->src, 0x77, c->src_room); /* nobody may read it any more */
    release(c->src_shared, c->src);
    release(c->dst_shared, c->dst);
}

static struct one any(gas_team team, int kind, size_t most) {
    struct one c = {.team = team, .kind = kind, .most = most, .salt = random_word(&together) >> 20};
    c.root = (int)(random_word(&together) % 64) % gas_team_size(team);
    return c;
}

CASE(begun_pieces_of_every_kind_and_size) {
    static const size_t most[] = {0, 1, 8, 100, 5000, 20000, 200000};
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof most / sizeof *most; i++)
            for (int again = 0; again < (most[i] > 100000 ? 1 : 4); again++) {
                struct one c = any(gas_world(), kind, most[i]);
                begin_one(&c);
                complete(&c.h);
                end_one(&c);
            }
}

/* Among barriers, broadcasts, scans, and calls that block; on several teams; completed in an order of each member's own. */
CASE(begun_pieces_many_at_the_same_time_on_several_teams) {
    enum { MANY = 24 };
    gas_team teams[] = {gas_world(), gas_team_split(gas_world(), me() % 2, -me()),
                        gas_team_split(gas_world(), 0, me())};
    for (long round = suite_rounds(20); round-- > 0;) {
        struct one c[MANY];
        gas_handle h[4 * MANY];
        int64_t one = 1, places[MANY], boxes[MANY];
        int n = (int)random_between(&together, 1, MANY), begun = 0;
        for (int i = 0; i < n; i++) {
            c[i] = any(teams[random_below(&together, 3)], (int)random_below(&together, KINDS),
                       random_size(&together, 20000));
            begin_one(&c[i]);
            h[begun++] = c[i].h;
            boxes[i] = me();
            h[begun++] = gas_scan_nb(c[i].team, &places[i], &one, 1, GAS_I64, GAS_ADD, 0);
            h[begun++] = gas_broadcast_nb(c[i].team, &boxes[i], &boxes[i], 8, c[i].root);
            if (random_below(&together, 4) == 0) h[begun++] = gas_team_barrier_nb(c[i].team);
            compute();
            if (random_below(&together, 8) == 0) gas_team_barrier(teams[random_below(&together, 3)]);
        }
        complete_all(h, begun);
        for (int i = 0; i < n; i++) {
            EQUAL(gas_team_rank(c[i].team) + 1, places[i]);
            EQUAL(gas_team_thread(c[i].team, c[i].root), boxes[i]);
            end_one(&c[i]);
        }
    }
    gas_team_free(teams[1]);
    gas_team_free(teams[2]);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

#define LINE(text) "fathom: thread [0-9]+: " text "( in .*)?\\|"

/* Rank 1 gives 8 bytes more than the others expect of it. */
static gas_handle too_many(size_t expected) {
    static char src[16];
    size_t at[count()], bytes[count()];
    for (int r = 0; r < count(); r++) at[r] = 16 * (size_t)r, bytes[r] = me() == 1 || r != 1 ? 8 : expected;
    if (me() == 1) bytes[1] = expected + 8;
    return gas_gather_all_pieces_nb(gas_world(), malloc(16 * (size_t)count()), at, bytes, src, bytes[me()]);
}
ENDS(begun_pieces_of_sizes_that_differ, 2, 1,
     LINE("the members of a team give different sizes to a collective operation: 8 bytes, and thread 1 16.*")) {
    gas_handle h = too_many(8);
    gas_wait(&h);
    WAIT_UNTIL(false);
}
ENDS(begun_pieces_where_none_is_expected, 2, 1,
     LINE("the members of a team give different sizes to a collective operation: 0 bytes, and thread 1 8.*")) {
    gas_handle h = too_many(0);
    gas_wait(&h);
    WAIT_UNTIL(false);
}
ENDS(begun_pieces_with_two_sizes_for_ones_own, 1, 1,
     LINE("gas_gather_pieces_nb: rank 0 has a piece of 8 bytes, but 4 are expected of it.*")) {
    char dst[8], src[8] = {0};
    size_t at = 0, bytes = 4;
    gas_handle h = GAS_DONE;
    if (me() == 0) h = gas_gather_pieces_nb(gas_world(), dst, &at, &bytes, src, 8, 0);
    gas_wait(&h);
    WAIT_UNTIL(false);
}
ENDS(begun_pieces_and_pieces_of_one_size_that_differ, 2, 1,
     LINE("the members of a team have begun different collective operations, this one a .* and thread [0-9]+ a .*")) {
    int n = count();
    char *dst = malloc(8 * (size_t)n), src[8] = {0};
    size_t at[n], bytes[n];
    for (int r = 0; r < n; r++) at[r] = 8 * (size_t)r, bytes[r] = 8;
    gas_handle h = me() == 0 ? gas_gather_all_nb(gas_world(), dst, src, 8)
                             : gas_gather_all_pieces_nb(gas_world(), dst, at, bytes, src, 8);
    gas_wait(&h);
    WAIT_UNTIL(false);
}
