/* What a thread that computes costs others, and what serving others costs it, where threads share no memory.
 *
 *     computes serve SECONDS     thread 1 computes for so long and calls nothing; thread 0 puts, gets, adds and locks there, in turn,
 *                                with a pause of 1 ms between. A line for each kind: operations, and their times in
 *                                microseconds: median, 99 %, longest
 *     computes poll SECONDS      both call: thread 0 gets 8 bytes again and again, which thread 1 serves in a barrier; nanoseconds
 *     computes alone SECONDS     both compute, and nobody sends anything: nanoseconds for a step of the computation
 *
 * The last two are to be run with FATHOM_PROGRESS=thread and =poll (computes.sh).
 */
#include <unistd.h>

#include "../comm/side.h"
#include "gas.h"

enum { PUT, GET, ADD, LOCK, KINDS, MOST = 1 << 20 };
static const char *const names[KINDS] = {"put", "get", "atomic", "lock and unlock"};

struct area {
    uint64_t word[8], sum[8], lock[8];
};
static fathom_ptr there;
static double *times[KINDS];
static volatile uint64_t result; /* of the computation */

static void compute(double until) {
    uint64_t x = 1;
    while (side_now() < until)
        for (int i = 0; i < 1000; i++) x = x * 6364136223846793005u + 1442695040888963407u;
    result = x;
}

static void act(int kind) {
    uint64_t value = 1;
    switch (kind) {
    case PUT: gas_put(there + offsetof(struct area, word), &value, sizeof value); break;
    case GET: gas_get(&value, there + offsetof(struct area, word), sizeof value); break;
    case ADD: gas_atomic(&value, there + offsetof(struct area, sum), GAS_U64, GAS_ADD, &value, NULL); break;
    default: gas_lock(there + offsetof(struct area, lock)); gas_unlock(there + offsetof(struct area, lock));
    }
}

static void serve(double seconds) {
    double end = side_now() + 1e9 * seconds;
    if (gas_me() == 1) compute(end);
    if (gas_me() == 0) {
        long n = 0;
        usleep(20000); /* the other has begun */
        for (; n < MOST && side_now() < end - 5e7; n++)
            for (int k = 0; k < KINDS; k++) {
                usleep(1000);
                double start = side_now();
                act(k);
                times[k][n] = side_now() - start;
            }
        for (int k = 0; k < KINDS && n > 0; k++) {
            qsort(times[k], (size_t)n, sizeof(double), side_ascending);
            printf("%s\t%ld\t%.1f\t%.1f\t%.1f\n", names[k], n, times[k][n / 2] / 1e3, times[k][n * 99 / 100] / 1e3,
                   times[k][n - 1] / 1e3);
        }
    }
    gas_barrier();
}

static void poll_and_get(double seconds) {
    if (gas_me() == 0) {
        double begun = side_now(), end = begun + 1e9 * seconds;
        long n = 0;
        for (; side_now() < end; n += 100)
            for (int i = 0; i < 100; i++) act(GET);
        printf("%.1f\n", (side_now() - begun) / (double)n);
    }
    gas_barrier();
}

static void alone(double seconds) {
    double begun = side_now(), end = begun + 1e9 * seconds;
    long n = 0;
    uint64_t x = 1;
    for (; side_now() < end; n += 1000000)
        for (int i = 0; i < 1000000; i++) x = x * 6364136223846793005u + 1442695040888963407u;
    result = x;
    double step = (side_now() - begun) / (double)n;
    if (gas_me() == 0) printf("%.4f\n", step);
    gas_barrier();
}

int main(int argc, char **argv) {
    gas_start(&argc, &argv);
    if (argc != 3 || gas_count() != 2) gas_fatal("usage: computes serve|poll|alone SECONDS, with 2 threads");
    double seconds = atof(argv[2]);
    for (int k = 0; k < KINDS; k++)
        if (!(times[k] = malloc(MOST * sizeof(double)))) gas_fatal("no memory");
    fathom_ptr mine = gas_all_alloc(sizeof(struct area));
    if (!mine) gas_fatal("no shared memory");
    memset(fathom_local(fathom_make(gas_me(), fathom_offset_of(mine))), 0, sizeof(struct area));
    there = fathom_make(1, fathom_offset_of(mine));
    side_pin(gas_me());
    gas_barrier();
    if (strcmp(argv[1], "serve") == 0)
        serve(seconds);
    else if (strcmp(argv[1], "poll") == 0)
        poll_and_get(seconds);
    else
        alone(seconds);
    return 0;
}
