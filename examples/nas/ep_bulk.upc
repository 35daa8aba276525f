/* EP in UPC, bulk form: each thread sums its batches in private memory and sends its sums in one piece. ep.h describes
 * the problem.
 *
 *     fathom run -n 2 -O3 -DCLASS=S examples/nas/ep_bulk.upc
 */
#include "ep.h"

shared struct ep_sums sums[THREADS];

int main(void) {
    upc_barrier;
    double start = nas_seconds();

    struct ep_sums mine = {0};
    long end = nas_first(EP_BATCHES, MYTHREAD + 1, THREADS);
    for (long k = nas_first(EP_BATCHES, MYTHREAD, THREADS); k < end; k++) ep_batch(&mine, k);
    upc_memput(&sums[MYTHREAD], &mine, sizeof mine);
    upc_barrier;

    if (MYTHREAD == 0) {
        struct ep_sums total = {0};
        for (int t = 0; t < THREADS; t++) {
            struct ep_sums theirs;
            upc_memget(&theirs, &sums[t], sizeof theirs);
            ep_add(&total, &theirs);
        }
        int status = ep_finish("bulk UPC", &total, nas_seconds() - start);
        if (status != 0) upc_global_exit(status);
    }
    return 0;
}
