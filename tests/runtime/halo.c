/* Loops over this thread's iterations that read the blocks beside their own, or the rows, as generated code has them (lang/strip.h, gas/halo.c, gas/halo_rows.c):
 *
 *     upc_forall (i = lo; i < hi; i++; (i + shift) / block) … table[i + low] … table[i + low + extra] …
 *
 * Each iteration of this thread comes once, in its turn, and what it reads is what is there: also what this thread has written
 * just before, and what others have written before a barrier.
 *
 *     halo LOOPS SEED
 *
 * Each thread has a table of its own on all threads. Others change it between barriers alone. */
#include <stdbool.h>

enum { PART = 40960 };
#include "mirror.h"
#include "lang/strip.h"

static long between(long low, long high) { return low + (long)below((size_t)(high - low + 1)); }

static _Noreturn void wrong(long loop, long i, const char *what) {
    fprintf(stderr, "thread %d: loop %ld, iteration %ld: %s: wrong\n", fathom_mythread, loop, i, what);
    _exit(99);
}

/* What an iteration reads: elements i + low to i + low + extra of the table, seen as elements of `size` bytes in blocks of `block`. */
struct view {
    long block, size, low, extra, elements;
};
static int place(const struct view *v, long e, long *offset) {
    long b = e / v->block;
    *offset = (b / fathom_threads * v->block + e % v->block) * v->size;
    return (int)(b % fathom_threads);
}
static fathom_ptr word(const struct view *v, long e) {
    long offset;
    int on = place(v, e, &offset);
    return part(on) + (unsigned long)offset;
}

static void write_some(const struct view *v, long lo, long hi) {
    long e = between(lo, hi) + v->low + between(-2, 2 + v->extra);
    if (e < 0 || e >= v->elements) return;
    long offset;
    int on = place(v, e, &offset);
    uint64_t value[2] = {fathom_random(&seed), fathom_random(&seed)};
    memcpy(&mirror[on][offset], value, (size_t)v->size);
    fathom_memput_relaxed(word(v, e), value, (size_t)v->size);
}

/* The first of this thread's iterations from i on, or hi. */
static long own(long i, long hi, long shift, long block) {
    while (i < hi && (i + shift) / block % fathom_threads != fathom_mythread) i++;
    return i;
}

static void read_all(const struct view *v, const struct fathom_slot *t, long loop, long i, long from) {
    for (long more = 0; more <= v->extra; more++) {
        long e = i + v->low + more, offset;
        if (e < 0 || e >= v->elements) continue; /* fetched or not, and not used */
        int on = place(v, e, &offset);
        const char *at = (const char *)t->at + (i - from + more) * v->size;
        if (memcmp(at, &mirror[on][offset], (size_t)v->size) != 0) wrong(loop, i, "what it reads");
    }
}

static long fast; /* loops that ran so */

static void one_loop(long number) {
    long block = below(3) ? between(4, 9) : between(60, 300), shift = between(0, 3 * block);
    int views = (int)between(1, 4);
    struct view view[4];
    long iterations = PART / 16 * fathom_threads;
    for (int k = 0; k < views; k++) {
        view[k] = (struct view){.block = block, .size = (long[]){1, 2, 4, 8, 8, 12, 16}[below(7)]};
        view[k].elements = PART / view[k].size / block * block * fathom_threads;
        view[k].low = between(-20, 20);
        view[k].extra = between(0, below(3) ? 3 : 30);
    }
    long lo = between(0, iterations - 1), hi = lo + between(0, below(3) ? 5 * block * fathom_threads : iterations - lo);
    if (hi > iterations) hi = iterations;
    for (int k = 0; k < views && lo < hi; k++)
        for (size_t w = below(6); w > 0; w--) write_some(&view[k], lo, hi - 1);
    struct fathom_strip s;
    fathom_strip_begin(&s, hi - lo);
    for (int k = 0; k < views; k++) {
        long first = between(0, view[k].elements - 1);
        fathom_strip_range(&s, word(&view[k], first), (unsigned long)(first % block), lo + view[k].low - first,
                           (unsigned long)block, (unsigned long)view[k].size, view[k].extra);
    }
    struct fathom_own mine = {.next = lo, .hi = hi, .shift = shift, .block = block};
    if (hi - lo < fathom_strips_from || !fathom_strip_open_blocks(&s, &mine)) return;
    fast++;
    long next = own(lo, hi, shift, block), leaves = below(8) ? hi : between(lo, hi), first;
    for (long n; next <= leaves && (n = fathom_own_run(&s, &first)) != 0;)
        for (long i = first; i < first + n; i++) {
            if (i != next || i >= hi) wrong(number, i, "its turn");
            for (int k = 0; k < views; k++) read_all(&view[k], &s.slot[k], number, i, first);
            next = own(i + 1, hi, shift, block);
        }
    if (next < leaves) wrong(number, next, "that it is left out");
}

/* upc_forall (i = lo; i < hi; i++; …) for (j = 0; j < n; j++) … table[first + (i - lo) * by + j] …, as a loop that finds the rows of other threads that
 * were fetched before; between two rows this thread may write what it will read. */
static void rows(long number) {
    struct view v = {.size = (long[]){1, 4, 8, 16}[below(4)], .extra = between(0, 2)};
    long by = between(4, 60), n = between(4, by), many = between(2, 40), block = between(1, 8);
    v.block = by * between(1, 9) + (long)below(2) * between(0, 5);
    v.elements = PART / v.size / v.block * v.block * fathom_threads;
    long first = between(0, v.elements / 2);
    struct fathom_strip s[2];
    for (int k = 0; k < 2; k++) {
        fathom_strip_begin(&s[k], n);
        fathom_strip_range(&s[k], word(&v, 0), 0, first + k * by, (unsigned long)v.block, (unsigned long)v.size,
                           v.extra);
    }
    struct fathom_own mine = {.next = 0, .hi = many, .shift = 0, .block = block};
    for (size_t w = below(3); w > 0; w--) write_some(&v, first, first + many * by);
    if (many >= fathom_strips_from) fathom_rows_fetch(&s[0], &s[1], &mine);
    size_t writes = below(3);
    for (long i = own(0, many, 0, block); i < many; i = own(i + 1, many, 0, block)) {
        if (writes && below(4) == 0) write_some(&v, first + i * by, first + (i + 1) * by);
        if (below(40) == 0) fathom_fence();
        fathom_strip_begin(&s[0], n);
        fathom_strip_range(&s[0], word(&v, 0), 0, first + i * by, (unsigned long)v.block, (unsigned long)v.size,
                           v.extra);
        if (n < fathom_strips_from || !fathom_strip_open(&s[0])) continue;
        struct view row = v;
        row.low = first + i * by;
        for (long j = 0, run; j < n; j += run) {
            run = (long)fathom_strip_next(&s[0], (unsigned long)(n - j));
            for (long k = j; k < j + run; k++) read_all(&row, &s[0].slot[0], number, k, j);
        }
    }
}

int main(int argc, char **argv) {
    int loops = argc > 1 ? atoi(argv[1]) : 1;
    mirror_start(argc > 2 ? atoi(argv[2]) : 0);
    for (int i = 0; i < loops; i++) {
        if (fathom_random_below(&common, 4) == 0) all_write(fathom_random(&common));
        if (below(3))
            one_loop(i);
        else
            rows(i);
    }
    const char *wanted = getenv("FATHOM_COMM");
    if (fathom_threads > 1 && wanted && strstr(wanted, "strips")) CHECK(fast > 0);
    gas_barrier();
    if (fathom_mythread == 0) puts("good");
    return 0;
}
