/* FT in UPC, bulk form: each thread works on its planes, in space and of coefficients, through plain C pointers; rows
 * along x travel between the two by upc_memget and upc_memput. ft.h describes the problem.
 *
 *     fathom run -n 2 -O3 -DCLASS=S examples/nas/ft_bulk.upc
 */
#include "ft.h"

shared [] ft_complex *shared space[THREADS]; /* of each thread: its planes, in the order of z */
static ft_complex (*my_space)[FT_NY][FT_NX];
static ft_complex (*coefficients)[FT_NZ][FT_NX]; /* for the values of y that this thread has */
static ft_complex (*plane)[FT_NX];               /* one plane of coefficients, to work with */
static int first_y, end_y, first_z, end_z;       /* the planes of this thread */

/* Row (y, z) in space, on thread t, which has it. */
static shared [] ft_complex *row(int t, int z, int y) {
    return space[t] + ((z - nas_first(FT_NZ, t, THREADS)) * FT_NY + y) * FT_NX;
}

/* Random numbers in space, and their coefficients. */
static void start(void) {
    for (int z = first_z; z < end_z; z++) {
        ft_complex *mine = &my_space[z - first_z][0][0];
        ft_start_plane(mine, z);
        ft_transform_xy(mine, 1);
    }
    upc_barrier;
    for (int y = first_y; y < end_y; y++) {
        ft_complex(*mine)[FT_NX] = coefficients[y - first_y];
        for (int t = 0; t < THREADS; t++)
            for (int z = nas_first(FT_NZ, t, THREADS); z < nas_first(FT_NZ, t + 1, THREADS); z++)
                upc_memget(mine[z], row(t, z, y), sizeof mine[z]);
        ft_transform_z(&mine[0][0], 1);
    }
    upc_barrier;
}

/* One time step of the coefficients, and from them the numbers in space. */
static void advance(void) {
    for (int y = first_y; y < end_y; y++) {
        ft_evolve(&plane[0][0], &coefficients[y - first_y][0][0], y);
        ft_transform_z(&plane[0][0], -1);
        for (int t = 0; t < THREADS; t++)
            for (int z = nas_first(FT_NZ, t, THREADS); z < nas_first(FT_NZ, t + 1, THREADS); z++)
                upc_memput(row(t, z, y), plane[z], sizeof plane[z]);
    }
    upc_barrier;
    for (int z = first_z; z < end_z; z++) ft_transform_xy(&my_space[z - first_z][0][0], -1);
}

shared ft_complex part[THREADS]; /* of the checksum: what each thread has */

/* The checksum, on thread 0. */
static ft_complex checksum(void) {
    ft_complex sum = {0, 0};
    for (int j = 1; j <= 1024; j++) {
        int z = 5 * j % FT_NZ;
        if (z < first_z || z >= end_z) continue;
        ft_complex c = my_space[z - first_z][3 * j % FT_NY][j % FT_NX];
        sum.re += c.re / FT_POINTS;
        sum.im += c.im / FT_POINTS;
    }
    part[MYTHREAD] = sum;
    upc_barrier; /* also: nobody puts new rows into planes that are still transformed */
    if (MYTHREAD == 0)
        for (int t = 1; t < THREADS; t++) {
            ft_complex theirs = part[t];
            sum.re += theirs.re;
            sum.im += theirs.im;
        }
    return sum;
}

int main(void) {
    nas_need_threads(THREADS <= FT_NZ && THREADS <= FT_NY, "more than there are planes");
    first_y = (int)nas_first(FT_NY, MYTHREAD, THREADS);
    end_y = (int)nas_first(FT_NY, MYTHREAD + 1, THREADS);
    first_z = (int)nas_first(FT_NZ, MYTHREAD, THREADS);
    end_z = (int)nas_first(FT_NZ, MYTHREAD + 1, THREADS);
    space[MYTHREAD] = upc_alloc((end_z - first_z) * sizeof *my_space);
    my_space = (ft_complex(*)[FT_NY][FT_NX])space[MYTHREAD];
    coefficients = nas_allocate(end_y - first_y, sizeof *coefficients);
    plane = nas_allocate(FT_NZ, sizeof *plane);
    ft_prepare();
    start(); /* not timed: touches all memory */

    upc_barrier;
    double begin = nas_seconds();
    ft_complex checksums[FT_ITERATIONS];
    ft_prepare();
    start();
    for (int i = 0; i < FT_ITERATIONS; i++) {
        advance();
        checksums[i] = checksum();
    }
    double seconds = nas_seconds() - begin;

    if (MYTHREAD == 0) {
        int status = ft_finish("bulk UPC", checksums, seconds);
        if (status != 0) upc_global_exit(status);
    }
    return 0;
}
