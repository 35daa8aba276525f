/* Sample sort in Split-C (sorts.h says what is sorted and checked), in two forms.
 *
 *     fathom run -n 4 -O3 examples/sorts/sample.sc [FORM [KEYS [DISTRIBUTION [SEED]]]]
 *
 * FORM is fine, bulk or all; KEYS are on each processor (100000); DISTRIBUTION is random, sorted, equal, few
 * (different keys) or all.
 *
 * Each processor offers some of its keys as samples; processor 0 sorts all samples and takes the splitters, the
 * bounds between the processors, from them. Every key then goes to the processor within whose bounds it is, which
 * sorts what it has got. In the fine form a processor stores each key where it belongs; in the bulk form it puts its
 * keys together by processor, and each processor gets from all others what is for it.
 *
 * A bound is a key and a place: of equal keys those at lower places are smaller. So processors have about equally
 * many keys afterwards, however many keys are equal.
 */
#include "sorts.h"

enum { SAMPLES = 128 }; /* of each processor */

/* A key with its place among all keys, in the order of both. */
static uint64_t placed(uint32_t key, int place) { return (uint64_t)key << 32 | (uint32_t)place; }

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sample k of this processor's keys. */
static uint64_t sample(const uint32_t *key, int n, int k) {
    int i = (int)(scramble((uint64_t)MYPROC * SAMPLES + k) % n);
    return placed(key[i], MYPROC * n + i);
}

/* Called by processor 0: the samples in order, of which every SAMPLES-th is a splitter. */
static void sort_samples(uint64_t *samples) { qsort(samples, PROCS * SAMPLES, sizeof *samples, by_value); }

/* Which processor does this key belong to? The number of splitters that are not above it. */
static int owner(const uint64_t *splitter, uint64_t key) {
    int low = 0, high = PROCS - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (splitter[middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A radix sort on one processor; `other` is room for as many keys. */
static void sort_here(uint32_t *key, uint32_t *other, int n) {
    for (int shift = 0; shift < 32; shift += 8) {
        int at[256] = {0};
        for (int i = 0; i < n; i++) at[key[i] >> shift & 255]++;
        for (int d = 0, sum = 0; d < 256; d++) {
            int count = at[d];
            at[d] = sum;
            sum += count;
        }
        for (int i = 0; i < n; i++) other[at[key[i] >> shift & 255]++] = key[i];
        uint32_t *sorted = other;
        other = key;
        key = sorted;
    }
}

/* The keys that this processor has in the end, until the next sort. */
static uint32_t *result;

static void make_result(int count) {
    free(result);
    result = room(count, sizeof *result);
}
static struct sorted sort_result(int count) {
    uint32_t *other = room(count, sizeof *other);
    sort_here(result, other, count);
    free(other);
    return (struct sorted){result, count};
}

/* ---- fine-grained ------------------------------------------------------------------------------------------------ */

static struct sorted fine(int n, uint32_t keys[PROCS]::[n], uint32_t other[PROCS]::[n]) {
    const uint32_t *key = tolocal(keys[MYPROC]);
    uint64_t samples[PROCS]::[PROCS * SAMPLES], *offered = tolocal(samples[0]);
    uint64_t *splitter = room(PROCS, sizeof *splitter);
    int counts[PROCS]::[PROCS];              /* counts[p][q]: how many keys go from q to p */
    uint32_t *global target[PROCS]::[PROCS]; /* target[q][p]: where on p the next key from q goes */

    for (int k = 0; k < SAMPLES; k++) samples[0][MYPROC * SAMPLES + k] :- sample(key, n, k);
    all_store_sync();
    on_one sort_samples(offered);
    for (int p = 1; p < PROCS; p++) {
        uint64_t bound = offered[p * SAMPLES];
        uint32_t high = all_bcast((int)(bound >> 32));
        splitter[p - 1] = placed(high, all_bcast((int)bound));
    }

    /* The receivers need to know how much will come, the senders where it goes. */
    int *count = room(PROCS, sizeof *count), mine = 0;
    memset(count, 0, PROCS * sizeof *count);
    for (int i = 0; i < n; i++) count[owner(splitter, placed(key[i], MYPROC * n + i))]++;
    for (int p = 0; p < PROCS; p++) counts[p][MYPROC] :- count[p];
    all_store_sync();
    for (int p = 0; p < PROCS; p++) mine += counts[MYPROC][p];
    make_result(mine);
    for (int p = 0, at = 0; p < PROCS; at += counts[MYPROC][p], p++)
        target[p][MYPROC] :- (uint32_t *global)(result + at);
    all_store_sync();

    uint32_t *global *next = tolocal(target[MYPROC]);
    for (int i = 0; i < n; i++) {
        int p = owner(splitter, placed(key[i], MYPROC * n + i));
        *next[p]++ :- key[i];
    }
    /* Sorts as soon as its own keys are there, whatever the others do. */
    store_sync(mine * sizeof(uint32_t));
    free(count);
    free(splitter);
    struct sorted sorted = sort_result(mine);
    all_store_sync();
    return sorted;
}

/* ---- bulk -------------------------------------------------------------------------------------------------------- */

static struct sorted bulk(int n, uint32_t keys[PROCS]::[n], uint32_t other[PROCS]::[n]) {
    const uint32_t *key = tolocal(keys[MYPROC]);
    uint64_t samples[PROCS]::[PROCS * SAMPLES], own[SAMPLES], *splitter = room(PROCS, sizeof *splitter);
    struct bucket {
        int first, count;
    } buckets[PROCS]::[PROCS]; /* buckets[q][p]: the keys for p, in other[q] */

    for (int k = 0; k < SAMPLES; k++) own[k] = sample(key, n, k);
    bulk_store(&samples[0][MYPROC * SAMPLES], own, sizeof own);
    all_store_sync();
    on_one {
        uint64_t *offered = tolocal(samples[0]);
        sort_samples(offered);
        for (int p = 1; p < PROCS; p++) offered[p - 1] = offered[p * SAMPLES];
    }
    barrier();
    bulk_read(splitter, samples[0], (PROCS - 1) * sizeof *splitter);

    /* The own keys, together by processor. */
    struct bucket *bucket = tolocal(buckets[MYPROC]);
    int *of = room(n, sizeof *of), *next = room(PROCS, sizeof *next);
    uint32_t *together = tolocal(other[MYPROC]);
    memset(bucket, 0, PROCS * sizeof *bucket);
    for (int i = 0; i < n; i++) bucket[of[i] = owner(splitter, placed(key[i], MYPROC * n + i))].count++;
    for (int p = 0, sum = 0; p < PROCS; p++) next[p] = bucket[p].first = sum, sum += bucket[p].count;
    for (int i = 0; i < n; i++) together[next[of[i]]++] = key[i];
    barrier();

    /* What is for this processor, from all others at once: first how much, then the keys. */
    struct bucket *theirs = room(PROCS, sizeof *theirs);
    int mine = 0;
    for (int i = 0; i < PROCS; i++) {
        int q = (MYPROC + i) % PROCS; /* each begins elsewhere */
        theirs[q] := buckets[q][MYPROC];
    }
    sync();
    for (int q = 0; q < PROCS; q++) mine += theirs[q].count;
    make_result(mine);
    for (int i = 0, at = 0; i < PROCS; i++) {
        int q = (MYPROC + i) % PROCS;
        bulk_get(result + at, &other[q][theirs[q].first], theirs[q].count * sizeof *result);
        at += theirs[q].count;
    }
    sync();
    free(theirs);
    free(next);
    free(of);
    free(splitter);
    return sort_result(mine);
}

int splitc_main(int argc, char **argv) {
    static const struct form forms[] = {{"fine", fine}, {"bulk", bulk}};
    return run("sample sort", forms, 2, argc, argv);
}
