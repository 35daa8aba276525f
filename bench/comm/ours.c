/* Our side: the table of its rows. Plain C takes turns where the other thread's memory is near. */
#include "ours.h"

fathom_ptr ours_base;
char *ours_own, *ours_private;

static long agree(long mine) {
    int64_t value = mine;
    gas_broadcast(gas_world(), &value, &value, sizeof value, 0, 0);
    return (long)value;
}

#define WORDS 8, ours_words
#define PUT(n)                                                                                                         \
    {"bulk put " #n, "fathom", ours_bulk_put, SIDE_FIRST, n, ours_bulk, ours_bulk_check, 0}, {                         \
        "bulk put " #n, "c", c_bulk_put, SIDE_FIRST, n, ours_bulk, ours_bulk_check, 0                                  \
    }
#define GET(n)                                                                                                         \
    {"bulk get " #n, "fathom", ours_bulk_get, SIDE_FIRST, n, ours_bulk, ours_bulk_check, 0}, {                         \
        "bulk get " #n, "c", c_bulk_get, SIDE_FIRST, n, ours_bulk, ours_bulk_check, 0                                  \
    }
#define STREAM(n)                                                                                                      \
    {"stream put " #n, "fathom", ours_stream_put, SIDE_FIRST, n, ours_bulk, ours_bulk_check, 0}, {                     \
        "stream get " #n, "fathom", ours_stream_get, SIDE_FIRST, n, ours_bulk, ours_bulk_check, 0                      \
    }
#define PIECES(kind, size, n, prepare)                                                                                 \
    {#kind " " #n "x" #size, "fathom", ours_##kind, SIDE_FIRST, size * n, prepare, prepare##_check, n}, {              \
#kind " " #n "x" #size, "c", c_##kind, SIDE_FIRST, size *n, prepare, prepare##_check, n                        \
    }
#define SHAPES(size, n)                                                                                                \
    PIECES(strided_put, size, n, ours_pieces), PIECES(strided_get, size, n, ours_pieces_get),                          \
        PIECES(indexed_put, size, n, ours_places), PIECES(indexed_get, size, n, ours_places_get)

static const struct side_row rows[] = {
    {"put 8", "fathom", ours_put8, SIDE_FIRST, WORDS, ours_words_check, 0},
    {"put 8", "c", c_put8, SIDE_FIRST, WORDS, ours_words_check, 0},
    {"put 8 constant", "fathom", ours_put8_constant, SIDE_FIRST, WORDS, ours_words_check, 0},
    {"put 8 constant", "c", c_put8_constant, SIDE_FIRST, WORDS, ours_words_check, 0},
    {"get 8", "fathom", ours_get8, SIDE_FIRST, WORDS, ours_sum_check, 0},
    {"get 8", "c", c_get8, SIDE_FIRST, WORDS, ours_sum_check, 0},
    {"get 8 constant", "fathom", ours_get8_constant, SIDE_FIRST, WORDS, ours_sum_check, 0},
    {"get 8 constant", "c", c_get8_constant, SIDE_FIRST, WORDS, ours_sum_check, 0},
    {"round trip short", "fathom", ours_round_trip, SIDE_BOTH, 0, NULL, NULL, 0},
    {"round trip short", "c", plain_ping_two, SIDE_BOTH, 0, NULL, NULL, 0},
    {"round trip short", "c, one line", plain_ping_one, SIDE_BOTH, 0, NULL, NULL, 0},
    {"round trip medium 64", "fathom", ours_round_trip_medium, SIDE_BOTH, 0, NULL, NULL, 0},
    {"flood short", "fathom", ours_flood_short, SIDE_BOTH, 0, NULL, NULL, 0},
    {"flood medium 512", "fathom", ours_flood_medium, SIDE_BOTH, SIDE_FLOOD, NULL, NULL, 0},
    SHAPES(8, 512),
    SHAPES(64, 128),
    SHAPES(8, 2048),
    SHAPES(64, 2048),
    {"barrier", "fathom", ours_barrier, SIDE_BOTH, 0, NULL, NULL, 0},
    {"barrier", "c", plain_barrier, SIDE_BOTH, 0, NULL, NULL, 0},
    {"barrier", "c, one line", plain_barrier_one, SIDE_BOTH, 0, NULL, NULL, 0},
    {"fetch-and-add", "fathom", ours_add, SIDE_FIRST, 0, NULL, NULL, 0},
    {"fetch-and-add", "fathom, domain", ours_add_domain, SIDE_FIRST, 0, NULL, NULL, 0},
    {"fetch-and-add", "c", c_add, SIDE_FIRST, 0, NULL, NULL, 0},
    {"fetch-and-add both", "fathom", ours_add, SIDE_BOTH, 0, NULL, NULL, 0},
    {"fetch-and-add both", "c", c_add, SIDE_BOTH, 0, NULL, NULL, 0},
    {"all-reduce 8", "fathom", ours_all_reduce, SIDE_BOTH, 0, NULL, NULL, 0},
    {"broadcast 8", "fathom", ours_broadcast8, SIDE_BOTH, 8, NULL, NULL, 0},
    {"broadcast 65536", "fathom", ours_broadcast64k, SIDE_BOTH, 65536, NULL, NULL, 0},
    SIDE_BULK_ROWS(PUT),
    SIDE_BULK_ROWS(GET),
    SIDE_STREAM_ROWS(STREAM),
};

int main(int argc, char **argv) {
    enum { COUNT = sizeof rows / sizeof rows[0] };
    static struct side_row usable[COUNT];
    int count = 0;
    gas_start(&argc, &argv);
    if (gas_count() != 2) gas_fatal("runs on two threads");

    fathom_ptr mine = gas_all_alloc(SIDE_HEAP + sizeof(struct plain_lines));
    if (!mine) gas_fatal("no room for %d bytes of shared memory; set FATHOM_HEAP", SIDE_HEAP);
    ours_base = fathom_make(!gas_me(), fathom_offset_of(mine));
    ours_own = fathom_local(fathom_make(gas_me(), fathom_offset_of(mine)));
    ours_private = malloc(SIDE_HEAP);
    memset(ours_own, 0, SIDE_HEAP);
    memset(ours_private, 0, SIDE_HEAP);
    ours_messages_start();
    ours_together_start();
    gas_barrier();
    int far = !gas_is_local(0) || !gas_is_local(1);
    if (!far) {
        fathom_ptr lines = fathom_make(0, fathom_offset_of(mine)) + SIDE_HEAP;
        plain_start(fathom_local(lines), gas_me());
    }
    for (int i = 0; i < COUNT; i++)
        if (!far || rows[i].side[0] != 'c') usable[count++] = rows[i];

    struct side side = {gas_me(), gas_barrier, agree};
    side_main(&side, usable, count, argc, argv);
    return 0;
}
