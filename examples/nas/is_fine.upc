/* IS in UPC, fine-grained form: keys, histograms and ranks are shared arrays, and each element is read where it is
 * needed. is.h describes the problem.
 *
 *     fathom run -n 2 -O3 -DCLASS=S examples/nas/is_fine.upc
 */
#include "is.h"
#include <upc_collective.h>

#define BLOCK 64 /* elements of an array that lie together */

typedef shared [BLOCK] int *blocked;

blocked keys, count, up_to;                           /* up_to: how many keys have this value or a smaller one */
shared [IS_VALUES] int histogram[THREADS][IS_VALUES]; /* row t belongs to thread t */

static blocked allocate(long n) { return upc_all_alloc(n / BLOCK, BLOCK * sizeof(int)); }

static void rank_keys(void) {
    for (long k = 0; k < IS_VALUES; k++) histogram[MYTHREAD][k] = 0;
    upc_forall (long i = 0; i < IS_KEYS; i++; &keys[i]) histogram[MYTHREAD][keys[i]]++;
    upc_barrier;
    upc_forall (long k = 0; k < IS_VALUES; k++; &count[k]) {
        int sum = 0;
        for (int t = 0; t < THREADS; t++) sum += histogram[t][k];
        count[k] = sum;
    }
    /* up_to[k] = count[0] + ... + count[k] */
    upc_all_prefix_reduceI(up_to, count, UPC_ADD, IS_VALUES, BLOCK, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
}

static int rank_of(int key) { return key == 0 ? 0 : up_to[key - 1]; }

/* Puts every key in its place and looks whether the order is right. The keys of thread t follow those of the threads
 * before it that have the same value. */
static int is_sorted(void) {
    blocked sorted = allocate(IS_KEYS);
    static int next[IS_VALUES]; /* the place of this thread's next key of each value */
    for (int k = 0; k < IS_VALUES; k++) {
        next[k] = rank_of(k);
        for (int t = 0; t < MYTHREAD; t++) next[k] += histogram[t][k];
    }
    upc_forall (long i = 0; i < IS_KEYS; i++; &keys[i]) sorted[next[keys[i]]++] = keys[i];
    upc_barrier;
    int good = 1;
    upc_forall (long i = 1; i < IS_KEYS; i++; &sorted[i]) good &= sorted[i - 1] <= sorted[i];
    return good;
}

shared int sorted_parts[THREADS];

int main(void) {
    keys = allocate(IS_KEYS);
    count = allocate(IS_VALUES);
    up_to = allocate(IS_VALUES);
    for (long block = MYTHREAD; block < IS_KEYS / BLOCK; block += THREADS)
        is_make_keys((int *)&keys[block * BLOCK], block * BLOCK, BLOCK);
    rank_keys(); /* not timed: touches all memory */

    int right = 0;
    upc_barrier;
    double start = nas_seconds();
    for (int iteration = 1; iteration <= IS_ITERATIONS; iteration++) {
        if (MYTHREAD == 0) {
            keys[iteration] = iteration;
            keys[iteration + IS_ITERATIONS] = (int)IS_VALUES - iteration;
        }
        upc_barrier;
        rank_keys();
        if (MYTHREAD == 0)
            for (int i = 0; i < IS_TESTS; i++) right += is_right_rank(i, iteration, rank_of(keys[is_test_key[i]]));
        upc_barrier; /* nobody changes ranks that thread 0 still reads */
    }
    double seconds = nas_seconds() - start;

    sorted_parts[MYTHREAD] = is_sorted();
    upc_barrier;
    if (MYTHREAD == 0) {
        int sorted = 1;
        for (int t = 0; t < THREADS; t++) sorted &= sorted_parts[t];
        int status = is_finish("fine-grained UPC", right, sorted, seconds);
        if (status != 0) upc_global_exit(status);
    }
    return 0;
}
