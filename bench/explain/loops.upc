/* Fine-grained loops, each of one kind of access or call: what `--explain` costs is the ratio of two builds of this file.
 *
 *     loops REPETITIONS PASSES      a line each:  loop <tab> name <tab> ns an operation, the best of the repetitions
 *
 * The repetitions of a loop are short (some 10 to 100 us), so that the best of many has had its processor for itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc.h>
#include <upc_atomic.h>
#include <upc_nb.h>

#ifndef N
#define N 2048 /* elements a thread */
#endif

static shared long a[N * THREADS];
static shared [64] long b[N * THREADS];
static shared [N] long c[N * THREADS];
static strict shared long flag[THREADS];
static shared long word[THREADS];

static volatile long sink; /* keeps what is read */

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* All threads run `work`, again and again; thread 0 says how long its operations took. */
#define LOOP(name, operations, work)                                                                                   \
    do {                                                                                                               \
        double best = 1e30;                                                                                            \
        upc_barrier;                                                                                                   \
        for (int r = 0; r < repetitions; r++) {                                                                        \
            double begin = now_ns();                                                                                   \
            for (int pass = 0; pass < passes; pass++) work;                                                            \
            double ns = now_ns() - begin;                                                                              \
            if (ns < best) best = ns;                                                                                  \
        }                                                                                                              \
        if (MYTHREAD == 0) printf("loop\t%s\t%.4f\n", name, best / ((double)(operations)*passes));                     \
        upc_barrier;                                                                                                   \
    } while (0)

static void accesses(int repetitions, int passes) {
    const long all = (long)N * THREADS;
    const int next = (MYTHREAD + 1) % THREADS;
    long s = 0;
    unsigned long x = (unsigned long)MYTHREAD * 77777 + 1;
    shared [] long *mine = upc_alloc(N * sizeof(long));

    LOOP("read a[i], cyclic", all, for (long i = 0; i < all; i++) s += a[i]);
    LOOP("write a[i], cyclic", all, for (long i = 0; i < all; i++) a[i] = i);
    LOOP("a[i] += , cyclic", all, for (long i = 0; i < all; i++) a[i] += i);
    LOOP("read the next thread's, cyclic", N, for (long i = 0; i < N; i++) s += a[i * THREADS + next]);
    LOOP("read *p++, cyclic", all, { shared long *p = a; for (long i = 0; i < all; i++) s += *p++; });
    LOOP("read *p, p++ in the head", all, { shared long *p = a; for (long i = 0; i < all; i++, p++) s += *p; });
    LOOP("read b[i], blocks of 64", all, for (long i = 0; i < all; i++) s += b[i]);
    LOOP("read *p++, blocks of 64", all, { shared [64] long *p = b; for (long i = 0; i < all; i++) s += *p++; });
    LOOP("write *p++, blocks of 64", all, { shared [64] long *p = b; for (long i = 0; i < all; i++) *p++ = i; });
    LOOP("read *p++, large blocks", all, { shared [N] long *p = c; for (long i = 0; i < all; i++) s += *p++; });
    LOOP("read every third, large blocks", all / 3,
         { shared [N] long *p = c; for (long i = 0; i < all / 3; i++, p += 3) s += *p; });
    LOOP("read p[i], one thread's", N, for (long i = 0; i < N; i++) s += mine[i]);
    LOOP("read *p++, one thread's", N, { shared [] long *p = mine; for (long i = 0; i < N; i++) s += *p++; });
    LOOP("update at random", N, for (long i = 0; i < N; i++) {
        x = x * 6364136223846793005ul + 1;
        a[(long)(x >> 33) % all] ^= (long)x;
    });
    LOOP("upc_forall, cyclic", N, upc_forall (long i = 0; i < all; i++; &a[i]) a[i] += i);
    LOOP("upc_forall, large blocks", N, upc_forall (long i = 0; i < all; i++; &c[i]) c[i] += i);
    LOOP("upc_forall, neighbours", N, upc_forall (long i = 1; i < all - 1; i++; &b[i]) c[i] = b[i - 1] + b[i + 1]);
    LOOP("upc_forall that tests", all / 2, upc_forall (long i = 0; i < all; i += 2; &b[i]) b[i] += i);
    LOOP("strict write", N, for (long i = 0; i < N; i++) flag[MYTHREAD] = i);
    LOOP("strict read", N, for (long i = 0; i < N; i++) s += flag[MYTHREAD]);
    sink = s;
}

static void calls(int repetitions, int passes) {
    const int next = (MYTHREAD + 1) % THREADS;
    static long buffer[128];
    long s = 0;
    upc_lock_t *lock = upc_global_lock_alloc();
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    const long one = 1;
#define NEXT(i) &c[next * (long)N + (i)]

    LOOP("upc_memget, 8 B", N, for (long i = 0; i < N; i++) upc_memget(buffer, NEXT(i), 8));
    LOOP("upc_memput, 8 B", N, for (long i = 0; i < N; i++) upc_memput(NEXT(i), buffer, 8));
    LOOP("upc_memset, 8 B", N, for (long i = 0; i < N; i++) upc_memset(NEXT(i), 0, 8));
    LOOP("upc_memcpy, 8 B", N, for (long i = 0; i < N; i++) upc_memcpy(NEXT(i), &c[MYTHREAD * (long)N + i], 8));
    LOOP("upc_memget, sizes of 8 to 64 B", N, for (long i = 0; i < N; i++) upc_memget(buffer, NEXT(i & ~7l), 8 + (unsigned long)(i & 7) * 8));
    LOOP("upc_memget, 1 KiB", N / 8, for (long i = 0; i < N / 8; i++) upc_memget(buffer, NEXT(i), 1024));
    LOOP("upc_memget_nb, 8 B", N, for (long i = 0; i < N; i++) upc_sync(upc_memget_nb(buffer, NEXT(i), 8)));
    LOOP("upc_memput_nbi, 8 B", N, { for (long i = 0; i < N; i++) upc_memput_nbi(NEXT(i), buffer, 8); upc_synci(); });
    LOOP("atomic addition", N, for (long i = 0; i < N; i++) upc_atomic_relaxed(domain, 0, UPC_ADD, &word[MYTHREAD], &one, 0));
    LOOP("lock and unlock", N / 4, for (long i = 0; i < N / 4; i++) { upc_lock(lock); s++; upc_unlock(lock); });
    LOOP("upc_fence", N, for (long i = 0; i < N; i++) upc_fence);
    LOOP("upc_barrier", 16, for (int i = 0; i < 16; i++) upc_barrier);
    sink = s;
}

int main(int argc, char **argv) {
    int repetitions = argc > 1 ? atoi(argv[1]) : 20, passes = argc > 2 ? atoi(argv[2]) : 4;
    for (long i = MYTHREAD; i < (long)N * THREADS; i += THREADS) a[i] = b[i] = c[i] = i;
    accesses(repetitions, passes);
    calls(repetitions, passes);
    return 0;
}
