/* Collectives with pieces of different sizes, reductions that are dealt out, operators of the program, and small types,
 * each against a model that every thread computes by itself. */
#include "suite.h"

/* The size of the piece that goes from one thread to another. */
static size_t size_of_piece(uint64_t salt, int from, int to) {
    struct suite_random r = {salt + (uint64_t)from * 1000 + (uint64_t)to};
    random_word(&r);
    return random_below(&r, 4) == 0 ? 0 : random_size(&r, 9000);
}
static uint64_t key_of(uint64_t salt, int from, int to) { return salt ^ ((uint64_t)from << 20 | (uint64_t)to); }

/* Buffers are private or in the segment; pieces stand in an order that is not that of the ranks, with gaps. */
static void *buffer(size_t n, bool shared, fathom_ptr *p) {
    *p = shared ? gas_alloc(n + 1) : 0;
    void *b = shared ? fathom_local(*p) : malloc(n + 1);
    ASSERT(b, "no room");
    memset(b, 0xee, n + 1);
    return b;
}
static void release(void *b, fathom_ptr p) {
    if (p)
        gas_free(p);
    else
        free(b);
}
static size_t lay_out(int n, size_t *at, const size_t *bytes) {
    size_t next = 3;
    for (int r = n - 1; r >= 0; r--) at[r] = next, next += bytes[r] + (r % 3);
    return next;
}

static void pieces_on(gas_team team, uint64_t salt) {
    int n = gas_team_size(team), rank = gas_team_rank(team);
    size_t at[n], bytes[n], src_at[n], src_bytes[n];
    fathom_ptr p, q;
    bool shared = salt >> 8 & 1, others = salt >> 9 & 1;
    int root = (int)((salt >> 16) % (uint64_t)n);

    for (int r = 0; r < n; r++) bytes[r] = size_of_piece(salt, r, rank), src_bytes[r] = size_of_piece(salt, rank, r);
    size_t all = lay_out(n, at, bytes), src_all = lay_out(n, src_at, src_bytes);
    char *dst = buffer(all, others, &p), *src = buffer(src_all, shared, &q);
    for (int r = 0; r < n; r++) fill_pattern(src + src_at[r], src_bytes[r], key_of(salt, rank, r));
    gas_exchange_pieces(team, dst, at, bytes, src, src_at, src_bytes);
    for (int r = 0; r < n; r++) PATTERN(dst + at[r], bytes[r], key_of(salt, r, rank));
    EQUAL((char)0xee, dst[0]);
    EQUAL((char)0xee, dst[all]);
    release(dst, p);

    /* From the root's buffer to all, and back. */
    dst = buffer(src_bytes[0] + size_of_piece(salt, root, rank), others, &p);
    size_t mine_bytes = size_of_piece(salt, root, rank);
    gas_scatter_pieces(team, dst, mine_bytes, src, src_at, src_bytes, root);
    PATTERN(dst, mine_bytes, key_of(salt, root, rank));
    memset(src, 0xee, src_all);
    gas_gather_pieces(team, src, src_at, src_bytes, dst, mine_bytes, root);
    for (int r = 0; rank == root && r < n; r++) PATTERN(src + src_at[r], src_bytes[r], key_of(salt, root, r));
    release(src, q);

    for (int r = 0; r < n; r++) bytes[r] = size_of_piece(salt, root, r);
    all = lay_out(n, at, bytes);
    src = buffer(all, shared, &q);
    gas_gather_all_pieces(team, src, at, bytes, dst, mine_bytes);
    for (int r = 0; r < n; r++) PATTERN(src + at[r], bytes[r], key_of(salt, root, r));
    release(src, q);
    release(dst, p);
}

CASE(pieces_of_any_sizes) {
    for (long i = suite_rounds(6); i-- > 0;) pieces_on(gas_world(), random_word(&together));
}

CASE(pieces_in_teams) {
    gas_team half = gas_team_split(gas_world(), me() % 2, -me());
    pieces_on(half, random_word(&together));
    gas_team_free(half);
}

/* Affine maps x -> a x + b modulo 2^32: associative, not commutative. */
struct map {
    uint32_t a, b;
};
static void follow(void *dst, const void *a, const void *b, size_t n, void *context) {
    const struct map *f = a, *g = b;
    for (size_t i = 0; i < n; i++) ((struct map *)dst)[i] = (struct map){f[i].a * g[i].a, f[i].b * g[i].a + g[i].b};
    if (!*(bool *)context) suite_fail(__FILE__, __LINE__, "context", "is not what was passed");
}
static struct map map_of(uint64_t salt, int thread, size_t i) {
    struct suite_random r = {salt + (uint64_t)thread * 7919 + i};
    uint64_t w = random_word(&r);
    return (struct map){(uint32_t)w | 1, (uint32_t)(w >> 32)};
}

CASE(operators_of_the_program) {
    bool context = true;
    for (long turn = suite_rounds(6); turn-- > 0;) {
        uint64_t salt = random_word(&together);
        size_t n = 1 + random_size(&together, 3000);
        int root = (int)random_below(&together, (uint64_t)count());
        struct map *src = malloc(n * sizeof *src), *dst = malloc(n * sizeof *dst),
                   *to_here = malloc(n * sizeof *to_here);
        struct map *total = malloc(n * sizeof *total);
        for (size_t i = 0; i < n; i++) {
            src[i] = map_of(salt, me(), i);
            struct map sum = map_of(salt, 0, i);
            for (int t = 0;; t++) {
                if (t) {
                    struct map next = map_of(salt, t, i);
                    follow(&sum, &sum, &next, 1, &context);
                }
                if (t == me()) to_here[i] = sum;
                if (t == count() - 1) break;
            }
            total[i] = sum;
        }
#define SAME(what, expected)                                                                                           \
    for (size_t i = 0; i < n; i++)                                                                                     \
    ASSERT(dst[i].a == (expected)[i].a && dst[i].b == (expected)[i].b, what ", element %zu of %zu", i, n)
        gas_reduce_with(gas_world(), dst, src, n, sizeof *src, follow, &context, root, 0);
        if (me() == root) SAME("reduce", total);
        gas_all_reduce_with(gas_world(), dst, src, n, sizeof *src, follow, &context, 0);
        SAME("all_reduce", total);
        gas_scan_with(gas_world(), dst, src, n, sizeof *src, follow, &context, 0, 0);
        SAME("scan", to_here);
        free(src), free(dst), free(to_here), free(total);
    }
}

/* A share of a reduction is, bit for bit, that part of the whole reduction. */
CASE(reduce_scatter_is_a_part_of_the_reduction) {
    bool context = true;
    for (long turn = suite_rounds(5); turn-- > 0;) {
        size_t n = 1 + random_size(&together, 700), all = n * (size_t)count();
        double *src = malloc(all * sizeof *src), *whole = malloc(all * sizeof *whole), *part = malloc(n * sizeof *part);
        for (size_t i = 0; i < all; i++) src[i] = (double)(int64_t)random_word(&mine) / 3e5;
        gas_all_reduce(gas_world(), whole, src, all, GAS_F64, GAS_ADD, 0);
        gas_reduce_scatter(gas_world(), part, src, n, GAS_F64, GAS_ADD);
        ASSERT(memcmp(part, whole + n * (size_t)me(), n * sizeof *part) == 0, "%zu elements", n);
        gas_all_reduce_with(gas_world(), whole, src, all, sizeof(struct map), follow, &context, 0);
        gas_reduce_scatter_with(gas_world(), src, src, n, sizeof(struct map), follow, &context);
        ASSERT(memcmp(src, whole + n * (size_t)me(), n * sizeof *part) == 0, "%zu elements, own operator", n);
        free(src), free(whole), free(part);
    }
}

#define SMALL(T, TYPE)                                                                                                 \
    do {                                                                                                               \
        T src[5], dst[5], sum[5] = {0}, most[5], bits[5] = {0};                                                        \
        for (int i = 0; i < 5; i++) {                                                                                  \
            most[i] = (T)map_of(salt, 0, (size_t)i).b;                                                                 \
            for (int t = 0; t < count(); t++) {                                                                        \
                T x = (T)map_of(salt, t, (size_t)i).b;                                                                 \
                sum[i] = (T)(sum[i] + x), bits[i] = (T)(bits[i] ^ x);                                                  \
                if (x > most[i]) most[i] = x;                                                                          \
                if (t == me()) src[i] = x;                                                                             \
            }                                                                                                          \
        }                                                                                                              \
        gas_all_reduce(gas_world(), dst, src, 5, TYPE, GAS_ADD, 0);                                                    \
        ASSERT(memcmp(dst, sum, sizeof dst) == 0, "sum");                                                              \
        gas_all_reduce(gas_world(), dst, src, 5, TYPE, GAS_XOR, 0);                                                    \
        ASSERT(memcmp(dst, bits, sizeof dst) == 0, "exclusive or");                                                    \
        gas_all_reduce(gas_world(), dst, src, 5, TYPE, GAS_MAX, 0);                                                    \
        ASSERT(memcmp(dst, most, sizeof dst) == 0, "maximum");                                                         \
    } while (0)
CASE(reductions_of_small_types) {
    for (long turn = suite_rounds(10); turn-- > 0;) {
        uint64_t salt = random_word(&together);
        SMALL(int8_t, GAS_I8);
        SMALL(uint8_t, GAS_U8);
        SMALL(int16_t, GAS_I16);
        SMALL(uint16_t, GAS_U16);
    }
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------- */

ENDS(
    pieces_of_sizes_that_differ, 1, 1,
    "fathom: thread [0-9]+: gas_gather_all_pieces: rank [0-9]+ has a piece of 8 bytes, but 4 are expected of it.*\\|") {
    char dst[4 * count()], src[8] = {0};
    size_t at[count()], bytes[count()];
    for (int r = 0; r < count(); r++) at[r] = 4 * (size_t)r, bytes[r] = 4;
    gas_gather_all_pieces(gas_world(), dst, at, bytes, src, 8);
}
ENDS(
    operator_on_odd_elements, 1, 1,
    "fathom: thread [0-9]+: gas_all_reduce_with: elements of 24 bytes; their size must be a power of two up to 64: pad "
    "them.*\\|") {
    char x[24] = {0};
    gas_all_reduce_with(gas_world(), x, x, 1, 24, follow, NULL, 0);
}
ENDS(operator_without_a_function, 1, 1, "fathom: thread [0-9]+: gas_scan_with: no function that combines.*\\|") {
    char x[8] = {0};
    gas_scan_with(gas_world(), x, x, 1, 8, NULL, NULL, 0, 0);
}
ENDS(atomic_of_a_small_type, 1, 1, "fathom: thread [0-9]+: gas_atomic: no such type \\(7\\).*\\|") {
    int64_t one = 1;
    gas_atomic(NULL, gas_alloc(8), GAS_I8, GAS_ADD, &one, NULL);
}
ENDS(reduction_that_is_dealt_out_without_counts, 1, 1,
     "fathom: thread [0-9]+: gas_reduce_scatter_pieces: the address of the members' counts is null.*\\|") {
    double x[2] = {0};
    gas_reduce_scatter_pieces(gas_world(), x, x, NULL, GAS_F64, GAS_ADD);
}
