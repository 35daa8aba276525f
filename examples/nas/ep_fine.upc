/* EP in UPC, fine-grained form: the sums are shared arrays with an element for each thread, and every pair is added
 * there. ep.h describes the problem.
 *
 *     fathom run -n 2 -O3 -DCLASS=S examples/nas/ep_fine.upc
 */
#include "ep.h"

shared double sum_x[THREADS], sum_y[THREADS];
shared [EP_RINGS] long ring[THREADS][EP_RINGS];

int main(void) {
    upc_barrier;
    double start = nas_seconds();

    /* An affinity that is a number deals the iterations to the threads in turn. */
    upc_forall (long k = 0; k < EP_BATCHES; k++; k) {
        uint64_t seed = nas_skip(EP_SEED, 2 * EP_BATCH * (uint64_t)k);
        for (int i = 0; i < EP_BATCH; i++) {
            double x = 2 * nas_random(&seed) - 1, y = 2 * nas_random(&seed) - 1, t = x * x + y * y;
            if (t > 1) continue;
            double factor = sqrt(-2 * log(t) / t);
            x *= factor;
            y *= factor;
            sum_x[MYTHREAD] += x;
            sum_y[MYTHREAD] += y;
            ring[MYTHREAD][(int)fmax(fabs(x), fabs(y))]++;
        }
    }
    upc_barrier;

    if (MYTHREAD == 0) {
        struct ep_sums total = {0};
        for (int t = 0; t < THREADS; t++) {
            total.x += sum_x[t];
            total.y += sum_y[t];
            for (int i = 0; i < EP_RINGS; i++) total.ring[i] += ring[t][i];
        }
        int status = ep_finish("fine-grained UPC", &total, nas_seconds() - start);
        if (status != 0) upc_global_exit(status);
    }
    return 0;
}
