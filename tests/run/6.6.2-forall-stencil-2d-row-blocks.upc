// threads: 1 2 3 4 7 8
/* 6.6.2 over matrices: heat steps over blocks of rows, cyclic rows and blocks that cut rows; affinity by row, by element,
 * by index; interior rows local, edge rows remote; two grids exchanged through pointers. The model is serial. */
#include "check.h"
#include "layout.h"

#define R 6
#define C 10
shared [R * C] double u[R * THREADS][C], v[R * THREADS][C];
shared [C] double cu[R * THREADS][C], cv[R * THREADS][C];
shared [7] double xu[R * THREADS][C], xv[R * THREADS][C];
shared [*] double su[R * THREADS][C], sv[R * THREADS][C];

static double um[R * MAX_THREADS][C], vm[R * MAX_THREADS][C];
static double start(int i, int j) { return (i * 7 + j * 3) % 64; }

static void model_step(int rows) {
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < C - 1; j++) vm[i][j] = um[i - 1][j] + um[i + 1][j] + um[i][j - 1] + um[i][j + 1] - 4 * um[i][j];
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < C - 1; j++) um[i][j] = vm[i][j] / 4;
}

#define STEP(U, V, AFFINITY1, AFFINITY2)                                                                      \
    do {                                                                                                      \
        int i, j;                                                                                             \
        upc_forall (i = 1; i < rows - 1; i++; AFFINITY1)                                                      \
            for (j = 1; j < C - 1; j++)                                                                       \
                V[i][j] = U[i - 1][j] + U[i + 1][j] + U[i][j - 1] + U[i][j + 1] - 4 * U[i][j];                \
        upc_barrier;                                                                                          \
        for (i = 1; i < rows - 1; i++)                                                                        \
            upc_forall (j = 1; j < C - 1; j++; AFFINITY2) U[i][j] = V[i][j] / 4;                              \
        upc_barrier;                                                                                          \
        CHECK_EQ(C - 1, j);                                                                                   \
    } while (0)

#define RUN(U, V, A1, A2)                                                                                     \
    do {                                                                                                      \
        for (int i = 0; i < rows; i++)                                                                        \
            for (int j = 0; j < C; j++) um[i][j] = start(i, j), vm[i][j] = 0;                                 \
        upc_forall (int i = 0; i < rows; i++; &U[i][0])                                                       \
            for (int j = 0; j < C; j++) U[i][j] = start(i, j);                                                \
        upc_barrier;                                                                                          \
        for (int t = 0; t < 4; t++) {                                                                         \
            STEP(U, V, A1, A2);                                                                               \
            model_step(rows);                                                                                 \
        }                                                                                                     \
        for (int i = 0; i < rows; i++)                                                                        \
            for (int j = 0; j < C; j++) CHECK(U[i][j] == um[i][j] && V[i][j] == vm[i][j]);                    \
        upc_barrier;                                                                                          \
    } while (0)

int main(void) {
    int rows = R * THREADS;
    RUN(u, v, &v[i][0], &u[i][j]);
    RUN(u, v, &u[i][C - 1], j);
    RUN(u, v, i, &u[i][0]);
    RUN(u, v, &v[i], &u[i][j]);
    RUN(u, v, v[i], &v[i][j + 1]);
    RUN(cu, cv, &cv[i][0], &cu[i][j]);
    RUN(cu, cv, i, &cu[i][j]);
    RUN(xu, xv, &xv[i][0], &xu[i][j]);
    RUN(xu, xv, &xv[i][3], &xu[i][j]);
    RUN(su, sv, &sv[i][0], &su[i][j]);
    RUN(su, sv, &sv[i][1], i + j);

    /* Grids exchanged through pointers to rows. */
    shared [R * C] double(*from)[C] = u, (*to)[C] = v, (*swap)[C];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < C; j++) um[i][j] = vm[i][j] = start(i, j);
    upc_forall (int i = 0; i < rows; i++; &u[i])
        for (int j = 0; j < C; j++) u[i][j] = v[i][j] = start(i, j);
    upc_barrier;
    for (int t = 0; t < 5; t++) {
        upc_forall (int i = 1; i < rows - 1; i++; &to[i][0])
            for (int j = 1; j < C - 1; j++) to[i][j] = (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]) / 4;
        upc_barrier;
        swap = from, from = to, to = swap;
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < C - 1; j++) vm[i][j] = (um[i - 1][j] + um[i + 1][j] + um[i][j - 1] + um[i][j + 1]) / 4;
        memcpy(um, vm, sizeof um);
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < C; j++) CHECK(from[i][j] == um[i][j]);
    return 0;
}
