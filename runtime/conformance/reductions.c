/* Reductions and scans: every type with every operator against a model, every root, from nothing to many elements, in
 * place, the same result on every thread, and floating point in the same order every time. */
#include "suite.h"

#include <unistd.h>

#include "gas/collective.h"

static const size_t size_of[] = {4, 4, 8, 8, 4, 8};
static const int operators[] = {GAS_ADD, GAS_MULT, GAS_AND, GAS_OR, GAS_XOR, GAS_MIN, GAS_MAX};
enum { OPERATORS = sizeof operators / sizeof *operators };
static bool is_real(int type) { return type == GAS_F32 || type == GAS_F64; }
static bool has(int type, int op) {
    return !is_real(type) || op == GAS_ADD || op == GAS_MULT || op == GAS_MIN || op == GAS_MAX;
}

/* Element i of member r: small whole numbers, so that floating point is exact. Products stay small, too, and
 * have no zeros, which have a sign. */
static int64_t number(uint64_t key, int op, int r, size_t i) {
    uint64_t z = (key + (uint64_t)r * 77 + i) * 0x9e3779b97f4a7c15;
    z ^= z >> 31;
    return op == GAS_MULT ? (z & 1 ? -1 : 1 + (int64_t)(z >> 8 & 1)) : (int64_t)(z % 201) - 100;
}
static void write_number(void *at, int type, size_t i, int64_t v) {
    switch (type) {
    case GAS_I32: ((int32_t *)at)[i] = (int32_t)v; break;
    case GAS_U32: ((uint32_t *)at)[i] = (uint32_t)v; break;
    case GAS_I64: ((int64_t *)at)[i] = v; break;
    case GAS_U64: ((uint64_t *)at)[i] = (uint64_t)v; break;
    case GAS_F32: ((float *)at)[i] = (float)v; break;
    default: ((double *)at)[i] = (double)v;
    }
}
static int64_t combine(int type, int op, int64_t x, int64_t y) {
    bool less = type == GAS_U32 ? (uint32_t)x < (uint32_t)y : type == GAS_U64 ? (uint64_t)x < (uint64_t)y : x < y;
    switch (op) {
    case GAS_ADD: return x + y;
    case GAS_MULT: return x * y;
    case GAS_AND: return x & y;
    case GAS_OR: return x | y;
    case GAS_XOR: return x ^ y;
    case GAS_MIN: return less ? x : y;
    default: return less ? y : x;
    }
}
static int64_t combined(uint64_t key, int type, int op, int first, int last, size_t i) {
    int64_t v = number(key, op, first, i);
    for (int r = first + 1; r <= last; r++) v = combine(type, op, v, number(key, op, r, i));
    return v;
}

static void check(const char *what, int type, int op, uint64_t key, int last, size_t n, const void *dst) {
    char expected[16];
    for (size_t i = 0; i < n; i++) {
        write_number(expected, type, 0, combined(key, type, op, 0, last, i));
        ASSERT(memcmp(expected, (const char *)dst + i * size_of[type], size_of[type]) == 0,
               "%s of type %d by operator %d, element %zu of %zu, of members 0 to %d: is not %" PRId64, what, type, op,
               i, n, last, combined(key, type, op, 0, last, i));
    }
}

static void one_of_each(gas_team team, int type, int op, size_t n, int root, uint64_t key, bool in_place) {
    int size = gas_team_size(team), rank = gas_team_rank(team);
    size_t bytes = n * size_of[type];
    char *src = malloc(bytes + 8), *dst = in_place ? src : malloc(bytes + 8);
    for (int which = 0; which < 4; which++) {
        for (size_t i = 0; i < n; i++) write_number(src, type, i, number(key, op, rank, i));
        if (!in_place) memset(dst, 0x5a, bytes + 8);
        enum gas_atomic_type t = (enum gas_atomic_type)type;
        enum gas_atomic_op o = (enum gas_atomic_op)op;
        memset(dst + bytes, 0x5a, 8);
        switch (which) {
        case 0:
            gas_reduce(team, dst, src, n, t, o, root, 0);
            if (rank == root) check("reduce", type, op, key, size - 1, n, dst);
            break;
        case 1:
            gas_all_reduce(team, dst, src, n, t, o, 0);
            check("all_reduce", type, op, key, size - 1, n, dst);
            break;
        case 2:
            gas_scan(team, dst, src, n, t, o, 0, 0);
            check("scan", type, op, key, rank, n, dst);
            break;
        default:
            gas_scan(team, dst, src, n, t, o, 1, 0);
            if (rank > 0)
                check("exclusive scan", type, op, key, rank - 1, n, dst);
            else if (!in_place)
                for (size_t i = 0; i < bytes; i++) EQUAL(0x5a, dst[i]);
        }
        for (int i = 0; i < 8; i++) EQUAL(0x5a, dst[bytes + (size_t)i]);
    }
    if (!in_place) free(dst);
    free(src);
}

CASE(reductions_of_every_type_and_operator) {
    for (int type = GAS_I32; type <= GAS_F64; type++)
        for (int o = 0; o < OPERATORS; o++)
            if (has(type, operators[o]))
                one_of_each(gas_world(), type, operators[o], (size_t)(1 + o), (type + o) % count(),
                            (uint64_t)(type * 100 + o), o & 1);
}
CASE(reductions_of_every_size) {
    static const size_t counts[] = {0, 1, 2, 7, 64, 500, 1000, 5000, 20000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        one_of_each(gas_world(), GAS_F64, GAS_ADD, counts[i], (int)i % count(), i, i & 1);
        one_of_each(gas_world(), GAS_I32, GAS_MAX, counts[i], count() - 1, i + 50, !(i & 1));
    }
}
CASE(reductions_at_random_on_teams) {
    gas_team team = gas_team_split(gas_world(), me() % 3, -me());
    for (long i = suite_rounds(60); i-- > 0;) {
        int type = (int)random_below(&together, GAS_F64 + 1), op;
        do op = operators[random_below(&together, OPERATORS)];
        while (!has(type, op));
        size_t n = random_size(&together, 2000);
        uint64_t key = random_word(&together);
        bool in_place = random_below(&together, 2);
        gas_team which = i % 4 ? team : gas_world();
        int root = (int)random_below(&together, 8) % gas_team_size(which);
        one_of_each(which, type, op, n, root, key, in_place);
    }
    gas_team_free(team);
}

/* x -> ax + b: first the left one, then the right one, which is associative, and not commutative. */
struct line {
    uint32_t a, b;
};
static struct line line_of(int r, size_t i) {
    return (struct line){2 * (uint32_t)r + 3, (uint32_t)r * 977 + (uint32_t)i + 1};
}
static struct line after(struct line x, struct line y) { return (struct line){x.a * y.a, x.b * y.a + y.b}; }
static void combine_lines(const struct gas_operator *o, void *dst, const void *left, const void *right, size_t n) {
    (void)o;
    struct line *d = dst;
    const struct line *x = left, *y = right;
    for (size_t i = 0; i < n; i++) d[i] = after(x[i], y[i]);
}
static void check_lines(const char *what, int root, int last, const struct line *found, size_t n) {
    for (size_t i = 0; i < n; i++) {
        struct line all = line_of(0, i);
        for (int r = 1; r <= last; r++) all = after(all, line_of(r, i));
        ASSERT(memcmp(&all, &found[i], sizeof all) == 0, "%s, root %d, element %zu of %zu", what, root, i, n);
    }
}
CASE(reductions_keep_the_order_of_members) {
    enum { N = 10000 };
    static const struct gas_operator o = {sizeof(struct line), combine_lines};
    struct line *src = malloc(N * sizeof *src), *dst = malloc(N * sizeof *dst);
    for (size_t n = 1; n <= N; n *= 100) {
        for (size_t i = 0; i < n; i++) src[i] = line_of(me(), i);
        for (int root = -1; root < count(); root++) {
            gas_reduce_by(gas_world(), dst, src, n, &o, root, 0);
            if (root < 0 || root == me()) check_lines("reduce", root, count() - 1, dst, n);
        }
        gas_scan_by(gas_world(), dst, src, n, &o, false, 0);
        check_lines("scan", 0, me(), dst, n);
        gas_scan_by(gas_world(), dst, src, n, &o, true, 0);
        if (me() > 0) check_lines("exclusive scan", 0, me() - 1, dst, n);
    }
    free(src);
    free(dst);
}

/* Sums that depend on the order of adding are the same on every thread and every time. */
CASE(reductions_of_floating_point_are_reproducible) {
    enum { N = 100 };
    double src[N], first[N], again[N], *all = malloc(sizeof(double) * N * (size_t)count());
    for (int i = 0; i < N; i++) src[i] = (double)random_word(&mine) * (random_below(&mine, 2) ? 1e-18 : 1e3);
    for (int round = 0; round < 10; round++) {
        gas_all_reduce(gas_world(), again, src, N, GAS_F64, GAS_ADD, 0);
        if (round == 0) memcpy(first, again, sizeof first);
        ASSERT(memcmp(first, again, sizeof first) == 0, "round %d differs", round);
        if (random_below(&mine, 2))
            for (volatile int spin = 0; spin < 20000; spin++) {}
    }
    gas_gather_all(gas_world(), all, first, sizeof first, 0);
    for (int t = 0; t < count(); t++)
        ASSERT(memcmp(all + (size_t)t * N, first, sizeof first) == 0, "thread %d has another", t);
    gas_reduce(gas_world(), again, src, N, GAS_F64, GAS_ADD, 0, 0);
    if (me() == 0) ASSERT(memcmp(first, again, sizeof first) == 0, "reduce differs from all_reduce");
    free(all);
}

/* Nobody reads what the last member of a scan has given, so that the others may be ahead of it; it must not take that for
 * their being far behind. Buffers of its own, on a team that has done nothing yet. */
CASE(scans_whose_last_member_is_late) {
    enum { N = 100 };
    gas_team team = gas_team_split(gas_world(), 0, me());
    int64_t mine[N], sum[N];
    for (int i = 0; i < 12; i++) {
        if (me() == count() - 1) usleep(3000);
        for (int k = 0; k < N; k++) mine[k] = me() + i + k;
        gas_scan(team, sum, mine, N, GAS_I64, GAS_ADD, 0, GAS_IN_MYSYNC | GAS_OUT_NOSYNC);
        for (int k = 0; k < N; k++) EQUAL((int64_t)(me() + 1) * (i + k) + me() * (me() + 1) / 2, sum[k]);
    }
    gas_team_free(team);
}

/* ---- functions that combine, and communicate ---------------------------------------------------------------------- */

static void take_first(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
}
static int to_send;
static void sends(void *dst, const void *a, const void *b, size_t n, void *context) {
    (void)dst, (void)a, (void)b, (void)n, (void)context;
    gas_request_short(0, to_send, NULL, 0);
}
static void waits(void *dst, const void *a, const void *b, size_t n, void *context) {
    (void)dst, (void)a, (void)b, (void)n, (void)context;
    gas_barrier();
}
static void begins(void *dst, const void *a, const void *b, size_t n, void *context) {
    (void)dst, (void)a, (void)b, (void)n;
    gas_handle h = gas_team_barrier_nb(context);
    gas_wait(&h);
}
#define COMBINES(text) "fathom: thread [0-9]+: " text " a function that combines: it may not communicate.*\\|"
ENDS(operator_that_sends, 2, 1, COMBINES("gas_request_short from")) {
    int64_t one = 1, sum;
    to_send = gas_register(take_first);
    gas_all_reduce_with(gas_world(), &sum, &one, 1, 8, sends, NULL, 0);
    gas_barrier();
}
ENDS(operator_that_waits, 2, 1, COMBINES("waits for another thread inside")) {
    int64_t one = 1, sum;
    gas_reduce_with(gas_world(), &sum, &one, 1, 8, waits, NULL, 0, 0);
    gas_barrier();
}
ENDS(operator_that_begins_a_collective, 2, 1, COMBINES("gas_team_barrier_nb from")) {
    int64_t one = 1, sum;
    gas_handle h = gas_all_reduce_with_nb(gas_world(), &sum, &one, 1, 8, begins, gas_world());
    gas_wait(&h);
    gas_barrier();
}

/* The product of number and size may be small. */
#define NO_SIZE "fathom: thread [0-9]+: a size of [0-9]+ bytes, which no memory has: is it a negative number\\?.*\\|"
ENDS(reduction_of_a_negative_number_of_elements, 1, 1, NO_SIZE) {
    double x[2] = {0}, sum[2];
    gas_all_reduce(gas_world(), sum, x, SIZE_MAX / sizeof *x + 2, GAS_F64, GAS_ADD, 0);
    gas_barrier();
}
ENDS(scan_of_a_negative_number_of_elements_begun, 1, 1, NO_SIZE) {
    int32_t x[2] = {0}, sum[2];
    gas_handle h = gas_scan_nb(gas_world(), sum, x, SIZE_MAX / sizeof *x + 2, GAS_I32, GAS_ADD, 0);
    gas_wait(&h);
    gas_barrier();
}
