/* The heap: memory is where it should be, aligned, and nobody else's; freed by anybody; symmetric where it must be; and
 * a heap that is full says so and recovers. */
#include "suite.h"

CASE(heap_memory_is_aligned_and_on_this_thread) {
    EQUAL(0, gas_alloc(0)); /* as UPC has it: 7.2.2.3 */
    for (size_t n = 1; n < 5000; n = n * 3 / 2 + 1) {
        fathom_ptr p = gas_alloc(n);
        ASSERT(p, "no room for %zu bytes", n);
        EQUAL(me(), fathom_thread_of(p));
        EQUAL(0, p % 64);
        memset(fathom_local(p), 0xab, n);
        gas_free(p);
    }
    fathom_ptr large = gas_alloc(3 << 20);
    if (large) {
        EQUAL(0, large % 4096);
        gas_free(large);
    }
    gas_free(0);
}

/* Blocks live, are checked, and are freed at random, by their owners and by others. */
CASE(heap_blocks_do_not_overlap) {
    enum { BLOCKS = 60 };
    struct {
        fathom_ptr at;
        size_t n;
        uint64_t key;
    } block[BLOCKS] = {0};
    for (long i = suite_rounds(1500); i-- > 0;) {
        int b = (int)random_below(&mine, BLOCKS);
        if (block[b].at) {
            PATTERN(fathom_local(block[b].at), block[b].n, block[b].key);
            gas_free(block[b].at);
            block[b].at = 0;
        } else {
            block[b].n = 1 + random_size(&mine, 20000), block[b].key = random_word(&mine);
            block[b].at = gas_alloc(block[b].n);
            ASSERT(block[b].at, "no room for %zu bytes", block[b].n);
            fill_pattern(fathom_local(block[b].at), block[b].n, block[b].key);
        }
    }
    for (int b = 0; b < BLOCKS; b++) gas_free(block[b].at);
}

CASE(heap_blocks_are_freed_by_others) {
    enum { BLOCKS = 20 };
    fathom_ptr table = everywhere(8 * BLOCKS);
    for (long round = suite_rounds(10); round-- > 0;) {
        for (int b = 0; b < BLOCKS; b++) {
            fathom_ptr p = gas_alloc(1 + random_size(&mine, 100000));
            ASSERT(p, "no room");
            gas_put_value(on(neighbour(b), table) + 8 * (fathom_ptr)b, p, 8);
        }
        gas_barrier();
        for (int b = 0; b < BLOCKS; b++) gas_free(((fathom_ptr *)here(table))[b]);
        gas_barrier();
    }
    free_everywhere(table);
}

CASE(heap_symmetric_blocks_are_at_the_same_offset_and_usable_everywhere) {
    for (long i = suite_rounds(15); i-- > 0;) {
        size_t n = 8 + random_size(&together, 50000);
        bool by_one = random_below(&together, 2);
        int who = (int)random_below(&together, (uint64_t)count());
        fathom_ptr local = gas_alloc(random_size(&mine, 3000)), p = 0; /* heaps differ */
        if (by_one) {
            if (me() == who) p = gas_global_alloc(n);
            gas_broadcast(gas_world(), &p, &p, 8, who, 0);
        } else {
            p = gas_all_alloc(n);
        }
        ASSERT(p, "no room for %zu bytes", n);
        EQUAL(0, fathom_thread_of(p));
        fathom_ptr same = p;
        gas_broadcast(gas_world(), &same, &same, 8, count() - 1, 0);
        EQUAL(p, same);
        fill_pattern(here(p), n, (uint64_t)me());
        gas_barrier();
        int t = neighbour(1);
        char *copy = malloc(n);
        gas_get(copy, on(t, p), n);
        PATTERN(copy, n, (uint64_t)t);
        free(copy);
        gas_barrier();
        if (me() == (who + 1) % count()) gas_free(p);
        gas_free(local);
    }
}

/* All threads allocate symmetric memory by themselves at the same time. */
CASE(heap_symmetric_blocks_of_several_threads_at_once) {
    fathom_ptr p[10];
    for (int i = 0; i < 10; i++) {
        p[i] = gas_global_alloc(1000);
        ASSERT(p[i], "no room");
        for (int t = 0; t < count(); t++) gas_fill(on(t, p[i]), me() * 16 + i, 1000);
    }
    gas_barrier();
    for (int i = 0; i < 10; i++)
        for (int t = 0; t < count(); t++) {
            uint8_t back[1000];
            gas_get(back, on(t, p[i]), sizeof back);
            ASSERT(back[0] == (uint8_t)(me() * 16 + i) && back[999] == back[0],
                   "block %d on thread %d is another's too", i, t);
        }
    gas_barrier();
    for (int i = 0; i < 10; i++) gas_free(p[i]);
}

/* FATHOM_HEAP is small where run.sh runs this; else the sizes asked for are beyond any. */
CASE(heap_that_is_full_says_so_and_recovers) {
    EQUAL(0, gas_alloc((size_t)1 << 45));
    EQUAL(0, gas_global_alloc((size_t)1 << 45));
    gas_barrier();
    EQUAL(0, gas_all_alloc((size_t)1 << 45));
    if (!getenv("FATHOM_HEAP")) return;
    enum { MOST = 4000 };
    static fathom_ptr taken[MOST];
    int n = 0;
    while (n < MOST && (taken[n] = gas_alloc(200000))) n++;
    ASSERT(n < MOST, "the heap is larger than %d x 200000 bytes", MOST);
    ASSERT(n > 0, "nothing fits");
    while (n > 0) gas_free(taken[--n]);
    fathom_ptr again = gas_alloc(200000);
    ASSERT(again, "nothing fits after all has been freed");
    gas_free(again);
}

ENDS(heap_block_freed_twice, 1, 1, "fathom: thread [0-9]+: .*(freed already|not the start).*\\|") {
    fathom_ptr p = gas_alloc(100);
    gas_barrier();
    if (me() == count() - 1) gas_free(p), gas_free(p);
    gas_barrier();
}
ENDS(heap_free_of_what_was_never_allocated, 1, 1, "fathom: thread [0-9]+: .*\\|") {
    fathom_ptr p = gas_alloc(1000);
    gas_barrier();
    if (me() == 0) gas_free(p + 128);
    gas_barrier();
    gas_barrier();
}

/* Alignments of every size between blocks of random sizes, and zeros where others wrote before. */
CASE(heap_blocks_are_aligned_and_zeroed_as_asked) {
    enum { BLOCKS = 40 };
    fathom_ptr block[BLOCKS] = {0};
    size_t bytes[BLOCKS];
    for (long i = suite_rounds(400); i-- > 0;) {
        int b = (int)random_below(&mine, BLOCKS);
        if (block[b]) {
            PATTERN(fathom_local(block[b]), bytes[b], (uint64_t)b);
            gas_free(block[b]);
            block[b] = 0;
            continue;
        }
        size_t align = (size_t)1 << random_below(&mine, 17);
        bytes[b] = 1 + random_size(&mine, 20000);
        if (i % 4) {
            block[b] = gas_alloc_aligned(bytes[b], align);
            ASSERT(block[b], "no room for %zu bytes at a multiple of %zu", bytes[b], align);
            EQUAL(0, (uintptr_t)fathom_local(block[b]) % align);
        } else {
            block[b] = gas_alloc_zeroed(bytes[b]);
            ASSERT(block[b], "no room for %zu bytes", bytes[b]);
            for (size_t k = 0; k < bytes[b]; k++) EQUAL(0, ((char *)fathom_local(block[b]))[k]);
        }
        EQUAL(bytes[b], gas_alloc_bytes(block[b]));
        fill_pattern(fathom_local(block[b]), bytes[b], (uint64_t)b);
    }
    for (int b = 0; b < BLOCKS; b++) gas_free(block[b]);
    fathom_ptr large = gas_alloc_aligned(3 << 20, 2 << 20);
    if (large) EQUAL(0, large % (2 << 20));
    gas_free(large);
}

CASE(heap_symmetric_blocks_are_aligned_as_asked) {
    fathom_ptr other = 0;
    for (long i = suite_rounds(40); i-- > 0;) {
        size_t align = (size_t)1 << random_below(&together, 22), n = 1 + random_size(&together, 200000);
        fathom_ptr p = gas_all_alloc_aligned(n, align);
        ASSERT(p, "no room for %zu bytes at a multiple of %zu", n, align);
        EQUAL(0, fathom_thread_of(p));
        EQUAL(0, (uintptr_t)here(p) % align);
        fill_pattern(here(p), n, (uint64_t)me());
        gas_barrier();
        char last;
        gas_get(&last, on(neighbour(1), p) + n - 1, 1);
        EQUAL(pattern((uint64_t)neighbour(1), n - 1), (uint8_t)last);
        if (i % 2) free_everywhere(other), other = everywhere(1 + i * 77); /* so that free memory begins anywhere */
        PATTERN(here(p), n, (uint64_t)me());
        free_everywhere(p);
    }
    free_everywhere(other);
    EQUAL(0, gas_all_alloc_aligned(0, 64));
}

CASE(heap_blocks_keep_their_bytes_when_resized) {
    fathom_ptr p = 0;
    size_t old = 0;
    for (long i = suite_rounds(200); i-- > 0;) {
        size_t n = 1 + random_size(&mine, 100000);
        fathom_ptr q = gas_realloc(p, n);
        ASSERT(q, "no room for %zu bytes", n);
        PATTERN(fathom_local(q), n < old ? n : old, 77);
        EQUAL(n, gas_alloc_bytes(q));
        fill_pattern(fathom_local(q), n, 77);
        p = q, old = n;
    }
    EQUAL(0, gas_realloc(p, 1ul << 60));
    PATTERN(fathom_local(p), old, 77);
    EQUAL(0, gas_realloc(p, 0));
    EQUAL(0, gas_alloc_bytes(0));
}

/* Of symmetric memory each thread has a part; who is near thread 0 can ask each near one. */
CASE(heap_sizes_of_what_all_threads_have) {
    int near, first = gas_near(&near);
    fathom_ptr all = everywhere(1234);
    for (int t = first; first == 0 && t < near; t++) EQUAL(1234, gas_alloc_bytes(on(t, all)));
    free_everywhere(all);
}

ENDS(
    heap_alignment_of_three, 1, 1,
    "fathom: thread [0-9]+: gas_alloc_aligned: an alignment of 3 bytes; it must be a power of two up to 2097152.*\\|") {
    gas_alloc_aligned(100, 3);
}
ENDS(heap_symmetric_alignment_of_zero, 1, 1,
     "fathom: thread [0-9]+: gas_all_alloc_aligned: an alignment of 0 bytes; it must be a power of two up to "
     "2097152.*\\|") {
    gas_all_alloc_aligned(100, 0);
}
ENDS(heap_resizing_what_was_freed, 1, 1,
     "fathom: thread [0-9]+: gas_realloc of 0x[0-9a-f]+, which has been freed already.*\\|") {
    fathom_ptr p = gas_alloc(100), q = gas_alloc(100);
    gas_free(p);
    gas_realloc(p, 200);
    gas_free(q);
}
ENDS(heap_resizing_what_all_threads_share, 1, 1,
     "fathom: thread [0-9]+: gas_realloc of 0x[0-9a-f]+, which is (not in the heap of this thread alone|on thread 0, "
     "not near).*\\|") {
    gas_realloc(everywhere(100), 200);
    gas_barrier();
}

#define ASKS_FOR(n, first)                                                                                             \
    "fathom: thread [0-9]+: an allocation by all threads \\(upc_all_alloc, fathom_alloc_all\\): this thread asks "     \
    "for " n " bytes of each thread, and thread 0 for " first ": all ask for the same number.*\\|"
ENDS(heap_symmetric_sizes_that_differ, 2, 1, ASKS_FOR("6400", "64")) {
    gas_all_alloc(me() == 0 ? 64 : 6400);
    gas_barrier();
}
ENDS(heap_aligned_symmetric_sizes_that_differ, 2, 1, ASKS_FOR("64", "0")) {
    gas_all_alloc_aligned(me() == 0 ? 0 : 64, 256);
    gas_barrier();
}
