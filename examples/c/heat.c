/* Heat in a plate: a two-dimensional halo exchange. The plate is cut into tiles, one for each thread; in every step
 * each thread puts its border into its neighbours' halos, with a signal, computes the inside of its tile meanwhile,
 * waits for the four signals, and computes the border. No barrier is needed in the loop: a neighbour can be at most
 * one step ahead, so two copies of the halo suffice.
 *
 *     cc -O2 heat.c -o heat $(pkg-config --cflags --libs fathom-smp)
 *     FATHOM_THREADS=4 ./heat [side of a tile] [steps]
 *
 * Checks itself: all the heat that was there in the beginning is there in the end, and the wave that it starts with has
 * decayed in every cell as the difference equation says.
 */
#include <fathom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WEST, EAST, NORTH, SOUTH, SIDES };

static int tiles_x, tiles_y, my_x, my_y; /* the grid of threads */
static int n;                            /* cells along a tile's side */
static double *now, *next;               /* (n + 2) x (n + 2), halo included: private */

/* What neighbours put into: for each parity of the step and each side, n cells and a counter. */
static fathom_ptr halos, counters;

static int thread_at(int x, int y) { return ((y + tiles_y) % tiles_y) * tiles_x + (x + tiles_x) % tiles_x; }
static double *cell(double *tile, int x, int y) { return &tile[(y + 1) * (n + 2) + x + 1]; }
static size_t halo_number(int step, int side) { return (size_t)(step % 2) * SIDES + (size_t)side; }
static fathom_ptr halo(int thread, int step, int side) {
    return fathom_on(thread, halos) + halo_number(step, side) * (size_t)n * sizeof(double);
}
static fathom_ptr counter(int thread, int step, int side) {
    return fathom_on(thread, counters) + halo_number(step, side) * sizeof(uint64_t);
}

/* Cell i along a side: the outermost of the tile, or, `beyond` it, the halo's. */
static double *edge_cell(int side, int i, int beyond) {
    switch (side) {
    case WEST: return cell(now, -beyond, i);
    case EAST: return cell(now, n - 1 + beyond, i);
    case NORTH: return cell(now, i, -beyond);
    default: return cell(now, i, n - 1 + beyond);
    }
}

/* Puts the cells along one side into the neighbour's halo on its opposite side. */
static void send_side(int step, int side, int neighbour) {
    double border[n];
    int opposite = side ^ 1;
    for (int i = 0; i < n; i++) border[i] = *edge_cell(side, i, 0);
    fathom_put_signal(halo(neighbour, step, opposite), border, sizeof border, counter(neighbour, step, opposite), 1);
}

static void receive_side(int step, int side) {
    fathom_wait_signal(counter(fathom_me(), step, side), (uint64_t)(step / 2 + 1));
    const double *from = fathom_address(halo(fathom_me(), step, side));
    for (int i = 0; i < n; i++) *edge_cell(side, i, 1) = from[i];
}

static void compute(int x0, int x1, int y0, int y1) {
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            *cell(next, x, y) =
                *cell(now, x, y) + 0.2 * (*cell(now, x - 1, y) + *cell(now, x + 1, y) + *cell(now, x, y - 1) +
                                          *cell(now, x, y + 1) - 4 * *cell(now, x, y));
}

static double total_heat(void) {
    double mine = 0, all;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) mine += *cell(now, x, y);
    fathom_all_reduce(fathom_world(), &all, &mine, 1, FATHOM_F64, FATHOM_ADD);
    return all;
}

int main(int argc, char **argv) {
    fathom_init(&argc, &argv);
    n = argc > 1 ? atoi(argv[1]) : 100;
    int steps = argc > 2 ? atoi(argv[2]) : 200;
    if (n < 3 || steps < 1) fathom_fatal("usage: heat [side of a tile, 3 or more] [steps]");
    for (tiles_y = 1; (tiles_y + 1) * (tiles_y + 1) <= fathom_count(); tiles_y++) {}
    while (fathom_count() % tiles_y) tiles_y--;
    tiles_x = fathom_count() / tiles_y;
    my_x = fathom_me() % tiles_x, my_y = fathom_me() / tiles_x;

    halos = fathom_alloc_all(2 * SIDES * (size_t)n * sizeof(double));
    counters = fathom_alloc_all(2 * SIDES * sizeof(uint64_t));
    now = calloc((size_t)(n + 2) * (size_t)(n + 2), sizeof *now);
    next = calloc((size_t)(n + 2) * (size_t)(n + 2), sizeof *next);
    if (!halos || !counters || !now || !next) fathom_fatal("no memory for tiles of %d x %d", n, n);
    memset(fathom_address(fathom_on(fathom_me(), counters)), 0, 2 * SIDES * sizeof(uint64_t));

    /* One wave over the whole plate, which is closed in both directions. */
    double width = (double)tiles_x * n, height = (double)tiles_y * n;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            *cell(now, x, y) =
                2 + cos(2 * M_PI * (my_x * n + x + 0.5) / width) * cos(2 * M_PI * (my_y * n + y + 0.5) / height);
    double before = total_heat();
    fathom_barrier_all(); /* all counters are 0 now */

    for (int step = 0; step < steps; step++) {
        send_side(step, WEST, thread_at(my_x - 1, my_y));
        send_side(step, EAST, thread_at(my_x + 1, my_y));
        send_side(step, NORTH, thread_at(my_x, my_y - 1));
        send_side(step, SOUTH, thread_at(my_x, my_y + 1));
        compute(1, n - 1, 1, n - 1);
        for (int side = 0; side < SIDES; side++) receive_side(step, side);
        compute(0, n, 0, 1), compute(0, n, n - 1, n);
        compute(0, 1, 1, n - 1), compute(n - 1, n, 1, n - 1);
        double *swap = now;
        now = next, next = swap;
    }

    double after = total_heat();
    if (fabs(after - before) > 1e-9 * before)
        fathom_fatal("heat has got lost: %.17g before, %.17g after", before, after);
    /* The wave has decayed as the discrete equation says, in every cell. */
    double decay = pow(1 + 0.4 * (cos(2 * M_PI / width) - 1) + 0.4 * (cos(2 * M_PI / height) - 1), steps), worst = 0,
           error = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double exact = 2 + decay * cos(2 * M_PI * (my_x * n + x + 0.5) / width) *
                                   cos(2 * M_PI * (my_y * n + y + 0.5) / height);
            error = fmax(error, fabs(*cell(now, x, y) - exact));
        }
    fathom_reduce(fathom_world(), &worst, &error, 1, FATHOM_F64, FATHOM_MAX, 0);
    if (fathom_me() == 0) {
        if (worst > 1e-9) fathom_fatal("a cell is %g away from where it should be", worst);
        printf("%d x %d tiles of %d x %d cells, %d steps: good\n", tiles_x, tiles_y, n, n, steps);
    }
    fathom_finalize();
    free(now), free(next);
    return 0;
}
