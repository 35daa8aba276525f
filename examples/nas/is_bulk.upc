/* IS in UPC, bulk form: each thread counts its own keys through plain C pointers; then each fetches its part of the
 * values from all histograms, one upc_memget for each thread, and adds them up. is.h describes the problem.
 *
 *     fathom run -n 2 -O3 -DCLASS=S examples/nas/is_bulk.upc
 */
#include "is.h"

/* Each thread has the keys nas_first(IS_KEYS, t, THREADS) and following, and a histogram of them. */
shared [] int *shared keys[THREADS];
shared [] int *shared histogram[THREADS];
shared [] int *shared smaller[THREADS]; /* for the values in each thread's part: how many keys are smaller */
shared int part_sum[THREADS];           /* how many keys have values in each thread's part */

static long first_key, key_count;     /* the keys of this thread */
static long first_value, value_count; /* and its part of the values */
static int *my_keys, *my_histogram, *my_smaller;
static int *fetched; /* from another thread's histogram, or its keys */

/* Which of the threads has item i of n? */
static int owner(long n, long i) {
    int t = (int)(i * THREADS / n);
    while (nas_first(n, t + 1, THREADS) <= i) t++;
    return t;
}

static void rank_keys(void) {
    /* restrict: what is written here is none of the keys. */
    int *restrict counts = my_histogram, *restrict sums = my_smaller;
    for (long k = 0; k < IS_VALUES; k++) counts[k] = 0;
    for (long i = 0; i < key_count; i++) counts[my_keys[i]]++;
    upc_barrier;

    for (long k = 0; k < value_count; k++) sums[k] = counts[first_value + k];
    for (int step = 1; step < THREADS; step++) {
        int from = (MYTHREAD + step) % THREADS; /* each begins elsewhere */
        upc_memget(fetched, histogram[from] + first_value, value_count * sizeof(int));
        for (long k = 0; k < value_count; k++) sums[k] += fetched[k];
    }
    int sum = 0;
    for (long k = 0; k < value_count; k++) {
        int count = sums[k];
        sums[k] = sum;
        sum += count;
    }
    part_sum[MYTHREAD] = sum;
    upc_barrier;
    int before = 0;
    for (int t = 0; t < MYTHREAD; t++) before += part_sum[t];
    for (long k = 0; k < value_count; k++) sums[k] += before;
    upc_barrier;
}

static void set_key(long i, int value) {
    if (i >= first_key && i < first_key + key_count) my_keys[i - first_key] = value;
}

/* Called by thread 0: the rank of key i. */
static long rank_of(long i) {
    int t = owner(IS_KEYS, i);
    int key = keys[t][i - nas_first(IS_KEYS, t, THREADS)];
    t = owner(IS_VALUES, key);
    return smaller[t][key - nas_first(IS_VALUES, t, THREADS)];
}

/* Puts all keys with values in this thread's part into their places and looks whether the order is right. */
static int is_sorted(void) {
    long most = nas_first(IS_KEYS, 1, THREADS) + 1, count = part_sum[MYTHREAD], begin = 0;
    for (int t = 0; t < MYTHREAD; t++) begin += part_sum[t];
    int *sorted = nas_allocate(count, sizeof(int)), *theirs = nas_allocate(most, sizeof(int));
    long placed = 0;
    for (int t = 0; t < THREADS; t++) {
        long n = nas_first(IS_KEYS, t + 1, THREADS) - nas_first(IS_KEYS, t, THREADS);
        upc_memget(theirs, keys[t], n * sizeof(int));
        for (long i = 0; i < n; i++) {
            long k = theirs[i] - first_value;
            if (k < 0 || k >= value_count) continue;
            long place = my_smaller[k]++ - begin;
            if (place < 0 || place >= count) return 0;
            sorted[place] = theirs[i];
            placed++;
        }
    }
    int good = placed == count;
    for (long i = 1; i < count; i++) good &= sorted[i - 1] <= sorted[i];
    free(sorted);
    free(theirs);
    return good;
}

shared int sorted_parts[THREADS];

int main(void) {
    nas_need_threads(THREADS <= IS_VALUES, "more than there are values of keys");
    first_key = nas_first(IS_KEYS, MYTHREAD, THREADS);
    key_count = nas_first(IS_KEYS, MYTHREAD + 1, THREADS) - first_key;
    first_value = nas_first(IS_VALUES, MYTHREAD, THREADS);
    value_count = nas_first(IS_VALUES, MYTHREAD + 1, THREADS) - first_value;
    keys[MYTHREAD] = upc_alloc(key_count * sizeof(int));
    histogram[MYTHREAD] = upc_alloc(IS_VALUES * sizeof(int));
    smaller[MYTHREAD] = upc_alloc(value_count * sizeof(int));
    my_keys = (int *)keys[MYTHREAD];
    my_histogram = (int *)histogram[MYTHREAD];
    my_smaller = (int *)smaller[MYTHREAD];
    fetched = nas_allocate(value_count, sizeof(int));
    is_make_keys(my_keys, first_key, key_count);
    rank_keys(); /* not timed: touches all memory */

    int right = 0;
    upc_barrier;
    double start = nas_seconds();
    for (int iteration = 1; iteration <= IS_ITERATIONS; iteration++) {
        set_key(iteration, iteration);
        set_key(iteration + IS_ITERATIONS, (int)IS_VALUES - iteration);
        rank_keys();
        if (MYTHREAD == 0)
            for (int i = 0; i < IS_TESTS; i++) right += is_right_rank(i, iteration, rank_of(is_test_key[i]));
        upc_barrier; /* nobody changes ranks that thread 0 still reads */
    }
    double seconds = nas_seconds() - start;

    sorted_parts[MYTHREAD] = is_sorted();
    upc_barrier;
    if (MYTHREAD == 0) {
        int sorted = 1;
        for (int t = 0; t < THREADS; t++) sorted &= sorted_parts[t];
        int status = is_finish("bulk UPC", right, sorted, seconds);
        if (status != 0) upc_global_exit(status);
    }
    return 0;
}
