/* Many gets under way together, from several threads and in any mixture of sizes: a conduit may put them off and make some
 * of them at once. Each must bring its own data, and nothing else must change. */
#include "suite.h"

enum { SPAN = 60000, MOST = 200, ROOM = 1 << 19 };

static fathom_ptr all;
static uint8_t *got, *model;
static gas_handle handles[MOST];

enum way { SYNC, TEST, REGION, WAIT_BACKWARDS, WAIT_ALL, TEST_SOME, WAIT_EACH, WAYS };

static void begin(enum way way, int i, void *dst, fathom_ptr src, size_t n) {
    handles[i] = GAS_DONE;
    if (way <= REGION)
        gas_get_nbi(dst, src, n);
    else
        handles[i] = gas_get_nb(dst, src, n);
    if (way == WAIT_EACH && i >= 8) gas_wait(&handles[i - 8]);
}

static void complete(enum way way, int n) {
    unsigned round = 0;
    switch (way) {
    case SYNC: gas_sync(); break;
    case TEST:
        while (!gas_test_gets()) gas_wait_hint(&round);
        break;
    case WAIT_BACKWARDS:
        while (n-- > 0) gas_wait(&handles[n]);
        break;
    case TEST_SOME:
        while (!gas_test_all(handles, (size_t)n))
            if (!gas_test_some(handles, (size_t)n)) gas_wait_hint(&round);
        break;
    default: gas_wait_all(handles, (size_t)n);
    }
}

/* Mostly words one after the other, here and there, from one thread; now and then other sizes, places and threads. */
static void round_of_gets(enum way way) {
    int n = 1 + (int)random_below(&mine, MOST), thread = (int)random_below(&mine, (uint64_t)count());
    size_t from = random_below(&mine, SPAN / 2), to = 0;
    memset(got, 0xee, ROOM);
    memset(model, 0xee, ROOM);
    if (way == REGION) gas_region_begin();
    for (int i = 0; i < n; i++) {
        size_t bytes = random_below(&mine, 8) ? 8 : random_size(&mine, 6000);
        if (random_below(&mine, 6) == 0) thread = (int)random_below(&mine, (uint64_t)count());
        if (random_below(&mine, 6) == 0) from = random_below(&mine, SPAN / 2);
        if (random_below(&mine, 6) == 0) to += random_below(&mine, 30);
        if (from + bytes > SPAN) from = 0;
        if (to + bytes > ROOM) break;
        begin(way, i, got + to, on(thread, all) + from, bytes);
        for (size_t k = 0; k < bytes; k++) model[to + k] = pattern((uint64_t)thread, from + k);
        from += bytes;
        to += bytes;
    }
    if (way == REGION) {
        gas_handle whole = gas_region_end();
        gas_wait(&whole);
    } else {
        complete(way, n);
    }
    size_t at = 0;
    while (at < ROOM && got[at] == model[at]) at++;
    ASSERT(at == ROOM, "byte %zu of %d gets, way %d", at, n, (int)way);
}

CASE(data_gets_of_many_under_way_together) {
    all = everywhere(SPAN);
    got = malloc(ROOM);
    model = malloc(ROOM);
    ASSERT(got && model, "no memory");
    fill_pattern(here(all), SPAN, (uint64_t)me());
    memset(handles, 0, sizeof handles);
    gas_barrier();
    for (long i = 0; i < suite_rounds(20); i++)
        for (int way = 0; way < WAYS; way++) round_of_gets((enum way)way);
    free(got);
    free(model);
    free_everywhere(all);
}

/* A get that is begun after the wait for another brings what has been written meanwhile. */
CASE(data_gets_again_after_each_barrier) {
    fathom_ptr words = everywhere(2 * sizeof(uint64_t)), there = on(neighbour(1), words);
    uint64_t *own = here(words), in[2];
    for (uint64_t i = 1; i <= 30; i++) {
        own[0] = i;
        own[1] = ~i;
        gas_barrier();
        for (int k = 0; k < 2; k++) gas_get_nbi(&in[k], there + (fathom_ptr)k * sizeof *in, sizeof *in);
        gas_sync();
        EQUAL(i, in[0]);
        EQUAL(~i, in[1]);
        gas_barrier();
    }
    free_everywhere(words);
}
