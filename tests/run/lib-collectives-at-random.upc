// threads: 1 2 3 4 5 7 8
/* 7.4.2, 7.3.3.1: relocalisation with random sizes, owners, places and synchronisation, one call after the other, against
 * what the data would be if it were moved by hand. Bytes say from whom they come, for whom they are, and in which round. */
#include "check.h"
#include "random.h"
#include <unistd.h>
#include <upc_collective.h>

#define MOST 3000                /* bytes of a block */
#define ROUNDS 240
#define ROW (MOST * THREADS + 128) /* what a thread has of each array */

shared int perm[THREADS];
static shared void *src_all, *dst_all;

/* What a thread has of an array. */
static shared [] char *of(shared void *all, int thread) { return (shared [] char *)((shared char *)all + thread); }

/* The same on all threads. */
static unsigned long state = 12345;
static unsigned long draw(unsigned long below) { return next_random(&state) % below; }

static char byte(int round, int from, int to, size_t i) {
    unsigned long z = (unsigned long)round * 7919 + (unsigned long)from * 131 + (unsigned long)to * 17 + i;
    return (char)((z * 0x9e3779b97f4a7c15ul) >> 56);
}
/* A thread's own blocks: `count` of them, n bytes each, from `at` on. */
static void fill(char *at, size_t n, int count, int round) {
    for (int to = 0; to < count; to++)
        for (size_t i = 0; i < n; i++) at[(size_t)to * n + i] = byte(round, MYTHREAD, to, i);
}
static void check(const char *at, size_t n, int round, int from, int to) {
    for (size_t i = 0; i < n; i++) CHECK_EQ(byte(round, from, to, i), at[i]);
}

int main(void) {
    static const upc_flag_t ins[] = {0, UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
    static const upc_flag_t outs[] = {0, UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};
    src_all = upc_all_alloc(THREADS, ROW);
    dst_all = upc_all_alloc(THREADS, ROW);
    char *from = (char *)of(src_all, MYTHREAD), *to = (char *)of(dst_all, MYTHREAD);
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = draw(4) ? 1 + draw(80) : 1 + draw(MOST), at = draw(64);
        int one = (int)draw((unsigned long)THREADS), step = (int)draw((unsigned long)THREADS);
        upc_flag_t in = ins[draw(4)], out = outs[draw(4)], flags = in | out;
        unsigned long what = draw(6);
        if (draw(8) == 0 && round % THREADS == MYTHREAD) usleep(200);
        fill(from + at, n, THREADS, round);
        memset(to, 0x5a, ROW);
        perm[MYTHREAD] = (MYTHREAD + step) % THREADS;
        if (in == UPC_IN_NOSYNC) upc_barrier;
        shared char *a = (shared char *)src_all + at * THREADS, *b = (shared char *)dst_all + at * THREADS;
        switch (what) {
        case 0: upc_all_broadcast(b, of(src_all, one) + at, n, flags); break;
        case 1: upc_all_scatter(b, of(src_all, one) + at, n, flags); break;
        case 2: upc_all_gather(of(dst_all, one) + at, a, n, flags); break;
        case 3: upc_all_gather_all(b, a, n, flags); break;
        case 4: upc_all_exchange(b, a, n, flags); break;
        default: upc_all_permute(b, a, perm, n, flags);
        }
        if (out == UPC_OUT_NOSYNC) upc_barrier;
        size_t blocks = what == 2 ? (MYTHREAD == one ? THREADS : 0) : what == 3 || what == 4 ? THREADS : 1;
        switch (what) {
        case 0: check(to + at, n, round, one, 0); break;
        case 1: check(to + at, n, round, one, MYTHREAD); break;
        case 5: check(to + at, n, round, (MYTHREAD + THREADS - step) % THREADS, 0); break;
        default:
            for (size_t f = 0; f < blocks; f++) check(to + at + f * n, n, round, (int)f, what == 4 ? MYTHREAD : 0);
        }
        /* Nothing beside it. */
        for (size_t i = 0; i < at; i++) CHECK_EQ(0x5a, to[i]);
        for (size_t i = 0; i < 32; i++) CHECK_EQ(0x5a, to[at + blocks * n + i]);
        /* A thread's own data is its own again with MYSYNC; with ALLSYNC it sees that of others. */
        if (out != UPC_OUT_MYSYNC && what != 2) {
            int other = (MYTHREAD + 1) % THREADS;
            size_t last = blocks * n - 1;
            int f = what == 0 || what == 1 ? one : what == 5 ? (other + THREADS - step) % THREADS : THREADS - 1;
            CHECK_EQ(byte(round, f, what == 1 || what == 4 ? other : 0, n - 1), of(dst_all, other)[at + last]);
        }
        if (out != UPC_OUT_MYSYNC) upc_barrier;
        memset(from + at, 0x11, n); /* others must have read it */
        if (in != UPC_IN_MYSYNC) upc_barrier;
    }
    upc_barrier;
    return 0;
}
