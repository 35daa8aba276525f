// threads: 1 2 3 4 8
/* 7.4.3.2: prefix reductions of arrays with one block for each thread at most, whole and in part, from any phase and thread, in
 * place and not, with an operator whose order matters; the flags let a thread return as soon as its own elements are done. */
#include <upc_collective.h>
#include "check.h"

#define BLOCK 7
#define N (BLOCK * THREADS)
shared [BLOCK] unsigned long a[BLOCK * THREADS], sums[BLOCK * THREADS];
shared [BLOCK] unsigned maps[BLOCK * THREADS], composed[BLOCK * THREADS];
shared unsigned long one[THREADS], one_sum[THREADS];

/* x -> m x + c modulo 2^16, as m << 16 | c: to compose such functions is associative, but not commutative. */
static unsigned then(unsigned f, unsigned g) {
    unsigned m = f >> 16, c = f & 0xffff, n = g >> 16, d = g & 0xffff;
    return (m * n & 0xffff) << 16 | ((n * c + d) & 0xffff);
}
static unsigned map(long i) { return (unsigned)(2 * i + 3) << 16 | (unsigned)(i * i + 1); }

static const upc_flag_t in[] = {UPC_IN_MYSYNC, UPC_IN_ALLSYNC, UPC_IN_NOSYNC}, out[] = {UPC_OUT_MYSYNC, UPC_OUT_ALLSYNC, 0};

static void part(long first, long n, upc_flag_t flags) {
    upc_barrier;
    upc_forall (long i = 0; i < N; i++; &a[i]) {
        a[i] = 1000 + i;
        sums[i] = 7;
        maps[i] = map(i);
        composed[i] = 7;
    }
    upc_barrier;
    upc_all_prefix_reduceUL(&sums[first], &a[first], UPC_ADD, n, BLOCK, NULL, flags);
    upc_all_prefix_reduceUI(&composed[first], &maps[first], UPC_NONCOMM_FUNC, n, BLOCK, then, flags);
    /* A thread's own elements are there without a barrier. */
    unsigned long sum = 0;
    unsigned all = 0;
    for (long i = 0; i < N; i++) {
        int is_in = i >= first && i < first + n;
        sum += is_in ? 1000 + i : 0;
        if (is_in) all = i == first ? map(i) : then(all, map(i));
        if (upc_threadof(&a[i]) != (size_t)MYTHREAD) continue;
        CHECK_EQ(is_in ? sum : 7, sums[i]);
        CHECK_EQ(is_in ? all : 7, composed[i]);
    }
    upc_barrier;
}

int main(void) {
    for (int k = 0; k < 3; k++) {
        upc_flag_t flags = in[k] | out[k];
        part(0, N, flags);
        part(0, 1, flags);
        part(N - 1, 1, flags);
        for (long first = 0; first < N; first += 3)
            for (long n = 1; first + n <= N; n += 1 + n / 2 * 3) part(first, n, flags);
    }
    /* In place, again and again: nobody reads what another one writes. */
    one[MYTHREAD] = 1;
    upc_barrier;
    for (int i = 0; i < 100; i++) {
        upc_all_prefix_reduceUL(one_sum, one, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
        CHECK_EQ((unsigned long)(MYTHREAD + 1) * (i + 1), one_sum[MYTHREAD]);
        one[MYTHREAD]++;
    }
    return 0;
}
