/* MG in C with OpenMP: the planes of every grid are divided among the threads. mg.h describes the problem.
 *
 *     gcc -O3 -fopenmp -DCLASS=S examples/nas/mg_omp.c -lm -o mg && OMP_NUM_THREADS=2 ./mg
 */
#include "mg.h"
#include <string.h>

static struct mg_grid u[MG_LEVELS + 1], r[MG_LEVELS + 1], v; /* solution, residual and right side */

static void allocate(struct mg_grid *g, int level) {
    int n = 1 << level;
    *g = (struct mg_grid){n, 0, n, nas_allocate((n + 2) * mg_plane_points(n), sizeof(double))};
}

/* The planes beyond the first and the last one repeat the opposite side. */
static void wrap_planes(const struct mg_grid *g) {
    size_t bytes = mg_plane_points(g->n) * sizeof(double);
    memcpy(mg_plane(g, 0), mg_plane(g, g->n), bytes);
    memcpy(mg_plane(g, g->n + 1), mg_plane(g, 1), bytes);
}

static void clear(const struct mg_grid *g) {
#pragma omp parallel for
    for (int z = 0; z <= g->n + 1; z++) memset(mg_plane(g, z), 0, mg_plane_points(g->n) * sizeof(double));
}

static void residual(int k, const struct mg_grid *right_side) {
#pragma omp parallel for
    for (int z = 1; z <= u[k].n; z++) mg_residual(&r[k], &u[k], right_side, z);
    wrap_planes(&r[k]);
}

static void smooth(int k) {
#pragma omp parallel for
    for (int z = 1; z <= u[k].n; z++) mg_smooth(&u[k], &r[k], z);
    wrap_planes(&u[k]);
}

static void coarsen(int k) {
#pragma omp parallel for
    for (int z = 1; z <= r[k - 1].n; z++) mg_coarsen(&r[k - 1], &r[k], z);
    wrap_planes(&r[k - 1]);
}

static void refine(int k) {
#pragma omp parallel for
    for (int z = 0; z <= u[k].n + 1; z++) mg_refine(&u[k], &u[k - 1], z);
}

/* The residual goes down to the coarsest grid; corrections of the solution come up. */
static void cycle(void) {
    for (int k = MG_LEVELS; k > 1; k--) coarsen(k);
    clear(&u[1]);
    smooth(1);
    for (int k = 2; k < MG_LEVELS; k++) {
        clear(&u[k]);
        refine(k);
        residual(k, &r[k]);
        smooth(k);
    }
    refine(MG_LEVELS);
    residual(MG_LEVELS, &v);
    smooth(MG_LEVELS);
}

/* From a solution of 0; the sum of the squares of the residual. */
static double solve(int cycles) {
    clear(&u[MG_LEVELS]);
    residual(MG_LEVELS, &v);
    for (int i = 0; i < cycles; i++) {
        cycle();
        residual(MG_LEVELS, &v);
    }
    double squares = 0;
#pragma omp parallel for reduction(+ : squares)
    for (int z = 1; z <= MG_N; z++) squares += mg_squares(&r[MG_LEVELS], z);
    return squares;
}

int main(void) {
    for (int k = 1; k <= MG_LEVELS; k++) {
        allocate(&u[k], k);
        allocate(&r[k], k);
    }
    allocate(&v, MG_LEVELS);
    struct mg_charge charges[2 * MG_CHARGES];
    mg_find_charges(charges);
    for (int i = 0; i < 2 * MG_CHARGES; i++)
        mg_plane(&v, charges[i].z)[charges[i].y * (MG_N + 2) + charges[i].x] = charges[i].value;
    solve(1); /* not timed: touches all memory */

    double start = nas_seconds();
    double squares = solve(MG_CYCLES);
    return mg_finish("OpenMP", squares, nas_seconds() - start);
}
