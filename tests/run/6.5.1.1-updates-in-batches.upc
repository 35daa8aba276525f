// flags: -fcomm-opt
// comm: updates outbox=128,updates
// Updates of computed places are made for many iterations together. Each loop here is compared with itself on a private copy, also where an
// update changes what later places, the operand or the bound are read from.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include "check.h"

enum { EACH = 512 };
struct counter {
    char name[3];
    int count;
    short flags, parts[5];
};
static shared long counts[EACH * THREADS];
static shared struct counter counters[EACH * THREADS];
static shared float floats[EACH * THREADS];
static shared double doubles[EACH * THREADS];
static shared unsigned char bytes[EACH * THREADS];
static shared [7] int blocks[7 * EACH * THREADS];

/* What the loops do to shared arrays, they do to these. */
static long *copy;
static struct counter *copy_of_counters;
static float *copy_of_floats;
static double *copy_of_doubles;
static unsigned char *copy_of_bytes;
static int *copy_of_blocks;

/* Room for so many elements, behind which a page begins that may not be read. */
static long *list_of(long elements) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), n = (size_t)elements * sizeof(long);
    size_t whole = (n + page - 1) / page * page;
    char *p = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED && mprotect(p + whole, page, PROT_NONE) == 0);
    return (long *)(p + whole - n);
}

/* One thread at a time changes what is shared. All change their copies. */
static int is_my_turn;

/* The same loop on both. */
#define BOTH(SHARED, PRIVATE, HEAD, CHANGE)                                                                                                \
    do {                                                                                                                                   \
        if (is_my_turn) { HEAD CHANGE(SHARED) }                                                                                            \
        { HEAD CHANGE(PRIVATE) }                                                                                                           \
    } while (0)

static void by_lists(const long *list, const int *small, long n, long by) {
#define PLUS(T) T[list[k]] += by;
    BOTH(counts, copy, for (long k = 0; k < n; k++), PLUS);
#define XOR(T) T[list[k] / 3 * 2 + 1] ^= 0x55;
    BOTH(counts, copy, for (unsigned k = 0; k <= (unsigned)n - 1; k++), XOR);
#define TIMES(T) { long at = list[k], to = at % 7 ? at : 0; T[to] *= 3; }
    BOTH(counts, copy, for (int k = 0; k < n; k++), TIMES);
#define LESS(T) T[small[k]]--;
    BOTH(counts, copy, for (short k = 0; k < n; k++), LESS);
#define SHIFT(T) T[list[k]] >>= by & 3;
    BOTH(counts, copy, for (long k = 0; k < n; k++), SHIFT);
#define COUNT(T) T[list[k]].count++;
    BOTH(counters, copy_of_counters, for (long k = 0; k < n; k++), COUNT);
#define FLAG(T) T[list[n - 1] - list[k] < 0 ? 0 : list[k]].flags |= 1 << 3;
    BOTH(counters, copy_of_counters, for (long k = 0; k < n; k++), FLAG);
#define PART(T) T[list[k]].parts[small[k] % 5] += 7;
    BOTH(counters, copy_of_counters, for (long k = 0; k < n; k++), PART);
#define HALF(T) T[list[k]] += 0.5f;
    BOTH(floats, copy_of_floats, for (long k = 0; k < n; k++), HALF);
#define THIRD(T) T[list[k]] -= 1.0 / 3;
    BOTH(floats, copy_of_floats, for (long k = 0; k < n; k++), THIRD);
#define MORE(T) T[list[k]] *= by;
    BOTH(doubles, copy_of_doubles, for (long k = 0; k < n; k++), MORE);
#define WRAPS(T) T[list[k]] += 200;
    BOTH(bytes, copy_of_bytes, for (long k = 0; k < n; k++), WRAPS);
#define BLOCK(T) T[list[k] * 7 + k % 7]--;
    BOTH(blocks, copy_of_blocks, for (long k = 0; k < n; k++), BLOCK);
#define ODD(T) { long at = list[k]; if (at & 1) { int of = small[k] % 5; if (of < 3) T[at - of / 3] += 11; } }
    BOTH(counts, copy, for (long k = 0; k < n; k++), ODD);
#define IN_LIST(T) if (k == 0 || list[k - 1] % 3) T[list[k]]++;
    BOTH(counts, copy, for (long k = 0; k < n; k++), IN_LIST);
#define ONE_PLACE(T) T[list[n - 1]] += 3;
    BOTH(counts, copy, for (long k = 0; k < n; k++), ONE_PLACE);
}

/* `mine` is this thread's part of counts, `copied` such a part of the copy. */
static void by_what_changes(const long *mine, const long *copied, long n) {
    if (is_my_turn)
        for (long k = 0; k < n; k++) counts[mine[k]] += 1;
    for (long k = 0; k < n; k++) copy[copied[k * THREADS]] += 1;
}
static void by_an_operand_that_changes(const long *list, const long *by, const long *copied, long n) {
    if (is_my_turn)
        for (long k = 0; k < n; k++) counts[list[k]] += *by;
    for (long k = 0; k < n; k++) copy[list[k]] += *copied;
}
static void to_a_bound_that_changes(const long *list, const long *end, const long *copied) {
    if (is_my_turn)
        for (long k = 0; k < *end; k++) counts[list[k]] += 1;
    for (long k = 0; k < *copied; k++) copy[list[k]] += 1;
}

static upc_atomicdomain_t *domain;
static void atomically(const long *list, const long *mine, const long *copied, long n, long by) {
    if (is_my_turn)
        for (long k = 0; k < n; k++) upc_atomic_relaxed(domain, NULL, UPC_ADD, &counts[list[k]], &by, NULL);
    if (is_my_turn)
        for (long k = 0; k < n; k++) upc_atomic_relaxed(domain, NULL, UPC_INC, &counts[list[k]], NULL, NULL);
    if (is_my_turn)
        for (long k = 0; k < n; k++) upc_atomic_relaxed(domain, NULL, UPC_MAX, &counts[list[k]], &by, NULL);
    for (long k = 0; k < n; k++) copy[list[k]] += by;
    for (long k = 0; k < n; k++) copy[list[k]]++;
    for (long k = 0; k < n; k++)
        if (copy[list[k]] < by) copy[list[k]] = by;
    /* The operand is one of the objects. */
    if (is_my_turn)
        for (long k = 0; k < n; k++) upc_atomic_relaxed(domain, NULL, UPC_ADD, &counts[list[k]], mine, NULL);
    for (long k = 0; k < n; k++) copy[list[k]] += *copied;
}

/* What an iteration does not come to is not computed either. */
struct with_list {
    const long *list;
};
static void never(const long *list, const struct with_list *p, const long *operand, long n, long none, upc_atomicdomain_t *no_domain) {
    long one = 1;
    for (long k = 0; k < n; k++)
        if (none != 0) counts[list[k]] += 100 / none;
    for (long k = 0; k < n; k++)
        if (operand) counts[list[k]] += *operand;
    for (long k = 0; k < n; k++)
        if (p && list[k] >= 0) counts[p->list[k]] += 1;
    for (long k = 0; k < n; k++)
        if (none || (p && p->list[k])) counts[list[k]] += 1;
    for (long k = 0; k < n; k++) counts[p ? p->list[k] : MYTHREAD] += 0;
    for (long k = 0; k < n; k++)
        if (no_domain) upc_atomic_relaxed(no_domain, NULL, UPC_ADD, &counts[list[k]], &one, NULL);
    for (long k = 0; k < n; k++)
        if (list[k] < 0) upc_atomic_relaxed(domain, NULL, UPC_MULT, &counts[list[k]], operand, NULL);
    upc_forall (long k = 0; k < n; k++; k)
        if (operand && none) counts[list[k]] += *operand / none;
}
/* The first subscripts, which nobody uses, are large. */
static void through_zero(const long *mine, const long *copied, unsigned n) {
    if (is_my_turn)
        for (unsigned k = 0; k < n; k++)
            if (k >= 100) counts[mine[k - 100] % EACH * THREADS] += THREADS;
    for (unsigned k = 0; k < n; k++)
        if (k >= 100) copy[copied[(k - 100) * (unsigned)THREADS] % EACH * THREADS] += THREADS;
}
/* The types of casts have effects. */
static int sizes;
static int size(void) { return ++sizes, 5; }
static void with_types(const long *list, long n) {
    long none = 0;
    int at = 2;
    for (long k = 0; k < n; k++) counts[((long (*)[at++])list)[0][k]] += none;
    for (long k = 0; k < n; k++) upc_atomic_relaxed(domain, (long (*)[size()])0, UPC_ADD, &counts[list[k]], &none, NULL);
    for (long k = 0; k < n; k++) upc_atomic_relaxed(domain, NULL, UPC_ADD, &counts[list[k]], (long (*)[size()]) & none, NULL);
    CHECK(at == 2 + n && sizes == 2 * n);
    sizes = 0;
}

static void compare(void) {
    long wrong = 0;
    for (long i = MYTHREAD; i < (long)EACH * THREADS; i += THREADS) {
        wrong += counts[i] != copy[i] || floats[i] != copy_of_floats[i] || doubles[i] != copy_of_doubles[i] || bytes[i] != copy_of_bytes[i];
        wrong += counters[i].count != copy_of_counters[i].count || counters[i].flags != copy_of_counters[i].flags;
        for (int j = 0; j < 5; j++) wrong += counters[i].parts[j] != copy_of_counters[i].parts[j];
        for (int j = 0; j < 7; j++) wrong += blocks[i * 7 + j] != copy_of_blocks[i * 7 + j];
    }
    CHECK(wrong == 0);
}

static void *zeroed(size_t each) {
    void *p = calloc((size_t)EACH * (size_t)THREADS, each);
    CHECK(p);
    return p;
}

int main(void) {
    copy = zeroed(sizeof *copy), copy_of_counters = zeroed(sizeof *copy_of_counters), copy_of_floats = zeroed(sizeof *copy_of_floats);
    copy_of_doubles = zeroed(sizeof *copy_of_doubles), copy_of_bytes = zeroed(1), copy_of_blocks = zeroed(7 * sizeof *copy_of_blocks);
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_INC | UPC_MAX, 0);
    const long sizes[] = {1, 17, 512 + 16, 1100};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        long n = sizes[s], *list = list_of(n);
        int *small = malloc((size_t)n * sizeof *small);
        CHECK(small);
        for (long k = 0; k < n; k++) small[k] = (int)(list[k] = (k * 79193 + 13 * (long)s) % ((long)EACH * THREADS));
        for (int t = 0; t < THREADS; t++) {
            is_my_turn = MYTHREAD == t;
            for (long i = 0; i < EACH; i++) copy[i * THREADS + t] = (i * 31 + 7) % ((long)EACH * THREADS);
            copy[t + 5 * THREADS] = n / 2;
            for (long i = MYTHREAD; i < (long)EACH * THREADS; i += THREADS) counts[i] = copy[i];
            upc_barrier;
            /* Places that this thread may read by a pointer. */
            const long *mine = (const long *)&counts[MYTHREAD], *copied = &copy[t + 5 * THREADS];
            if (n <= EACH) by_what_changes(mine, &copy[t], n);
            if (is_my_turn) never(list, NULL, NULL, n, 0, NULL), with_types(list, n);
            if (t == 0) through_zero(mine, copy, EACH);
            long was = list[n / 2];
            list[n / 2] = t + 5 * THREADS;
            by_an_operand_that_changes(list, mine + 5, copied, n);
            atomically(list, mine + 5, copied, n, n % 17);
            copy[t + 5 * THREADS] = n / 2;
            if (is_my_turn) counts[t + 5 * THREADS] = n / 2;
            long first = list[n / 4];
            list[n / 4] = t + 5 * THREADS;
            to_a_bound_that_changes(list, mine + 5, copied);
            list[n / 2] = was, list[n / 4] = first;
            by_lists(list, small, n, n % 11 - 3);
            upc_barrier;
            compare();
            upc_barrier;
        }
        free(small);
    }
    /* All at once. */
    long n = 1500, *list = list_of(n), one = 1, before = 0, after = 0;
    for (long k = 0; k < n; k++) list[k] = (k * 127 + 7 * MYTHREAD) % ((long)EACH * THREADS);
    for (long i = 0; i < (long)EACH * THREADS; i++) before += counts[i];
    upc_barrier;
    for (long k = 0; k < n; k++) upc_atomic_relaxed(domain, NULL, UPC_ADD, &counts[list[k]], &one, NULL);
    upc_barrier;
    for (long i = 0; i < (long)EACH * THREADS; i++) after += counts[i];
    CHECK(after == before + n * THREADS);
    return 0;
}
