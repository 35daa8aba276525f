/* GASNet-EX's side of the table, by its public interface: the same work as ours.c, for conduits smp and mpi.
 * Collectives, and the barrier between rows, in the form that is its fastest. */
#include <gasnetex.h>
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>

#include "side.h"

static gex_TM_t team;
static gex_Rank_t me, other;
static gex_AD_t domain;
static char *own, *far; /* shared memory of SIDE_HEAP bytes: this process's, and the other's as GASNet names it */
static char *private;   /* as many, not shared */

static void barrier(void) { gex_Event_Wait(gex_Coll_BarrierNB(team, 0)); }
static long agree(long mine) {
    long value = mine;
    gex_Event_Wait(gex_Coll_BroadcastNB(team, 0, &value, &mine, sizeof value, 0));
    return value;
}
static void require(int ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "gasnet: %s: wrong result\n", what);
    gasnet_exit(1);
}

/* ---- 8 bytes --------------------------------------------------------------------------------------------------- */

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
        gex_RMA_PutBlocking(team, other, far + SIDE_AT_WORDS + side_word(i), &value, size, 0);
        SIDE_KEEP();
    }
}
static void put8_constant(long n) {
    for (long i = 0; i < n; i++) {
        gex_RMA_PutBlockingVal(team, other, far + SIDE_AT_WORDS + side_word(i), (gex_RMA_Value_t)i, 8, 0);
        SIDE_KEEP();
    }
}
static void get8(long n) {
    size_t size = side_opaque(8);
    uint64_t s = 0;
    for (long i = 0; i < n; i++) {
        uint64_t value;
        gex_RMA_GetBlocking(team, &value, other, far + SIDE_AT_WORDS + side_word(i), size, 0);
        SIDE_KEEP();
        s += value;
    }
    sum += s;
    expected += side_sum_of_words(n);
}
static void get8_constant(long n) {
    uint64_t s = 0;
    for (long i = 0; i < n; i++) {
        s += gex_RMA_GetBlockingVal(team, other, far + SIDE_AT_WORDS + side_word(i), 8, 0);
        SIDE_KEEP();
    }
    sum += s;
    expected += side_sum_of_words(n);
}

/* ---- bulk ------------------------------------------------------------------------------------------------------ */

static size_t bulk;

static void bulk_prepare(const struct side_row *row) {
    static int filled;
    bulk = row->bytes;
    if (!filled) side_fill_bulk(me ? own + SIDE_AT_BULK : private);
    filled = 1;
}
static int bulk_check(void) { return side_check_bulk(me ? own + SIDE_AT_BULK : private, bulk); }

static void bulk_put(long n) {
    for (long i = 0; i < n; i++) gex_RMA_PutBlocking(team, other, far + SIDE_AT_BULK, private, bulk, 0);
}
static void bulk_get(long n) {
    for (long i = 0; i < n; i++) gex_RMA_GetBlocking(team, private, other, far + SIDE_AT_BULK, bulk, 0);
}
static void stream_put(long n) {
    for (long i = 0; i < n; i++) {
        size_t k = (size_t)i % SIDE_STREAM;
        gex_RMA_PutNBI(team, other, far + SIDE_AT_BULK + k * bulk, private + k * bulk, bulk, GEX_EVENT_DEFER, 0);
        if (k == SIDE_STREAM - 1) gex_NBI_Wait(GEX_EC_PUT, 0);
    }
    gex_NBI_Wait(GEX_EC_PUT, 0);
}
static void stream_get(long n) {
    for (long i = 0; i < n; i++) {
        size_t k = (size_t)i % SIDE_STREAM;
        gex_RMA_GetNBI(team, private + k * bulk, other, far + SIDE_AT_BULK + k * bulk, bulk, 0);
        if (k == SIDE_STREAM - 1) gex_NBI_Wait(GEX_EC_GET, 0);
    }
    gex_NBI_Wait(GEX_EC_GET, 0);
}

/* ---- strided and indexed --------------------------------------------------------------------------------------- */

static size_t piece, count, place[SIDE_PIECES];
static void *local[SIDE_PIECES], *remote[SIDE_PIECES];

static void set_up(const struct side_row *row, int put, int shuffled) {
    char *at = own + SIDE_AT_PIECES;
    count = row->pieces;
    piece = row->bytes / count;
    side_shuffle(place, count);
    if (me == 0) {
        memset(private, 0, row->bytes);
        if (put) side_fill_pieces(private, NULL, count, piece);
    } else {
        memset(at, 0, 2 * row->bytes);
        if (!put) side_fill_pieces(at, shuffled ? place : NULL, count, 2 * piece);
    }
    for (size_t i = 0; i < count; i++) {
        local[i] = private + i * piece;
        remote[i] = far + SIDE_AT_PIECES + place[i] * 2 * piece;
    }
}
static int right(int put, int shuffled) {
    if (me == 0) return put || side_check_pieces(private, NULL, count, piece);
    return !put || side_check_pieces(own + SIDE_AT_PIECES, shuffled ? place : NULL, count, 2 * piece);
}
static void pieces(const struct side_row *row) { set_up(row, 1, 0); }
static void pieces_get(const struct side_row *row) { set_up(row, 0, 0); }
static void places(const struct side_row *row) { set_up(row, 1, 1); }
static void places_get(const struct side_row *row) { set_up(row, 0, 1); }
static int pieces_check(void) { return right(1, 0); }
static int pieces_get_check(void) { return right(0, 0); }
static int places_check(void) { return right(1, 1); }
static int places_get_check(void) { return right(0, 1); }

static void strided_put(long n) {
    ptrdiff_t near_stride = (ptrdiff_t)piece, far_stride = 2 * near_stride;
    for (long i = 0; i < n; i++)
        gex_VIS_StridedPutBlocking(team, other, far + SIDE_AT_PIECES, &far_stride, private, &near_stride, piece, &count,
                                   1, 0);
}
static void strided_get(long n) {
    ptrdiff_t near_stride = (ptrdiff_t)piece, far_stride = 2 * near_stride;
    for (long i = 0; i < n; i++)
        gex_VIS_StridedGetBlocking(team, private, &near_stride, other, far + SIDE_AT_PIECES, &far_stride, piece, &count,
                                   1, 0);
}
static void indexed_put(long n) {
    for (long i = 0; i < n; i++) gex_VIS_IndexedPutBlocking(team, other, count, remote, piece, count, local, piece, 0);
}
static void indexed_get(long n) {
    for (long i = 0; i < n; i++) gex_VIS_IndexedGetBlocking(team, count, local, piece, other, count, remote, piece, 0);
}

/* ---- active messages ------------------------------------------------------------------------------------------- */

static volatile long arrived, answered, done;

enum { PING = GEX_AM_INDEX_BASE, PONG, PING_MEDIUM, PONG_MEDIUM, DROP, DROP_MEDIUM, OVER };

/* A 64-bit argument, as ours has them, is two of GASNet's. */
static void on_ping(gex_Token_t token, gex_AM_Arg_t a, gex_AM_Arg_t b) {
    gex_AM_ReplyShort2(token, PONG, 0, a, b);
    arrived++;
}
static void on_pong(gex_Token_t token, gex_AM_Arg_t a, gex_AM_Arg_t b) {
    (void)token, (void)a, (void)b;
    answered++;
}
static void on_ping_medium(gex_Token_t token, void *payload, size_t bytes, gex_AM_Arg_t a, gex_AM_Arg_t b) {
    gex_AM_ReplyMedium2(token, PONG_MEDIUM, payload, bytes, GEX_EVENT_NOW, 0, a, b);
    arrived++;
}
static void on_pong_medium(gex_Token_t token, void *payload, size_t bytes, gex_AM_Arg_t a, gex_AM_Arg_t b) {
    (void)token, (void)payload, (void)bytes, (void)a, (void)b;
    answered++;
}
static void on_drop(gex_Token_t token, gex_AM_Arg_t a, gex_AM_Arg_t b) {
    (void)token, (void)a, (void)b;
    arrived++;
}
static void on_drop_medium(gex_Token_t token, void *payload, size_t bytes, gex_AM_Arg_t a, gex_AM_Arg_t b) {
    (void)token, (void)payload, (void)bytes, (void)a, (void)b;
    arrived++;
}
static void on_over(gex_Token_t token) {
    (void)token;
    done++;
}
#define ENTRY(index, handler, size, nargs)                                                                             \
    { index, (gex_AM_Fn_t)handler, GEX_FLAG_AM_##size | GEX_FLAG_AM_REQREP, nargs, NULL, NULL }
static gex_AM_Entry_t handlers[] = {
    ENTRY(PING, on_ping, SHORT, 2),
    ENTRY(PONG, on_pong, SHORT, 2),
    ENTRY(PING_MEDIUM, on_ping_medium, MEDIUM, 2),
    ENTRY(PONG_MEDIUM, on_pong_medium, MEDIUM, 2),
    ENTRY(DROP, on_drop, SHORT, 2),
    ENTRY(DROP_MEDIUM, on_drop_medium, MEDIUM, 2),
    ENTRY(OVER, on_over, SHORT, 0),
};

static void serve(long n) {
    while (arrived < n) gasnet_AMPoll();
    arrived = 0;
}
static void round_trip(long n) {
    if (me) {
        serve(n);
        return;
    }
    for (long i = 0; i < n; i++) {
        gex_AM_RequestShort2(team, other, PING, 0, (gex_AM_Arg_t)i, (gex_AM_Arg_t)(i >> 32));
        while (answered <= i) gasnet_AMPoll();
    }
    answered = 0;
}
static void round_trip_medium(long n) {
    if (me) {
        serve(n);
        return;
    }
    for (long i = 0; i < n; i++) {
        gex_AM_RequestMedium2(team, other, PING_MEDIUM, private, 64, GEX_EVENT_NOW, 0, (gex_AM_Arg_t)i,
                              (gex_AM_Arg_t)(i >> 32));
        while (answered <= i) gasnet_AMPoll();
    }
    answered = 0;
}
static void flood(long n, size_t bytes) {
    if (me) {
        serve(n);
        gex_AM_RequestShort0(team, other, OVER, 0);
        return;
    }
    for (long i = 0; i < n; i++) {
        gex_AM_Arg_t low = (gex_AM_Arg_t)i, high = (gex_AM_Arg_t)(i >> 32);
        if (bytes)
            gex_AM_RequestMedium2(team, other, DROP_MEDIUM, private, bytes, GEX_EVENT_NOW, 0, low, high);
        else
            gex_AM_RequestShort2(team, other, DROP, 0, low, high);
    }
    while (!done) gasnet_AMPoll();
    done = 0;
}
static void flood_short(long n) { flood(n, 0); }
static void flood_medium(long n) { flood(n, SIDE_FLOOD); }

/* ---- together -------------------------------------------------------------------------------------------------- */

static void barriers(long n) {
    for (long i = 0; i < n; i++) barrier();
}
static void barriers_old(long n) {
    for (long i = 0; i < n; i++) {
        gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
        gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
    }
}
static void add(long n) {
    uint64_t *counter = (uint64_t *)((me ? own : far) + SIDE_AT_COUNTER), before = 0;
    for (long i = 0; i < n; i++) gex_Event_Wait(gex_AD_OpNB_U64(domain, &before, 1, counter, GEX_OP_FADD, 1, 0, 0));
}
static void all_reduce(long n) {
    int64_t mine = me + 1, all = 0;
    for (long i = 0; i < n; i++)
        gex_Event_Wait(gex_Coll_ReduceToAllNB(team, &all, &mine, GEX_DT_I64, 8, 1, GEX_OP_ADD, NULL, NULL, 0));
    require(all == 3, "all-reduce");
}
static void broadcast(long n, size_t bytes) {
    char *buffer = own + SIDE_AT_BULK;
    buffer[bytes - 1] = (char)(me ? 0 : 77);
    for (long i = 0; i < n; i++)
        gex_Event_Wait(gex_Coll_BroadcastNB(team, (gex_Rank_t)(i % 2), buffer, buffer, bytes, 0));
    require(buffer[bytes - 1] == 77, "broadcast");
}
static void broadcast8(long n) { broadcast(n, 8); }
static void broadcast64k(long n) { broadcast(n, 64 << 10); }

/* ---- the table ------------------------------------------------------------------------------------------------- */

#define WORDS 8, words
#define PUT(n)                                                                                                         \
    { "bulk put " #n, "gasnet", bulk_put, SIDE_FIRST, n, bulk_prepare, bulk_check, 0 }
#define GET(n)                                                                                                         \
    { "bulk get " #n, "gasnet", bulk_get, SIDE_FIRST, n, bulk_prepare, bulk_check, 0 }
#define STREAM(n)                                                                                                      \
    {"stream put " #n, "gasnet", stream_put, SIDE_FIRST, n, bulk_prepare, bulk_check, 0}, {                            \
        "stream get " #n, "gasnet", stream_get, SIDE_FIRST, n, bulk_prepare, bulk_check, 0                             \
    }
#define PIECES(kind, size, n, prepare)                                                                                 \
    { #kind " " #n "x" #size, "gasnet", kind, SIDE_FIRST, size *n, prepare, prepare##_check, n }
#define SHAPES(size, n)                                                                                                \
    PIECES(strided_put, size, n, pieces), PIECES(strided_get, size, n, pieces_get),                                    \
        PIECES(indexed_put, size, n, places), PIECES(indexed_get, size, n, places_get)

static const struct side_row rows[] = {
    {"put 8", "gasnet", put8, SIDE_FIRST, WORDS, words_check, 0},
    {"put 8 constant", "gasnet", put8_constant, SIDE_FIRST, WORDS, words_check, 0},
    {"get 8", "gasnet", get8, SIDE_FIRST, WORDS, sum_check, 0},
    {"get 8 constant", "gasnet", get8_constant, SIDE_FIRST, WORDS, sum_check, 0},
    {"round trip short", "gasnet", round_trip, SIDE_BOTH, 0, NULL, NULL, 0},
    {"round trip medium 64", "gasnet", round_trip_medium, SIDE_BOTH, 0, NULL, NULL, 0},
    {"flood short", "gasnet", flood_short, SIDE_BOTH, 0, NULL, NULL, 0},
    {"flood medium 512", "gasnet", flood_medium, SIDE_BOTH, SIDE_FLOOD, NULL, NULL, 0},
    SHAPES(8, 512),
    SHAPES(64, 128),
    SHAPES(8, 2048),
    SHAPES(64, 2048),
    {"barrier", "gasnet", barriers, SIDE_BOTH, 0, NULL, NULL, 0},
    {"barrier", "gasnet, notify and wait", barriers_old, SIDE_BOTH, 0, NULL, NULL, 0},
    {"fetch-and-add", "gasnet", add, SIDE_FIRST, 0, NULL, NULL, 0},
    {"fetch-and-add both", "gasnet", add, SIDE_BOTH, 0, NULL, NULL, 0},
    {"all-reduce 8", "gasnet", all_reduce, SIDE_BOTH, 0, NULL, NULL, 0},
    {"broadcast 8", "gasnet", broadcast8, SIDE_BOTH, 8, NULL, NULL, 0},
    {"broadcast 65536", "gasnet", broadcast64k, SIDE_BOTH, 65536, NULL, NULL, 0},
    SIDE_BULK_ROWS(PUT),
    SIDE_BULK_ROWS(GET),
    SIDE_STREAM_ROWS(STREAM),
};

int main(int argc, char **argv) {
    gex_Client_t client;
    gex_EP_t endpoint;
    gex_Segment_t segment;
    uintptr_t bytes;
    void *at;
    if (gex_Client_Init(&client, &endpoint, &team, "bench", &argc, &argv, 0) ||
        gex_Segment_Attach(&segment, team, SIDE_HEAP) ||
        gex_EP_RegisterHandlers(endpoint, handlers, sizeof handlers / sizeof handlers[0])) {
        fprintf(stderr, "gasnet: does not start\n");
        return 1;
    }
    me = gex_TM_QueryRank(team);
    other = !me;
    if (gex_TM_QuerySize(team) != 2) require(0, "number of processes");
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(team, me, &at, NULL, &bytes, 0));
    own = at;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(team, other, &at, NULL, &bytes, 0));
    far = at;
    private = malloc(SIDE_HEAP);
    memset(own, 0, SIDE_HEAP);
    memset(private, 0, SIDE_HEAP);
    gex_AD_Create(&domain, team, GEX_DT_U64, GEX_OP_FADD, 0);
    barrier();

    struct side side = {(int)me, barrier, agree};
    side_main(&side, rows, sizeof rows / sizeof rows[0], argc, argv);
    barrier();
    gasnet_exit(0);
}
