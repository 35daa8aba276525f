/* MG in UPC, bulk form: each thread works on its planes of every grid through plain C pointers. After each operator,
 * neighbours get copies of the outermost planes by upc_memput. Grids with fewer planes than threads exist on every
 * thread, and each computes all of them: that is quicker than to send them around. mg.h describes the problem.
 *
 *     fathom run -n 2 -O3 -DCLASS=S examples/nas/mg_bulk.upc
 */
#include "mg.h"
#include <string.h>

enum { U, R, KINDS }; /* solution, residual */

static struct mg_grid grid[KINDS][MG_LEVELS + 1], v;                /* v: the right side */
shared [] double *shared everywhere[KINDS][MG_LEVELS + 1][THREADS]; /* the grids' data of all threads */
static int divided; /* grids of this level and above are divided among the threads */

/* The planes before those of thread t. */
static int planes_before(int level, int t) {
    if (level < divided) return 0;
    return (int)nas_first(1 << divided, t, THREADS) << (level - divided);
}

static int planes_of(int level, int t) {
    if (level < divided) return 1 << level;
    return planes_before(level, t + 1) - planes_before(level, t);
}

static void allocate(int kind, int level) {
    int n = 1 << level, planes = planes_of(level, MYTHREAD);
    size_t bytes = (planes + 2) * mg_plane_points(n) * sizeof(double);
    everywhere[kind][level][MYTHREAD] = upc_alloc(bytes);
    double *data = (double *)everywhere[kind][level][MYTHREAD];
    memset(data, 0, bytes);
    grid[kind][level] = (struct mg_grid){n, planes_before(level, MYTHREAD), planes, data};
}

/* Brings the outermost planes to the neighbours. These have read their copies of the last time, and do not write into
 * them any more: between an operator that uses copies of a grid and the next exchange of that grid there is always a
 * barrier, of another grid's exchange. */
static void exchange(int kind, int level) {
    const struct mg_grid *g = &grid[kind][level];
    size_t points = mg_plane_points(g->n), bytes = points * sizeof(double);
    double *lowest = mg_plane(g, g->first + 1), *highest = mg_plane(g, g->first + g->planes);
    if (level < divided) {
        memcpy(mg_plane(g, 0), highest, bytes);
        memcpy(mg_plane(g, g->n + 1), lowest, bytes);
        return;
    }
    int below = (MYTHREAD + THREADS - 1) % THREADS, above = (MYTHREAD + 1) % THREADS;
    upc_memput(everywhere[kind][level][below] + (planes_of(level, below) + 1) * points, lowest, bytes);
    upc_memput(everywhere[kind][level][above], highest, bytes);
    upc_barrier;
}

static void clear(int level) {
    const struct mg_grid *g = &grid[U][level];
    memset(g->data, 0, (g->planes + 2) * mg_plane_points(g->n) * sizeof(double));
}

static void residual(int level, const struct mg_grid *right_side) {
    const struct mg_grid *r = &grid[R][level];
    for (int z = r->first + 1; z <= r->first + r->planes; z++) mg_residual(r, &grid[U][level], right_side, z);
    exchange(R, level);
}

static void smooth(int level) {
    const struct mg_grid *u = &grid[U][level];
    for (int z = u->first + 1; z <= u->first + u->planes; z++) mg_smooth(u, &grid[R][level], z);
    exchange(U, level);
}

static void coarsen(int level) {
    const struct mg_grid *fine = &grid[R][level], *coarse = &grid[R][level - 1];
    int last = (fine->first + fine->planes) / 2; /* planes whose middle is a plane of mine */
    for (int z = fine->first / 2 + 1; z <= last; z++) {
        mg_coarsen(coarse, fine, z);
        if (level != divided) continue;
        size_t points = mg_plane_points(coarse->n); /* the first grid that all have: everybody needs this plane */
        for (int t = 0; t < THREADS; t++)
            if (t != MYTHREAD)
                upc_memput(everywhere[R][level - 1][t] + z * points, mg_plane(coarse, z), points * sizeof(double));
    }
    if (level == divided) upc_barrier;
    exchange(R, level - 1);
}

/* Also the planes beside my own, so that nothing has to be exchanged. */
static void refine(int level) {
    const struct mg_grid *fine = &grid[U][level];
    for (int z = fine->first; z <= fine->first + fine->planes + 1; z++) mg_refine(fine, &grid[U][level - 1], z);
}

/* The residual goes down to the coarsest grid; corrections of the solution come up. */
static void cycle(void) {
    clear(1); /* before a barrier: neighbours bring planes to it in smooth(1) */
    for (int k = MG_LEVELS; k > 1; k--) coarsen(k);
    smooth(1);
    for (int k = 2; k < MG_LEVELS; k++) {
        clear(k);
        refine(k);
        residual(k, &grid[R][k]);
        smooth(k);
    }
    refine(MG_LEVELS);
    residual(MG_LEVELS, &v);
    smooth(MG_LEVELS);
}

/* From a solution of 0; this thread's part of the sum of the squares of the residual. */
static double solve(int cycles) {
    clear(MG_LEVELS);
    residual(MG_LEVELS, &v);
    for (int i = 0; i < cycles; i++) {
        cycle();
        residual(MG_LEVELS, &v);
    }
    const struct mg_grid *r = &grid[R][MG_LEVELS];
    double squares = 0;
    for (int z = r->first + 1; z <= r->first + r->planes; z++) squares += mg_squares(r, z);
    return squares;
}

shared double part[THREADS];

int main(void) {
    nas_need_threads(THREADS <= MG_N, "more than the finest grid has planes");
    for (divided = 1; 1 << divided < THREADS; divided++);
    for (int k = 1; k <= MG_LEVELS; k++) {
        allocate(U, k);
        allocate(R, k);
    }
    v = grid[U][MG_LEVELS];
    v.data = nas_allocate((v.planes + 2) * mg_plane_points(MG_N), sizeof(double));
    struct mg_charge charges[2 * MG_CHARGES];
    mg_find_charges(charges);
    for (int i = 0; i < 2 * MG_CHARGES; i++)
        if (charges[i].z > v.first && charges[i].z <= v.first + v.planes)
            mg_plane(&v, charges[i].z)[charges[i].y * (MG_N + 2) + charges[i].x] = charges[i].value;
    upc_barrier; /* all grids are there */
    solve(1);    /* not timed: touches all memory */

    upc_barrier;
    double start = nas_seconds();
    part[MYTHREAD] = solve(MG_CYCLES);
    upc_barrier;
    double seconds = nas_seconds() - start;

    if (MYTHREAD == 0) {
        double squares = 0;
        for (int t = 0; t < THREADS; t++) squares += part[t];
        int status = mg_finish("bulk UPC", squares, seconds);
        if (status != 0) upc_global_exit(status);
    }
    return 0;
}
