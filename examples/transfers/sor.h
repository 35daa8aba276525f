/* SOR, what sor.upc does not communicate, in plain C: the relaxation of a block of points, and the serial program whose
 * result sor.upc must have.
 *
 * Laplace's equation on a square of n x n points, by successive over-relaxation in red-black order: a point is red if
 * the sum of its row and its column is even. In a half step all points of one colour are relaxed; they depend only on
 * points of the other colour, so that their order does not matter.
 */
#ifndef SOR_H
#define SOR_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Points of a block, and around them the border: the neighbours' points, or the values outside of the square. Rows are
 * `pitch` apart. */
struct block {
    int row, column; /* of the first point in the square; 1 is the square's first */
    int rows, columns, pitch;
    double *value; /* of the border's first corner */
};

static inline size_t block_points(const struct block *b) { return (size_t)(b->rows + 2) * b->pitch; }

static inline void set_block(const struct block *b, int n) {
    for (int i = 0; i < b->rows + 2; i++)
        for (int j = 0; j < b->columns + 2; j++) {
            int row = b->row + i - 1, column = b->column + j - 1;
            int is_outside = row == 0 || row == n + 1 || column == 0 || column == n + 1;
            b->value[i * b->pitch + j] = is_outside ? (double)(row * row - 3 * column) / (n * n) : 0;
        }
}

/* One function for all blocks: each point's arithmetic is the same, whichever block it is in. */
__attribute__((noinline)) static void relax(const struct block *b, int colour, double omega) {
    int pitch = b->pitch;
    for (int i = 1; i <= b->rows; i++) {
        double *v = b->value + (size_t)i * pitch;
        for (int j = 1 + ((b->row + i - 1 + b->column + colour) & 1); j <= b->columns; j += 2)
            v[j] += omega * (0.25 * (v[j - pitch] + v[j + pitch] + v[j - 1] + v[j + 1]) - v[j]);
    }
}

static inline double best_omega(int n) { return 2 / (1 + sin(3.14159265358979323846 / (n + 1))); }

/* The whole square after so many steps. */
static inline struct block serial(int n, int steps) {
    struct block b = {1, 1, n, n, n + 2, NULL};
    b.value = malloc(block_points(&b) * sizeof *b.value);
    if (!b.value) abort();
    set_block(&b, n);
    for (int half = 0; half < 2 * steps; half++) relax(&b, half % 2, best_omega(n));
    return b;
}

/* Have the points of `b` the values of the same points of `whole`, to the last bit? */
static inline int same_points(const struct block *b, const struct block *whole) {
    for (int i = 1; i <= b->rows; i++)
        if (memcmp(b->value + (size_t)i * b->pitch + 1,
                   whole->value + (size_t)(b->row + i - 1) * whole->pitch + b->column, b->columns * sizeof *b->value))
            return 0;
    return 1;
}

#endif
