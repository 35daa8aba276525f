// threads: 1 2 3 4 8
/* Sample sort in which the senders write: each thread counts what goes where, a prefix sum over the counts gives every
 * run its place in the receiver's memory, and upc_memput carries it there. */
#include "check.h"
#include "random.h"

#define KEYS 3000
#define SAMPLES 16

shared [KEYS] int keys[KEYS * THREADS];
shared [SAMPLES] int samples[SAMPLES * THREADS];
shared [] int *shared counts[THREADS]; /* counts[s][d]: keys from thread s to thread d */
shared [] int *shared sorted[THREADS];
shared int length[THREADS];
shared int smallest[THREADS], largest[THREADS];
shared long sums[THREADS], squares[THREADS];

static int compare(const void *x, const void *y) {
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

int main(void) {
    int *mine = (int *)&keys[MYTHREAD * KEYS];
    unsigned long state = 99991u * (MYTHREAD + 1);
    long sum = 0, square = 0;
    for (int i = 0; i < KEYS; i++) {
        mine[i] = (int)(next_random(&state) % 100000) - 50000; /* many come twice */
        sum += mine[i];
        square += (long)mine[i] * mine[i];
    }
    qsort(mine, KEYS, sizeof *mine, compare);
    for (int s = 0; s < SAMPLES; s++) samples[MYTHREAD * SAMPLES + s] = mine[s * KEYS / SAMPLES];
    counts[MYTHREAD] = upc_alloc(THREADS * sizeof(int));
    upc_barrier 1;

    int *all = malloc(SAMPLES * THREADS * sizeof *all);
    for (int i = 0; i < SAMPLES * THREADS; i++) all[i] = samples[i];
    qsort(all, SAMPLES * THREADS, sizeof *all, compare);
    int *my_counts = (int *)counts[MYTHREAD];
    memset(my_counts, 0, THREADS * sizeof *my_counts);
    for (int i = 0, to = 0; i < KEYS; i++) {
        while (to < THREADS - 1 && mine[i] >= all[(to + 1) * SAMPLES]) to++;
        my_counts[to]++;
    }
    free(all);
    upc_barrier 2;

    int n = 0;
    for (int t = 0; t < THREADS; t++) n += counts[t][MYTHREAD];
    length[MYTHREAD] = n;
    sorted[MYTHREAD] = upc_alloc(n * sizeof(int) + 1);
    upc_barrier 3;

    for (int to = 0, from = 0; to < THREADS; to++) {
        int place = 0;
        for (int t = 0; t < MYTHREAD; t++) place += counts[t][to];
        upc_memput(sorted[to] + place, mine + from, my_counts[to] * sizeof(int));
        from += my_counts[to];
    }
    upc_barrier 4;

    int *out = (int *)sorted[MYTHREAD];
    qsort(out, n, sizeof *out, compare);
    smallest[MYTHREAD] = n ? out[0] : 0;
    largest[MYTHREAD] = n ? out[n - 1] : 0;
    for (int i = 0; i < n; i++) {
        if (i) CHECK(out[i - 1] <= out[i]);
        sum -= out[i];
        square -= (long)out[i] * out[i];
    }
    sums[MYTHREAD] = sum;
    squares[MYTHREAD] = square;
    upc_barrier 5;

    if (MYTHREAD == 0) {
        long total = 0, lost = 0, lost_squares = 0;
        int last = -50000;
        for (int t = 0; t < THREADS; t++) {
            total += length[t];
            lost += sums[t];
            lost_squares += squares[t];
            if (!length[t]) continue;
            CHECK(smallest[t] >= last);
            last = largest[t];
        }
        CHECK_EQ((long)KEYS * THREADS, total);
        CHECK_EQ(0, lost);
        CHECK_EQ(0, lost_squares);
    }
    upc_barrier;
    upc_free(sorted[MYTHREAD]);
    upc_free(counts[MYTHREAD]);
    return 0;
}
