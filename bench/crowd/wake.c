/* How long a thread that sleeps takes to notice: a message to one that sleeps in a lock, in a wait for a counter or in a
 * barrier, beside the wake of a bare futex in the same processes. A round sends one message of each kind, in turn, after
 * a pause in which the receiver falls asleep; the receiver looks at the clock as soon as it runs.
 *
 *     FATHOM_THREADS=2 wake ROUNDS [PAUSE_US]
 *
 * A line for each kind: rounds, and the time from the sending to the receiver's look at the clock, in microseconds:
 * median, 99th and 99.9th per cent, the longest, and how many were above 5 ms. A receiver that was not asleep makes a figure
 * smaller: `slept` says how many rounds the kernel put it to sleep in (voluntary switches).
 */
#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../comm/side.h"
#include "gas.h"

enum { FUTEX, LOCK, COUNTER, BARRIER, KINDS };
static const char *const names[KINDS] = {"bare futex", "in a lock", "in a wait for a counter", "in a barrier"};

struct area {
    _Alignas(128) uint32_t word; /* the futex */
    _Alignas(128) uint64_t counter[8];
    _Alignas(128) uint64_t lock[8];
    _Alignas(128) uint32_t taken; /* rounds that the receiver has seen */
    double sent;
};
static struct area *all;
static fathom_ptr where;
static double *times[KINDS];
static long rounds, seen;
static double pause_us;
static long slept;

static void note(int kind) {
    times[kind][seen++] = side_now() - all->sent;
    __atomic_store_n(&all->taken, (uint32_t)seen, __ATOMIC_RELEASE);
}

static int kind_now;
static void arrived(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    note(kind_now);
}

static void send_all(int kind, int handler) {
    for (long i = 0; i < rounds; i++) {
        usleep((useconds_t)pause_us);
        all->sent = side_now();
        if (kind == FUTEX) {
            __atomic_store_n(&all->word, (uint32_t)i + 1, __ATOMIC_RELEASE);
            syscall(SYS_futex, &all->word, FUTEX_WAKE, 1, NULL, NULL, 0);
        } else {
            gas_request_short(1, handler, NULL, 0);
        }
        while (__atomic_load_n(&all->taken, __ATOMIC_ACQUIRE) != (uint32_t)i + 1) usleep(20);
    }
}

static void sleep_on_futex(void) {
    for (long i = 0; i < rounds; i++) {
        while (__atomic_load_n(&all->word, __ATOMIC_ACQUIRE) == (uint32_t)i)
            syscall(SYS_futex, &all->word, FUTEX_WAIT, (uint32_t)i, NULL, NULL, 0);
        note(FUTEX);
    }
}

static void run(int kind, int me, int handler) {
    fathom_ptr lock = where + offsetof(struct area, lock), counter = where + offsetof(struct area, counter);
    if (me == 0) memset(all, 0, sizeof *all);
    kind_now = kind, seen = 0;
    if (me == 0 && kind == LOCK) gas_lock(lock);
    gas_barrier();
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    if (me == 0) {
        send_all(kind, handler);
        if (kind == LOCK) gas_unlock(lock);
        if (kind == COUNTER) gas_put_signal(counter, NULL, 0, counter, 1);
    } else if (kind == FUTEX) {
        sleep_on_futex();
    } else if (kind == LOCK) {
        gas_lock(lock);
        gas_unlock(lock);
    } else if (kind == COUNTER) {
        gas_wait_counter(counter, 1);
    }
    gas_barrier();
    getrusage(RUSAGE_SELF, &after);
    slept = after.ru_nvcsw - before.ru_nvcsw;
}

static int in_order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(int kind) {
    double *t = times[kind];
    qsort(t, (size_t)rounds, sizeof *t, in_order);
    long late = 0;
    for (long i = 0; i < rounds; i++) late += t[i] > 5e6;
    printf("wake\t%-24s\t%ld\tslept %ld\tmedian %.1f\t99%% %.1f\t99.9%% %.1f\tlongest %.1f\tabove 5 ms: %ld\n",
           names[kind], rounds, slept, t[rounds / 2] / 1e3, t[rounds * 99 / 100] / 1e3, t[rounds * 999 / 1000] / 1e3,
           t[rounds - 1] / 1e3, late);
}

int main(int argc, char **argv) {
    gas_start(&argc, &argv);
    if (gas_count() != 2) gas_fatal("wake wants two threads: FATHOM_THREADS=2");
    rounds = argc > 1 ? atol(argv[1]) : 1000;
    pause_us = argc > 2 ? atof(argv[2]) : 500;
    if (rounds < 1) gas_fatal("%s rounds", argv[1]);
    int handler = gas_register(arrived), me = gas_me();
    fathom_ptr mine = gas_all_alloc(sizeof *all);
    where = fathom_make(0, fathom_offset_of(mine));
    all = fathom_local(where);
    for (int k = 0; k < KINDS; k++) {
        times[k] = malloc((size_t)rounds * sizeof *times[k]);
        gas_barrier();
        run(k, me, handler);
        if (me == 1) report(k);
        gas_barrier();
    }
    return 0;
}
