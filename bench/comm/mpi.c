/* MPI's side of the table: send and receive, collectives, and RMA through a window over the process's own memory
 * ("mpi") and through one that the library has allocated ("mpi, allocated": shared memory on one node). A put is
 * complete at the target after the flush, as ours is when it returns. */
#include <mpi.h>

#include "side.h"

static int me;
static char *private;
static struct kind {
    MPI_Win window;
    char *own;
} created, allocated, *w; /* w: the window of the row that runs */

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static long agree(long mine) {
    MPI_Bcast(&mine, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return mine;
}
static void require(int ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "mpi: %s: wrong result\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- 8 bytes --------------------------------------------------------------------------------------------------- */

static uint64_t sum, expected;

static void words(struct kind *kind) {
    w = kind;
    side_fill_words((uint64_t *)(w->own + SIDE_AT_WORDS));
    MPI_Win_sync(w->window);
    sum = expected = 0;
}
static void words_created(const struct side_row *row) {
    (void)row;
    words(&created);
}
static void words_allocated(const struct side_row *row) {
    (void)row;
    words(&allocated);
}
static int words_check(void) { return me == 0 || side_check_words((uint64_t *)(w->own + SIDE_AT_WORDS)); }
static int sum_check(void) { return sum == expected; }

static void put8(long n) {
    for (long i = 0; i < n; i++) {
        uint64_t value = (uint64_t)i;
        MPI_Put(&value, 8, MPI_BYTE, 1, (MPI_Aint)(SIDE_AT_WORDS + side_word(i)), 8, MPI_BYTE, w->window);
        MPI_Win_flush(1, w->window);
    }
}
static void get8(long n) {
    uint64_t s = 0;
    for (long i = 0; i < n; i++) {
        uint64_t value;
        MPI_Get(&value, 8, MPI_BYTE, 1, (MPI_Aint)(SIDE_AT_WORDS + side_word(i)), 8, MPI_BYTE, w->window);
        MPI_Win_flush(1, w->window);
        s += value;
    }
    sum += s;
    expected += side_sum_of_words(n);
}

/* ---- bulk ------------------------------------------------------------------------------------------------------ */

static size_t bulk;

static void bulk_prepare(struct kind *kind, size_t bytes) {
    static int filled;
    w = kind;
    bulk = bytes;
    if (!filled && me) {
        side_fill_bulk(created.own + SIDE_AT_BULK);
        side_fill_bulk(allocated.own + SIDE_AT_BULK);
    }
    if (!filled && !me) side_fill_bulk(private);
    filled = 1;
}
static void bulk_created(const struct side_row *row) { bulk_prepare(&created, row->bytes); }
static void bulk_allocated(const struct side_row *row) { bulk_prepare(&allocated, row->bytes); }
static int bulk_check(void) { return side_check_bulk(me ? w->own + SIDE_AT_BULK : private, bulk); }

static void put_at(size_t k) {
    MPI_Put(private + k, (int)bulk, MPI_BYTE, 1, (MPI_Aint)(SIDE_AT_BULK + k), (int)bulk, MPI_BYTE, w->window);
}
static void get_at(size_t k) {
    MPI_Get(private + k, (int)bulk, MPI_BYTE, 1, (MPI_Aint)(SIDE_AT_BULK + k), (int)bulk, MPI_BYTE, w->window);
}
static void bulk_put(long n) {
    for (long i = 0; i < n; i++) {
        put_at(0);
        MPI_Win_flush(1, w->window);
    }
}
static void bulk_get(long n) {
    for (long i = 0; i < n; i++) {
        get_at(0);
        MPI_Win_flush(1, w->window);
    }
}
static void stream_put(long n) {
    for (long i = 0; i < n; i++) {
        size_t k = (size_t)i % SIDE_STREAM;
        put_at(k * bulk);
        if (k == SIDE_STREAM - 1) MPI_Win_flush(1, w->window);
    }
    MPI_Win_flush(1, w->window);
}
static void stream_get(long n) {
    for (long i = 0; i < n; i++) {
        size_t k = (size_t)i % SIDE_STREAM;
        get_at(k * bulk);
        if (k == SIDE_STREAM - 1) MPI_Win_flush(1, w->window);
    }
    MPI_Win_flush(1, w->window);
}

/* ---- two-sided and together ------------------------------------------------------------------------------------ */

static void round_trip(long n) {
    uint64_t word = 0;
    for (long i = 0; i < n; i++) {
        if (me) MPI_Recv(&word, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&word, 8, MPI_BYTE, !me, 0, MPI_COMM_WORLD);
        if (!me) MPI_Recv(&word, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}
static void round_trip_medium(long n) {
    for (long i = 0; i < n; i++) {
        if (me) MPI_Recv(private, 64, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(private, 64, MPI_BYTE, !me, 0, MPI_COMM_WORLD);
        if (!me) MPI_Recv(private, 64, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}
static void barriers(long n) {
    for (long i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);
}
static void use_created(const struct side_row *row) {
    (void)row;
    w = &created;
}
static void use_allocated(const struct side_row *row) {
    (void)row;
    w = &allocated;
}
static void add(long n) {
    uint64_t one = 1, before;
    for (long i = 0; i < n; i++) {
        MPI_Fetch_and_op(&one, &before, MPI_UINT64_T, 1, SIDE_AT_COUNTER, MPI_SUM, w->window);
        MPI_Win_flush(1, w->window);
    }
}
static void all_reduce(long n) {
    int64_t mine = me + 1, all = 0;
    for (long i = 0; i < n; i++) MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    require(all == 3, "all-reduce");
}
static void broadcast(long n, int bytes) {
    private[bytes - 1] = (char)(me ? 0 : 77);
    for (long i = 0; i < n; i++) MPI_Bcast(private, bytes, MPI_BYTE, (int)(i % 2), MPI_COMM_WORLD);
    require(private[bytes - 1] == 77, "broadcast");
}
static void broadcast8(long n) { broadcast(n, 8); }
static void broadcast64k(long n) { broadcast(n, 64 << 10); }

/* ---- the table ------------------------------------------------------------------------------------------------- */

#define TWICE(row, work, bytes, prepare, check)                                                                        \
    {row, "mpi", work, SIDE_FIRST, bytes, prepare##_created, check, 0}, {                                              \
        row, "mpi, allocated", work, SIDE_FIRST, bytes, prepare##_allocated, check, 0                                  \
    }
#define PUT(n) TWICE("bulk put " #n, bulk_put, n, bulk, bulk_check)
#define GET(n) TWICE("bulk get " #n, bulk_get, n, bulk, bulk_check)
#define STREAM(n)                                                                                                      \
    TWICE("stream put " #n, stream_put, n, bulk, bulk_check), TWICE("stream get " #n, stream_get, n, bulk, bulk_check)

static const struct side_row rows[] = {
    TWICE("put 8", put8, 8, words, words_check),
    TWICE("get 8", get8, 8, words, sum_check),
    {"round trip short", "mpi", round_trip, SIDE_BOTH, 0, NULL, NULL, 0},
    {"round trip medium 64", "mpi", round_trip_medium, SIDE_BOTH, 0, NULL, NULL, 0},
    {"barrier", "mpi", barriers, SIDE_BOTH, 0, NULL, NULL, 0},
    TWICE("fetch-and-add", add, 0, use, NULL),
    {"all-reduce 8", "mpi", all_reduce, SIDE_BOTH, 0, NULL, NULL, 0},
    {"broadcast 8", "mpi", broadcast8, SIDE_BOTH, 8, NULL, NULL, 0},
    {"broadcast 65536", "mpi", broadcast64k, SIDE_BOTH, 65536, NULL, NULL, 0},
    SIDE_BULK_ROWS(PUT),
    SIDE_BULK_ROWS(GET),
    SIDE_STREAM_ROWS(STREAM),
};

int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    require(size == 2, "number of processes");
    private = malloc(SIDE_HEAP);
    created.own = malloc(SIDE_HEAP);
    MPI_Win_create(created.own, SIDE_HEAP, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &created.window);
    MPI_Win_allocate(SIDE_HEAP, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &allocated.own, &allocated.window);
    memset(private, 0, SIDE_HEAP);
    memset(created.own, 0, SIDE_HEAP);
    memset(allocated.own, 0, SIDE_HEAP);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, created.window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, allocated.window);

    struct side side = {me, barrier, agree};
    side_main(&side, rows, sizeof rows / sizeof rows[0], argc, argv);

    MPI_Win_unlock_all(created.window);
    MPI_Win_unlock_all(allocated.window);
    MPI_Win_free(&created.window);
    MPI_Win_free(&allocated.window);
    MPI_Finalize();
    return 0;
}
