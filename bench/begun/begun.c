/* All-reduces that block and all-reduces that are begun, with computing meanwhile: of this library, or with -DPEER of MPI.
 *
 *     begun MILLISECONDS      of each measurement; started with any number of threads
 *
 * Prints for 8 bytes and 64 KB: the side, the bytes, and in ns the time of a call that blocks, of begin and wait without anything
 * between, and the share of that which computing hides: 1 - (with computing - computing alone) / alone, where computing takes
 * twice as long and looks 20 times whether the collective is complete. Times are those of the slowest process; each is the
 * least of several batches, because other programs only add to it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef PEER
#include <mpi.h>
typedef MPI_Request op;
#define WORLD MPI_COMM_WORLD
static void blocks(double *to, double *from, int n) { MPI_Allreduce(from, to, n, MPI_DOUBLE, MPI_SUM, WORLD); }
static op begin(double *to, double *from, int n) {
    op r;
    MPI_Iallreduce(from, to, n, MPI_DOUBLE, MPI_SUM, WORLD, &r);
    return r;
}
static void look(op *r) {
    int done;
    MPI_Test(r, &done, MPI_STATUS_IGNORE);
}
static void finish(op *r) { MPI_Wait(r, MPI_STATUS_IGNORE); }
static const op none = MPI_REQUEST_NULL;
static void barrier(void) { MPI_Barrier(WORLD); }
static double most(double x) {
    double all;
    MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_MAX, WORLD);
    return all;
}
static const char *side = "mpi";
#else
#include <fathom.h>
typedef fathom_op op;
static void blocks(double *to, double *from, int n) {
    fathom_all_reduce(fathom_world(), to, from, (size_t)n, FATHOM_F64, FATHOM_ADD);
}
static op begin(double *to, double *from, int n) {
    return fathom_all_reduce_nb(fathom_world(), to, from, (size_t)n, FATHOM_F64, FATHOM_ADD);
}
static void look(op *h) { fathom_test(h); }
static void finish(op *h) { fathom_wait_op(h); }
static const op none = FATHOM_DONE;
static void barrier(void) { fathom_barrier_all(); }
static double most(double x) {
    double all;
    fathom_all_reduce(fathom_world(), &all, &x, 1, FATHOM_F64, FATHOM_MAX);
    return all;
}
static const char *side = "ours";
#endif

enum { BATCHES = 9, LOOKS = 20, MOST = 8192 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static volatile double sink;
static void spin(long steps) {
    double x = sink;
    for (long i = 0; i < steps; i++) x = x * 0.999999 + 1e-9;
    sink = x;
}

enum what { BLOCKS, ALONE, BOTH, COMPUTES };
static double *to, *from;
static int elements;
static long steps; /* of computing between two looks */

static void once(enum what what) {
    if (what == BLOCKS) {
        blocks(to, from, elements);
        return;
    }
    op h = what == COMPUTES ? none : begin(to, from, elements);
    for (int i = 0; what != ALONE && i < LOOKS; i++) {
        spin(steps);
        look(&h);
    }
    finish(&h);
}

static double batch(enum what what, long n) {
    barrier();
    double begun = now();
    for (long i = 0; i < n; i++) once(what);
    return most((now() - begun) / (double)n);
}

int main(int argc, char **argv) {
#ifdef PEER
    MPI_Init(&argc, &argv);
    int me, count;
    MPI_Comm_rank(WORLD, &me);
    MPI_Comm_size(WORLD, &count);
    to = malloc(MOST * sizeof *to), from = malloc(MOST * sizeof *from);
#else
    fathom_init(&argc, &argv);
    int me = fathom_me(), count = fathom_count();
    to = fathom_address(fathom_alloc(MOST * sizeof *to)), from = fathom_address(fathom_alloc(MOST * sizeof *from));
#endif
    double ms = argc > 1 ? atof(argv[1]) : 50;
    for (int bytes = 8; bytes <= 65536; bytes *= 8192) {
        elements = bytes / 8;
        for (int i = 0; i < elements; i++) from[i] = me + i;
        for (int i = 0; i < 20; i++) once(ALONE), once(BLOCKS);
        double first = batch(ALONE, 20), least[4];
        long n = (long)most(ms * 1e6 / BATCHES / first) + 1;
        steps = 20000;
        double t = now();
        spin(steps);
        steps = (long)(2 * first / LOOKS * (double)steps / most(now() - t)) + 1;
        memset(to, 0, sizeof *to * (size_t)elements);
        for (int b = 0; b < BATCHES; b++)
            for (int what = BLOCKS; what <= COMPUTES; what++) {
                double x = batch((enum what)what, n);
                if (b == 0 || x < least[what]) least[what] = x;
            }
        if (to[elements - 1] != count * (count - 1) / 2.0 + (double)count * (elements - 1)) {
            fprintf(stderr, "begun: a wrong sum\n");
            return 1;
        }
        if (me == 0)
            printf("%s\t%d\t%.0f\t%.0f\t%.3f\n", side, bytes, least[BLOCKS], least[ALONE],
                   1 - (least[BOTH] - least[COMPUTES]) / least[ALONE]);
        fflush(stdout);
    }
#ifdef PEER
    MPI_Finalize();
#else
    fathom_finalize();
#endif
    return 0;
}
