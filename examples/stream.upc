/* How fast can all threads together move memory? The four loops of McCalpin's STREAM over shared arrays.
 *
 * The arrays are blocked: each thread has one contiguous piece of each, and `&a[i]` as affinity keeps every access at
 * home. The best of several repetitions counts, and the arrays are checked in the end.
 */
#include <stdio.h>
#include <upc.h>
#include <upc_tick.h>

#define N 2000000 /* elements of each thread */
#define REPEAT 10
#define SCALAR 3.0

shared [N] double a[N * THREADS], b[N * THREADS], c[N * THREADS];

static const char *const name[4] = {"copy", "scale", "add", "triad"};
static const int arrays[4] = {2, 2, 3, 3}; /* how many arrays each loop walks */

int main(void) {
    double best[4] = {1e30, 1e30, 1e30, 1e30};
    long i;

    upc_forall (i = 0; i < (long)N * THREADS; i++; &a[i]) {
        a[i] = 1;
        b[i] = 2;
        c[i] = 0;
    }

    for (int r = 0; r < REPEAT; r++)
        for (int loop = 0; loop < 4; loop++) {
            upc_barrier;
            upc_tick_t start = upc_ticks_now();
            switch (loop) {
            case 0: upc_forall (i = 0; i < (long)N * THREADS; i++; &c[i]) c[i] = a[i]; break;
            case 1: upc_forall (i = 0; i < (long)N * THREADS; i++; &b[i]) b[i] = SCALAR * c[i]; break;
            case 2: upc_forall (i = 0; i < (long)N * THREADS; i++; &c[i]) c[i] = a[i] + b[i]; break;
            case 3: upc_forall (i = 0; i < (long)N * THREADS; i++; &a[i]) a[i] = b[i] + SCALAR * c[i]; break;
            }
            upc_barrier;
            double ns = (double)upc_ticks_to_ns(upc_ticks_now() - start);
            if (ns < best[loop]) best[loop] = ns;
        }

    if (MYTHREAD == 0)
        for (int loop = 0; loop < 4; loop++) /* bytes per nanosecond are GB/s */
            printf("%-6s %8.2f GB/s\n", name[loop], arrays[loop] * 8.0 * N * THREADS / best[loop]);

    /* Every element went through the same sums; do them once more on scalars. */
    double ea = 1, eb = 2, ec = 0;
    for (int r = 0; r < REPEAT; r++) {
        ec = ea;
        eb = SCALAR * ec;
        ec = ea + eb;
        ea = eb + SCALAR * ec;
    }
    upc_forall (i = 0; i < (long)N * THREADS; i++; &a[i])
        if (a[i] != ea || b[i] != eb || c[i] != ec) {
            printf("thread %d: element %ld is wrong\n", MYTHREAD, i);
            upc_global_exit(1);
        }
    return 0;
}
