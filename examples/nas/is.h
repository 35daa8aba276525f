/* IS, "integer sort": ranks small integers. A key's rank is the number of keys that are smaller, so that each key
 * knows its place in the sorted order; nothing is moved.
 *
 * All three programs count: how often does each value occur (a histogram for each thread), how often in all threads,
 * and from that, by a running sum, how many keys are smaller than each value. Ten times, each time with two keys
 * changed.
 */
#include "nas.h"

#define IS_TESTS 5
#define IS_ITERATIONS 10

#if NAS_CLASS == NAS_CLASS_S
#define IS_LOG_KEYS 16
#define IS_LOG_VALUES 11
static const long is_test_key[IS_TESTS] = {48427, 17148, 23627, 62548, 4431};
static const long is_test_rank[IS_TESTS] = {0, 18, 346, 64917, 65463};
#define IS_RISING 3 /* the ranks of so many test keys rise from iteration to iteration, the others fall */
#define IS_SHIFT 0  /* the iteration for which the table's rising ranks hold */
#define IS_FALL 0   /* and the one of the falling ranks */
#elif NAS_CLASS == NAS_CLASS_W
#define IS_LOG_KEYS 20
#define IS_LOG_VALUES 16
static const long is_test_key[IS_TESTS] = {357773, 934767, 875723, 898999, 404505};
static const long is_test_rank[IS_TESTS] = {1249, 11698, 1039987, 1043896, 1048018};
#define IS_RISING 2
#define IS_SHIFT 2
#define IS_FALL 0
#else
#define IS_LOG_KEYS 23
#define IS_LOG_VALUES 19
static const long is_test_key[IS_TESTS] = {2112377, 662041, 5336171, 3642833, 4250760};
static const long is_test_rank[IS_TESTS] = {104, 17523, 123928, 8288932, 8388264};
#define IS_RISING 3
#define IS_SHIFT 1
#define IS_FALL 1
#endif

#define IS_KEYS (1L << IS_LOG_KEYS)
#define IS_VALUES (1L << IS_LOG_VALUES)
#define IS_SEED UINT64_C(314159265)

/* Key number `first` and the ones after it: each is the mean of four random numbers, scaled to the range of values. */
static inline void is_make_keys(int *keys, long first, long count) {
    uint64_t seed = nas_skip(IS_SEED, 4 * (uint64_t)first);
    for (long i = 0; i < count; i++) {
        double sum = nas_random(&seed);
        sum += nas_random(&seed);
        sum += nas_random(&seed);
        sum += nas_random(&seed);
        keys[i] = (int)(IS_VALUES / 4 * sum);
    }
}

/* Is this the official rank of test key i in this iteration (1 to 10)? */
static inline int is_right_rank(int i, int iteration, long rank) {
    long expected = is_test_rank[i] + (i < IS_RISING ? iteration - IS_SHIFT : IS_FALL - iteration);
    if (rank == expected) return 1;
    printf("iteration %d: test key %d has rank %ld instead of %ld\n", iteration, i, rank, expected);
    return 0;
}

static inline int is_finish(const char *form, int right_ranks, int sorted, double seconds) {
    int all = IS_TESTS * IS_ITERATIONS;
    printf("%d of %d test ranks are the official ones; by their ranks the keys are %s\n", right_ranks, all,
           sorted ? "sorted" : "NOT SORTED");
    return nas_report("IS", form, seconds, (double)IS_ITERATIONS * IS_KEYS, right_ranks == all && sorted);
}
