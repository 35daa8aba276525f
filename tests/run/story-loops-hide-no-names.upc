// flags: -O2 -fcomm-opt -Wall -Wextra -Wshadow -Werror
// threads: 1 2 3
/* Generated code declares variables of loops anew; the user, who wrote no name that hides another, gets no warning of it. */
#include "check.h"
#include <upc_atomic.h>
#define N 60
shared [10] int a[N * THREADS], b[N * THREADS];
shared int cyclic[N * THREADS];
shared [6] int rows[6 * THREADS][6];
shared int taken;

static int indices[N];

int main(void) {
    int i, j, k;
    long sum = 0;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) a[i] = i;
    upc_forall (i = 0; i < N * THREADS; i++; i) cyclic[i] = i;
    upc_forall (i = 0; i < 6 * THREADS; i++; &rows[i][0])
        for (j = 0; j < 6; j++) rows[i][j] = i + j;
    upc_barrier;
    for (i = 0; i < N; i++) sum += a[i] + cyclic[i];
    CHECK_EQ(N * (N - 1), sum);
    for (i = 0; i < N; i++) indices[i] = (i * 7) % N;
    sum = 0;
    for (i = 0; i < N; i++) sum += a[indices[i]];
    for (i = 0; i < 6; i++)
        for (j = 0; j < 6; j++) sum += rows[i][j];
    for (k = N - 1; k >= 0; k -= 3) sum += a[k];
    CHECK_EQ(N * (N - 1) / 2 + 180 + (59 + 2) * 20 / 2, sum);
    upc_barrier;
    upc_forall (i = 1; i < N * THREADS - 1; i++; &b[i]) b[i] = a[i - 1] + a[i + 1];
    upc_forall (i = 0; i < N; i++; i) {
        int one = 1, before;
        upc_atomic_relaxed(domain, &before, UPC_ADD, &taken, &one, 0);
        cyclic[i] = before;
    }
    upc_barrier;
    CHECK_EQ(N, taken);
    CHECK_EQ(2 * 30, b[30]);
    sum = 0;
    upc_forall (i = 0; i < N; i++; &cyclic[i]) sum += cyclic[i];
    upc_forall (int place = 0; place < N * THREADS - 20; place++; &a[13 + place]) {
        indices[place % N] += a[(place * 7) % N];
        sum += indices[place % N];
    }
    CHECK(sum > 0);
    upc_barrier;
    return 0;
}
