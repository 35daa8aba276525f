/* Loops in strips (lang/strip.h) some of which are left early, on a network that brings what was asked for late, and not in the order in which it was
 * asked for: each of them reads its own elements, whatever comes meanwhile for loops that were left.
 *
 *     left LOOPS SEED
 *
 * The network wraps the conduit: it has the data at once, and hands them over when somebody has asked about them a few times. Now and then all elements
 * change, between two barriers. */
#include <stdbool.h>

#include "program.h"
#include "gas/gas_internal.h"
#include "gas/transfer.h"
#include "lang/random.h"
#include "lang/strip.h"

enum { WORDS = 10240, MOST_BLOCK = 40, MOST_SLOTS = 3 };

static uint64_t seed;
static size_t below(size_t n) { return (size_t)fathom_random_below(&seed, n); }

struct conduit_op {
    bool is_used;
    size_t asked; /* so often more */
    char *dst, *data;
    size_t n;
};
static struct conduit_op under_way[1024];

static struct conduit_op *get_begin(void *dst, uint64_t src, size_t n) {
    struct conduit_op *op = under_way;
    while (op->is_used) op++;
    *op = (struct conduit_op){.is_used = true, .asked = below(12), .dst = dst, .data = malloc(n), .n = n};
    struct gas_transfer t = {0};
    gas_transfer_ask_for(&t, op->data, src, n);
    gas_transfer_wait(&t);
    return op;
}

static bool op_test(struct conduit_op *op) {
    if (op->asked) return op->asked--, false;
    memcpy(op->dst, op->data, op->n);
    free(op->data);
    op->is_used = false;
    return true;
}

__attribute__((constructor)) static void make_network(void) {
    static const struct conduit_overrides overrides = {.get_begin = get_begin, .op_test = op_test};
    static struct conduit late;
    late = *conduit_used;
    late.overrides = &overrides;
    conduit_used = &late;
}

static long epoch;
static long value(int thread, long word) {
    return (long)(((uint64_t)(epoch * 64 + thread) * WORDS + (uint64_t)word) *
                  0x9e3779b97f4a7c15); /* no byte is like its neighbours */
}
static void change(void) {
    fathom_barrier(0, 0);
    epoch++;
    for (int w = 0; w < WORDS; w++) *board_word(fathom_mythread, w) = value(fathom_mythread, w);
    fathom_barrier(0, 0);
}

/* Elements of `size` bytes, `block` on a thread and then on the next one; 0: all on thread `on`. */
struct array {
    int on;
    long size, block, first;
};
/* Is element e at this place? */
static bool is_there(const struct array *a, long e, const unsigned char *place) {
    int thread = a->on;
    if (a->block) {
        long b = e / a->block;
        thread = (int)(b % fathom_threads);
        e = b / fathom_threads * a->block + e % a->block;
    }
    for (long at = e * a->size; at < (e + 1) * a->size; at++) {
        long word = value(thread, at / 8);
        if (((unsigned char *)&word)[at % 8] != *place++) return false;
    }
    return true;
}

static void loop(long number) {
    struct array array[MOST_SLOTS];
    int slots = 1 + (int)below(MOST_SLOTS);
    long n = 1 + (long)below(below(8) ? 300 : 4000), extra = (long)below(3),
         last = below(3) ? n : (long)below((size_t)n);
    struct fathom_strip s;
    fathom_strip_begin(&s, n);
    s.may_be_left = (int)below(2); /* whether it is left, or not */
    for (int i = 0; i < slots; i++) {
        struct array *a = &array[i];
        *a = (struct array){.on = (int)below((size_t)fathom_threads),
                            .size = (long[]){1, 2, 4, 8, 8, 8, 12, 16}[below(8)],
                            .block = (long)below(below(2) ? MOST_BLOCK : 3)};
        a->first = (long)below((size_t)(WORDS * 8 / a->size - MOST_BLOCK - n - extra));
        fathom_strip_range(&s, board_place(a->block ? 0 : a->on, 0), 0, a->first, (unsigned long)a->block,
                           (unsigned long)a->size, extra);
    }
    bool opens = n >= fathom_strips_from && fathom_strip_open(&s);
    for (long j = 0, from = 0, end = 0; opens && j < last; j++) {
        if (j == end) {
            from = j;
            end = j + (long)fathom_strip_next(&s, (unsigned long)(n - j));
            CHECK(end > j && end <= n);
        }
        for (int i = 0; i < slots; i++)
            for (long more = 0; more <= extra; more++) {
                const unsigned char *at = s.slot[i].at;
                if (is_there(&array[i], array[i].first + j + more, at + (j - from + more) * array[i].size)) continue;
                fprintf(stderr, "thread %d: loop %ld, iteration %ld of slot %d: wrong\n", fathom_mythread, number, j,
                        i);
                _exit(99);
            }
    }
}

int main(int argc, char **argv) {
    long loops = argc > 1 ? atol(argv[1]) : 300;
    seed = (argc > 2 ? (uint64_t)atol(argv[2]) : 1) * 1000 + (uint64_t)fathom_mythread;
    for (long i = 0; i < loops; i++) {
        if (i % 10 == 0) change();
        loop(i);
    }
    fathom_barrier(0, 0);
    if (fathom_mythread == 0) puts("good");
    return 0;
}
