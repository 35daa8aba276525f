/* Plain loops over far data beside code by hand over the same runtime, in turn, each checked against the other.
 *
 *     fathom cc --conduit mpi -O3 -T 2 -o loops loops.upc
 *     FATHOM_NODE_MAX=1 FATHOM_COMM=on fathom run -n 2 loops [ROUNDS]      (loops.sh has both networks)
 *
 * A line for each pair: the median time of the plain loop and of the one by hand, in microseconds, and how many times as fast as by hand the plain one is: the median of
 * the rounds' ratios, the lowest and the highest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bupc_extensions.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

enum { N = 512, PART = N / THREADS, WORDS = 1 << 16, SMALL = 512, TILE = 64, MOST_ROUNDS = 200 };

shared [N * PART] double from[N][N], to[N][N];
shared [WORDS] double line[WORDS * THREADS];
shared double cyclic[WORDS * THREADS];
shared [16] double x16[WORDS], y16[WORDS];
shared [64] double x64[WORDS], y64[WORDS];
shared [1024] double x1024[WORDS], y1024[WORDS];
static double mine[WORDS], buffer[WORDS > N * TILE ? WORDS : N * TILE], matrix[PART][N], result[N];
static double sum;

#define OTHER ((MYTHREAD + 1) % THREADS)
static shared [WORDS] double *far(void) { return line + OTHER * WORDS; }

/* ---- contiguous -------------------------------------------------------------------------------------------------- */

static void read_plain(void) {
    shared [WORDS] double *p = far();
    for (int i = 0; i < WORDS; i++) sum += p[i];
}
static void read_by_hand(void) {
    upc_memget(buffer, far(), sizeof(double) * WORDS);
    for (int i = 0; i < WORDS; i++) sum += buffer[i];
}
static void read_small_plain(void) {
    shared [WORDS] double *p = far();
    for (int i = 0; i < SMALL; i++) sum += p[i];
}
static void read_small_by_hand(void) {
    upc_memget(buffer, far(), sizeof(double) * SMALL);
    for (int i = 0; i < SMALL; i++) sum += buffer[i];
}
static void cyclic_plain(void) {
    for (int i = 0; i < WORDS; i++) sum += cyclic[i];
}
static void cyclic_by_hand(void) {
    for (int t = 0; t < THREADS; t++) upc_memget(buffer + t * (WORDS / THREADS), &cyclic[t], sizeof(double) * (WORDS / THREADS));
    for (int i = 0; i < WORDS; i++) sum += buffer[i % THREADS * (WORDS / THREADS) + i / THREADS];
}
static void copy_plain(void) {
    shared [WORDS] double *p = far();
    for (int i = 0; i < WORDS; i++) mine[i] = p[i];
    sum += mine[7];
}
static void copy_by_hand(void) {
    upc_memget(mine, far(), sizeof(double) * WORDS);
    sum += mine[7];
}
static void strided_plain(void) {
    shared [WORDS] double *p = far();
    for (int i = 0; i < WORDS; i += 8) sum += p[i];
}
static void strided_by_hand(void) {
    bupc_memget_fstrided(buffer, sizeof(double) * (WORDS / 8), sizeof(double) * (WORDS / 8), 1, far(), sizeof(double),
                         8 * sizeof(double), WORDS / 8);
    for (int i = 0; i < WORDS / 8; i++) sum += buffer[i];
}

/* ---- stencils ---------------------------------------------------------------------------------------------------- */

#define STENCIL(BLOCK)                                                                                                 \
    static void stencil_##BLOCK##_plain(void) {                                                                        \
        upc_forall (int i = 1; i < WORDS - 1; i++; &y##BLOCK[i])                                                       \
            y##BLOCK[i] = x##BLOCK[i - 1] + x##BLOCK[i] + x##BLOCK[i + 1];                                             \
        sum += y##BLOCK[MYTHREAD * BLOCK + 1];                                                                         \
    }                                                                                                                  \
    static void stencil_##BLOCK##_by_hand(void) { /* the blocks' neighbours in one call */                             \
        static double left[WORDS / BLOCK], right[WORDS / BLOCK];                                                       \
        static void *dst[2 * WORDS / BLOCK];                                                                           \
        static shared const void *src[2 * WORDS / BLOCK];                                                              \
        int n = 0;                                                                                                     \
        for (int b = MYTHREAD; b < WORDS / BLOCK; b += THREADS) {                                                      \
            if (b > 0) dst[n] = &left[b / THREADS], src[n++] = &x##BLOCK[b * BLOCK - 1];                               \
            if (b + 1 < WORDS / BLOCK) dst[n] = &right[b / THREADS], src[n++] = &x##BLOCK[(b + 1) * BLOCK];            \
        }                                                                                                              \
        bupc_memget_ilist(n, dst, sizeof(double), n, src, sizeof(double));                                             \
        for (int b = MYTHREAD; b < WORDS / BLOCK; b += THREADS) {                                                      \
            double *x = (double *)&x##BLOCK[b * BLOCK], *y = (double *)&y##BLOCK[b * BLOCK];                           \
            if (b > 0) y[0] = left[b / THREADS] + x[0] + x[1];                                                         \
            for (int i = 1; i < BLOCK - 1; i++) y[i] = x[i - 1] + x[i] + x[i + 1];                                     \
            if (b + 1 < WORDS / BLOCK) y[BLOCK - 1] = x[BLOCK - 2] + x[BLOCK - 1] + right[b / THREADS];                \
        }                                                                                                              \
        sum += y##BLOCK[MYTHREAD * BLOCK + 1];                                                                         \
    }
STENCIL(16)
STENCIL(64)
STENCIL(1024)

/* Of its rows only the first and the last have far neighbours. */
static void halo_plain(void) {
    upc_forall (int i = 1; i < N - 1; i++; &to[i][0])
        for (int j = 1; j < N - 1; j++)
            to[i][j] = (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) * 0.25;
    sum += to[MYTHREAD * PART + 1][5];
}
static void halo_by_hand(void) {
    int first = MYTHREAD * PART, behind = first + PART;
    double *above = buffer, *below = buffer + N;
    if (first > 0) upc_memget(above, &from[first - 1][0], sizeof(double) * N);
    if (behind < N) upc_memget(below, &from[behind][0], sizeof(double) * N);
    for (int i = first ? first : 1; i < behind && i < N - 1; i++) {
        double *x = (double *)&from[i][0], *y = (double *)&to[i][0];
        const double *up = i == first ? above : x - N, *down = i + 1 == behind ? below : x + N;
        for (int j = 1; j < N - 1; j++) y[j] = (up[j] + down[j] + x[j - 1] + x[j + 1]) * 0.25;
    }
    sum += to[MYTHREAD * PART + 1][5];
}
/* All that is read is another thread's. */
static void rows_plain(void) {
    int o = OTHER * PART;
    for (int i = 1; i < PART - 1; i++)
        for (int j = 1; j < TILE - 1; j++)
            matrix[i][j] = from[o + i - 1][j] + from[o + i + 1][j] + from[o + i][j - 1] + from[o + i][j + 1];
    sum += matrix[3][4];
}
static void rows_by_hand(void) {
    int o = OTHER * PART;
    bupc_memget_fstrided(buffer, sizeof(double) * TILE * PART, sizeof(double) * TILE * PART, 1, &from[o][0],
                         sizeof(double) * TILE, sizeof(double) * N, PART);
    for (int i = 1; i < PART - 1; i++) {
        const double *x = buffer + i * TILE;
        for (int j = 1; j < TILE - 1; j++) matrix[i][j] = x[j - TILE] + x[j + TILE] + x[j - 1] + x[j + 1];
    }
    sum += matrix[3][4];
}

/* ---- products and transpositions --------------------------------------------------------------------------------- */

static void product_plain(void) {
    shared [WORDS] double *v = far();
    for (int i = 0; i < PART; i++) {
        double s = 0;
        for (int j = 0; j < N; j++) s += matrix[i][j] * v[j];
        result[i] = s;
    }
    sum += result[3];
}
static void product_by_hand(void) {
    upc_memget(buffer, far(), sizeof(double) * N);
    for (int i = 0; i < PART; i++) {
        double s = 0;
        for (int j = 0; j < N; j++) s += matrix[i][j] * buffer[j];
        result[i] = s;
    }
    sum += result[3];
}
static void transposed(void) { sum += to[MYTHREAD * PART + 3][N - 5] + to[MYTHREAD * PART + 7][1]; }
static void transpose_by_hand(void) {
    double *own = (double *)&to[MYTHREAD * PART][0];
    for (int j = 0; j < N; j += TILE) {
        for (int k = 0; k < TILE; k++) upc_memget(buffer + k * PART, &from[j + k][MYTHREAD * PART], PART * sizeof(double));
        for (int i = 0; i < PART; i++)
            for (int k = 0; k < TILE; k++) own[i * N + j + k] = buffer[k * PART + i];
    }
    transposed();
}
static void transpose_rows(void) {
    upc_forall (int i = 0; i < N; i++; &to[i][0])
        for (int j = 0; j < N; j++) to[i][j] = from[j][i];
    transposed();
}
static void transpose_columns(void) {
    for (int j = 0; j < N; j++)
        for (int i = MYTHREAD * PART; i < (MYTHREAD + 1) * PART; i++) to[i][j] = from[j][i];
    transposed();
}
static void transpose_forall(void) {
    for (int j = 0; j < N; j++) upc_forall (int i = 0; i < N; i++; &to[i][0]) to[i][j] = from[j][i];
    transposed();
}
static void transpose_flat(void) {
    upc_forall (int k = 0; k < N * N; k++; &to[k / N][0]) to[k / N][k % N] = from[k % N][k / N];
    transposed();
}

static const struct {
    const char *name;
    void (*plain)(void), (*by_hand)(void);
} pairs[] = {{"sum of 512 KB", read_plain, read_by_hand},
             {"sum of 4 KB", read_small_plain, read_small_by_hand},
             {"sum of 512 KB, cyclic", cyclic_plain, cyclic_by_hand},
             {"copy of 512 KB", copy_plain, copy_by_hand},
             {"every eighth", strided_plain, strided_by_hand},
             {"stencil, blocks of 16", stencil_16_plain, stencil_16_by_hand},
             {"stencil, blocks of 64", stencil_64_plain, stencil_64_by_hand},
             {"stencil, blocks of 1024", stencil_1024_plain, stencil_1024_by_hand},
             {"2-D stencil, own rows", halo_plain, halo_by_hand},
             {"2-D stencil, rows of 64 of others", rows_plain, rows_by_hand},
             {"matrix times a far vector", product_plain, product_by_hand},
             {"transposition, rows outside", transpose_rows, transpose_by_hand},
             {"transposition, columns outside", transpose_columns, transpose_by_hand},
             {"transposition, upc_forall inside", transpose_forall, transpose_by_hand},
             {"transposition, one upc_forall", transpose_flat, transpose_by_hand}};

static double run(void (*loop)(void), double *found) {
    sum = 0;
    upc_barrier;
    upc_tick_t begin = upc_ticks_now();
    loop();
    upc_barrier;
    double us = upc_ticks_to_ns(upc_ticks_now() - begin) * 1e-3;
    *found = sum;
    return us;
}

static int less(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *values, int n) {
    qsort(values, n, sizeof *values, less);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 9;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "loops: 1 to %d rounds\n", MOST_ROUNDS);
        return 2;
    }
    upc_forall (int i = 0; i < N; i++; &from[i][0])
        for (int j = 0; j < N; j++) from[i][j] = i * 1.5 + j * 0.25;
    upc_forall (int i = 0; i < WORDS; i++; i) cyclic[i] = i, x16[i] = x64[i] = x1024[i] = i % 977;
    for (int i = 0; i < WORDS; i++) line[MYTHREAD * WORDS + i] = i % 1021 + MYTHREAD;
    for (int i = 0; i < PART; i++)
        for (int j = 0; j < N; j++) matrix[i][j] = i - j;
    upc_barrier;
    for (int p = 0; p < (int)(sizeof pairs / sizeof *pairs); p++) {
        double plain[MOST_ROUNDS], by_hand[MOST_ROUNDS], ratio[MOST_ROUNDS], a, b;
        for (int r = -2; r < rounds; r++) { /* the first two rounds do not count */
            double t = run(pairs[p].plain, &a), u = run(pairs[p].by_hand, &b);
            if (a != b) {
                fprintf(stderr, "loops: %s: %g, by hand %g\n", pairs[p].name, a, b);
                upc_global_exit(1);
            }
            if (r >= 0) plain[r] = t, by_hand[r] = u, ratio[r] = u / t;
        }
        if (MYTHREAD) continue;
        double middle = median(ratio, rounds);
        printf("| %s | %.1f | %.1f | %.2f | %.2f to %.2f |\n", pairs[p].name, median(plain, rounds), median(by_hand, rounds),
               middle, ratio[0], ratio[rounds - 1]);
        fflush(stdout);
    }
    return 0;
}
