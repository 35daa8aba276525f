/* Contiguous data: every size and alignment by every call that moves it, handles of both kinds, and the order of one
 * thread's own accesses. Each thread writes only to its own part of every other's memory, and knows what must be there. */
#include "suite.h"

/* Thread `writer`'s part of thread t's memory. */
static fathom_ptr part(fathom_ptr all, int t, int writer, size_t bytes) {
    return on(t, all) + (fathom_ptr)writer * bytes;
}

static const size_t sizes[] = {0,  1,   2,   3,   4,    7,    8,    9,    15,    16,    17,    31,
                               64, 100, 511, 512, 1000, 4095, 4096, 4097, 65535, 65536, 70001, 300000};
enum { SIZES = sizeof sizes / sizeof *sizes, LARGEST = 300000, EDGE = 32 };

/* ---- one call at a time ------------------------------------------------------------------------------------------ */

/* What is around the bytes written must stay as it was. */
static void check_edges(const char *at, size_t n) {
    for (int i = 0; i < EDGE / 2; i++) EQUAL('-', at[i]);
    for (int i = 0; i < EDGE / 2; i++) EQUAL('-', at[EDGE / 2 + n + (size_t)i]);
}

enum { BLOCKING, EXPLICIT, IMPLICIT, REGION, HOWS };

static void put(int how, fathom_ptr dst, const void *src, size_t n) {
    gas_handle h = GAS_DONE;
    switch (how) {
    case BLOCKING: gas_put(dst, src, n); break;
    case EXPLICIT: h = gas_put_nb(dst, src, n); break;
    case IMPLICIT:
        gas_put_nbi(dst, src, n);
        gas_sync_puts();
        break;
    case REGION:
        gas_region_begin();
        gas_put_nbi(dst, src, n);
        h = gas_region_end();
    }
    gas_wait(&h);
    ASSERT(h == GAS_DONE, "the handle is left");
}

static void get(int how, void *dst, fathom_ptr src, size_t n) {
    gas_handle h = GAS_DONE;
    switch (how) {
    case BLOCKING: gas_get(dst, src, n); break;
    case EXPLICIT: h = gas_get_nb(dst, src, n); break;
    case IMPLICIT:
        gas_get_nbi(dst, src, n);
        gas_sync_gets();
        break;
    case REGION:
        gas_region_begin();
        gas_get_nbi(dst, src, n);
        h = gas_region_end();
    }
    WAIT_UNTIL(gas_test(&h));
}

CASE(data_of_every_size_and_alignment_arrive) {
    size_t room = LARGEST + 2 * EDGE;
    fathom_ptr all = everywhere(room * (size_t)count());
    char *out = malloc(room), *in = malloc(room);
    for (int how = 0; how < HOWS; how++)
        for (size_t s = 0; s < SIZES; s++) {
            int t = neighbour((int)s);
            size_t n = sizes[s], to = random_below(&mine, EDGE / 2), from = random_below(&mine, EDGE);
            fathom_ptr there = part(all, t, me(), room) + to;
            uint64_t key = random_word(&mine);
            fill_pattern(out + from, n, key);
            gas_fill(there, '-', n + EDGE);
            put(how, there + EDGE / 2, out + from, n);
            memset(out + from, 1, n); /* may change */
            memset(in, '+', room);
            get(how, in + to, there, n + EDGE);
            check_edges(in + to, n);
            PATTERN(in + to + EDGE / 2, n, key);
            EQUAL('+', in[to + n + EDGE]);
        }
    free(out), free(in);
    free_everywhere(all);
}

CASE(data_values_of_all_lengths) {
    fathom_ptr all = everywhere(64 * (size_t)count());
    for (int i = 0; i < 200; i++) {
        int t = neighbour(i);
        size_t n = (size_t)1 << i % 4;
        fathom_ptr there = part(all, t, me(), 64) + n * random_below(&mine, 8);
        uint64_t value = random_word(&mine), old, expected = value & (~0ull >> (64 - 8 * n));
        switch (i % 3) {
        case 0: gas_put_value(there, value, n); break;
        case 1: {
            gas_handle h = gas_put_value_nb(there, value, n);
            gas_wait(&h);
            break;
        }
        case 2: gas_put_value_nbi(there, value, n); gas_sync();
        }
        old = gas_get_value(there, n);
        ASSERT(old == expected, "%zu bytes: %" PRIx64 " instead of %" PRIx64, n, old, expected);
    }
    free_everywhere(all);
}

/* From any thread to any, so that neither, one or both are far. */
CASE(data_copies_between_any_two_threads) {
    size_t room = LARGEST + 2 * EDGE;
    fathom_ptr from = everywhere(room * (size_t)count()), to = everywhere(room * (size_t)count());
    char *text = malloc(room);
    for (size_t s = 0; s < SIZES; s++)
        for (int how = 0; how < 3; how++) {
            size_t n = sizes[s];
            uint64_t key = random_word(&mine);
            fathom_ptr src = part(from, neighbour((int)s), me(), room) + random_below(&mine, EDGE);
            fathom_ptr dst = part(to, neighbour((int)s / 3 + how), me(), room) + random_below(&mine, EDGE);
            fill_pattern(text, n, key);
            gas_put(src, text, n);
            gas_fill(dst, 0, n);
            gas_handle h = GAS_DONE;
            if (how == 0) gas_copy(dst, src, n);
            if (how == 1) h = gas_copy_nb(dst, src, n);
            if (how == 2) gas_copy_nbi(dst, src, n);
            gas_wait(&h);
            if (how == 2) gas_sync_puts();
            memset(text, 0, n);
            gas_get(text, dst, n);
            PATTERN(text, n, key);
        }
    free(text);
    free_everywhere(from), free_everywhere(to);
}

CASE(data_fills) {
    fathom_ptr all = everywhere(100000 * (size_t)count());
    char *text = malloc(100000);
    for (int i = 0; i < 40; i++) {
        fathom_ptr there = part(all, neighbour(i), me(), 100000);
        size_t n = random_size(&mine, 99999), at = random_below(&mine, 100000 - n);
        gas_fill(there, 'a', 100000);
        gas_handle h = GAS_DONE;
        if (i % 3 == 0) gas_fill(there + at, 0x100 + 'b', n);
        if (i % 3 == 1) h = gas_fill_nb(there + at, 'b', n);
        if (i % 3 == 2) gas_fill_nbi(there + at, 'b', n);
        gas_wait(&h);
        gas_sync();
        gas_get(text, there, 100000);
        for (size_t k = 0; k < 100000; k++) ASSERT(text[k] == (k >= at && k < at + n ? 'b' : 'a'), "byte %zu", k);
    }
    free(text);
    free_everywhere(all);
}

/* ---- many at a time ---------------------------------------------------------------------------------------------- */

/* Far more than anybody has buffers for, in both directions at once, waited for in every way. */
CASE(data_of_many_handles_at_once) {
    enum { MANY = 3000, MOST = 6000 };
    fathom_ptr all = everywhere((size_t)MANY * 64 * (size_t)count());
    gas_handle *h = malloc(2 * MANY * sizeof *h);
    uint64_t *out = malloc(MANY * 64), *in = malloc(MANY * 64);
    for (int i = 0; i < MANY * 8; i++) out[i] = random_word(&mine);
    for (int round = 0; round < 4; round++) {
        fathom_ptr there = part(all, neighbour(round + 1), me(), MANY * 64);
        for (int i = 0; i < MANY; i++) h[i] = gas_put_nb(there + (fathom_ptr)i * 64, out + i * 8, 64);
        switch (round) {
        case 0: gas_wait_all(h, MANY); break;
        case 1: WAIT_UNTIL(gas_test_all(h, MANY)); break;
        case 2: {
            size_t open = 0, newly, sum = 0;
            for (int i = 0; i < MANY; i++) open += h[i] != GAS_DONE;
            while ((newly = gas_wait_some(h, MANY))) sum += newly;
            EQUAL(open, sum);
            break;
        }
        case 3: {
            size_t open = 0;
            for (int i = 0; i < MANY; i++) open += h[i] != GAS_DONE;
            WAIT_UNTIL((open -= gas_test_some(h, MANY)) == 0);
        }
        }
        for (int i = 0; i < MANY; i++) ASSERT(h[i] == GAS_DONE, "handle %d is left", i);
        EQUAL(0, gas_wait_some(h, MANY));
        memset(in, 0, MANY * 64);
        for (int i = 0; i < MANY; i++) h[i] = gas_get_nb(in + i * 8, there + (fathom_ptr)i * 64, 64);
        for (int i = MANY; i-- > 0;) gas_wait(&h[i]);
        ASSERT(memcmp(in, out, MANY * 64) == 0, "data differ in round %d", round);
    }
    free(h), free(out), free(in);
    free_everywhere(all);
}

CASE(data_of_many_implicit_transfers_and_regions) {
    enum { MANY = 1000 };
    fathom_ptr all = everywhere((size_t)MANY * 64 * (size_t)count());
    uint64_t *out = malloc(MANY * 64), *in = malloc(MANY * 64);
    for (int round = 0; round < 6; round++) {
        fathom_ptr there = part(all, neighbour(round + 1), me(), MANY * 64);
        for (int i = 0; i < MANY * 8; i++) out[i] = random_word(&mine);
        for (int i = 0; i < MANY / 2; i++) gas_put_nbi(there + (fathom_ptr)i * 64, out + i * 8, 64);
        gas_region_begin();
        for (int i = MANY / 2; i < MANY; i++) gas_put_nbi(there + (fathom_ptr)i * 64, out + i * 8, 64);
        gas_handle h = gas_region_end();
        if (round % 2)
            gas_sync_puts();
        else
            WAIT_UNTIL(gas_test_puts());
        gas_wait(&h);
        memset(in, 0, MANY * 64);
        for (int i = 0; i < MANY; i++) gas_get_nbi(in + i * 8, there + (fathom_ptr)i * 64, 64);
        if (round % 3 == 0) gas_sync_gets();
        if (round % 3 == 1) WAIT_UNTIL(gas_test_gets());
        if (round % 3 == 2) WAIT_UNTIL(gas_test_implicit());
        ASSERT(memcmp(in, out, MANY * 64) == 0, "data differ in round %d", round);
    }
    free(out), free(in);
    free_everywhere(all);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* Relaxed puts may be under way for as long as they like, but their thread sees them. */
CASE(data_put_relaxed_are_seen_by_their_thread_in_order) {
    enum { ROOM = 2048 };
    fathom_ptr all = everywhere(ROOM * (size_t)count());
    uint8_t model[ROOM], in[ROOM];
    fathom_ptr there = part(all, neighbour(1), me(), ROOM);
    memset(model, 0, ROOM);
    gas_fill(there, 0, ROOM);
    for (long i = 0; i < suite_rounds(3000); i++) {
        size_t n = random_size(&mine, i % 10 ? 32 : ROOM), at = random_below(&mine, ROOM - n + 1);
        uint64_t key = random_word(&mine);
        switch (random_below(&mine, 8)) {
        case 0:
            fathom_memget(in, there + at, n);
            ASSERT(memcmp(in, model + at, n) == 0, "get %ld of %zu bytes at %zu", i, n, at);
            break;
        case 1:
            fathom_memset(there + at, (int)key & 0xff, n);
            memset(model + at, (int)key & 0xff, n);
            break;
        case 2: fathom_fence(); break;
        case 3: {
            gas_handle h = gas_get_nb(in, there + at, n);
            gas_wait(&h);
            ASSERT(memcmp(in, model + at, n) == 0, "get_nb %ld of %zu bytes at %zu", i, n, at);
            break;
        }
        default:
            fill_pattern(model + at, n, key);
            memcpy(in, model + at, n);
            fathom_memput_relaxed(there + at, in, n);
            memset(in, 0, n);
        }
    }
    fathom_fence();
    gas_get(in, there, ROOM);
    ASSERT(memcmp(in, model, ROOM) == 0, "at the end");
    free_everywhere(all);
}

/* Who sees a later write sees what was put before the fence between them. */
CASE(data_put_before_a_fence_are_seen_before_what_follows) {
    enum { WORDS = 40 };
    fathom_ptr all = everywhere(8 * (WORDS + 1));
    volatile uint64_t *own = here(all);
    for (int i = 0; i <= WORDS; i++) own[i] = 0;
    gas_barrier();
    for (uint64_t i = 1; i <= 50; i++) {
        for (fathom_ptr w = 0; w < WORDS; w++) fathom_memput_relaxed(on(neighbour(1), all) + 8 * w, &i, 8);
        fathom_fence();
        fathom_memput_relaxed(on(neighbour(1), all) + 8 * WORDS, &i, 8);
        fathom_fence(); /* what is relaxed may stay under way until then */
        WAIT_UNTIL(own[WORDS] >= i);
        fathom_fence();
        for (int w = 0; w < WORDS; w++) ASSERT(own[w] >= i, "word %d is %" PRIu64 ", not yet %" PRIu64, w, own[w], i);
        gas_barrier();
    }
    free_everywhere(all);
}

/* Two threads write all of a word or nothing of it, and a third never sees a mixture. */
CASE(data_words_do_not_tear) {
    enum { BYTES = 16 };
    fathom_ptr all = everywhere(64);
    for (size_t n = 2; n <= BYTES; n *= 2) {
        gas_fill(on(me(), all), 0, 64);
        gas_barrier();
        for (long i = 0; i < suite_rounds(300); i++) {
            _Alignas(16) unsigned char v[BYTES];
            fathom_ptr there = on((int)random_below(&mine, (uint64_t)count()), all);
            memset(v, (int)random_below(&mine, 256), BYTES);
            if (n < BYTES) {
                uint64_t value;
                memcpy(&value, v, 8);
                gas_put_value(there, value, n);
                value = gas_get_value(there, n);
                memcpy(v, &value, 8);
            } else {
                fathom_pptr p;
                memcpy(&p, v, sizeof p);
                fathom_strict_store2(there, p);
                p = fathom_strict_load2(there);
                memcpy(v, &p, sizeof p);
            }
            for (size_t k = 1; k < n; k++) ASSERT(v[k] == v[0], "%zu bytes: %d beside %d", n, v[k], v[0]);
        }
        gas_barrier();
    }
    free_everywhere(all);
}

/* ---- signalling puts --------------------------------------------------------------------------------------------- */

CASE(data_signalled_are_there_when_the_counter_says_so) {
    size_t room = LARGEST;
    fathom_ptr all = everywhere(2 * room), counter = everywhere(8);
    char *out = malloc(room);
    *(uint64_t *)here(counter) = ~0ull - 2; /* counts round 2^64 */
    gas_barrier();
    for (uint64_t i = 1; i <= 3 * SIZES; i++) {
        size_t n = sizes[i % SIZES];
        fathom_ptr box = i % 2 * room;
        fill_pattern(out, n, i * 1000 + (uint64_t)me());
        gas_handle h = GAS_DONE;
        if (i % 3)
            gas_put_signal(on(neighbour(1), all) + box, out, n, on(neighbour(1), counter), 1);
        else
            h = gas_put_signal_nb(on(neighbour(1), all) + box, out, n, on(neighbour(1), counter), 1);
        gas_wait(&h);
        memset(out, 0, n);
        gas_wait_counter(on(me(), counter), ~0ull - 2 + i);
        PATTERN((char *)here(all) + box, n, i * 1000 + (uint64_t)neighbour(-1));
        gas_barrier();
    }
    free(out);
    free_everywhere(all), free_everywhere(counter);
}

CASE(data_signalled_by_everybody_add_up) {
    fathom_ptr counter = everywhere(8), all = everywhere(64 * (size_t)count());
    *(uint64_t *)here(counter) = 0;
    gas_barrier();
    uint64_t out[8] = {0};
    long rounds = suite_rounds(500);
    for (long i = 0; i < rounds; i++)
        for (int d = 0; d < count(); d++) {
            out[7] = (uint64_t)i + 1;
            gas_put_signal(part(all, neighbour(d), me(), 64), out, 64, on(neighbour(d), counter), 2);
        }
    gas_wait_counter(on(me(), counter), 2 * (uint64_t)rounds * (uint64_t)count());
    for (int t = 0; t < count(); t++) EQUAL(rounds, ((uint64_t *)here(all))[8 * t + 7]);
    free_everywhere(counter), free_everywhere(all);
}

/* A signal alone: where no data go, need not be said. */
CASE(data_signal_without_data) {
    fathom_ptr counter = everywhere(16), word = counter + 8;
    ((uint64_t *)here(counter))[0] = ((uint64_t *)here(counter))[1] = 0;
    gas_barrier();
    gas_put_signal(0, NULL, 0, on(neighbour(1), counter), 1);
    gas_handle added = gas_put_signal_nb(0, NULL, 0, on(neighbour(1), counter), 1);
    gas_wait(&added);
    gas_put_signal_set(0, NULL, 0, on(neighbour(1), word), 17);
    gas_wait_counter(on(me(), counter), 2);
    gas_wait_counter(on(me(), word), 17);
    gas_barrier();
    EQUAL(2, *(uint64_t *)here(counter));
    EQUAL(17, *(uint64_t *)here(word));
    free_everywhere(counter);
}

/* ---- the source apart -------------------------------------------------------------------------------------------- */

/* When its handle is complete, the source may change, whatever becomes of the data; handles in any order. */
CASE(data_source_is_free_before_the_data_arrive) {
    enum { AT_ONCE = 4, ROOM = 300000 };
    fathom_ptr all = everywhere((size_t)count() * AT_ONCE * ROOM);
    char *out = malloc(AT_ONCE * ROOM), *back = malloc(ROOM);
    for (long i = suite_rounds(30); i-- > 0;) {
        gas_handle whole[AT_ONCE], source[AT_ONCE];
        int to[AT_ONCE];
        size_t n[AT_ONCE];
        uint64_t key = random_word(&mine);
        for (unsigned k = 0; k < AT_ONCE; k++) {
            to[k] = (int)random_below(&mine, (uint64_t)count());
            n[k] = random_size(&mine, ROOM);
            fill_pattern(out + k * ROOM, n[k], key + k);
            whole[k] =
                gas_put_source_nb(part(all, to[k], me() * AT_ONCE + (int)k, ROOM), out + k * ROOM, n[k], &source[k]);
        }
        if (i % 3 == 0) gas_wait(&whole[0]);
        for (unsigned k = 0; k < AT_ONCE; k++) {
            gas_wait(&source[k]);
            memset(out + k * ROOM, 0xee, n[k]);
        }
        gas_wait_all(whole, AT_ONCE);
        for (unsigned k = 0; k < AT_ONCE; k++) {
            gas_get(back, part(all, to[k], me() * AT_ONCE + (int)k, ROOM), n[k]);
            PATTERN(back, n[k], key + k);
        }
    }
    free(out), free(back);
    free_everywhere(all);
}

/* ---- order without completion ------------------------------------------------------------------------------------ */

/* Who sees the number sees the data, whatever the size of either, and however they go. */
CASE(data_put_before_others_is_seen_before_them) {
    enum { ROOM = 100000 };
    fathom_ptr all = everywhere(ROOM + 64), ack = everywhere(8);
    memset(here(all), 0, ROOM + 64);
    *(uint64_t *)here(ack) = 0;
    gas_barrier();
    int to = neighbour(1), from = neighbour(-1);
    char *out = malloc(ROOM);
    uint64_t *seen = (uint64_t *)((char *)here(all) + ROOM);
    for (uint64_t i = 1; i <= (uint64_t)suite_rounds(200); i++) {
        size_t n = random_size(&together, ROOM), half = random_below(&together, n + 1);
        int how = (int)random_below(&together, 5);
        fill_pattern(out, n, i + (uint64_t)me());
        gas_put_nbi(on(to, all) + half, out + half, n - half);
        gas_put_nbi(on(to, all), out, half);
        gas_order_puts();
        switch (how) {
        case 0: gas_put_nbi(on(to, all) + ROOM, &i, 8); break;
        case 1: gas_put_value_nbi(on(to, all) + ROOM, i, 8); break;
        case 2: gas_put(on(to, all) + ROOM, &i, 8); break;
        case 3: gas_atomic(NULL, on(to, all) + ROOM, GAS_U64, GAS_SET, &i, NULL); break;
        default: gas_put_signal(on(to, all) + ROOM + 8, &i, 8, on(to, all) + ROOM, 1);
        }
        WAIT_UNTIL(__atomic_load_n(seen, __ATOMIC_ACQUIRE) == i);
        PATTERN(here(all), n, i + (uint64_t)from);
        gas_sync();
        gas_put_value(on(from, ack), i, 8);
        WAIT_UNTIL(__atomic_load_n((uint64_t *)here(ack), __ATOMIC_ACQUIRE) == i);
    }
    free(out);
    free_everywhere(all), free_everywhere(ack);
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------- */

ENDS(data_of_a_handle_that_is_none, 1, 1, "fathom: thread [0-9]+: 0x2a is not the handle of a transfer.*\\|") {
    gas_handle h = (gas_handle)42;
    gas_wait(&h);
}
ENDS(data_regions_do_not_nest, 1, 1, "fathom: thread [0-9]+: gas_region_begin: .*\\|") {
    gas_region_begin();
    gas_region_begin();
}
ENDS(data_region_that_has_not_begun, 1, 1, "fathom: thread [0-9]+: gas_region_end: .*\\|") { gas_region_end(); }
ENDS(data_signal_elsewhere_than_the_data, 2, 1, "fathom: thread [0-9]+: gas_put_signal: .*\\|") {
    fathom_ptr all = everywhere(64);
    gas_put_signal(on(0, all), "x", 1, on(1, all) + 8, 1);
}

#define BY_VALUE "fathom: thread [0-9]+: a put or get by value of (3|16) bytes: a value has 1, 2, 4 or 8.*\\|"
static volatile size_t odd = 3, wide = 16; /* no constants, of which the compiler would know */
ENDS(data_value_of_three_bytes, 1, 1, BY_VALUE) {
    gas_put_value(on(neighbour(1), everywhere(64)), 7, odd);
    gas_barrier();
}
ENDS(data_value_of_three_bytes_read, 1, 1, BY_VALUE) {
    gas_get_value(on(neighbour(1), everywhere(64)), odd);
    gas_barrier();
}
ENDS(data_value_of_sixteen_bytes_begun, 1, 1, BY_VALUE) {
    gas_put_value_nbi(on(neighbour(1), everywhere(64)), 7, wide);
    gas_barrier();
}
ENDS(data_signal_at_no_address, 1, 1,
     "fathom: thread [0-9]+: gas_put_signal: the address of the counter is null.*\\|") {
    gas_put_signal(on(neighbour(1), everywhere(64)), "x", 1, 0, 1);
    gas_barrier();
}
ENDS(data_wait_for_a_signal_at_no_address, 1, 1,
     "fathom: thread [0-9]+: gas_wait_counter: the counter's address is null.*\\|") {
    gas_wait_counter(0, 1);
}
ENDS(data_wait_for_a_signal_that_is_not_aligned, 1, 1,
     "fathom: thread [0-9]+: gas_wait_counter: the counter at 0x[0-9a-f]+ is not aligned to 8 bytes.*\\|") {
    gas_wait_counter(on(me(), everywhere(64)) + 4, 1);
}

/* sizeof a - sizeof b, for example. memcpy of such a size may write a few bytes before its destination, and return. */
#define NO_SIZE "fathom: thread [0-9]+: a size of [0-9]+ bytes, which no memory has: is it a negative number\\?.*\\|"
static const volatile size_t none;
ENDS(data_put_of_a_negative_size, 1, 1, NO_SIZE) {
    gas_put(on(neighbour(1), everywhere(64)), "x", none - 8);
    gas_barrier();
}
ENDS(data_get_of_a_negative_size_begun, 1, 1, NO_SIZE) {
    char x[64];
    gas_get_nbi(x, on(neighbour(1), everywhere(64)), none - 8);
    gas_sync();
    gas_barrier();
}
