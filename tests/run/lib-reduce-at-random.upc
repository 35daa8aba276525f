// threads: 1 2 3 4 5 7 8
/* 7.4.3.1: reductions and prefix reductions of arrays of random layout, length, beginning and synchronisation, to places on
 * random threads, against sums that every thread makes by itself. The operator composes affine maps modulo a prime, which
 * does not commute, or adds. */
#include "check.h"
#include "random.h"
#include <upc_collective.h>

#define MOST 900 /* elements a thread */
#define ROUNDS 120
#define P 8191

shared long result[THREADS];
static shared void *in_all, *out_all;

static unsigned long state = 4711;
static unsigned long draw(unsigned long below) { return next_random(&state) % below; }

/* x -> a x + b, as one long. */
static long compose(long f, long g) {
    long a = f / P, b = f % P, c = g / P, d = g % P;
    return (a * c % P) * P + (c * b + d) % P;
}
static long add(long x, long y) { return x + y; }

static long value(int round, size_t i) {
    unsigned long z = ((unsigned long)round * 1000003 + i) * 0x9e3779b97f4a7c15ul;
    return (long)(1 + (z >> 40) % (P - 1)) * P + (long)((z >> 20) % P);
}

/* Element i of an array with this block size that begins `first` elements into the layout. */
static shared [] long *element(shared void *all, size_t block, size_t first, size_t i) {
    size_t place = first + i, thread = 0, offset = place;
    if (block) {
        thread = place / block % THREADS;
        offset = place / block / THREADS * block + place % block;
    }
    return (shared [] long *)((shared long *)all + thread) + offset;
}

int main(void) {
    in_all = upc_all_alloc(THREADS, 3 * MOST * sizeof(long));
    out_all = upc_all_alloc(THREADS, 3 * MOST * sizeof(long));
    for (int round = 0; round < ROUNDS; round++) {
        size_t blocks[] = {0, 1, 2, 3, 7, 64, MOST};
        size_t block = blocks[draw(7)], n = 1 + draw(block ? MOST * THREADS : MOST);
        size_t first = block ? draw(block * THREADS) : draw(20);
        if (draw(6) == 0) n = 1 + draw(3);
        int to = (int)draw((unsigned long)THREADS), is_sum = draw(2), is_prefix = draw(2);
        upc_flag_t in = draw(2) ? 0 : draw(2) ? UPC_IN_MYSYNC : UPC_IN_NOSYNC;
        upc_flag_t out = draw(2) ? 0 : draw(2) ? UPC_OUT_MYSYNC : UPC_OUT_NOSYNC;
        upc_op_t op = is_sum ? draw(2) ? UPC_ADD : UPC_FUNC : UPC_NONCOMM_FUNC;
        long (*func)(long, long) = is_sum ? add : compose;
        for (size_t i = 0; i < n; i++) {
            shared [] long *at = element(in_all, block, first, i);
            if ((int)upc_threadof(at) == MYTHREAD) *at = value(round, i);
        }
        if (in == UPC_IN_NOSYNC) upc_barrier;
        /* The pointer's phase is that of its place in the layout. */
        shared long *begin = (shared long *)element(in_all, block, first, 0);
        shared long *target = (shared long *)element(out_all, block, first, 0);
#define WITH(BLOCK, CALL)                                                                                              \
    do {                                                                                                               \
        shared [BLOCK] long *a = (shared [BLOCK] long *)((shared long *)in_all), *b = (shared [BLOCK] long *)((shared long *)out_all); \
        a += first, b += first;                                                                                        \
        CHECK(upc_threadof(a) == upc_threadof(begin) && upc_threadof(b) == upc_threadof(target));                      \
        CALL;                                                                                                          \
    } while (0)
#define CALL_REDUCE                                                                                                    \
    is_prefix ? upc_all_prefix_reduceL(b, a, op, n, block, func, in | out)                                             \
              : upc_all_reduceL(&result[to], a, op, n, block, func, in | out)
        switch (block) {
        case 0: WITH(, CALL_REDUCE); break;
        case 1: WITH(1, CALL_REDUCE); break;
        case 2: WITH(2, CALL_REDUCE); break;
        case 3: WITH(3, CALL_REDUCE); break;
        case 7: WITH(7, CALL_REDUCE); break;
        case 64: WITH(64, CALL_REDUCE); break;
        default: WITH(MOST, CALL_REDUCE); break;
        }
        if (out == UPC_OUT_NOSYNC) upc_barrier;
        long sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum = i ? func(sum, value(round, i)) : value(round, 0);
            if (!is_prefix) continue;
            shared [] long *at = element(out_all, block, first, i);
            if (out != UPC_OUT_MYSYNC || (int)upc_threadof(at) == MYTHREAD) CHECK_EQ(sum, *at);
        }
        if (!is_prefix && (out != UPC_OUT_MYSYNC || to == MYTHREAD)) CHECK_EQ(sum, result[to]);
        if (out != UPC_OUT_MYSYNC || in == UPC_IN_NOSYNC) upc_barrier; /* others look at mine */
        if (draw(3) == 0) upc_barrier;
        /* With MYSYNC what this thread writes next is not read by a call that it has returned from. */
        for (size_t i = 0; i < n; i++) {
            shared [] long *at = element(in_all, block, first, i);
            if ((int)upc_threadof(at) == MYTHREAD) *at = -1;
        }
    }
    upc_barrier;
    return 0;
}
