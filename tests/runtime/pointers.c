/* Arithmetic on pointers-to-shared, against a model that knows thread, phase and offset by name, for jobs of up to 2^20
 * threads; and what is near of them. No job is needed for it: pointers THREADS MYTHREAD NEAR. With the header of a conduit
 * that spans computers; FATHOM_STATIC_THREADS may fix the number. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/constants.h"
#include "lang/prelude.h"
#include "lang/random.h"

/* Outside of the inline functions nothing is called. */
void fathom_copy_long(void *dst, const void *src, unsigned long n) { (void)dst, (void)src, (void)n; }
void *fathom_far_cast(fathom_ptr p) { return p ? (void *)~p : NULL; }

static void fail(int line, const char *text) {
    fprintf(stderr, "pointers.c:%d: not true: %s\n", line, text);
    exit(1);
}
#define CHECK(condition) ((condition) ? (void)0 : fail(__LINE__, #condition))

/* Where element `i` of an array is that starts on thread 0, offset `start`. */
struct place {
    long thread, phase, offset;
};
static struct place place_of(long i, long block, long size, long start, long threads) {
    long course = i / (block * threads), rest = i - course * block * threads;
    if (rest < 0) rest += block * threads, course--;
    return (struct place){rest / block, rest % block, start + (course * block + rest % block) * size};
}
static int is_at(fathom_ptr p, struct place x) {
    return fathom_thread_of(p) == x.thread && (long)fathom_offset_of(p) == x.offset;
}

static uint64_t seed;
static long random_below(long n) { return (long)fathom_random_below(&seed, (uint64_t)n); }

static void check_pair(long i, long j, long block, long size, long threads) {
    long start = 1 << 20;
    fathom_ptr first = fathom_make(0, (unsigned long)start);
    struct place a = place_of(i, block, size, start, threads), b = place_of(j, block, size, start, threads);
    unsigned long n = (unsigned long)block, bytes = (unsigned long)size;
    if (block == 1) {
        fathom_ptr p = fathom_cyclic_elem(first, i, bytes), q = fathom_cyclic_elem(first, j, bytes);
        CHECK(is_at(p, a) && is_at(q, b));
        CHECK(fathom_cyclic_add(p, j - i, bytes) == q && fathom_cyclic_diff(q, p, bytes) == j - i);
        CHECK(fathom_cyclic_add(fathom_cyclic_add(p, 1, bytes), -1, bytes) == p);
        CHECK(is_at(fathom_cyclic_add(p, 1, bytes), place_of(i + 1, 1, size, start, threads)));
    }
    fathom_pptr p = fathom_block_at(first, i, n, bytes), q = fathom_block_at(first, j, n, bytes);
    CHECK(is_at(p.addr, a) && (long)p.phase == a.phase && is_at(q.addr, b) && (long)q.phase == b.phase);
    CHECK(fathom_block_elem(first, i, n, bytes) == p.addr);
    fathom_pptr r = fathom_block_add(p, j - i, n, bytes);
    CHECK(r.addr == q.addr && r.phase == q.phase && fathom_block_diff(q, p, n, bytes) == j - i);
    r = fathom_block_add(p, 1, n, bytes);
    struct place next = place_of(i + 1, block, size, start, threads);
    CHECK(is_at(r.addr, next) && (long)r.phase == next.phase);
}

static void check_near(long threads, long first, long count) {
    unsigned long base = fathom_make(first, 0);
    core_set_near(base, (unsigned long)count << FATHOM_SEG_BITS, FATHOM_BASE - base);
    const long other[] = {0, 1, first - 1, first + count, threads / 2, threads - 1};
    for (long t = first; t < first + count; t++) {
        fathom_ptr p = fathom_make(t, 12345);
        CHECK(fathom_is_near(p) && fathom_is_near(fathom_make(t, FATHOM_STEP - 1)));
        CHECK((unsigned long)fathom_local(p) == FATHOM_BASE + (unsigned long)(t - first) * FATHOM_STEP + 12345);
        CHECK(fathom_word(fathom_local(p)) == p && fathom_cast(p) == fathom_local(p));
        CHECK(fathom_is_shared(fathom_local(p)) && fathom_word_if(1, fathom_place_if(1, p)) == p);
    }
    for (unsigned i = 0; i < sizeof other / sizeof *other; i++) {
        long t = other[i];
        if (t < 0 || t >= threads || (t >= first && t < first + count)) continue;
        fathom_ptr p = fathom_make(t, 12345);
        CHECK(!fathom_is_near(p) && fathom_thread_of(p) == t && fathom_offset_of(p) == 12345);
        CHECK(fathom_cast(p) == (void *)~p && fathom_word_if(0, fathom_place_if(0, p)) == p);
    }
    CHECK(!fathom_is_near(0) && fathom_cast(0) == NULL && !fathom_is_shared(&threads));
}

int main(int argc, char **argv) {
    CHECK(argc == 4);
    long threads = atol(argv[1]), me = atol(argv[2]), near = atol(argv[3]);
    core_set_constants((int)me, (int)threads, 0);
    CHECK(FATHOM_T == threads);
    static const long blocks[] = {1, 2, 7, 64, 1000}, sizes[] = {1, 4, 8, 24};
    for (unsigned b = 0; b < 5; b++) {
        for (unsigned s = 0; s < 4; s++) {
            long most = blocks[b] * threads * 40, end = blocks[b] * threads;
            for (int k = 0; k < 400; k++)
                check_pair(random_below(most), random_below(most), blocks[b], sizes[s], threads);
            for (long i = end - 3 > 0 ? end - 3 : 0; i < end + 3; i++) check_pair(i, 0, blocks[b], sizes[s], threads);
        }
    }
    check_near(threads, me, near);
    puts("good");
    return 0;
}
