/* Producer and consumer: what does it cost to hand data from one thread to another?
 *
 *     fathom run -n 2 -O3 examples/coherence/handover.upc [WORDS [SECONDS [CONSUMER]]]
 *
 * Thread 0 writes an array of WORDS words of 8 bytes (4096), which it has affinity to; thread CONSUMER (1) reads or
 * writes it; barriers stand between. For strides of 1 to 32 words the first table has the time of one access:
 *
 *     WAR    thread 0 writes what the other has read: its copies become invalid
 *     RAW    the other reads what thread 0 has written
 *     WAW    the other writes what thread 0 has written
 *     own    thread 0 writes and reads what nobody else touches
 *
 * once with the data in the caches, and, where threads share memory and the processor can do it (x86), once flushed
 * from them to memory before each barrier. The second table has the time to hand over n words and to learn that they
 * were taken: with strict flags, element by element or by upc_memput, and with barriers of all threads. SECONDS is
 * the time for both (2).
 */
#include "coherence.h"

enum { STRIDES = 6, SIZES = 5 };

static int consumer;
static uint64_t words, rounds; /* a new round for each value that is written */

static shared [] uint64_t *shared box_of[THREADS]; /* memory of `words` words on each thread */
static shared [] uint64_t *box;                    /* that of thread 0 */

/* ---- flushing ---------------------------------------------------------------------------------------------------- */

/* Takes the words out of all caches; false where that is impossible. */
static int flush(void) {
#if defined __x86_64__
    char *p = bupc_castable(box) ? bupc_cast(box) : 0;
    if (!p) return 0;
    for (uint64_t i = 0; i < words * 8; i += 64) __asm__ volatile("clflush %0" : "+m"(p[i]));
    __asm__ volatile("mfence" ::: "memory");
    return 1;
#else
    return 0;
#endif
}
static shared int cannot_flush;

/* ---- one access -------------------------------------------------------------------------------------------------- */

struct accesses {
    struct samples war, raw, waw, own_write, own_read;
};

/* Thread 0 collects what the consumer has measured. */
static shared double consumer_ns;

static double time_put(uint64_t stride) {
    double start = now_ns();
    put_words(box, words, stride, rounds);
    upc_fence;
    return (now_ns() - start) * (double)stride / (double)words;
}
static double time_get(uint64_t stride) {
    double start = now_ns();
    uint64_t sum = add_words(box, words, stride);
    double ns = now_ns() - start;
    expect(sum == sum_of_words(rounds, (words + stride - 1) / stride, stride));
    return ns * (double)stride / (double)words;
}

static void measure_accesses(struct accesses *a, uint64_t stride, int flushed, double seconds) {
    memset(a, 0, sizeof *a);
    double start = now_ns();
    for (int r = 0; again(r, start, seconds / 3); r++) {
        rounds++;
        double ns = 0;
        if (MYTHREAD == 0) {
            ns = time_put(stride);
            if (r > 0) add_sample(&a->war, ns); /* only now the other one has copies */
            if (flushed) flush();
        }
        upc_barrier;
        if (MYTHREAD == consumer) {
            consumer_ns = time_get(stride);
            if (r == 0) expect_words(box, words, stride, rounds);
            if (flushed) flush();
        }
        upc_barrier;
        if (MYTHREAD == 0) add_sample(&a->raw, consumer_ns);
    }
    start = now_ns();
    for (int r = 0; again(r, start, seconds / 3); r++) {
        rounds++;
        if (MYTHREAD == 0) {
            time_put(stride);
            if (flushed) flush();
        }
        upc_barrier;
        rounds++;
        if (MYTHREAD == consumer) {
            consumer_ns = time_put(stride);
            if (flushed) flush();
        }
        upc_barrier;
        if (MYTHREAD == 0) {
            add_sample(&a->waw, consumer_ns);
            if (r == 0) expect_words(box, words, stride, rounds);
        }
    }
    start = now_ns();
    for (int r = 0; again(r, start, seconds / 3); r++) {
        rounds++;
        if (MYTHREAD != 0) continue;
        double ns = time_put(stride);
        if (r > 0) add_sample(&a->own_write, ns);
        if (flushed) flush();
        add_sample(&a->own_read, time_get(stride));
        if (flushed) flush();
    }
}

static void table_of_accesses(int flushed, double seconds) {
    static struct accesses a;
    double latency = 0, rate = 0;
    if (MYTHREAD == 0)
        printf("%s, ns an access\nstride  %-28s  %-28s  %-28s  %-28s  %s\n",
               flushed ? "flushed to memory" : "in the caches", "WAR", "RAW", "WAW", "own write", "own read");
    for (int s = 0; s < STRIDES; s++) {
        uint64_t stride = 1u << s;
        measure_accesses(&a, stride, flushed, seconds / STRIDES);
        if (MYTHREAD != 0) continue;
        printf("%6d", 1 << s);
        print_samples(&a.war), print_samples(&a.raw), print_samples(&a.waw);
        print_samples(&a.own_write), print_samples(&a.own_read);
        printf("\n");
        if (stride == 1) rate = 8e3 / (median(&a.war) + median(&a.raw));
        if (stride == 8) latency = median(&a.war) + median(&a.raw);
    }
    if (MYTHREAD == 0)
        printf("a word written and read: %.2f ns (stride 8); %.1f MB/s (stride 1)\n\n", latency, rate);
}

/* ---- n words ----------------------------------------------------------------------------------------------------- */

/* The words are in the consumer's memory. */
static strict shared uint64_t given[THREADS]; /* on the consumer: the round whose words are there */
static strict shared uint64_t taken[THREADS]; /* on the producer: the round that the consumer has read */
static shared [] uint64_t *target;

enum { BY_ELEMENTS, BY_MEMPUT, BY_BARRIERS, FORMS };

static void take(uint64_t n) {
    uint64_t sum = add_words(target, n, 1);
    expect(sum == sum_of_words(rounds, n, 1));
}

/* As many hand-overs as one repetition needs to be measurable: the clock is then a small part. */
enum { BATCH = 10 };

static void hand_over(struct samples *s, int form, uint64_t n, uint64_t *private, double seconds) {
    s->count = 0;
    double start = now_ns();
    for (int r = 0; again(r, start, seconds); r++) {
        double begin = now_ns();
        for (int k = 0; k < BATCH; k++) {
            rounds++;
            if (MYTHREAD == 0) {
                if (form == BY_MEMPUT) {
                    for (uint64_t i = 0; i < n; i++) private[i] = word(rounds, i);
                    upc_memput(target, private, n * sizeof *private);
                } else
                    put_words(target, n, 1, rounds);
            }
            if (form == BY_BARRIERS) {
                upc_barrier;
                if (MYTHREAD == consumer) take(n);
                upc_barrier;
            } else if (MYTHREAD == 0) {
                given[consumer] = rounds;
                for (long w = 0; taken[0] != rounds;) wait_a_little(&w);
            } else if (MYTHREAD == consumer) {
                for (long w = 0; given[consumer] != rounds;) wait_a_little(&w);
                take(n);
                taken[0] = rounds;
            }
        }
        add_sample(s, (now_ns() - begin) / BATCH);
        if (MYTHREAD == consumer) expect_words(target, n, 1, rounds);
    }
}

static void table_of_hand_overs(double seconds) {
    static struct samples s;
    uint64_t *private = malloc(words * sizeof *private);
    if (!private) upc_global_exit(1);
    if (MYTHREAD == 0)
        printf("handed over and taken, ns\n words  %-28s  %-28s  %s\n", "flags, by elements", "flags, upc_memput",
               "barriers");
    for (int i = 0; i < SIZES; i++) {
        uint64_t n = 1u << 3 * i;
        if (n > words) break;
        if (MYTHREAD == 0) printf("%6llu", (unsigned long long)n);
        for (int form = 0; form < FORMS; form++) {
            hand_over(&s, form, n, private, seconds / (SIZES * FORMS));
            if (MYTHREAD == 0) print_samples(&s);
        }
        if (MYTHREAD == 0) printf("\n");
    }
    free(private);
}

int main(int argc, char **argv) {
    words = (uint64_t)argument(argc, argv, 1, 4096);
    double seconds = argument(argc, argv, 2, 2);
    consumer = (int)argument(argc, argv, 3, 1);
    if (argc > 4 || words < 32 || seconds == 0 || consumer < 1 || consumer >= THREADS)
        return usage("handover: its arguments are [WORDS [SECONDS [CONSUMER]]], at least 32 words, and a thread that "
                     "is not thread 0; it needs two threads");
    box_of[MYTHREAD] = upc_alloc(words * sizeof(uint64_t));
    if (box_of[MYTHREAD] == NULL) upc_global_exit(1);
    upc_barrier;
    box = box_of[0];
    target = box_of[consumer];
    if (MYTHREAD == 0)
        printf("from thread 0 to thread %d of %d, %llu words; medians (and the range of the middle 80 %% of samples)\n",
               consumer, THREADS, (unsigned long long)words);
    take_processors();
    if (MYTHREAD == 0 && share_a_processor(0, consumer))
        printf("note: threads 0 and %d have one processor, so that no data pass between caches\n", consumer);

    if ((MYTHREAD == 0 || MYTHREAD == consumer) && !flush()) cannot_flush = 1;
    upc_barrier;
    table_of_accesses(0, seconds / 3);
    if (!cannot_flush)
        table_of_accesses(1, seconds / 3);
    else if (MYTHREAD == 0)
        printf("these threads cannot flush the data from the caches\n\n");
    table_of_hand_overs(seconds / 3);
    return finish();
}
