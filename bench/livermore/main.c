/* Times the Livermore loops as two compilers translated them, and compares what they computed.
 *
 * Both sides are in this program and work on the same arrays. For each kernel they take turns, each time from the same
 * first values, and a ratio is taken of each pair of neighbouring batches: what disturbs the computer for longer than
 * a few milliseconds then disturbs both. A kernel whose data differ in one bit afterwards ends the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lfk.h"

enum { PAIRS = 31, BATCH_NS = 2000000 };

#define SIDES(n) void cc_##n(void), fathom_##n(void);
/* clang-format off */
#define EACH(X)                                                                                                        \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)                                                     \
    X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24)
/* clang-format on */
EACH(SIDES)

#define ENTRY(n) {#n, cc_##n, fathom_##n},
const struct lfk_kernel lfk_kernels[LFK_KERNELS] = {EACH(ENTRY)};

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* other programs' time is not ours */
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double batch(void (*kernel)(void), long passes, unsigned long *checksum) {
    lfk_reset();
    double start = now_ns();
    for (long i = 0; i < passes; i++) kernel();
    double ns = now_ns() - start;
    *checksum = lfk_checksum();
    return ns;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void) {
    for (int k = 0; k < LFK_KERNELS; k++) {
        const struct lfk_kernel *kernel = &lfk_kernels[k];
        unsigned long a, b;
        long passes = 16;
        double ns;
        while ((ns = batch(kernel->cc, passes, &a)) < BATCH_NS / 4) passes *= 2;
        passes = (long)((double)passes * BATCH_NS / ns) + 1;

        double ratio[PAIRS], best[2] = {1e30, 1e30};
        for (int r = 0; r < PAIRS; r++) {
            double cc, fathom;
            if (r % 2)
                fathom = batch(kernel->fathom, passes, &b), cc = batch(kernel->cc, passes, &a);
            else
                cc = batch(kernel->cc, passes, &a), fathom = batch(kernel->fathom, passes, &b);
            if (a != b) {
                fprintf(stderr, "livermore: kernel %s computes something else through fathom cc\n", kernel->name);
                return 1;
            }
            ratio[r] = fathom / cc;
            if (cc < best[0]) best[0] = cc;
            if (fathom < best[1]) best[1] = fathom;
        }
        qsort(ratio, PAIRS, sizeof *ratio, ascending);
        printf("bench\tlivermore\tkernel %s\t1\tcost\t%.4f\t%.4f\t%.4f\tbest %.1f ns, cc %.1f ns, data %016lx\n",
               kernel->name, ratio[PAIRS / 2], ratio[0], ratio[PAIRS - 1], best[1] / (double)passes,
               best[0] / (double)passes, a);
        fflush(stdout);
    }
    return 0;
}
