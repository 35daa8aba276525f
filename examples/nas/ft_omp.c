/* FT in C with OpenMP: planes are divided among the threads. ft.h describes the problem.
 *
 *     gcc -O3 -fopenmp -DCLASS=S examples/nas/ft_omp.c -lm -o ft && OMP_NUM_THREADS=2 ./ft
 */
#include "ft.h"
#include <string.h>

static ft_complex space[FT_NZ][FT_NY][FT_NX];
static ft_complex coefficients[FT_NY][FT_NZ][FT_NX];

/* Random numbers in space, and their coefficients. */
static void start(void) {
#pragma omp parallel
    {
#pragma omp for
        for (int z = 0; z < FT_NZ; z++) {
            ft_start_plane(&space[z][0][0], z);
            ft_transform_xy(&space[z][0][0], 1);
        }
#pragma omp for
        for (int y = 0; y < FT_NY; y++) {
            for (int z = 0; z < FT_NZ; z++) memcpy(coefficients[y][z], space[z][y], sizeof coefficients[y][z]);
            ft_transform_z(&coefficients[y][0][0], 1);
        }
    }
}

/* One time step of the coefficients, and from them the numbers in space. */
static void advance(void) {
#pragma omp parallel
    {
        ft_complex(*plane)[FT_NX] = nas_allocate(FT_NZ, sizeof *plane);
#pragma omp for
        for (int y = 0; y < FT_NY; y++) {
            ft_evolve(&plane[0][0], &coefficients[y][0][0], y);
            ft_transform_z(&plane[0][0], -1);
            for (int z = 0; z < FT_NZ; z++) memcpy(space[z][y], plane[z], sizeof plane[z]);
        }
#pragma omp for
        for (int z = 0; z < FT_NZ; z++) ft_transform_xy(&space[z][0][0], -1);
        free(plane);
    }
}

static ft_complex checksum(void) {
    ft_complex sum = {0, 0};
    for (int j = 1; j <= 1024; j++) {
        ft_complex c = space[5 * j % FT_NZ][3 * j % FT_NY][j % FT_NX];
        sum.re += c.re / FT_POINTS;
        sum.im += c.im / FT_POINTS;
    }
    return sum;
}

int main(void) {
    ft_prepare();
    start(); /* not timed: touches all memory */

    double begin = nas_seconds();
    ft_complex checksums[FT_ITERATIONS];
    ft_prepare();
    start();
    for (int i = 0; i < FT_ITERATIONS; i++) {
        advance();
        checksums[i] = checksum();
    }
    return ft_finish("OpenMP", checksums, nas_seconds() - begin);
}
