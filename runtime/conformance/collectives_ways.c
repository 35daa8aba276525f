/* Every way of a collective that the tuning table can choose gives the same data: forced by gas_tune on all threads, over
 * sizes, roots, buffers that others can reach and that they cannot, in place and not. Sums of floating point, which depend
 * on the order of adding, are the same bit by bit whichever way they go. */
#include "suite.h"

#include "gas_tuning.h"

static const struct {
    const char *decision, *ways[3];
} decisions[] = {
    {"broadcast", {"read", "help", "tree"}},
    {"near-gather", {"read", "write"}},
    {"near-gather-all", {"read", "write", "pieces"}},
    {"near-exchange", {"read", "write", "pieces"}},
    {"reduce", {"whole", "slices", "tree"}},
    {"all-reduce", {"whole", "slices", "tree"}},
    {"scan", {"whole", "doubling"}},
    {"far-broadcast", {"tree", "spread"}},
    {"far-scatter", {"flat", "tree"}},
    {"far-gather", {"flat", "tree"}},
    {"far-gather-all", {"doubling", "ring"}},
    {"far-exchange", {"pairs", "doubling"}},
    {"far-reduce", {"tree", "slices"}},
    {"far-all-reduce", {"tree", "slices"}},
    {"stream", {"auto", "direct", "message"}},
};
enum { DECISIONS = sizeof decisions / sizeof *decisions, MOST = 150000 };

/* On all threads alike. */
static void force(const char *decision, const char *way) {
    char line[100];
    snprintf(line, sizeof line, "%s: %s", decision, way);
    const char *wrong = gas_tune(line);
    ASSERT(!wrong, "%s: %s", line, wrong ? wrong : "");
    for (int threads = 1; threads < 2000; threads *= 3) {
        const char *taken = gas_tuned(decision, (size_t)threads, 0, 100000);
        ASSERT(strcmp(taken, way) == 0, "%s: %d threads take %s", line, threads, taken);
    }
}

/* Member `from` has for member `to`. */
static uint64_t key_of(uint64_t key, int from, int to) { return key + 1000 * (uint64_t)from + (uint64_t)to; }

/* Every collective that moves data, n bytes a part: src and dst have room for a part of each member. */
static void move_all(gas_team team, char *dst, char *src, size_t n, int root, uint64_t key) {
    int size = gas_team_size(team), rank = gas_team_rank(team);
    for (int to = 0; to < size; to++) fill_pattern(src + n * (size_t)to, n, key_of(key, rank, to));
    gas_exchange(team, dst, src, n, 0);
    for (int from = 0; from < size; from++) PATTERN(dst + n * (size_t)from, n, key_of(key, from, rank));
    gas_gather_all(team, dst, src, n, 0);
    for (int from = 0; from < size; from++) PATTERN(dst + n * (size_t)from, n, key_of(key, from, 0));
    memset(dst, 0, n * (size_t)(unsigned)size);
    gas_gather(team, dst, src, n, root, 0);
    for (int from = 0; rank == root && from < size; from++) PATTERN(dst + n * (size_t)from, n, key_of(key, from, 0));
    gas_scatter(team, dst, src, n, root, 0);
    PATTERN(dst, n, key_of(key, root, rank));
    gas_broadcast(team, dst, src, n, root, 0);
    PATTERN(dst, n, key_of(key, root, 0));
    char *in_place = rank == root ? src : dst;
    memset(dst, 0, n);
    gas_broadcast(team, in_place, in_place, n, root, 0);
    PATTERN(in_place, n, key_of(key, root, 0));
}

/* What the first way has made of numbers, of which no two orders of adding have the same; the others must, too. */
struct sums {
    double *all, *up_to, *before;
};
static void compare(const char *what, const double *dst, double *first, size_t count, bool is_first) {
    if (is_first) memcpy(first, dst, count * 8);
    for (size_t i = 0; i < count; i++)
        ASSERT(memcmp(&dst[i], &first[i], 8) == 0, "%s: sum %zu of %zu differs", what, i, count);
}

static void sum_all(gas_team team, double *dst, double *src, size_t count, int root, bool in_place,
                    const struct sums *of, bool is_first) {
    int rank = gas_team_rank(team);
    static double copy[MOST / 8];
    memcpy(copy, src, count * 8);
    memset(dst, 0x5a, count * 8 + 8);
    if (in_place) memcpy(dst, src, count * 8);
    gas_all_reduce(team, dst, in_place ? dst : src, count, GAS_F64, GAS_ADD, 0);
    compare("all-reduce", dst, of->all, count, is_first);
    memset(dst, 0x5a, count * 8 + 8);
    if (in_place) memcpy(dst, src, count * 8);
    gas_reduce(team, dst, in_place ? dst : src, count, GAS_F64, GAS_ADD, root, GAS_IN_MYSYNC | GAS_OUT_MYSYNC);
    if (rank == root) compare("reduce", dst, of->all, count, false);
    for (int i = 0; i < 8; i++) EQUAL(0x5a, ((char *)(dst + count))[i]);
    memset(dst, 0, count * 8);
    if (in_place) memcpy(dst, src, count * 8);
    gas_scan(team, dst, in_place ? dst : src, count, GAS_F64, GAS_ADD, 0, 0);
    compare("scan", dst, of->up_to, count, is_first);
    memset(dst, 0, count * 8);
    gas_scan(team, dst, src, count, GAS_F64, GAS_ADD, 1, 0);
    compare("exclusive scan", dst, of->before, count, is_first);
    for (int i = 0; i < 8; i++) EQUAL(0x5a, ((char *)(dst + count))[i]);
    ASSERT(memcmp(copy, src, count * 8) == 0, "the numbers themselves have changed");
}

CASE(collectives_by_every_way) {
    size_t threads = (size_t)gas_count(), lines = 64 * threads + 1; /* lines: a part of more than whole lines each */
    size_t room = (MOST > lines * threads ? MOST : lines * threads) + 64;
    fathom_ptr memory = everywhere(2 * room);
    char *near_memory = here(memory), *own = malloc(2 * room);
    struct sums sums = {malloc(room), malloc(room), malloc(room)};
    gas_team odd = gas_team_split(gas_world(), me() % 2, -me());
    for (int d = 0; d < DECISIONS; d++)
        for (long i = suite_rounds(4); i-- > 0;) {
            gas_team team = i % 4 == 1 ? odd : gas_world();
            size_t n = random_size(&together, MOST / threads), count = random_size(&together, MOST / 8);
            if (i == 0) n = MOST / threads, count = MOST / 8;
            if (i == 2) n = lines, count = 8 * threads + 1;
            int root = (int)random_below(&together, 1000) % gas_team_size(team);
            uint64_t key = random_word(&together);
            bool in_place = random_below(&together, 2);
            /* Some members' buffers can be reached, others' cannot. */
            char *buffer = random_below(&mine, 4) ? near_memory : own;
            double *src = (double *)(buffer + room);
            for (size_t k = 0; k < count; k++)
                src[k] = (double)random_word(&mine) * (random_below(&mine, 2) ? 1e-18 : 1e3);
            char *numbers = malloc(count * 8 + 1);
            memcpy(numbers, src, count * 8);
            for (int w = 0; w < 3 && decisions[d].ways[w]; w++) {
                force(decisions[d].decision, decisions[d].ways[w]);
                memcpy(src, numbers, count * 8);
                sum_all(team, (double *)buffer, src, count, root, in_place, &sums, w == 0);
                move_all(team, buffer, buffer + room, n, root, key);
                gas_tune_reset();
            }
            free(numbers);
        }
    gas_team_free(odd);
    free(own), free(sums.all), free(sums.up_to), free(sums.before);
    free_everywhere(memory);
}

/* One after the other, nothing between them, each by another way: what one leaves in slots and stages disturbs none that
 * comes after it. Members are late in turn. */
CASE(collectives_by_changing_ways) {
    enum { N = 6000 };
    size_t parts = (size_t)count(), room = N * parts;
    fathom_ptr memory = everywhere(2 * room);
    char *near_memory = here(memory), *own = malloc(2 * room);
    for (long i = suite_rounds(150); i-- > 0;) {
        int d = (int)random_below(&together, DECISIONS), w = (int)random_below(&together, 3);
        if (!decisions[d].ways[w]) w = 0;
        force(decisions[d].decision, decisions[d].ways[w]);
        size_t n = random_size(&together, N) & ~(size_t)7;
        int root = (int)random_below(&together, 1000) % count();
        uint64_t key = random_word(&together);
        char *dst = random_below(&mine, 3) ? near_memory : own, *src = dst + room;
        if (random_below(&mine, 20) == 0)
            for (volatile int wait = 0; wait < 20000; wait++) {}
        switch (random_below(&together, 6)) {
        case 0:
            fill_pattern(src, n, key_of(key, me(), 0));
            gas_broadcast(gas_world(), dst, src, n, root, 0);
            PATTERN(dst, n, key_of(key, root, 0));
            break;
        case 1:
            fill_pattern(src, n, key_of(key, me(), 0));
            gas_gather(gas_world(), dst, src, n, root, 0);
            for (int t = 0; me() == root && t < count(); t++) PATTERN(dst + n * (size_t)t, n, key_of(key, t, 0));
            break;
        case 2:
            fill_pattern(src, n, key_of(key, me(), 0));
            gas_gather_all(gas_world(), dst, src, n, 0);
            for (int t = 0; t < count(); t++) PATTERN(dst + n * (size_t)t, n, key_of(key, t, 0));
            break;
        case 3:
            for (int t = 0; t < count(); t++) fill_pattern(src + n * (size_t)t, n, key_of(key, me(), t));
            gas_exchange(gas_world(), dst, src, n, 0);
            for (int t = 0; t < count(); t++) PATTERN(dst + n * (size_t)t, n, key_of(key, t, me()));
            break;
        case 4:
            for (size_t k = 0; k < n / 8; k++) ((int64_t *)src)[k] = (int64_t)k + me();
            gas_all_reduce(gas_world(), dst, src, n / 8, GAS_I64, GAS_ADD, 0);
            for (size_t k = 0; k < n / 8; k++)
                EQUAL((int64_t)k * count() + count() * (count() - 1) / 2, ((int64_t *)dst)[k]);
            break;
        default:
            for (size_t k = 0; k < n / 8; k++) ((int64_t *)src)[k] = (int64_t)k + me();
            gas_scan(gas_world(), dst, src, n / 8, GAS_I64, GAS_ADD, 0, 0);
            for (size_t k = 0; k < n / 8; k++)
                EQUAL((int64_t)k * (me() + 1) + me() * (me() + 1) / 2, ((int64_t *)dst)[k]);
        }
        gas_tune_reset();
    }
    free(own);
    free_everywhere(memory);
}

/* Far data by the conduit's own operations or by messages: the same data, waited for at once and together with others. */
CASE(data_direct_and_by_message) {
    enum { N = 60000 };
    static const char *const kinds[] = {"put", "get", "put-together", "get-together"};
    static const char *const ways[] = {"auto", "direct", "message"};
    fathom_ptr memory = everywhere((size_t)N * (size_t)count());
    fathom_ptr there = on(neighbour(1), memory) + (fathom_ptr)me() * N;
    char *out = malloc(N), *in = malloc(N);
    for (int k = 0; k < 4; k++)
        for (int w = 0; w < 3; w++)
            for (long i = suite_rounds(6); i-- > 0;) {
                force(kinds[k], ways[w]);
                size_t n = random_size(&mine, N / 2), at = random_below(&mine, N / 2);
                uint64_t key = random_word(&mine);
                fill_pattern(out, n, key), memset(in, 0, n);
                gas_put(there + at, out, n);
                gas_get(in, there + at, n);
                PATTERN(in, n, key);
                fill_pattern(out, n, key + 1), memset(in, 0, n);
                size_t half = n / 2, rest = n - half;
                gas_handle first = gas_put_nb(there + at, out, half);
                gas_handle second = gas_put_nb(there + at + half, out + half, rest);
                gas_wait(&first), gas_wait(&second);
                first = gas_get_nb(in, there + at, half), second = gas_get_nb(in + half, there + at + half, rest);
                gas_wait(&first), gas_wait(&second);
                PATTERN(in, n, key + 1);
                gas_tune_reset();
            }
    free(out), free(in);
    free_everywhere(memory);
}

/* How long to look: at once and back, and never long where threads share processors. */
CASE(spins_are_taken_from_the_table) {
    unsigned before = gas_tuned_spins();
    EQUAL(0, gas_tune("spins: 123") != NULL);
    unsigned forced = gas_tuned_spins();
    ASSERT(forced == 123 || (forced == before && forced < 123), "%u turns, and before %u", forced, before);
    gas_tune_reset();
    EQUAL(before, gas_tuned_spins());
    for (int i = 0; i < 20; i++) {
        EQUAL(0, gas_tune(i % 2 ? "spins: 0" : "spins: 50") != NULL);
        gas_barrier();
    }
    gas_tune_reset();
}
