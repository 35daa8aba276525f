/* The FFT of transpose.upc, in plain C: of rows, which need no communication, and the input.
 *
 * Radix 2, in place: the elements change places with those whose index has the reversed bits, and log2 n passes combine
 * transforms of half the length. The roots of unity come from one table, each calculated by itself, so that errors do
 * not add up along it.
 */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct cell {
    double re, im;
};

static inline struct cell plus(struct cell a, struct cell b) { return (struct cell){a.re + b.re, a.im + b.im}; }
static inline struct cell minus(struct cell a, struct cell b) { return (struct cell){a.re - b.re, a.im - b.im}; }
static inline struct cell times(struct cell a, struct cell b) {
    return (struct cell){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static inline double square(struct cell a) { return a.re * a.re + a.im * a.im; }

/* exp(-2 pi i k / n) for k < n. */
static inline struct cell *make_roots(int n) {
    struct cell *roots = malloc(n * sizeof *roots);
    if (!roots) abort();
    for (int k = 0; k < n; k++) {
        double angle = 2 * 3.14159265358979323846 * k / n;
        roots[k] = (struct cell){cos(angle), -sin(angle)};
    }
    return roots;
}

static inline void swap_bits(struct cell *x, int n) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        struct cell at_i = x[i];
        x[i] = x[j];
        x[j] = at_i;
    }
}

/* Transforms n elements, a power of two; the inverse is without its division by n. */
static inline void fft(struct cell *x, int n, const struct cell *roots, int is_inverse) {
    double sign = is_inverse ? -1 : 1;
    swap_bits(x, n);
    for (int half = 1; half < n; half *= 2) {
        int step = n / (2 * half);
        for (int i = 0; i < n; i += 2 * half)
            for (int k = 0; k < half; k++) {
                struct cell root = {roots[k * step].re, sign * roots[k * step].im};
                struct cell even = x[i + k], odd = times(x[i + k + half], root);
                x[i + k] = plus(even, odd);
                x[i + k + half] = minus(even, odd);
            }
    }
}

/* From -1 to 1, a function of the place (the finalizer of SplitMix64). */
static inline double noise(uint64_t at) {
    at += 0x9e3779b97f4a7c15;
    at = (at ^ at >> 30) * 0xbf58476d1ce4e5b9;
    at = (at ^ at >> 27) * 0x94d049bb133111eb;
    return (double)((at ^ at >> 31) >> 10) * 0x1p-53 - 1;
}
static inline struct cell input_at(int row, int column) {
    uint64_t at = (uint64_t)row << 32 | (uint64_t)column;
    return (struct cell){noise(2 * at), noise(2 * at + 1)};
}

#endif
