/* OpenSHMEM's side of the table. A put is complete at the target after shmem_quiet, as ours is when it returns. */
#include <shmem.h>

#include "side.h"

static int me;
static char *own, *private; /* symmetric; not */
static long word[2], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], reduce_sync[SHMEM_REDUCE_SYNC_SIZE],
    cast_sync[2][SHMEM_BCAST_SYNC_SIZE];

static void barrier(void) { shmem_barrier_all(); }
static long agree(long mine) {
    if (me == 0) {
        word[0] = mine;
        shmem_long_put(&word[0], &mine, 1, 1);
    }
    shmem_barrier_all();
    mine = word[0];
    shmem_barrier_all();
    return mine;
}
static void require(int ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "shmem: %s: wrong result\n", what);
    shmem_global_exit(1);
}

static uint64_t sum, expected;

static void words(const struct side_row *row) {
    (void)row;
    side_fill_words((uint64_t *)(own + SIDE_AT_WORDS));
    sum = expected = 0;
}
static int words_check(void) { return me == 0 || side_check_words((uint64_t *)(own + SIDE_AT_WORDS)); }
static int sum_check(void) { return sum == expected; }

static void put8(long n) {
    size_t size = side_opaque(8);
    for (long i = 0; i < n; i++) {
        uint64_t value = (uint64_t)i;
        shmem_putmem(own + SIDE_AT_WORDS + side_word(i), &value, size, 1);
        shmem_quiet();
    }
}
static void put8_constant(long n) {
    for (long i = 0; i < n; i++) {
        shmem_long_p((long *)(own + SIDE_AT_WORDS + side_word(i)), i, 1);
        shmem_quiet();
    }
}
static void get8(long n) {
    size_t size = side_opaque(8);
    uint64_t s = 0;
    for (long i = 0; i < n; i++) {
        uint64_t value;
        shmem_getmem(&value, own + SIDE_AT_WORDS + side_word(i), size, 1);
        s += value;
    }
    sum += s;
    expected += side_sum_of_words(n);
}
static void get8_constant(long n) {
    uint64_t s = 0;
    for (long i = 0; i < n; i++) s += (uint64_t)shmem_long_g((long *)(own + SIDE_AT_WORDS + side_word(i)), 1);
    sum += s;
    expected += side_sum_of_words(n);
}

static size_t bulk;

static void bulk_prepare(const struct side_row *row) {
    static int filled;
    bulk = row->bytes;
    if (!filled) side_fill_bulk(me ? own + SIDE_AT_BULK : private);
    filled = 1;
}
static int bulk_check(void) { return side_check_bulk(me ? own + SIDE_AT_BULK : private, bulk); }
static void bulk_put(long n) {
    for (long i = 0; i < n; i++) {
        shmem_putmem(own + SIDE_AT_BULK, private, bulk, 1);
        shmem_quiet();
    }
}
static void bulk_get(long n) {
    for (long i = 0; i < n; i++) shmem_getmem(private, own + SIDE_AT_BULK, bulk, 1);
}

static void barriers(long n) {
    for (long i = 0; i < n; i++) shmem_barrier_all();
}
static void add(long n) {
    for (long i = 0; i < n; i++) shmem_long_atomic_fetch_add((long *)(own + SIDE_AT_COUNTER), 1, 1);
}
/* A reduction may not use its work arrays again before all have left the former one: hence the barrier. */
static void all_reduce(long n) {
    static long mine, all;
    mine = me + 1;
    shmem_barrier_all();
    for (long i = 0; i < n; i++) {
        shmem_long_sum_to_all(&all, &mine, 1, 0, 0, 2, work, reduce_sync);
        shmem_barrier_all();
    }
    require(all == 3, "all-reduce");
}
/* The root's own destination stays as it is, by the specification. */
static void broadcast(long n, size_t bytes) {
    char *buffer = own + SIDE_AT_BULK;
    buffer[bytes - 1] = (char)(me ? 0 : 77);
    for (long i = 0; i < n; i++) shmem_broadcast64(buffer, buffer, bytes / 8, (int)(i % 2), 0, 0, 2, cast_sync[i % 2]);
    require(buffer[bytes - 1] == 77, "broadcast");
}
static void broadcast8(long n) { broadcast(n, 8); }
static void broadcast64k(long n) { broadcast(n, 64 << 10); }

#define WORDS 8, words
#define PUT(n)                                                                                                         \
    { "bulk put " #n, "shmem", bulk_put, SIDE_FIRST, n, bulk_prepare, bulk_check, 0 }
#define GET(n)                                                                                                         \
    { "bulk get " #n, "shmem", bulk_get, SIDE_FIRST, n, bulk_prepare, bulk_check, 0 }

static const struct side_row rows[] = {
    {"put 8", "shmem", put8, SIDE_FIRST, WORDS, words_check, 0},
    {"put 8 constant", "shmem", put8_constant, SIDE_FIRST, WORDS, words_check, 0},
    {"get 8", "shmem", get8, SIDE_FIRST, WORDS, sum_check, 0},
    {"get 8 constant", "shmem", get8_constant, SIDE_FIRST, WORDS, sum_check, 0},
    {"barrier", "shmem", barriers, SIDE_BOTH, 0, NULL, NULL, 0},
    {"fetch-and-add", "shmem", add, SIDE_FIRST, 0, NULL, NULL, 0},
    {"all-reduce 8", "shmem", all_reduce, SIDE_BOTH, 0, NULL, NULL, 0},
    {"broadcast 8", "shmem", broadcast8, SIDE_BOTH, 8, NULL, NULL, 0},
    {"broadcast 65536", "shmem", broadcast64k, SIDE_BOTH, 65536, NULL, NULL, 0},
    PUT(8),
    PUT(1024),
    PUT(8192),
    PUT(65536),
    PUT(524288),
    PUT(4194304),
    PUT(67108864),
    GET(8),
    GET(1024),
    GET(8192),
    GET(65536),
    GET(524288),
    GET(4194304),
    GET(67108864),
};

int main(int argc, char **argv) {
    shmem_init();
    me = shmem_my_pe();
    require(shmem_n_pes() == 2, "number of processes");
    own = shmem_malloc(SIDE_HEAP);
    private = malloc(SIDE_HEAP);
    require(own && private, "memory (SHMEM_SYMMETRIC_SIZE)");
    memset(own, 0, SIDE_HEAP);
    memset(private, 0, SIDE_HEAP);
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) reduce_sync[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_BCAST_SYNC_SIZE; i++) cast_sync[0][i] = cast_sync[1][i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();

    struct side side = {me, barrier, agree};
    side_main(&side, rows, sizeof rows / sizeof rows[0], argc, argv);
    shmem_barrier_all();
    shmem_global_exit(0); /* Open MPI 4.1's shmem_finalize crashes on one node */
}
