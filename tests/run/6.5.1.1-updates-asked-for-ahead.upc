// flags: -fcomm-opt
// comm: updates outbox=128,updates
// Near memory that a loop updates at computed places is prefetched, for which places of later iterations are computed early: only
// from what these iterations read anyhow. So each list here ends where memory that may not be read begins.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include "check.h"

/* So much that places are asked for: 2 MB for each thread. */
enum { EACH = 1 << 18, MOST = 4096 };
static shared long counts[EACH * THREADS];
static long *expected;
static long n;
/* Loops that do nothing but update are made in batches instead (6.5.1.1-updates-in-batches.upc). */
static long made;

/* Room for so many elements, behind which a page begins that may not be read. */
static long *list_of(long elements) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)elements * sizeof(long);
    size_t whole = (bytes + page - 1) / page * page;
    char *p = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED && mprotect(p + whole, page, PROT_NONE) == 0);
    return (long *)(p + whole - bytes);
}

static void fill(long *list) {
    for (long k = 0; k < n; k++) list[k] = (k * 79193 + 13) % ((long)EACH * THREADS);
}

static void in_order(const long *list) {
    for (long k = 0; k < n; k++) {
        counts[list[k]] += 1;
        made++;
    }
}
static void through_the_last(const long *list) {
    for (unsigned k = 0; k <= (unsigned)n - 1; k++) {
        counts[list[k]]++;
        made++;
    }
}
static void of_another_sign(const long *list) {
    unsigned long end = (unsigned long)n;
    for (int k = 0; k < end; k++) {
        counts[list[k]] += 2;
        made++;
    }
}
static void left_early(const long *list, long most) {
    for (long k = 0; k < most; k++) {
        if (list[k] < 0) break;
        counts[list[k]] += 1;
    }
}
static void on_condition(const long *list) {
    for (long k = 0; k < 2 * n; k++)
        if (k < n) counts[list[k]] += 1;
}
static void by_a_variable(const long *list) {
    for (long k = 0; k < n; k++) {
        long at = list[k];
        counts[at] ^= 5;
        made++;
    }
}
/* A divisor is 0 until the iteration before it. */
static void divided(const long *list, long *by) {
    by[0] = 1;
    for (long k = 0; k < n; k++) {
        counts[list[k] / by[k]] += 3;
        by[k + 1] = 1;
    }
}
static void by_a_list_that_changes(long *list, long *which) {
    which[0] = 0;
    for (long k = 0; k < n; k++) {
        counts[list[which[k]]] += 1;
        which[k + 1] = k + 1;
    }
}

int main(void) {
    n = MOST / THREADS;
    long *list = list_of(n), *ended = list_of(n + 1), *by = list_of(n + 1), *which = list_of(n + 1);
    expected = calloc((size_t)EACH * (size_t)THREADS, sizeof *expected);
    CHECK(expected);
    fill(list), fill(ended);
    ended[n] = -1;
    for (long k = 0; k <= n; k++) by[k] = 0, which[k] = 1l << 40;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    long one = 1;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD) {
            in_order(list), through_the_last(list), of_another_sign(list);
            left_early(ended, 1l << 40), on_condition(list), by_a_variable(list);
            divided(list, by), by_a_list_that_changes(list, which);
            for (long k = 0; k < n; k++) {
                upc_atomic_relaxed(domain, NULL, UPC_ADD, &counts[list[k]], &one, NULL);
                made++;
            }
        }
        upc_barrier;
        for (long k = 0; k < n; k++) expected[list[k]] += 1 + 1 + 2 + 1 + 1;
        for (long k = 0; k < n; k++) expected[list[k]] ^= 5;
        for (long k = 0; k < n; k++) expected[list[k]] += 3 + 1 + 1;
    }
    long wrong = 0;
    for (long i = MYTHREAD; i < (long)EACH * THREADS; i += THREADS) wrong += counts[i] != expected[i];
    CHECK(wrong == 0);
    return 0;
}
