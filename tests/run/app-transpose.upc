// threads: 1 2 3 4 8
/* Transposing a square matrix: element by element between layouts, and by blocks, each thread fetching from all. */
#include "check.h"

#define B 5 /* blocks are B x B; the matrix has THREADS x THREADS of them */
#define ORDER (B * THREADS)

typedef struct { int cell[B][B]; } block;
typedef shared [] block *row_of_blocks;

shared int cyclic[B * B * THREADS]; /* B rows of the matrix, element by element */
shared [B] int columns[B * THREADS][B];
shared row_of_blocks from[THREADS], to[THREADS];

static int value(int i, int j) { return i * 1000 + j; }

int main(void) {
    int i, j;
    /* A panel of B rows, ORDER columns, into one of ORDER rows, B columns. */
    upc_forall (i = 0; i < ORDER * B; i++; &cyclic[i]) cyclic[i] = value(i / ORDER, i % ORDER);
    upc_barrier;
    upc_forall (i = 0; i < ORDER; i++; &columns[i][0])
        for (j = 0; j < B; j++) columns[i][j] = cyclic[j * ORDER + i];
    upc_barrier;
    for (i = 0; i < ORDER; i++)
        for (j = 0; j < B; j++) CHECK_EQ(value(j, i), columns[i][j]);

    /* The whole matrix: thread t has the blocks of row t; block (t, u) becomes block (u, t). */
    from[MYTHREAD] = upc_alloc(THREADS * sizeof(block));
    to[MYTHREAD] = upc_alloc(THREADS * sizeof(block));
    for (int u = 0; u < THREADS; u++)
        for (i = 0; i < B; i++)
            for (j = 0; j < B; j++) from[MYTHREAD][u].cell[i][j] = value(MYTHREAD * B + i, u * B + j);
    upc_barrier;
    for (int k = 0; k < THREADS; k++) {
        int u = (MYTHREAD + k) % THREADS;
        block got, turned;
        if (k % 2) upc_memget(&got, &from[u][MYTHREAD], sizeof got);
        else got = from[u][MYTHREAD];
        for (i = 0; i < B; i++)
            for (j = 0; j < B; j++) turned.cell[j][i] = got.cell[i][j];
        to[MYTHREAD][u] = turned;
    }
    upc_barrier;
    for (i = 0; i < ORDER; i++)
        for (j = 0; j < ORDER; j++) CHECK_EQ(value(j, i), to[i / B][j / B].cell[i % B][j % B]);
    upc_barrier;
    upc_free(from[MYTHREAD]);
    upc_free(to[MYTHREAD]);
    return 0;
}
