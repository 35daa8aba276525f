/* EP in C with OpenMP: each thread has sums of its own, which are added in the end. ep.h describes the problem.
 *
 *     gcc -O3 -fopenmp -DCLASS=S examples/nas/ep_omp.c -lm -o ep && OMP_NUM_THREADS=2 ./ep
 */
#include "ep.h"

int main(void) {
    struct ep_sums total = {0};
    double start = nas_seconds();

#pragma omp parallel
    {
        struct ep_sums mine = {0};
#pragma omp for
        for (long k = 0; k < EP_BATCHES; k++) ep_batch(&mine, k);
#pragma omp critical
        ep_add(&total, &mine);
    }

    return ep_finish("OpenMP", &total, nas_seconds() - start);
}
