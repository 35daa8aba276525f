// flags: -fcomm-opt -fno-strict-aliasing
// comm: gathers gathers=1,force strips off
// With -fno-strict-aliasing a store of another type changes what places are computed from.
#include <upc_relaxed.h>
#include "check.h"

#define N 32

shared int a[N * THREADS];

static long in_one_loop(const int *column, float *store, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[(column[i] >> 20) % N];
        store[i + 1] = i;
    }
    return sum;
}

static long in_rows(const int *column, float *store, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 4; j++) sum += a[(column[j] >> 20) % N];
        store[i % 4] = i;
    }
    return sum;
}

int main(void) {
    static int column[N], bits[N];
    for (int i = 0; i < N; i++) {
        float f = i;
        memcpy(&bits[i], &f, sizeof f);
    }
    if (MYTHREAD == 0)
        for (int i = 0; i < N * THREADS; i++) a[i] = i;
    upc_barrier;
    long wanted = 0;
    for (int i = 1; i < 20; i++) wanted += (bits[i - 1] >> 20) % N;
    CHECK_EQ(wanted, in_one_loop(column, (float *)column, 20));
    memset(column, 0, sizeof column);
    int last[4] = {0, 0, 0, 0};
    wanted = 0;
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < 4; j++) wanted += (last[j] >> 20) % N;
        last[i % 4] = bits[i];
    }
    CHECK_EQ(wanted, in_rows(column, (float *)column, 20));
    return 0;
}
