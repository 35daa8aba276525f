/* Loops whose atomic operations are made for many iterations together, as generated code runs them (lang/fetch.h), against the same loop one
 * operation at a time:
 *
 *     for (i = 0; i < n; i++) { r = operation(&table[index[i]], operand[i]); read or write something; }
 *
 * or with every third operation left out. What is read and written is private memory that may be the index, this thread's part of the table, or shared
 * elements. Relaxed writes to the table come before the loop, and are still held back.
 *
 *     fetches LOOPS SEED
 *
 * Each thread has a table of its own on all threads, which nobody else touches. */
#include <stdbool.h>

#include "program.h"
#include "lang/fetch.h"
#include "lang/library.h"
#include "lang/random.h"

extern unsigned long fathom_fetched_together; /* gas/fetch.c */

enum { PART = 8192, MOST_THREADS = 8, SHORT = 150, LONG = 4000, MEMORY = 4 * LONG, INDICES = 256 };

static uint64_t seed;
static size_t below(size_t n) { return (size_t)fathom_random_below(&seed, n); }

static unsigned char mirror[MOST_THREADS][PART]; /* what the table on each thread should hold */
static int memory[MEMORY], expected[MEMORY];     /* indices, and what the loop writes */
static fathom_ptr part(int on) { return board_place(on, 0) + (unsigned long)(fathom_mythread * PART); }

/* Element k of the table, in turn on each thread. */
static size_t place(int k, size_t size) { return (size_t)(k / fathom_threads) * size; }
static fathom_ptr element(int k, size_t size) { return part(k % fathom_threads) + place(k, size); }

static void some_writes(void) {
    for (size_t k = below(20); k > 0; k--) {
        int on = (int)below((size_t)fathom_threads);
        size_t at = below(100) * 8;
        unsigned char data[8];
        for (int i = 0; i < 8; i++) data[i] = (unsigned char)(i % 4 == 3 ? 0 : fathom_random(&seed)); /* no NaN */
        memcpy(&mirror[on][at], data, sizeof data);
        fathom_memput_relaxed(part(on) + at, data, sizeof data);
    }
}

/* The operation, on the mirror. */
static uint64_t changed(void *at, enum fathom_fetch_type type, enum fathom_fetch_op op, uint64_t operand) {
    bool wide = type == FATHOM_FETCH_I64 || type == FATHOM_FETCH_U64 || type == FATHOM_FETCH_F64;
    uint64_t old = 0, new;
    memcpy(&old, at, wide ? 8 : 4);
    double x, y;
    memcpy(&x, &old, 8);
    memcpy(&y, &operand, 8);
    switch (op) {
    case FATHOM_FETCH_GET: return old;
    case FATHOM_FETCH_SWAP: new = operand; break;
    case FATHOM_FETCH_ADD:
        new = old + operand;
        x += y;
        if (type == FATHOM_FETCH_F64) memcpy(&new, &x, 8);
        break;
    case FATHOM_FETCH_AND: new = old &operand; break;
    case FATHOM_FETCH_OR: new = old | operand; break;
    default: new = old ^ operand;
    }
    memcpy(at, &new, wide ? 8 : 4);
    return old;
}

static void loop(long number) {
    static const enum fathom_fetch_type types[] = {FATHOM_FETCH_I32, FATHOM_FETCH_U32, FATHOM_FETCH_I64,
                                                   FATHOM_FETCH_U64, FATHOM_FETCH_F64};
    enum fathom_fetch_type type = types[below(sizeof types / sizeof *types)];
    enum fathom_fetch_op op = (enum fathom_fetch_op)below(type == FATHOM_FETCH_F64 ? 3 : 6);
    size_t size = type == FATHOM_FETCH_I32 || type == FATHOM_FETCH_U32 ? 4 : 8;
    /* Of a long one, operations on one thread travel in several messages. */
    bool is_long = fathom_gathers_from < LONG && below(20) == 0;
    long most = is_long ? LONG : SHORT, n = 1 + (long)below((size_t)most);
    for (int i = 0; i < MEMORY; i++) memory[i] = expected[i] = (int)below(INDICES);
    some_writes();
    size_t from = below((size_t)most), to = below((size_t)(4 * most - most));
    bool knows_table = below(2), leaves_out = below(2);
    enum { PRIVATE, OWN, READS, SHARED, ANY };
    /* Written: private memory; this thread's part of the table, or beside it; or that is read; or shared memory beside the table, in two ways. */
    size_t kind = is_long ? PRIVATE : below(5);
    size_t first = below(2) ? below(300) : PART / 4 - SHORT; /* elements of 4 bytes */
    int *own = (int *)fathom_local(part(fathom_mythread)) + first;
    int *index = memory + from;
    /* The index may be in this thread's shared memory, beside the table: what is written there may be the index. */
    bool is_shared = !is_long && below(3) == 0;
    size_t at = PART / 8 * 5 + 4 * below(SHORT), index_at = PART / 8 * 5 + 4 * below(SHORT);
    if (is_shared) {
        index = fathom_local(part(fathom_mythread) + index_at);
        for (long i = 0; i < n; i++) {
            index[i] = (int)below(INDICES);
            memcpy(&mirror[fathom_mythread][index_at + (size_t)i * 4], &index[i], 4);
        }
    }

    struct fathom_strip s;
    struct fathom_fetch f;
    fathom_strip_begin(&s, n);
    unsigned long behind = (INDICES / (unsigned long)fathom_threads + 1) * size;
    fathom_strip_gather(&s, part(0), knows_table ? behind : 0, 1, size);
    fathom_strip_source(&s, (const volatile char *)index, n * (long)sizeof *index);
    if (kind == PRIVATE) fathom_strip_stores(&s, memory + to, n * (long)sizeof *memory);
    if (kind == OWN) fathom_strip_stores(&s, own, n * (long)sizeof *own);
    if (kind == SHARED) fathom_strip_writes_array(&s, part(0) + at, n * 4);
    if (kind == ANY) fathom_strip_writes_anything(&s);
    bool opens = n >= fathom_gathers_from && fathom_fetch_berkeley(&f, type, op) && fathom_strip_open(&s);
    opens = opens && fathom_fetch_loads(&f, &s, (const volatile char *)index, n * 4);
    if (kind == READS) opens = opens && fathom_fetch_loads(&f, &s, (const volatile char *)own, n * 4);
    if (kind == OWN) opens = opens && fathom_fetch_loads(&f, &s, (const volatile char *)own, n * 4);

    uint64_t operand = 1 + below(1000), sum = 0, right_sum = 0;
    if (type == FATHOM_FETCH_F64) operand = fathom_random(&seed) >> 2;
    const char *got = NULL;
    for (long i = 0, run = 0, end = 0; i < n; i++) {
        if (opens && i == end) {
            run = (long)fathom_fetch_count(&s, n - i);
            CHECK(run > 0 && run <= n - i);
            fathom_ptr *places = fathom_gather_places(0, (unsigned long)run);
            unsigned long *operands = fathom_fetch_operands((unsigned long)run);
            for (long k = 0; k < run; k++) {
                bool is_made = !leaves_out || (i + k) % 3;
                places[k] = is_made ? element(index[i + k], size) : ~0ul;
                operands[k] = operand + (uint64_t)(i + k) % 7;
            }
            got = fathom_fetch_all(&f, (unsigned long)run);
            end = i + run;
        }
        if (leaves_out && i % 3 == 0) continue;
        uint64_t r = 0, x = operand + (uint64_t)i % 7;
        if (got) {
            memcpy(&r, got + (size_t)(i - end + run) * size, size);
        } else {
            static const enum gas_atomic_type gas_types[] = {GAS_I32, GAS_U32, GAS_I64, GAS_U64, GAS_F32, GAS_F64};
            static const enum gas_atomic_op gas_ops[] = {GAS_GET, GAS_SWAP, GAS_ADD, GAS_AND, GAS_OR, GAS_XOR};
            gas_atomic(&r, element(index[i], size), gas_types[type], gas_ops[op], &x, NULL);
        }
        /* The loop as C has it. */
        int k = expected[from + (size_t)i];
        if (is_shared) memcpy(&k, &mirror[fathom_mythread][index_at + (size_t)i * 4], 4);
        uint64_t right = changed(&mirror[k % fathom_threads][place(k, size)], type, op, x);
        if (r != right) {
            fprintf(stderr, "thread %d: loop %ld, iteration %ld: wrong: %lx, expected %lx\n", fathom_mythread, number,
                    i, r, right);
            _exit(99);
        }
        int value = (int)(right % INDICES);
        size_t own_at = first * 4 + (size_t)i * 4;
        switch (kind) {
        case PRIVATE: memory[to + (size_t)i] = expected[to + (size_t)i] = value; break;
        case OWN:
            own[i] = value;
            memcpy(&mirror[fathom_mythread][own_at], &value, sizeof value);
            break;
        case READS:
            sum = sum * 3 + (unsigned)own[i];
            memcpy(&value, &mirror[fathom_mythread][own_at], sizeof value);
            right_sum = right_sum * 3 + (unsigned)value;
            CHECK(sum == right_sum);
            break;
        default: {
            int on = kind == SHARED ? (int)(i % fathom_threads) : fathom_mythread;
            size_t there = kind == SHARED ? at + (size_t)(i / fathom_threads) * 4 : at + (size_t)i * 4;
            memcpy(&mirror[on][there], &value, sizeof value);
            fathom_memput_relaxed(part(on) + there, &value, sizeof value);
        }
        }
    }
    CHECK(memcmp(memory, expected, sizeof memory) == 0);
}

int main(int argc, char **argv) {
    int loops = argc > 1 ? atoi(argv[1]) : 1;
    seed = (uint64_t)(argc > 2 ? atoi(argv[2]) : 0) * MOST_THREADS + (uint64_t)fathom_mythread;
    CHECK(fathom_threads <= MOST_THREADS);
    memset(board_word(fathom_mythread, 0), 0, MOST_THREADS * PART);
    gas_barrier();
    for (int i = 0; i < loops; i++) {
        loop(i);
        if (below(8) == 0) fathom_fence();
    }
    /* Reads from lines that are kept have been told of the operations. */
    for (int on = 0; on < fathom_threads; on++) {
        unsigned char now[PART];
        fathom_memget(now, part(on), sizeof now);
        CHECK(memcmp(now, mirror[on], sizeof now) == 0);
    }
    const char *wanted = getenv("FATHOM_COMM");
    if (fathom_threads > 1 && wanted && strstr(wanted, "gathers")) CHECK(fathom_fetched_together > 0);
    gas_barrier();
    if (fathom_mythread == 0) puts("good");
    return 0;
}
