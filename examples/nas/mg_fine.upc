/* MG in UPC, fine-grained form: planes are shared, and every operator reads the elements it needs through pointers-to-
 * shared, on whichever thread they lie. mg.h describes the problem; its kernels on private memory are written again
 * here.
 *
 *     fathom run -n 2 -O3 -DCLASS=S examples/nas/mg_fine.upc
 */
#include "mg.h"

typedef shared [] double *plane; /* (n + 2)^2 numbers on one thread; also: a row in it */

/* Every thread has the pointers to all planes. Plane 0 is plane n, and plane n + 1 is plane 1: nothing is copied. */
static plane u[MG_LEVELS + 1][MG_N + 2], r[MG_LEVELS + 1][MG_N + 2], v[MG_N + 2];
static double beside[MG_N + 2], diagonal[MG_N + 2];

/* Planes of zeros; planes that are neighbours lie on the same thread where possible. */
static void allocate(plane *planes, int n) {
    static shared [] plane table[MG_N]; /* on thread 0, for all to fill and to read */
    for (int z = 1; z <= n; z++)
        if (z - 1 >= nas_first(n, MYTHREAD, THREADS) && z - 1 < nas_first(n, MYTHREAD + 1, THREADS)) {
            table[z - 1] = upc_alloc(mg_plane_points(n) * sizeof(double));
            upc_memset(table[z - 1], 0, mg_plane_points(n) * sizeof(double));
        }
    upc_barrier;
    for (int z = 1; z <= n; z++) planes[z] = table[z - 1];
    planes[0] = planes[n];
    planes[n + 1] = planes[1];
    upc_barrier;
}

/* Makes a plane's rim repeat the opposite side. */
static void wrap(plane p, int n) {
    int width = n + 2;
    for (int y = 1; y <= n; y++) {
        p[y * width] = p[y * width + n];
        p[y * width + n + 1] = p[y * width + 1];
    }
    for (int x = 0; x < width; x++) {
        p[x] = p[n * width + x];
        p[(n + 1) * width + x] = p[width + x];
    }
}

/* The sums over the 4 rows beside a row, and over the 4 rows diagonal to it. */
static void sum_rows(plane below, plane here, plane above, int width) {
    for (int x = 0; x < width; x++) {
        beside[x] = here[x - width] + here[x + width] + below[x] + above[x];
        diagonal[x] = below[x - width] + below[x + width] + above[x - width] + above[x + width];
    }
}

static void clear(int k) {
    upc_forall (int z = 1; z <= 1 << k; z++; u[k][z])
        for (size_t i = 0; i < mg_plane_points(1 << k); i++) u[k][z][i] = 0;
    upc_barrier;
}

/* r = from - A u */
static void residual(int k, plane *from) {
    int n = 1 << k, width = n + 2;
    upc_forall (int z = 1; z <= n; z++; r[k][z]) {
        for (int y = 1; y <= n; y++) {
            plane here = u[k][z] + y * width, right = from[z] + y * width, to = r[k][z] + y * width;
            sum_rows(u[k][z - 1] + y * width, here, u[k][z + 1] + y * width, width);
            for (int x = 1; x <= n; x++)
                to[x] = right[x] - MG_A0 * here[x] - MG_A2 * (diagonal[x] + beside[x - 1] + beside[x + 1]) -
                        MG_A3 * (diagonal[x - 1] + diagonal[x + 1]);
        }
        wrap(r[k][z], n);
    }
    upc_barrier;
}

/* u = u + S r */
static void smooth(int k) {
    int n = 1 << k, width = n + 2;
    upc_forall (int z = 1; z <= n; z++; u[k][z]) {
        for (int y = 1; y <= n; y++) {
            plane here = r[k][z] + y * width, to = u[k][z] + y * width;
            sum_rows(r[k][z - 1] + y * width, here, r[k][z + 1] + y * width, width);
            for (int x = 1; x <= n; x++)
                to[x] += MG_S0 * here[x] + MG_S1 * (here[x - 1] + here[x + 1] + beside[x]) +
                         MG_S2 * (diagonal[x] + beside[x - 1] + beside[x + 1]);
        }
        wrap(u[k][z], n);
    }
    upc_barrier;
}

/* The residual of level k - 1: means of that of level k. */
static void coarsen(int k) {
    int n = 1 << (k - 1), width = 2 * n + 2;
    upc_forall (int z = 1; z <= n; z++; r[k - 1][z]) {
        for (int y = 1; y <= n; y++) {
            plane here = r[k][2 * z] + 2 * y * width, to = r[k - 1][z] + y * (n + 2);
            sum_rows(r[k][2 * z - 1] + 2 * y * width, here, r[k][2 * z + 1] + 2 * y * width, width);
            for (int x = 1; x <= n; x++) {
                int c = 2 * x;
                to[x] = 0.5 * here[c] + 0.25 * (here[c - 1] + here[c + 1] + beside[c]) +
                        0.125 * (diagonal[c] + beside[c - 1] + beside[c + 1]) +
                        0.0625 * (diagonal[c - 1] + diagonal[c + 1]);
            }
        }
        wrap(r[k - 1][z], n);
    }
    upc_barrier;
}

/* Adds the interpolated solution of level k - 1 to that of level k. */
static void refine(int k) {
    int n = 1 << (k - 1), width = n + 2;
    static double mean[MG_N / 2 + 2];
    upc_forall (int z = 1; z <= 2 * n; z++; u[k][z]) {
        plane lower = u[k - 1][z / 2], upper = u[k - 1][(z + 1) / 2]; /* the same if z is even */
        for (int y = 0; y <= 2 * n + 1; y++) {
            int south = y / 2 * width, north = (y + 1) / 2 * width;
            plane to = u[k][z] + y * (2 * n + 2);
            for (int x = 0; x < width; x++)
                mean[x] = 0.25 * (lower[south + x] + lower[north + x] + upper[south + x] + upper[north + x]);
            for (int x = 0; x <= n; x++) {
                to[2 * x] += mean[x];
                to[2 * x + 1] += 0.5 * (mean[x] + mean[x + 1]);
            }
        }
    }
    upc_barrier;
}

/* The residual goes down to the coarsest grid; corrections of the solution come up. */
static void cycle(void) {
    for (int k = MG_LEVELS; k > 1; k--) coarsen(k);
    clear(1);
    smooth(1);
    for (int k = 2; k < MG_LEVELS; k++) {
        clear(k);
        refine(k);
        residual(k, r[k]);
        smooth(k);
    }
    refine(MG_LEVELS);
    residual(MG_LEVELS, v);
    smooth(MG_LEVELS);
}

/* From a solution of 0; this thread's part of the sum of the squares of the residual. */
static double solve(int cycles) {
    clear(MG_LEVELS);
    residual(MG_LEVELS, v);
    for (int i = 0; i < cycles; i++) {
        cycle();
        residual(MG_LEVELS, v);
    }
    double squares = 0;
    upc_forall (int z = 1; z <= MG_N; z++; r[MG_LEVELS][z])
        for (int y = 1; y <= MG_N; y++)
            for (int x = 1; x <= MG_N; x++) {
                double value = r[MG_LEVELS][z][y * (MG_N + 2) + x];
                squares += value * value;
            }
    return squares;
}

shared double part[THREADS];

int main(void) {
    nas_need_threads(THREADS <= MG_N, "more than the finest grid has planes");
    for (int k = 1; k <= MG_LEVELS; k++) {
        allocate(u[k], 1 << k);
        allocate(r[k], 1 << k);
    }
    allocate(v, MG_N);
    struct mg_charge charges[2 * MG_CHARGES];
    mg_find_charges(charges);
    for (int i = 0; i < 2 * MG_CHARGES; i++)
        if (upc_threadof(v[charges[i].z]) == (size_t)MYTHREAD)
            v[charges[i].z][charges[i].y * (MG_N + 2) + charges[i].x] = charges[i].value;
    solve(1); /* not timed: touches all memory */

    upc_barrier;
    double start = nas_seconds();
    part[MYTHREAD] = solve(MG_CYCLES);
    upc_barrier;
    double seconds = nas_seconds() - start;

    if (MYTHREAD == 0) {
        double squares = 0;
        for (int t = 0; t < THREADS; t++) squares += part[t];
        int status = mg_finish("fine-grained UPC", squares, seconds);
        if (status != 0) upc_global_exit(status);
    }
    return 0;
}
