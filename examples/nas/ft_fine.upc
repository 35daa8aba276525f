/* FT in UPC, fine-grained form: space and coefficients are shared arrays of planes. Each element of a line is read
 * where it lies, on this or on another thread. ft.h describes the problem.
 *
 *     fathom run -n 2 -O3 -DCLASS=S examples/nas/ft_fine.upc
 */
#include "ft.h"

shared [FT_NY * FT_NX] ft_complex (*space)[FT_NY][FT_NX];        /* [z][y][x]; plane z lies on one thread */
shared [FT_NZ * FT_NX] ft_complex (*coefficients)[FT_NZ][FT_NX]; /* [y][z][x]; plane y lies on one thread */

static struct ft_lines work[2];

/* Transforms plane z in space along x and y. */
static void transform_xy(int z, int sign) {
    for (int y = 0; y < FT_NY; y += FT_LINES) {
        for (int l = 0; l < FT_LINES; l++)
            for (int x = 0; x < FT_NX; x++) {
                work[0].re[x][l] = space[z][y + l][x].re;
                work[0].im[x][l] = space[z][y + l][x].im;
            }
        struct ft_lines *result = ft_transform(&work[0], &work[1], FT_NX, sign);
        for (int l = 0; l < FT_LINES; l++)
            for (int x = 0; x < FT_NX; x++) {
                space[z][y + l][x].re = result->re[x][l];
                space[z][y + l][x].im = result->im[x][l];
            }
    }
    for (int x = 0; x < FT_NX; x += FT_LINES) {
        for (int y = 0; y < FT_NY; y++)
            for (int l = 0; l < FT_LINES; l++) {
                work[0].re[y][l] = space[z][y][x + l].re;
                work[0].im[y][l] = space[z][y][x + l].im;
            }
        struct ft_lines *result = ft_transform(&work[0], &work[1], FT_NY, sign);
        for (int y = 0; y < FT_NY; y++)
            for (int l = 0; l < FT_LINES; l++) {
                space[z][y][x + l].re = result->re[y][l];
                space[z][y][x + l].im = result->im[y][l];
            }
    }
}

/* Random numbers in space, and their coefficients. */
static void start(void) {
    upc_forall (int z = 0; z < FT_NZ; z++; &space[z][0][0]) {
        uint64_t seed = nas_skip(UINT64_C(314159265), 2 * (uint64_t)z * FT_NY * FT_NX);
        for (int y = 0; y < FT_NY; y++)
            for (int x = 0; x < FT_NX; x++) {
                space[z][y][x].re = nas_random(&seed);
                space[z][y][x].im = nas_random(&seed);
            }
        transform_xy(z, 1);
    }
    upc_barrier;
    upc_forall (int y = 0; y < FT_NY; y++; &coefficients[y][0][0])
        for (int x = 0; x < FT_NX; x += FT_LINES) {
            for (int z = 0; z < FT_NZ; z++)
                for (int l = 0; l < FT_LINES; l++) {
                    ft_complex c = space[z][y][x + l]; /* of whichever thread */
                    work[0].re[z][l] = c.re;
                    work[0].im[z][l] = c.im;
                }
            struct ft_lines *result = ft_transform(&work[0], &work[1], FT_NZ, 1);
            for (int z = 0; z < FT_NZ; z++)
                for (int l = 0; l < FT_LINES; l++) {
                    coefficients[y][z][x + l].re = result->re[z][l];
                    coefficients[y][z][x + l].im = result->im[z][l];
                }
        }
    upc_barrier;
}

/* One time step of the coefficients, and from them the numbers in space. */
static void advance(void) {
    upc_forall (int y = 0; y < FT_NY; y++; &coefficients[y][0][0])
        for (int x = 0; x < FT_NX; x += FT_LINES) {
            for (int z = 0; z < FT_NZ; z++)
                for (int l = 0; l < FT_LINES; l++) {
                    ft_complex c = coefficients[y][z][x + l];
                    double factor = ft_shrink_x[x + l] * ft_shrink_y[y] * ft_shrink_z[z];
                    work[0].re[z][l] = c.re *= factor;
                    work[0].im[z][l] = c.im *= factor;
                    coefficients[y][z][x + l] = c;
                }
            struct ft_lines *result = ft_transform(&work[0], &work[1], FT_NZ, -1);
            for (int z = 0; z < FT_NZ; z++)
                for (int l = 0; l < FT_LINES; l++) {
                    ft_complex c = {result->re[z][l], result->im[z][l]};
                    space[z][y][x + l] = c; /* of whichever thread */
                }
        }
    upc_barrier;
    upc_forall (int z = 0; z < FT_NZ; z++; &space[z][0][0]) transform_xy(z, -1);
    upc_barrier;
}

/* Called by thread 0. */
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
    nas_need_threads(THREADS <= FT_NZ && THREADS <= FT_NY, "more than there are planes");
    space = upc_all_alloc(FT_NZ, FT_NY * FT_NX * sizeof(ft_complex));
    coefficients = upc_all_alloc(FT_NY, FT_NZ * FT_NX * sizeof(ft_complex));
    ft_prepare();
    start(); /* not timed: touches all memory */

    upc_barrier;
    double begin = nas_seconds();
    ft_complex checksums[FT_ITERATIONS];
    ft_prepare();
    start();
    for (int i = 0; i < FT_ITERATIONS; i++) {
        advance();
        if (MYTHREAD == 0) checksums[i] = checksum();
        upc_barrier; /* nobody changes what thread 0 still reads */
    }
    double seconds = nas_seconds() - begin;

    if (MYTHREAD == 0) {
        int status = ft_finish("fine-grained UPC", checksums, seconds);
        if (status != 0) upc_global_exit(status);
    }
    return 0;
}
