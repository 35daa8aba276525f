/* Sample sort: every thread has KEYS random keys; afterwards the keys of thread 0 are the smallest, in order, and so on.
 *
 * Each thread sorts its keys and offers a few of them as samples. The sorted samples give the bounds between threads;
 * each thread then fetches from every other the run of keys that lies within its bounds, and sorts what it has.
 */
#include <stdio.h>
#include <upc.h>

#define KEYS 20000
#define SAMPLES 64

shared [KEYS] unsigned keys[KEYS * THREADS];
shared [SAMPLES] unsigned samples[SAMPLES * THREADS];
/* Where thread t's keys at or above the lower bound of thread u begin: first[t] holds THREADS + 1 numbers. */
shared [] size_t *shared first[THREADS];
shared size_t count[THREADS];
shared [] unsigned *shared result[THREADS];

static int compare(const void *x, const void *y) {
    unsigned a = *(const unsigned *)x, b = *(const unsigned *)y;
    return (a > b) - (a < b);
}

/* The first index in the sorted k[0..n) whose key is at least `bound`. */
static size_t lower_bound(const unsigned *k, size_t n, unsigned bound) {
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (k[mid] < bound) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

int main(void) {
    unsigned *mine = (unsigned *)&keys[MYTHREAD * KEYS];
    unsigned seed = 12345u + MYTHREAD;
    unsigned long sum_before = 0;
    for (int i = 0; i < KEYS; i++) {
        seed = seed * 1664525u + 1013904223u;
        mine[i] = seed >> 4;
        sum_before += mine[i];
    }
    qsort(mine, KEYS, sizeof *mine, compare);
    for (int s = 0; s < SAMPLES; s++) samples[MYTHREAD * SAMPLES + s] = mine[(size_t)s * KEYS / SAMPLES];
    first[MYTHREAD] = upc_alloc((THREADS + 1) * sizeof(size_t));
    upc_barrier;

    /* Everybody sorts all samples and comes to the same bounds. */
    unsigned *all = malloc(SAMPLES * THREADS * sizeof *all);
    for (int t = 0; t < THREADS; t++) upc_memget(&all[t * SAMPLES], &samples[t * SAMPLES], SAMPLES * sizeof *all);
    qsort(all, SAMPLES * THREADS, sizeof *all, compare);
    size_t *my_first = (size_t *)first[MYTHREAD];
    my_first[0] = 0;
    my_first[THREADS] = KEYS;
    for (int t = 1; t < THREADS; t++) my_first[t] = lower_bound(mine, KEYS, all[t * SAMPLES]);
    free(all);
    upc_barrier;

    /* Fetch my share from every thread. */
    size_t n = 0;
    for (int t = 0; t < THREADS; t++) n += first[t][MYTHREAD + 1] - first[t][MYTHREAD];
    result[MYTHREAD] = upc_alloc((n + 1) * sizeof(unsigned));
    unsigned *out = (unsigned *)result[MYTHREAD];
    size_t at = 0;
    for (int t = 0; t < THREADS; t++) {
        size_t from = first[t][MYTHREAD], run = first[t][MYTHREAD + 1] - from;
        upc_memget(&out[at], &keys[t * KEYS + from], run * sizeof *out);
        at += run;
    }
    qsort(out, n, sizeof *out, compare);
    count[MYTHREAD] = n;

    /* Check: nothing lost, all in order, also across threads. */
    unsigned long sum_after = 0;
    for (size_t i = 0; i < n; i++) {
        sum_after += out[i];
        if (i && out[i - 1] > out[i]) upc_global_exit(1);
    }
    static shared unsigned long before[THREADS], after[THREADS];
    before[MYTHREAD] = sum_before;
    after[MYTHREAD] = sum_after;
    upc_barrier;

    if (MYTHREAD == 0) {
        size_t total = 0, most = 0;
        unsigned long difference = 0;
        unsigned last = 0;
        for (int t = 0; t < THREADS; t++) {
            total += count[t];
            if (count[t] > most) most = count[t];
            difference += before[t] - after[t];
            if (count[t] && result[t][0] < last) upc_global_exit(2);
            if (count[t]) last = result[t][count[t] - 1];
        }
        if (total != (size_t)KEYS * THREADS || difference) upc_global_exit(3);
        printf("%zu keys sorted by %d threads; the fullest has %.1f %% of them\n", total, THREADS, 100.0 * most / total);
    }
    return 0;
}
