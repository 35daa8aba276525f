/* Coherence: what do copies of the same data in many caches cost those who write them and those who read them?
 *
 *     fathom run -n 4 -O3 examples/coherence/sharers.upc [WORDS [SECONDS]]
 *
 * Thread 0 writes an array of WORDS words of 8 bytes (4096); after a barrier other threads read all of it, one after
 * the other in a critical section, each a copy. The first table has the time of a write when 0, 1, 2 ... threads have
 * copies, which the write makes invalid; the second the time of a read by the n-th reader, which finds the data with
 * the writer, or with readers before it, by strides of 1 to 8 words. The third table has the time in which a thread
 * adds to a counter of its own while others do the same, by relaxed and by strict accesses: with counters side by
 * side in a cache line (false sharing) and with counters 128 bytes apart. SECONDS is the time for all (3).
 */
#include "coherence.h"

enum { STRIDES = 4, APART = 16 /* words */ };

static uint64_t words, rounds;
static shared [] uint64_t *shared box_of_0;
static shared [] uint64_t *box;

static upc_lock_t *turn;
static shared int readers;           /* in this round, so far */
static shared double read_ns[THREADS]; /* by the n-th of them, counted from 1; no more than THREADS - 1 */

/* ---- one writer, many readers ------------------------------------------------------------------------------------ */

/* Thread 0 measures a write by stride when as many others have copies, and collects the times of the readers. */
static void measure_sharers(struct samples *write, struct samples *read, int sharers, uint64_t stride, double seconds) {
    uint64_t count = (words + stride - 1) / stride;
    write->count = 0;
    for (int n = 1; n <= sharers; n++) read[n].count = 0;
    double start = now_ns();
    for (int r = 0; again(r, start, seconds); r++) {
        rounds++;
        if (MYTHREAD == 0) {
            double begin = now_ns();
            put_words(box, words, stride, rounds);
            upc_fence;
            if (r > 0) add_sample(write, (now_ns() - begin) / (double)count);
            readers = 0;
        }
        upc_barrier;
        if (MYTHREAD > 0 && MYTHREAD <= sharers) {
            upc_lock(turn);
            int n = ++readers;
            double begin = now_ns();
            uint64_t sum = add_words(box, words, stride);
            read_ns[n % THREADS] = (now_ns() - begin) / (double)count;
            upc_unlock(turn);
            expect(sum == sum_of_words(rounds, count, stride));
            if (r == 0) expect_words(box, words, stride, rounds);
        }
        upc_barrier;
        if (MYTHREAD == 0) {
            expect(readers == sharers);
            for (int n = 1; n <= sharers; n++) add_sample(&read[n], read_ns[n % THREADS]);
        }
    }
}

static void print_heading(const char *what, const char *first) {
    printf("%s, ns an access\n%s", what, first);
    for (int s = 0; s < STRIDES; s++) printf("  stride %-21d", 1 << s);
    printf("\n");
}

static void tables_of_sharers(double seconds) {
    /* The readers' samples, of the measurement in which all others read. */
    struct samples write, *read[STRIDES];
    int counts = 1;
    for (int c = 0; c < THREADS - 1; c = next_count(c, THREADS - 1)) counts++;
    for (int s = 0; s < STRIDES; s++)
        if (!(read[s] = malloc(THREADS * sizeof *read[s]))) upc_global_exit(1);
    if (MYTHREAD == 0) print_heading("thread 0 writes", "copies ");
    for (int c = 0, last = 0; !last; c = next_count(c, THREADS - 1)) {
        last = c >= THREADS - 1;
        if (MYTHREAD == 0) printf("%6d ", c);
        for (int s = 0; s < STRIDES; s++) {
            measure_sharers(&write, read[s], c, 1u << s, seconds / (counts * STRIDES));
            if (MYTHREAD == 0) print_samples(&write);
        }
        if (MYTHREAD == 0) printf("\n");
    }
    if (MYTHREAD == 0 && THREADS > 1) {
        print_heading("\nthe n-th reader reads", "reader ");
        for (int n = 1, last = 0; !last; n = next_count(n, THREADS - 1)) {
            last = n >= THREADS - 1;
            printf("%6d ", n);
            for (int s = 0; s < STRIDES; s++) print_samples(&read[s][n]);
            printf("\n");
        }
    }
    for (int s = 0; s < STRIDES; s++) free(read[s]);
}

/* ---- a counter for each thread ----------------------------------------------------------------------------------- */

/* All counters are in the memory of thread 0. */
static shared [] uint64_t *shared counters_of_0;
static shared double update_ns[THREADS];

/* Threads 0 to `threads` - 1 add to words 0, `apart`, 2 `apart` ..., each that many times. */
static void measure_updates(struct samples *s, int threads, int apart, int is_strict, int updates, double seconds) {
    shared [] uint64_t *mine = counters_of_0 + MYTHREAD * apart;
    strict shared [] uint64_t *mine_strict = (strict shared [] uint64_t *)mine;
    int repetitions = 0;
    s->count = 0;
    *mine = 0;
    upc_barrier;
    double start = now_ns();
    for (int r = 0; again(r, start, seconds); r++) {
        repetitions++;
        if (MYTHREAD < threads) {
            double begin = now_ns();
            if (is_strict)
                for (int i = 0; i < updates; i++) ++*mine_strict;
            else
                for (int i = 0; i < updates; i++) {
                    ++*mine;
                    __asm__ volatile("" ::: "memory"); /* each addition loads and stores */
                }
            update_ns[MYTHREAD] = (now_ns() - begin) / updates;
        }
        upc_barrier;
        if (MYTHREAD == 0)
            for (int t = 0; t < threads; t++) add_sample(s, update_ns[t]);
    }
    if (MYTHREAD < threads) expect(*mine == (uint64_t)repetitions * updates);
    upc_barrier;
}

static void table_of_updates(double seconds) {
    static struct samples s;
    int counts = 1;
    for (int c = 1; c < THREADS; c = next_count(c, THREADS)) counts++;
    if (MYTHREAD == 0) {
        counters_of_0 = upc_alloc((THREADS + 1) * APART * sizeof(uint64_t));
        if (counters_of_0 == NULL) upc_global_exit(1);
        printf("\neach thread adds to a counter, ns an addition\nthreads  %-28s  %-28s  %-28s  %s\n",
               "relaxed, side by side", "relaxed, 128 bytes apart", "strict, side by side", "strict, 128 bytes apart");
    }
    upc_barrier;
    /* As many as the slowest thread makes in 2 ms: threads leave a barrier at different times. */
    static shared int enough;
    measure_updates(&s, THREADS, 1, 1, 100, seconds / 10);
    if (MYTHREAD == 0) {
        median(&s);
        double slowest = s.ns[(s.count < SAMPLES ? s.count : SAMPLES) * 9 / 10];
        enough = slowest > 20000 ? 100 : slowest < 2 ? 1000000 : (int)(2e6 / slowest);
    }
    upc_barrier;
    int updates = enough;
    for (int c = 1, last = 0; !last; c = next_count(c, THREADS)) {
        last = c >= THREADS;
        if (MYTHREAD == 0) printf("%7d", c);
        for (int form = 0; form < 4; form++) {
            measure_updates(&s, c, form % 2 ? APART : 1, form / 2, updates, seconds / (4 * counts));
            if (MYTHREAD == 0) print_samples(&s);
        }
        if (MYTHREAD == 0) printf("\n");
    }
}

int main(int argc, char **argv) {
    words = (uint64_t)argument(argc, argv, 1, 4096);
    double seconds = argument(argc, argv, 2, 3);
    if (argc > 3 || words < 8 || seconds == 0)
        return usage("sharers: its arguments are [WORDS [SECONDS]], at least 8 words");
    if (MYTHREAD == 0) {
        box_of_0 = upc_alloc(words * sizeof(uint64_t));
        if (box_of_0 == NULL) upc_global_exit(1);
        printf("%d threads, %llu words; medians (and the range of the middle 80 %% of the samples)\n", THREADS,
               (unsigned long long)words);
    }
    turn = upc_all_lock_alloc();
    upc_barrier;
    box = box_of_0;
    take_processors();
    tables_of_sharers(2 * seconds / 3);
    table_of_updates(seconds / 3);
    return finish();
}
