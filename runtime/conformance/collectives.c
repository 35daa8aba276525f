/* Collectives that move data: every kind, every root, sizes from nothing to large, in place, with all sync modes, on
 * the world and on random teams, between private buffers and ones in segments. */
#include "suite.h"

static const size_t sizes[] = {0, 1, 3, 8, 13, 64, 200, 1024, 4096, 5000, 20000, 70001};
enum { SIZES = sizeof sizes / sizeof *sizes };
static const unsigned modes[] = {0,
                                 GAS_IN_MYSYNC | GAS_OUT_MYSYNC,
                                 GAS_IN_ALLSYNC | GAS_OUT_ALLSYNC,
                                 GAS_IN_ALLSYNC | GAS_OUT_MYSYNC,
                                 GAS_IN_MYSYNC | GAS_OUT_ALLSYNC,
                                 GAS_IN_ALLSYNC | GAS_OUT_NOSYNC,
                                 GAS_IN_NOSYNC | GAS_OUT_ALLSYNC,
                                 GAS_IN_MYSYNC | GAS_OUT_NOSYNC,
                                 GAS_IN_NOSYNC | GAS_OUT_MYSYNC,
                                 GAS_IN_NOSYNC | GAS_OUT_NOSYNC};
enum { MODES = sizeof modes / sizeof *modes };

enum kind { BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, KINDS };

/* The bytes that member `from` has for member `to`. */
static uint64_t key_of(uint64_t key, int from, int to) { return key + 1000 * (uint64_t)from + (uint64_t)to; }

struct buffers {
    char *src, *dst;
    size_t room;
    fathom_ptr memory;
};
/* With NOSYNC the data is there before anybody enters, and nobody looks before all have left: barriers say so. */
static void one_collective(gas_team team, enum kind kind, size_t n, int root, unsigned mode, bool in_place,
                           struct buffers *b, uint64_t key) {
    int size = gas_team_size(team), rank = gas_team_rank(team);
    size_t all = n * (size_t)size;
    char *src = b->src, *dst = b->dst;
    bool src_all = kind == SCATTER || kind == EXCHANGE,
         dst_all = kind == GATHER || kind == GATHER_ALL || kind == EXCHANGE;
    bool root_gives = kind == BROADCAST || kind == SCATTER, root_takes = kind == GATHER;
    size_t src_bytes = src_all ? all : n, dst_bytes = dst_all ? all : n;
    if (in_place && src_bytes == dst_bytes) dst = src;
    memset(dst, 0x5a, dst_bytes + 8), memset(src, 0x5a, src_bytes + 8);
    if (!root_gives || rank == root)
        for (int to = 0; to < (src_all ? size : 1); to++)
            fill_pattern(src + n * (size_t)to, n, key_of(key, rank, src_all ? to : 0));
    if (mode & GAS_IN_NOSYNC) gas_team_barrier(team);
    switch (kind) {
    case BROADCAST: gas_broadcast(team, dst, src, n, root, mode); break;
    case SCATTER: gas_scatter(team, dst, src, n, root, mode); break;
    case GATHER: gas_gather(team, dst, src, n, root, mode); break;
    case GATHER_ALL: gas_gather_all(team, dst, src, n, mode); break;
    default: gas_exchange(team, dst, src, n, mode);
    }
    if (mode & GAS_OUT_NOSYNC) gas_team_barrier(team);
    if (!root_takes || rank == root)
        for (int from = 0; from < (dst_all ? size : 1); from++) {
            int giver = root_gives ? root : from, taker = src_all ? rank : 0;
            size_t end = pattern_end(dst + n * (size_t)from, n, key_of(key, giver, taker));
            ASSERT(end == n, "kind %d, %zu bytes, member %d of %d, root %d, mode %u: byte %zu from member %d differs",
                   kind, n, rank, size, root, mode, end, giver);
        }
    for (int i = 0; i < 8; i++) EQUAL(0x5a, dst[dst_bytes + (size_t)i]);
    /* With OUT_MYSYNC nobody else touches my buffers any more; with OUT_NOSYNC the barrier was there. */
}

static struct buffers buffers_begin(size_t n, bool in_segment) {
    struct buffers b = {.room = n * (size_t)count() + 8};
    if (in_segment) {
        b.memory = everywhere(2 * b.room);
        b.src = here(b.memory), b.dst = b.src + b.room;
    } else {
        b.src = malloc(b.room), b.dst = malloc(b.room);
        ASSERT(b.src && b.dst, "no memory for %zu bytes", b.room);
    }
    return b;
}
static void buffers_end(struct buffers *b) {
    if (b->memory)
        free_everywhere(b->memory);
    else
        free(b->src), free(b->dst);
}

/* Every root; of --times below 1 a part of them, other ones for each size. */
static void every_size_and_root(enum kind kind) {
    int roots = suite_times < 1 ? (int)suite_rounds(count()) : count();
    for (int i = 0; i < SIZES; i++) {
        struct buffers b = buffers_begin(sizes[i], i & 1);
        for (int k = 0; k < roots; k++) {
            int root = (i * roots + k) % count();
            one_collective(gas_world(), kind, sizes[i], root, modes[(i + k) % MODES], false, &b, (uint64_t)(i + root));
        }
        buffers_end(&b);
    }
}
CASE(collectives_broadcast) { every_size_and_root(BROADCAST); }
CASE(collectives_scatter) { every_size_and_root(SCATTER); }
CASE(collectives_gather) { every_size_and_root(GATHER); }
CASE(collectives_gather_all) { every_size_and_root(GATHER_ALL); }
CASE(collectives_exchange) { every_size_and_root(EXCHANGE); }

CASE(collectives_in_every_mode_one_after_the_other) {
    struct buffers b = buffers_begin(100, true);
    for (int m = 0; m < MODES; m++)
        for (int kind = BROADCAST; kind < KINDS; kind++)
            one_collective(gas_world(), (enum kind)kind, 100, (m + kind) % count(), modes[m], m & 1, &b,
                           (uint64_t)(m * 10 + kind));
    buffers_end(&b);
}

CASE(collectives_at_random) {
    struct buffers b = buffers_begin(9000, false), c = buffers_begin(9000, true);
    for (long i = suite_rounds(120); i-- > 0;) {
        enum kind kind = (enum kind)random_below(&together, KINDS);
        size_t n = random_size(&together, 9000);
        int root = (int)random_below(&together, (uint64_t)count());
        unsigned mode = modes[random_below(&together, MODES)];
        bool in_place = random_below(&together, 2);
        one_collective(gas_world(), kind, n, root, mode, in_place, random_below(&mine, 2) ? &b : &c,
                       random_word(&together));
    }
    buffers_end(&c), buffers_end(&b);
}

CASE(collectives_on_teams_that_work_at_the_same_time) {
    gas_team team = gas_team_split(gas_world(), me() % 2, (me() * 3) % 5);
    struct buffers b = buffers_begin(3000, true);
    for (long i = suite_rounds(60); i-- > 0;) {
        enum kind kind = (enum kind)random_below(&together, KINDS);
        size_t n = random_size(&together, 3000);
        int root = (int)random_below(&together, (uint64_t)(count() + 1) / 2) % gas_team_size(team);
        one_collective(team, kind, n, root, modes[random_below(&together, MODES)], false, &b, random_word(&together));
        if (i % 10 == 0) one_collective(gas_world(), kind, n, count() - 1, 0, false, &b, random_word(&together));
    }
    buffers_end(&b);
    gas_team_free(team);
}

/* With MYSYNC each thread's buffers are its own again when the call returns, whatever the others still do. */
CASE(collectives_leave_buffers_free_when_they_return) {
    enum { N = 3000 };
    uint8_t *buffer = malloc(N), *out = malloc((size_t)N * (size_t)count());
    for (long i = suite_rounds(40); i-- > 0;) {
        int root = (int)(i % count());
        memset(buffer, me() == root ? (int)(i & 127) : 0xff, N);
        gas_broadcast(gas_world(), buffer, buffer, N, root, 0);
        for (int k = 0; k < N; k++) EQUAL(i & 127, buffer[k]);
        memset(buffer, 0xdd, N);
        memset(buffer, me(), N);
        gas_gather(gas_world(), out, buffer, N, root, 0);
        memset(buffer, 0xcc, N);
        if (me() == root)
            for (int t = 0; t < count(); t++)
                ASSERT(out[t * N] == t && out[t * N + N - 1] == t, "round %ld, thread %d", i, t);
    }
    free(out), free(buffer);
}

/* ALLSYNC on entry means that all have entered: what each wrote before is seen by all after. */
CASE(collectives_with_allsync_synchronise) {
    fathom_ptr flags = everywhere(8);
    *(volatile uint64_t *)here(flags) = 0;
    gas_barrier();
    for (uint64_t i = 1; i <= 20; i++) {
        *(volatile uint64_t *)here(flags) = i;
        int64_t dst = 0, src = 7;
        gas_broadcast(gas_world(), &dst, &src, 8, 0, GAS_IN_ALLSYNC | GAS_OUT_NOSYNC);
        for (int t = 0; t < count(); t++) ASSERT(gas_get_value(on(t, flags), 8) >= i, "thread %d had not entered", t);
        gas_barrier();
        *(volatile uint64_t *)here(flags) = i;
        gas_broadcast(gas_world(), &dst, &src, 8, 0, GAS_IN_NOSYNC | GAS_OUT_ALLSYNC);
        gas_barrier();
    }
    free_everywhere(flags);
}

/* No bytes may be at null; under sanitizers, and where a compiler draws conclusions from it, that is another matter than 0 bytes. */
CASE(collectives_and_transfers_of_nothing_at_null) {
    gas_team own = gas_team_split(gas_world(), me(), 0), w = gas_world();
    for (gas_team t = w;; t = own) {
        gas_broadcast(t, NULL, NULL, 0, 0, 0);
        gas_scatter(t, NULL, NULL, 0, 0, 0);
        gas_gather(t, NULL, NULL, 0, 0, 0);
        gas_gather_all(t, NULL, NULL, 0, 0);
        gas_exchange(t, NULL, NULL, 0, 0);
        gas_reduce(t, NULL, NULL, 0, GAS_F64, GAS_ADD, 0, 0);
        gas_all_reduce(t, NULL, NULL, 0, GAS_I8, GAS_ADD, 0);
        gas_scan(t, NULL, NULL, 0, GAS_F64, GAS_ADD, 0, 0);
        gas_scan(t, NULL, NULL, 0, GAS_F64, GAS_ADD, 1, 0);
        gas_reduce_scatter(t, NULL, NULL, 0, GAS_F64, GAS_ADD);
        gas_handle all[] = {gas_broadcast_nb(t, NULL, NULL, 0, 0),
                            gas_scatter_nb(t, NULL, NULL, 0, 0),
                            gas_gather_nb(t, NULL, NULL, 0, 0),
                            gas_gather_all_nb(t, NULL, NULL, 0),
                            gas_exchange_nb(t, NULL, NULL, 0),
                            gas_all_reduce_nb(t, NULL, NULL, 0, GAS_F64, GAS_ADD),
                            gas_scan_nb(t, NULL, NULL, 0, GAS_F64, GAS_ADD, 1),
                            gas_reduce_scatter_nb(t, NULL, NULL, 0, GAS_F64, GAS_ADD)};
        gas_wait_all(all, sizeof all / sizeof *all);
        if (t == own) break;
    }
    volatile size_t none = 0;
    void *volatile null = NULL; /* of a constant one the compiler warns */
    for (int i = 0; i < count(); i++) {
        fathom_ptr at = i == me() ? 0 : fathom_make(i, 64);
        gas_put(at, null, none);
        gas_get(null, at, none);
        gas_fill(at, 0, none);
        gas_put_nbi(at, null, none);
        gas_get_nbi(null, at, none);
        gas_sync();
    }
    size_t *zeros = calloc((size_t)count(), sizeof *zeros);
    gas_gather_all_pieces(w, NULL, zeros, zeros, NULL, 0);
    gas_exchange_pieces(w, NULL, zeros, zeros, NULL, zeros, zeros);
    gas_scatter_pieces(w, NULL, 0, NULL, zeros, zeros, 0);
    gas_gather_pieces(w, NULL, zeros, zeros, NULL, 0, 0);
    gas_reduce_scatter_pieces(w, NULL, NULL, zeros, GAS_F64, GAS_ADD);
    free(zeros);
    gas_team_free(own);
}

ENDS(broadcast_of_a_negative_size, 1, 1,
     "fathom: thread [0-9]+: a size of [0-9]+ bytes, which no memory has: is it a negative number\\?.*\\|") {
    char x[8] = {0}, y[8];
    gas_broadcast(gas_world(), y, x, (size_t)-8, 0, 0);
    gas_barrier();
}
