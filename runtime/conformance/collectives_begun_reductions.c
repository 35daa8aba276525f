/* Reductions, scans and reductions that are dealt out, which are begun and completed by their handles: bit by bit what the calls
 * give that block, which reductions.c and collectives_pieces.c check against models.
 */
#include "begun.h"
#include "gas/collective.h"

/* ---- reductions -------------------------------------------------------------------------------------------------- */

static void fill_values(void *at, size_t count, int type) {
    for (size_t i = 0; i < count; i++) {
        double x = (double)random_between(&mine, -1000, 1000) * 0.37;
        switch (type) {
        case GAS_F32: ((float *)at)[i] = (float)x; break;
        case GAS_F64: ((double *)at)[i] = x; break;
        case GAS_I8:
        case GAS_U8: ((uint8_t *)at)[i] = (uint8_t)random_word(&mine); break;
        case GAS_I16:
        case GAS_U16: ((uint16_t *)at)[i] = (uint16_t)random_word(&mine); break;
        case GAS_I32:
        case GAS_U32: ((uint32_t *)at)[i] = (uint32_t)random_word(&mine); break;
        default: ((uint64_t *)at)[i] = random_word(&mine);
        }
    }
}

static const int operators[] = {GAS_ADD, GAS_MULT, GAS_MIN, GAS_MAX, GAS_AND, GAS_OR, GAS_XOR};

/* Bit by bit what the call that blocks gives, which reductions.c checks against a model. */
static void reduce_both_ways(gas_team team, int type, int op, size_t n, bool in_place, bool shared, int root) {
    size_t bytes = n * 8;
    bool has = root < 0 || root == gas_team_rank(team);
    char *src = buffer(shared, bytes + 8), *dst = buffer(!shared, bytes + 8), *want = malloc(bytes + 8);
    fill_values(src, n, type);
    memset(want, 0x5a, bytes + 8);
    memset(dst, 0x5a, bytes + 8);
    if (root < 0)
        gas_all_reduce(team, want, src, n, (enum gas_atomic_type)type, (enum gas_atomic_op)op, 0);
    else
        gas_reduce(team, want, src, n, (enum gas_atomic_type)type, (enum gas_atomic_op)op, root, 0);
    if (in_place) memcpy(dst, src, bytes);
    if (in_place && has) { /* blocking forms leave the rest of a buffer alone, too */
        size_t elem = gas_atomic_bytes((enum gas_atomic_type)type);
        memcpy(want + n * elem, dst + n * elem, bytes - n * elem);
    }
    const void *from = in_place ? dst : src;
    gas_handle h = root < 0
                       ? gas_all_reduce_nb(team, dst, from, n, (enum gas_atomic_type)type, (enum gas_atomic_op)op)
                       : gas_reduce_nb(team, dst, from, n, (enum gas_atomic_type)type, (enum gas_atomic_op)op, root);
    complete(&h);
    if (has)
        ASSERT(memcmp(dst, want, bytes + 8) == 0, "type %d, operator %d, %zu elements, root %d%s", type, op, n, root,
               in_place ? ", in place" : "");
    else if (!in_place)
        for (size_t i = 0; i < bytes + 8; i++) EQUAL(0x5a, dst[i]);
    release(shared, src), release(!shared, dst), free(want);
}

CASE(begun_reductions_of_every_type_and_operator) {
    for (int type = GAS_I32; type <= GAS_U16; type++)
        for (int o = 0; o < 7 && type != GAS_PTS; o++) {
            if (o >= 4 && (type == GAS_F32 || type == GAS_F64)) continue;
            int root = (type + o) % (count() + 1) - 1;
            reduce_both_ways(gas_world(), type, operators[o], (size_t)(3 + o), o & 1, type & 1, root);
        }
}

CASE(begun_reductions_of_every_size) {
    gas_team team = gas_team_split(gas_world(), me() % 3 == 0, -me());
    static const size_t counts[] = {0, 1, 2, 500, 512, 513, 1000, 8192, 8200, 131072};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int how = 0; how < (counts[i] > 10000 ? 2 : 8); how++) {
            gas_team t = how & 4 ? team : gas_world();
            int root = how & 2 ? (int)random_below(&together, 16) % gas_team_size(t) : -1;
            reduce_both_ways(t, GAS_F64, GAS_ADD, counts[i], how & 1, random_below(&mine, 2), root);
        }
    gas_team_free(team);
}

/* x -> ax + b: first the left one, then the right one, which is associative, and not commutative. */
struct line {
    uint32_t a, b;
};
static void after(void *dst, const void *left, const void *right, size_t n, void *context) {
    struct line *d = dst;
    const struct line *x = left, *y = right;
    ++*(int *)context;
    for (size_t i = 0; i < n; i++) d[i] = (struct line){x[i].a * y[i].a, x[i].b * y[i].a + y[i].b};
}
CASE(begun_reductions_by_a_function_keep_the_order_of_members) {
    enum { N = 3000 };
    struct line *src = malloc(N * sizeof *src), *dst = malloc(N * sizeof *dst);
    for (size_t n = 1; n <= N; n += 2999)
        for (int root = -1; root < count(); root++) {
            int calls = 0;
            for (size_t i = 0; i < n; i++)
                src[i] = (struct line){2 * (uint32_t)me() + 3, (uint32_t)(me() * 977) + (uint32_t)i};
            gas_handle h = root < 0 ? gas_all_reduce_with_nb(gas_world(), dst, src, n, sizeof *src, after, &calls)
                                    : gas_reduce_with_nb(gas_world(), dst, src, n, sizeof *src, after, &calls, root);
            complete(&h);
            for (size_t i = 0; (root < 0 || root == me()) && i < n; i++) {
                struct line all = {3, (uint32_t)i};
                for (uint32_t r = 1; r < (uint32_t)count(); r++) {
                    struct line y = {2 * r + 3, r * 977 + (uint32_t)i};
                    all = (struct line){all.a * y.a, all.b * y.a + y.b};
                }
                ASSERT(memcmp(&all, &dst[i], sizeof all) == 0, "root %d, element %zu of %zu", root, i, n);
            }
        }
    free(src), free(dst);
}

/* ---- scans, and reductions that are dealt out -------------------------------------------------------------------- */

enum { SCAN, EXCLUSIVE, SHARES, PIECES, SHAPES };
static const char *const shapes[] = {"scan", "exclusive scan", "reduce-scatter", "reduce-scatter with pieces"};

/* One that is under way, and what its destination must be afterwards. */
struct result {
    int shape, type, op, calls;
    bool by_function, in_place, src_shared, dst_shared;
    size_t n, src_bytes, room;
    char *src, *dst, *want;
    gas_handle h;
};

/* Calculates `want` by calls that block, then begins. n: elements; with pieces, their most. */
static void begin_result(struct result *x, gas_team team, size_t n) {
    int size = gas_team_size(team), rank = gas_team_rank(team), ignored;
    struct suite_random sizes = {random_word(&together)};
    enum gas_atomic_type type = (enum gas_atomic_type)x->type;
    enum gas_atomic_op op = (enum gas_atomic_op)x->op;
    size_t elem = x->by_function ? sizeof(struct line) : gas_atomic_bytes(type), counts[size], all = 0, start = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = x->shape == PIECES ? random_below(&sizes, n + 1) : n;
        if (r == rank) start = all;
        all += counts[r];
    }
    bool is_scan = x->shape == SCAN || x->shape == EXCLUSIVE;
    size_t give = is_scan ? n : all, take = is_scan ? n : counts[rank];
    x->n = n, x->calls = 0;
    x->src_bytes = give * elem;
    x->room = x->src_bytes + 8;
    x->src_shared = random_below(&mine, 2);
    x->dst_shared = x->in_place ? x->src_shared : random_below(&mine, 2);
    x->src = buffer(x->src_shared, x->room);
    x->dst = x->in_place ? x->src : buffer(x->dst_shared, x->room);
    memset(x->dst, 0x5a, x->room);
    fill_values(x->src, give, x->by_function ? GAS_U64 : x->type);
    x->want = malloc(x->room);
    memcpy(x->want, x->dst, x->room);
    if (is_scan && x->by_function) {
        gas_scan_with(team, x->want, x->src, n, elem, after, &ignored, x->shape == EXCLUSIVE, 0);
    } else if (is_scan) {
        gas_scan(team, x->want, x->src, n, type, op, x->shape == EXCLUSIVE, 0);
    } else {
        char *whole = malloc(x->room);
        if (x->by_function)
            gas_all_reduce_with(team, whole, x->src, all, elem, after, &ignored, 0);
        else
            gas_all_reduce(team, whole, x->src, all, type, op, 0);
        memcpy(x->want, whole + start * elem, take * elem);
        free(whole);
    }
    if (is_scan)
        x->h = x->by_function ? gas_scan_with_nb(team, x->dst, x->src, n, elem, after, &x->calls, x->shape == EXCLUSIVE)
                              : gas_scan_nb(team, x->dst, x->src, n, type, op, x->shape == EXCLUSIVE);
    else if (x->shape == SHARES)
        x->h = x->by_function ? gas_reduce_scatter_with_nb(team, x->dst, x->src, n, elem, after, &x->calls)
                              : gas_reduce_scatter_nb(team, x->dst, x->src, n, type, op);
    else
        x->h = x->by_function ? gas_reduce_scatter_pieces_with_nb(team, x->dst, x->src, counts, elem, after, &x->calls)
                              : gas_reduce_scatter_pieces_nb(team, x->dst, x->src, counts, type, op);
    memset(counts, 0xff, sizeof counts); /* it has been read */
}

static void end_result(struct result *x) {
    ASSERT(memcmp(x->dst, x->want, x->room) == 0, "%s%s of type %d by operator %d, %zu elements%s", shapes[x->shape],
           x->by_function ? " by a function" : "", x->type, x->op, x->n, x->in_place ? ", in place" : "");
    if (!x->in_place) { /* nobody may read this any more */
        memset(x->src, 0x77, x->src_bytes);
        release(x->src_shared, x->src);
    }
    release(x->dst_shared, x->dst);
    free(x->want);
}

static void one_result(gas_team team, struct result x, size_t n) {
    begin_result(&x, team, n);
    complete(&x.h);
    end_result(&x);
}

CASE(begun_scans_and_shares_of_every_type_and_operator) {
    for (int type = GAS_I32; type <= GAS_U16; type++)
        for (int o = 0; o < 7 && type != GAS_PTS; o++) {
            if (o >= 4 && (type == GAS_F32 || type == GAS_F64)) continue;
            for (int shape = 0; shape < SHAPES; shape++)
                one_result(gas_world(),
                           (struct result){.shape = shape, .type = type, .op = operators[o], .in_place = o & 1},
                           (size_t)(2 + o));
        }
}

CASE(begun_scans_and_shares_of_every_size) {
    gas_team team = gas_team_split(gas_world(), me() % 3 == 0, -me());
    static const size_t counts[] = {0, 1, 2, 500, 512, 513, 1000, 8192, 8200, 20000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int how = 0; how < 8; how++)
            for (int shape = 0; shape < SHAPES; shape++)
                one_result(
                    how & 4 ? team : gas_world(),
                    (struct result){
                        .shape = shape, .type = GAS_F64, .op = GAS_ADD, .by_function = how & 2, .in_place = how & 1},
                    counts[i]);
    gas_team_free(team);
}

/* In the same order on all members, on several teams, with calls that block between them; completed in an order of each
 * member's own. */
CASE(begun_scans_and_shares_many_at_the_same_time) {
    enum { MANY = 24 };
    gas_team teams[] = {gas_world(), gas_team_split(gas_world(), me() % 2, -me()),
                        gas_team_split(gas_world(), 0, me())};
    for (long round = suite_rounds(20); round-- > 0;) {
        struct result x[MANY];
        gas_handle h[MANY];
        int n = (int)random_between(&together, 1, MANY);
        for (int i = 0; i < n; i++) {
            bool is_real = random_below(&together, 2);
            x[i] = (struct result){.shape = (int)random_below(&together, SHAPES),
                                   .type = is_real ? GAS_F64 : GAS_U16,
                                   .op = operators[random_below(&together, is_real ? 4 : 7)],
                                   .by_function = random_below(&together, 3) == 0,
                                   .in_place = random_below(&together, 3) == 0};
            gas_team team = teams[random_below(&together, 3)];
            begin_result(&x[i], team, random_size(&together, 3000));
            h[i] = x[i].h;
            compute();
        }
        complete_all(h, n);
        for (int i = 0; i < n; i++) end_result(&x[i]);
    }
    gas_team_free(teams[1]);
    gas_team_free(teams[2]);
}

CASE(reduce_scatter_with_pieces_that_blocks) {
    size_t n = (size_t)count(), counts[n], all = 0, start = 0;
    for (size_t r = 0; r < n; r++) {
        counts[r] = r * 700 % 1500;
        if (r == (size_t)me()) start = all;
        all += counts[r];
    }
    double *src = malloc(all * sizeof *src + 1), *whole = malloc(all * sizeof *src + 1), part[1500];
    fill_values(src, all, GAS_F64);
    int calls = 0;
    gas_all_reduce(gas_world(), whole, src, all, GAS_F64, GAS_ADD, 0);
    gas_reduce_scatter_pieces(gas_world(), part, src, counts, GAS_F64, GAS_ADD);
    ASSERT(memcmp(part, whole + start, counts[me()] * sizeof *part) == 0, "%zu elements", counts[me()]);
    gas_all_reduce_with(gas_world(), whole, src, all, sizeof(struct line), after, &calls, 0);
    gas_reduce_scatter_pieces_with(gas_world(), part, src, counts, sizeof(struct line), after, &calls);
    ASSERT(memcmp(part, whole + start, counts[me()] * sizeof *part) == 0, "%zu elements, own operator", counts[me()]);
    free(src), free(whole);
}

/* A call that blocks comes before, between or behind those that are begun, on each thread elsewhere. */
CASE(reduce_scatter_with_pieces_that_blocks_between_begun_ones) {
    size_t n = (size_t)count(), counts[n];
    int64_t ones[n], tens[n], one = 0, ten = 0, box = me() == 0 ? 7 : 0;
    for (size_t r = 0; r < n; r++) counts[r] = 1, ones[r] = 1, tens[r] = 10;
    for (int round = 0; round < 40; round++) {
        gas_handle broadcast = GAS_DONE, begun = GAS_DONE;
        for (int step = 0; step < 3; step++) {
            if (step == (round + me()) % 3) {
                gas_reduce_scatter_pieces(gas_world(), &one, ones, counts, GAS_I64, GAS_ADD);
                ASSERT(one == (int64_t)n, "%ld", (long)one);
            }
            if (step == 0) broadcast = gas_broadcast_nb(gas_world(), &box, &box, sizeof box, 0);
            if (step == 1) begun = gas_reduce_scatter_pieces_nb(gas_world(), &ten, tens, counts, GAS_I64, GAS_ADD);
        }
        gas_wait(&begun);
        gas_wait(&broadcast);
        ASSERT(ten == 10 * (int64_t)n && box == 7, "%ld, %ld", (long)ten, (long)box);
    }
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

#define LINE(text) "fathom: thread [0-9]+: " text "( in .*)?\\|"

ENDS(begun_scan_of_different_sizes, 2, 1,
     LINE("the members of a team give different sizes to a collective operation: [0-9]+ bytes, and thread [0-9]+.*")) {
    int64_t in[2] = {1, 2}, out[2];
    gas_handle h = gas_scan_nb(gas_world(), out, in, me() == 1 ? 2 : 1, GAS_I64, GAS_ADD, 0);
    gas_wait(&h);
    WAIT_UNTIL(false);
}

ENDS(begun_reduce_scatter_of_different_counts, 2, 1,
     LINE("the members of a team give different sizes to a collective operation: [0-9]+ bytes, and thread [0-9]+.*")) {
    size_t counts[count()], all = 0;
    for (int r = 0; r < count(); r++) all += counts[r] = me() == 1 ? 0 : 2;
    counts[0] += me() == 1, all += me() == 1;
    int64_t *in = calloc(all, 8), out[2];
    gas_handle h = gas_reduce_scatter_pieces_nb(gas_world(), out, in, counts, GAS_I64, GAS_ADD);
    gas_wait(&h);
    WAIT_UNTIL(false);
}

ENDS(begun_scan_and_reduction_that_differ, 2, 1,
     LINE("the members of a team have begun different collective operations, this one a .* and thread [0-9]+ a .*")) {
    int64_t one = 1, sum;
    gas_handle h = me() == 0 ? gas_scan_nb(gas_world(), &sum, &one, 1, GAS_I64, GAS_ADD, 0)
                             : gas_all_reduce_nb(gas_world(), &sum, &one, 1, GAS_I64, GAS_ADD);
    gas_wait(&h);
    WAIT_UNTIL(false);
}

ENDS(begun_scan_without_a_function, 1, 1, LINE("gas_scan_with_nb: no function that combines.*")) {
    int64_t one = 1;
    gas_scan_with_nb(gas_world(), &one, &one, 1, 8, NULL, NULL, 0);
}
