/* What the NAS programs share: the class of a problem, the pseudorandom numbers, the clock and the report.
 *
 * The programs follow the specification of the NAS Parallel Benchmarks (D. Bailey and others, NASA report RNR-94-007)
 * with the sizes and the verification values of NPB 3. Each exists three times:
 *
 *     NAME_omp.c      C with OpenMP; without -fopenmp it is the serial program
 *     NAME_bulk.upc   UPC as one writes it for a cluster: threads work on their own data, and exchange
 *                     large pieces
 *     NAME_fine.upc   UPC as one writes it first: shared arrays, upc_forall, and an element is read where
 *                     it is needed
 *
 * CG exists a fourth time, for many threads: cg_grid.upc.
 *
 * NAME.h holds what the three have in common: sizes, verification values, and the kernels on private memory.
 *
 * The class, S (small), W (workstation) or A, is fixed when a program is compiled: -DCLASS=A. Every program checks its
 * result against the official value of its class, and ends with a status other than 0 if it differs.
 */
#ifndef NAS_H
#define NAS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __UPC__
#include <upc.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

#ifndef CLASS
#define CLASS S
#endif
#define NAS_JOIN_EXPANDED(a, b) a##b
#define NAS_JOIN(a, b) NAS_JOIN_EXPANDED(a, b)
#define NAS_TEXT_EXPANDED(a) #a
#define NAS_TEXT(a) NAS_TEXT_EXPANDED(a)
#define NAS_CLASS_S 1
#define NAS_CLASS_W 2
#define NAS_CLASS_A 3
/* One of the three above; 0 for another letter, because the preprocessor takes an unknown name for 0. */
#define NAS_CLASS NAS_JOIN(NAS_CLASS_, CLASS)
#if NAS_CLASS == 0
#error "CLASS is S, W or A: compile with -DCLASS=W, for instance"
#endif

/* ---- Pseudorandom numbers ------------------------------------------------------------------------------------------
 *
 * x(k+1) = a x(k) mod 2^46, with a = 5^13; the random number is x / 2^46. Products of unsigned 64-bit integers are
 * exact modulo 2^64, and so also modulo 2^46.
 */
#define NAS_MULTIPLIER UINT64_C(1220703125)
#define NAS_MASK ((UINT64_C(1) << 46) - 1)

/* The next random number, between 0 and 1; *x moves on. */
static inline double nas_random(uint64_t *x) {
    *x = *x * NAS_MULTIPLIER & NAS_MASK;
    return (double)(int64_t)*x * 0x1p-46;
}

/* The state of the sequence after n numbers, in log2(n) steps. */
static inline uint64_t nas_skip(uint64_t x, uint64_t n) {
    for (uint64_t a = NAS_MULTIPLIER; n > 0; n >>= 1, a *= a)
        if (n & 1) x *= a;
    return x & NAS_MASK;
}

/* ---- Shares of threads
 * ---------------------------------------------------------------------------------------------- */

/* Thread t of `threads` takes items nas_first(n, t, threads) to nas_first(n, t + 1, threads) - 1 of n. */
static inline long nas_first(long n, int t, int threads) { return n * t / threads; }

static inline void *nas_allocate(size_t n, size_t size) {
    void *p = calloc(n ? n : 1, size);
    if (p == NULL) {
        fprintf(stderr, "out of memory: %zu objects of %zu bytes\n", n, size);
        exit(1);
    }
    return p;
}

/* ---- Clock, verification, report
 * ------------------------------------------------------------------------------------ */

#ifndef NAS_CLOCK
#define NAS_CLOCK CLOCK_MONOTONIC /* bench/nas/run.sh can choose another */
#endif

static inline double nas_seconds(void) {
    struct timespec t;
    clock_gettime(NAS_CLOCK, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Is the value right, up to a relative error? Prints both. */
static inline int nas_check(const char *what, double value, double expected, double tolerance) {
    int right = fabs((value - expected) / expected) <= tolerance; /* false for a NaN, too */
    printf("%-22s %22.14e (official: %22.14e)%s\n", what, value, expected, right ? "" : "  WRONG");
    return right;
}

static inline int nas_threads(void) {
#if defined __UPC__
    return THREADS;
#elif defined _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* The last line of every program. Returns the program's status. */
static inline int nas_report(const char *name, const char *form, double seconds, double operations, int right) {
    printf("%s class %s, %s, threads: %d, seconds: %.4f, Mop/s: %.2f, %s\n", name, NAS_TEXT(CLASS), form, nas_threads(),
           seconds, operations / seconds * 1e-6, right ? "verified" : "VERIFICATION FAILED");
    fflush(stdout);
    return right ? 0 : 1;
}

#ifdef __UPC__
/* Ends the program if it cannot run with so many threads. */
static inline void nas_need_threads(int possible, const char *why) {
    if (possible) return;
    if (MYTHREAD == 0) {
        fprintf(stderr, "%d threads: %s\n", THREADS, why);
        upc_global_exit(1);
    }
    upc_barrier; /* which the others do not leave */
}
#endif

#endif
