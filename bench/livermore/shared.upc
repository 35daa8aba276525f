/* The Livermore loops on shared arrays, beside C's on its own: times them in turn, and compares what they computed.
 *
 * Four sides are in this program:
 *
 *     cc        C, compiled by the C compiler alone, on private arrays
 *     shared    the same source on shared arrays in the memory of thread 0
 *     cast      the same on the same arrays, each cast to a local pointer where it is accessed
 *     forall    independent loops as upc_forall on blocked shared arrays (forall.upc)
 *
 * On one thread it times them: for each kernel the sides take turns, each time from the same first values, and ratios are
 * taken within a turn. On several threads it only compares, with barriers between three calls of each kernel. Data that
 * differ in one bit from C's end the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "shared.h"

enum { TURNS = 31, BATCH_NS = 2000000, CALLS_TO_COMPARE = 3 };

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

#define SHARED_ARRAY(type, name, dimensions) shared [] type shared_##name dimensions;
LFK_ARRAYS(SHARED_ARRAY)
#define FORALL_ARRAY(block, name, dimensions) shared [block] double forall_##name dimensions;
FORALL_ARRAYS(FORALL_ARRAY)

enum side { CC, SHARED, CAST, ALL, SIDES };
static const char *const side_names[] = {"cc", "shared", "cast", "forall"};

/* From lfk to the arrays of a side and back, by thread 0. */
#define PUT(type, name, dimensions) upc_memput(shared_##name, &lfk.name, sizeof lfk.name);
#define GET(type, name, dimensions) upc_memget(&lfk.name, shared_##name, sizeof lfk.name);
/* clang-format off */
#define PUT_ALL(block, name, dimensions)                                                                               \
    {                                                                                                                  \
        shared [block] double *to = (shared [block] double *)&forall_##name;                                           \
        const double *from = (const double *)&lfk.name;                                                                \
        for (unsigned long i = 0; i < sizeof lfk.name / sizeof *from; i++) to[i] = from[i];                            \
    }
#define GET_ALL(block, name, dimensions)                                                                               \
    {                                                                                                                  \
        shared [block] double *from = (shared [block] double *)&forall_##name;                                         \
        double *to = (double *)&lfk.name;                                                                              \
        for (unsigned long i = 0; i < sizeof lfk.name / sizeof *to; i++) to[i] = from[i];                              \
    }
/* clang-format on */

static void put_arrays(enum side side) {
    if (side == SHARED || side == CAST) {
        LFK_ARRAYS(PUT)
    } else if (side == ALL) {
        FORALL_ARRAYS(PUT_ALL)
    }
}
static void get_arrays(enum side side) {
    if (side == SHARED || side == CAST) {
        LFK_ARRAYS(GET)
    } else if (side == ALL) {
        FORALL_ARRAYS(GET_ALL)
    }
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

/* clang-format off */
#define KERNELS(X)                                                                                                     \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)                                                     \
    X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24)
/* clang-format on */
#define DECLARE(n) void cc_##n(void), shared_kernel_##n(void), cast_##n(void);
KERNELS(DECLARE)

typedef void (*kernel)(void);
#define ENTER(n) {cc_##n, shared_kernel_##n, cast_##n},
static kernel kernels[LFK_KERNELS][SIDES] = {KERNELS(ENTER)};
#define ENTER_FORALL(n) kernels[n - 1][ALL] = forall_##n;

/* ---- measuring --------------------------------------------------------------------------------------------------- */

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* other programs' time is not ours */
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Called by all threads. All call a kernel with upc_forall, thread 0 the others. */
static double batch(kernel kernel, enum side side, long calls, unsigned long *checksum) {
    lfk_reset();
    if (MYTHREAD == 0) put_arrays(side);
    upc_barrier;
    double start = now_ns();
    for (long i = 0; i < calls; i++) {
        if (MYTHREAD == 0 || side == ALL) kernel();
        if (THREADS > 1) upc_barrier;
    }
    double ns = now_ns() - start;
    upc_barrier;
    if (MYTHREAD == 0) get_arrays(side);
    *checksum = lfk_checksum();
    upc_barrier;
    return ns;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void is_the_same(int k, enum side side, unsigned long checksum, unsigned long expected) {
    if (MYTHREAD != 0 || checksum == expected) return;
    fprintf(stderr, "livermore: kernel %d computes something else on the side '%s'\n", k + 1, side_names[side]);
    upc_global_exit(1);
}

static void compare(int k) {
    unsigned long checksum, expected;
    batch(kernels[k][CC], CC, CALLS_TO_COMPARE, &expected);
    for (int side = SHARED; side < SIDES; side++) {
        if (!kernels[k][side]) continue;
        batch(kernels[k][side], side, CALLS_TO_COMPARE, &checksum);
        is_the_same(k, side, checksum, expected);
    }
}

static void measure(int k) {
    unsigned long checksum[SIDES];
    long calls = 16;
    double ns[SIDES], ratio[SIDES][TURNS], best[SIDES] = {1e30, 1e30, 1e30, 1e30};
    while ((ns[CC] = batch(kernels[k][CC], CC, calls, checksum)) < BATCH_NS / 4) calls *= 2;
    calls = (long)((double)calls * BATCH_NS / ns[CC]) + 1;
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < SIDES; i++) {
            int side = (turn + i) % SIDES; /* each begins in its turn */
            if (!kernels[k][side]) continue;
            ns[side] = batch(kernels[k][side], side, calls, &checksum[side]);
            if (ns[side] < best[side]) best[side] = ns[side];
        }
        for (int side = SHARED; side < SIDES; side++) {
            if (!kernels[k][side]) continue;
            is_the_same(k, side, checksum[side], checksum[CC]);
            ratio[side][turn] = ns[side] / ns[CC];
        }
    }
    for (int side = SHARED; side < SIDES; side++) {
        if (!kernels[k][side]) continue;
        qsort(ratio[side], TURNS, sizeof **ratio, ascending);
        printf("bench\tlivermore-shared\tkernel %d, %s\t1\tcost\t%.4f\t%.4f\t%.4f\tbest %.1f ns, cc %.1f ns\n", k + 1,
               side_names[side], ratio[side][TURNS / 2], ratio[side][0], ratio[side][TURNS - 1],
               best[side] / (double)calls, best[CC] / (double)calls);
        fflush(stdout);
    }
}

int main(void) {
    FORALL_KERNELS(ENTER_FORALL)
    for (int k = 0; k < LFK_KERNELS; k++) THREADS == 1 ? measure(k) : compare(k);
    if (MYTHREAD == 0 && THREADS > 1) printf("%d threads: all kernels have C's results, bit by bit\n", THREADS);
    return 0;
}
