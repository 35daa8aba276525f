/* MG, "multigrid": solves Poisson's equation in a periodic cube by V-cycles through grids of n^3 points, n = 2, 4, 8
 * and so on.
 *
 * Every operator reads a point and its 26 neighbours, and gives neighbours that are equally far the same weight. A
 * grid is a stack of planes; each plane has a rim of one point that repeats the opposite side, and each thread has the
 * plane below and the plane above its own, too. A grid is refined or coarsened by 2: point i of a coarse grid is point
 * 2 i of the fine one.
 */
#include "nas.h"

#if NAS_CLASS == NAS_CLASS_S
#define MG_LEVELS 5
#define MG_NORM 0.5307707005734e-04
#elif NAS_CLASS == NAS_CLASS_W
#define MG_LEVELS 7
#define MG_NORM 0.6467329375339e-05
#else
#define MG_LEVELS 8
#define MG_NORM 0.2433365309069e-05
#endif
#define MG_N (1 << MG_LEVELS) /* of the finest grid; level k has 2^k points along each edge */
#define MG_CYCLES 4
#define MG_CHARGES 10 /* of each sign */

/* The weights by distance: 0 is the point itself, 1 a neighbour along an axis, 2 along the diagonal of a plane, 3
 * along that of a cube. */
#define MG_A0 (-8.0 / 3) /* the equation's operator A; the weight of neighbours along an axis is 0 */
#define MG_A2 (1.0 / 6)
#define MG_A3 (1.0 / 12)
#define MG_S0 (-3.0 / 8) /* the smoother; the weight of the cube's corners is 0 */
#define MG_S1 (1.0 / 32)
#define MG_S2 (-1.0 / 64)

/* The planes that a thread has of a grid. */
struct mg_grid {
    int n, first, planes; /* planes first + 1 to first + planes of 1 to n, and one more on either side */
    double *data;
};

static inline size_t mg_plane_points(int n) { return (size_t)(n + 2) * (n + 2); }

/* Plane z, from first to first + planes + 1. */
static inline double *mg_plane(const struct mg_grid *g, int z) {
    return g->data + (size_t)(z - g->first) * mg_plane_points(g->n);
}

/* Makes a plane's rim repeat the opposite side. */
static inline void mg_wrap(double *plane, int n) {
    int width = n + 2;
    for (int y = 1; y <= n; y++) {
        plane[y * width] = plane[y * width + n];
        plane[y * width + n + 1] = plane[y * width + 1];
    }
    for (int x = 0; x < width; x++) {
        plane[x] = plane[n * width + x];
        plane[(n + 1) * width + x] = plane[width + x];
    }
}

/* For a row of `width` points that begins at `here`: the sums over the 4 rows beside it, and over the 4 rows diagonal
 * to it. */
static inline void mg_sum_rows(double *restrict beside, double *restrict diagonal, const double *below,
                               const double *here, const double *above, int width) {
    for (int x = 0; x < width; x++) {
        beside[x] = here[x - width] + here[x + width] + below[x] + above[x];
        diagonal[x] = below[x - width] + below[x + width] + above[x - width] + above[x + width];
    }
}

/* Plane z of r = v - A u. The grids r and v may be the same. */
static inline void mg_residual(const struct mg_grid *r, const struct mg_grid *u, const struct mg_grid *v, int z) {
    int n = u->n, width = n + 2;
    double beside[MG_N + 2], diagonal[MG_N + 2], product[MG_N + 2];
    for (int y = 1; y <= n; y++) {
        const double *here = mg_plane(u, z) + y * width, *from = mg_plane(v, z) + y * width;
        double *to = mg_plane(r, z) + y * width;
        mg_sum_rows(beside, diagonal, mg_plane(u, z - 1) + y * width, here, mg_plane(u, z + 1) + y * width, width);
        for (int x = 1; x <= n; x++)
            product[x] = MG_A0 * here[x] + MG_A2 * (diagonal[x] + beside[x - 1] + beside[x + 1]) +
                         MG_A3 * (diagonal[x - 1] + diagonal[x + 1]);
        for (int x = 1; x <= n; x++) to[x] = from[x] - product[x];
    }
    mg_wrap(mg_plane(r, z), n);
}

/* Plane z of u = u + S r. */
static inline void mg_smooth(const struct mg_grid *u, const struct mg_grid *r, int z) {
    int n = u->n, width = n + 2;
    double beside[MG_N + 2], diagonal[MG_N + 2];
    for (int y = 1; y <= n; y++) {
        const double *here = mg_plane(r, z) + y * width;
        double *restrict to = mg_plane(u, z) + y * width;
        mg_sum_rows(beside, diagonal, mg_plane(r, z - 1) + y * width, here, mg_plane(r, z + 1) + y * width, width);
        for (int x = 1; x <= n; x++)
            to[x] += MG_S0 * here[x] + MG_S1 * (here[x - 1] + here[x + 1] + beside[x]) +
                     MG_S2 * (diagonal[x] + beside[x - 1] + beside[x + 1]);
    }
    mg_wrap(mg_plane(u, z), n);
}

/* Plane z of the coarse grid: means of the fine one. */
static inline void mg_coarsen(const struct mg_grid *coarse, const struct mg_grid *fine, int z) {
    int n = coarse->n, width = fine->n + 2;
    double beside[MG_N + 2], diagonal[MG_N + 2];
    for (int y = 1; y <= n; y++) {
        const double *here = mg_plane(fine, 2 * z) + 2 * y * width;
        double *restrict to = mg_plane(coarse, z) + y * (n + 2);
        mg_sum_rows(beside, diagonal, mg_plane(fine, 2 * z - 1) + 2 * y * width, here,
                    mg_plane(fine, 2 * z + 1) + 2 * y * width, width);
        for (int x = 1; x <= n; x++) {
            int c = 2 * x;
            to[x] = 0.5 * here[c] + 0.25 * (here[c - 1] + here[c + 1] + beside[c]) +
                    0.125 * (diagonal[c] + beside[c - 1] + beside[c + 1]) +
                    0.0625 * (diagonal[c - 1] + diagonal[c + 1]);
        }
    }
    mg_wrap(mg_plane(coarse, z), n);
}

/* Adds the interpolated coarse grid to plane z of the fine one, the rim included; z may be a plane beside the thread's
 * own. */
static inline void mg_refine(const struct mg_grid *fine, const struct mg_grid *coarse, int z) {
    int n = coarse->n, width = n + 2;
    const double *lower = mg_plane(coarse, z / 2), *upper = mg_plane(coarse, (z + 1) / 2); /* the same if z is even */
    double mean[MG_N / 2 + 2];
    for (int y = 0; y <= fine->n + 1; y++) {
        int south = y / 2 * width, north = (y + 1) / 2 * width;
        double *restrict to = mg_plane(fine, z) + (size_t)y * (fine->n + 2);
        for (int x = 0; x < width; x++)
            mean[x] = 0.25 * (lower[south + x] + lower[north + x] + upper[south + x] + upper[north + x]);
        for (int x = 0; x <= n; x++) {
            to[2 * x] += mean[x];
            to[2 * x + 1] += 0.5 * (mean[x] + mean[x + 1]);
        }
    }
}

/* The sum of the squares of plane z. */
static inline double mg_squares(const struct mg_grid *g, int z) {
    int width = g->n + 2;
    const double *plane = mg_plane(g, z);
    double sum = 0;
    for (int y = 1; y <= g->n; y++)
        for (int x = 1; x <= g->n; x++) sum += plane[y * width + x] * plane[y * width + x];
    return sum;
}

struct mg_charge {
    int x, y, z;
    double value, random;
};

/* Where the right side of the equation is not 0: 1 at the points with the largest of n^3 random numbers, -1 at those
 * with the smallest. */
static inline void mg_find_charges(struct mg_charge charges[2 * MG_CHARGES]) {
    uint64_t seed = UINT64_C(314159265);
    struct mg_charge *largest = charges, *smallest = charges + MG_CHARGES; /* both in order, the last to go first */
    for (int i = 0; i < MG_CHARGES; i++) {
        largest[i] = (struct mg_charge){0, 0, 0, 1, -1};
        smallest[i] = (struct mg_charge){0, 0, 0, -1, 2};
    }
    for (int z = 1; z <= MG_N; z++)
        for (int y = 1; y <= MG_N; y++)
            for (int x = 1; x <= MG_N; x++) {
                double random = nas_random(&seed);
                int i = 0;
                if (random > largest[0].random) {
                    for (; i + 1 < MG_CHARGES && random > largest[i + 1].random; i++) largest[i] = largest[i + 1];
                    largest[i] = (struct mg_charge){x, y, z, 1, random};
                } else if (random < smallest[0].random) {
                    for (; i + 1 < MG_CHARGES && random < smallest[i + 1].random; i++) smallest[i] = smallest[i + 1];
                    smallest[i] = (struct mg_charge){x, y, z, -1, random};
                }
            }
}

static inline int mg_finish(const char *form, double squares, double seconds) {
    double points = (double)MG_N * MG_N * MG_N;
    int right = nas_check("norm of the residual", sqrt(squares / points), MG_NORM, 1e-8);
    return nas_report("MG", form, seconds, 58.0 * MG_CYCLES * points, right);
}
