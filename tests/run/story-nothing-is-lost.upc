// flags: -fcomm-opt -fsanitize=address
// conduits: template
// threads: 3
// comm: on on,foresee=2
// time-limit: 300
/* The address sanitizer reports memory that is lost: what loops have fetched ahead is not. */
#include <upc_relaxed.h>
#include <stdio.h>
enum { N = 64 };
shared [N * N] double rows[N * THREADS][N];
shared double sums[THREADS];
int main(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &rows[i][0])
        for (int j = 0; j < N; j++) rows[i][j] = i + j;
    upc_barrier;
    double s = 0;
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < N * THREADS; i++)
            for (int j = 1; j < N - 1; j++) s += rows[i][j - 1] + rows[i][j];
    sums[MYTHREAD] = s;
    upc_barrier;
    return sums[0] != s;
}
