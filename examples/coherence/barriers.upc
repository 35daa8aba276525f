/* Synchronisation: what does it cost to meet, by the number of threads that meet?
 *
 *     fathom run -n 4 -O3 examples/coherence/barriers.upc [SECONDS]
 *
 * For 1, 2, 3 ... threads of the job (the others sleep) the table has the time
 *
 *     counter         of a barrier with one counter, which all increment, and one flag, for which all wait
 *     dissemination   of a barrier in which thread t signals t + 1, t + 2, t + 4 ..., a flag for each
 *     fork and join   in which thread 0 starts all others, each calls a function that does nothing, and thread 0 waits
 *                     for all: what a parallel loop costs. The last column has the serial time of a loop from which on
 *                     it is worth while to share it, time / (1 - 1 / threads).
 *
 * all three written here with strict flags and an atomic counter; and for all threads that of upc_barrier, and of
 * upc_notify and upc_wait with nothing between. Each barrier is checked: nobody leaves before all have come. SECONDS
 * is the time for all (3).
 */
#include "coherence.h"
#include <upc_atomic.h>

enum { BATCH = 20, CHECKS = 20, MOST_ROUNDS = 32 };

/* Each thread counts the meetings that it has come to; strict, so that nobody sees a count too early. */
static strict shared uint64_t come[THREADS];

/* ---- the meetings, of threads 0 to `threads` - 1; `meeting` is a new number, the same on all --------------------- */

static upc_atomicdomain_t *domain;
static shared int64_t arrived; /* on thread 0 */
static strict shared uint64_t released;

static void counter_barrier(int threads, uint64_t meeting) {
    int64_t before, one = 1, none = 0;
    upc_atomic_strict(domain, &before, UPC_ADD, &arrived, &one, NULL);
    if (before == threads - 1) {
        upc_atomic_strict(domain, NULL, UPC_SET, &arrived, &none, NULL);
        released = meeting;
    } else
        for (long w = 0; released < meeting;) wait_a_little(&w);
}

static strict shared [MOST_ROUNDS] uint64_t signals[THREADS][MOST_ROUNDS];

static void dissemination_barrier(int threads, uint64_t meeting) {
    for (int round = 0, step = 1; step < threads; round++, step *= 2) {
        signals[(MYTHREAD + step) % threads][round] = meeting;
        for (long w = 0; signals[MYTHREAD][round] < meeting;) wait_a_little(&w);
    }
}

static strict shared uint64_t go[THREADS], done[THREADS];

static void __attribute__((noinline)) nothing(void) { __asm__ volatile(""); }

static void fork_and_join(int threads, uint64_t meeting) {
    if (MYTHREAD == 0) {
        for (int t = 1; t < threads; t++) go[t] = meeting;
        nothing();
        for (int t = 1; t < threads; t++)
            for (long w = 0; done[t] < meeting;) wait_a_little(&w);
    } else {
        for (long w = 0; go[MYTHREAD] < meeting;) wait_a_little(&w);
        nothing();
        done[MYTHREAD] = meeting;
    }
}

static void language_barrier(int threads, uint64_t meeting) { upc_barrier; }
static void notify_and_wait(int threads, uint64_t meeting) {
    upc_notify;
    upc_wait;
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

static uint64_t meeting;

/* Called by those who meet. Between two meetings the first of which is this one nobody comes to a third, so that the
 * counts of the others are known, but for one. */
static void check(void (*meet)(int, uint64_t), int threads) {
    for (int i = 0; i < CHECKS; i++) {
        uint64_t count = come[MYTHREAD] + 1;
        come[MYTHREAD] = count;
        meet(threads, ++meeting);
        /* Only thread 0 knows anything when a fork and join is over. */
        for (int t = 0; t < threads && (meet != fork_and_join || MYTHREAD == 0); t++) {
            uint64_t theirs = come[t];
            expect(theirs == count || theirs == count + 1);
        }
    }
}

static void measure(struct samples *s, void (*meet)(int, uint64_t), int threads, double seconds) {
    come[MYTHREAD] = 0;
    upc_barrier;
    if (MYTHREAD < threads)
        check(meet, threads);
    else
        meeting += CHECKS;
    s->count = 0;
    double start = now_ns();
    for (int r = 0; again(r, start, seconds); r++) {
        if (MYTHREAD < threads) {
            double begin = now_ns();
            for (int i = 0; i < BATCH; i++) meet(threads, ++meeting);
            add_sample(s, (now_ns() - begin) / BATCH);
        } else
            meeting += BATCH;
        upc_barrier;
    }
}

int main(int argc, char **argv) {
    static struct samples s;
    double seconds = argument(argc, argv, 1, 3);
    int counts = 1;
    if (argc > 2 || seconds == 0) return usage("barriers: its argument is [SECONDS]");
    domain = upc_all_atomicdomain_alloc(UPC_INT64, UPC_ADD | UPC_SET, 0);
    if (MYTHREAD == 0)
        printf("%d threads; ns a meeting, medians (and the range of the middle 80 %% of the samples)\n", THREADS);
    take_processors();

    for (int c = 1; c < THREADS; c = next_count(c, THREADS)) counts++;
    double each = seconds / (3 * counts + 2);
    if (MYTHREAD == 0)
        printf("threads  %-28s  %-28s  %-28s  worth while from\n", "counter", "dissemination", "fork and join");
    for (int c = 1, last = 0; !last; c = next_count(c, THREADS)) {
        last = c >= THREADS;
        if (MYTHREAD == 0) printf("%7d", c);
        measure(&s, counter_barrier, c, each);
        if (MYTHREAD == 0) print_samples(&s);
        measure(&s, dissemination_barrier, c, each);
        if (MYTHREAD == 0) print_samples(&s);
        measure(&s, fork_and_join, c, each);
        if (MYTHREAD == 0) print_samples(&s);
        if (MYTHREAD == 0) c > 1 ? printf("  %.0f\n", median(&s) / (1 - 1.0 / c)) : printf("  -\n");
    }
    measure(&s, language_barrier, THREADS, each);
    if (MYTHREAD == 0) printf("upc_barrier, %d threads:        ", THREADS), print_samples(&s), printf("\n");
    measure(&s, notify_and_wait, THREADS, each);
    if (MYTHREAD == 0) printf("upc_notify, upc_wait, %d threads:", THREADS), print_samples(&s), printf("\n");
    upc_all_atomicdomain_free(domain);
    return finish();
}
