/* IS in C with OpenMP: a histogram for each thread, then each thread adds up a part of all histograms. is.h describes
 * the problem.
 *
 *     gcc -O3 -fopenmp -DCLASS=S examples/nas/is_omp.c -lm -o is && OMP_NUM_THREADS=2 ./is
 */
#include "is.h"

static int keys[IS_KEYS];
static int smaller[IS_VALUES]; /* the result: how many keys are smaller than each value */
static int sorted[IS_KEYS];

static int **histogram; /* of each thread, IS_VALUES numbers */
static int *part_sum;   /* how many keys have values in each thread's part of the values */

/* Is executed by all threads of a team. */
static void rank_keys(void) {
#ifdef _OPENMP
    int me = omp_get_thread_num(), threads = omp_get_num_threads();
#else
    int me = 0, threads = 1;
#endif
    int *mine = histogram[me];
    for (long k = 0; k < IS_VALUES; k++) mine[k] = 0;
#pragma omp for
    for (long i = 0; i < IS_KEYS; i++) mine[keys[i]]++;

    /* My part of the values: the histograms' sum, then its running sum. */
    long first = nas_first(IS_VALUES, me, threads), end = nas_first(IS_VALUES, me + 1, threads);
    for (long k = first; k < end; k++) smaller[k] = histogram[0][k];
    for (int t = 1; t < threads; t++)
        for (long k = first; k < end; k++) smaller[k] += histogram[t][k];
    int sum = 0;
    for (long k = first; k < end; k++) {
        int count = smaller[k];
        smaller[k] = sum;
        sum += count;
    }
    part_sum[me] = sum;
#pragma omp barrier
    int before = 0;
    for (int t = 0; t < me; t++) before += part_sum[t];
    for (long k = first; k < end; k++) smaller[k] += before;
#pragma omp barrier
}

/* Puts every key in its place and looks whether the order is right. */
static int is_sorted(void) {
    for (long i = 0; i < IS_KEYS; i++) sorted[smaller[keys[i]]++] = keys[i];
    for (long i = 1; i < IS_KEYS; i++)
        if (sorted[i - 1] > sorted[i]) return 0;
    return 1;
}

int main(void) {
    int threads = nas_threads(), right = 0;
    histogram = nas_allocate(threads, sizeof *histogram);
    part_sum = nas_allocate(threads, sizeof *part_sum);
    for (int t = 0; t < threads; t++) histogram[t] = nas_allocate(IS_VALUES, sizeof(int));
#pragma omp parallel
    {
#pragma omp for
        for (int t = 0; t < threads; t++) {
            long first = nas_first(IS_KEYS, t, threads);
            is_make_keys(&keys[first], first, nas_first(IS_KEYS, t + 1, threads) - first);
        }
        rank_keys(); /* not timed: touches all memory */
    }

    double start = nas_seconds();
#pragma omp parallel
    for (int iteration = 1; iteration <= IS_ITERATIONS; iteration++) {
#pragma omp single
        {
            keys[iteration] = iteration;
            keys[iteration + IS_ITERATIONS] = (int)IS_VALUES - iteration;
        }
        rank_keys();
#pragma omp single
        for (int i = 0; i < IS_TESTS; i++) right += is_right_rank(i, iteration, smaller[keys[is_test_key[i]]]);
    }
    double seconds = nas_seconds() - start;

    return is_finish("OpenMP", right, is_sorted(), seconds);
}
