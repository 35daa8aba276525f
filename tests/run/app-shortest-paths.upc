// threads: 1 2 3 4 7
/* All shortest paths (Floyd and Warshall): rows dealt out in turn, the pivot row fetched by everybody in each step. */
#include "check.h"

#define EACH 7
#define NODES (EACH * THREADS)
#define MOST (EACH * 16) /* enough for 16 threads: rows have a fixed length */
#define FAR 1000000

shared [MOST] int distance[EACH * THREADS][MOST];

static int edge(int i, int j) { return i == j ? 0 : (i * 13 + j * 7) % 11 < 3 ? 1 + (i * 5 + j * 3) % 17 : FAR; }

int main(void) {
    int i, j, k, pivot[MOST];
    CHECK(NODES <= MOST);
    upc_forall (i = 0; i < NODES; i++; &distance[i][0])
        for (j = 0; j < NODES; j++) distance[i][j] = edge(i, j);
    upc_barrier;

    for (k = 0; k < NODES; k++) {
        upc_memget(pivot, distance[k], NODES * sizeof(int));
        upc_forall (i = 0; i < NODES; i++; &distance[i][0]) {
            int through = distance[i][k];
            for (j = 0; j < NODES; j++)
                if (through + pivot[j] < distance[i][j]) distance[i][j] = through + pivot[j];
        }
        upc_barrier;
    }

    /* Shortest paths satisfy the triangle inequality on every edge, and each is made of some last edge. */
    for (i = MYTHREAD; i < NODES; i += THREADS)
        for (j = 0; j < NODES; j++) {
            int attained = i == j || distance[i][j] >= FAR;
            for (k = 0; k < NODES; k++) {
                CHECK(distance[i][j] <= distance[i][k] + edge(k, j));
                if (k != j && distance[i][k] + edge(k, j) == distance[i][j]) attained = 1;
            }
            CHECK(attained);
            if (i == j) CHECK_EQ(0, distance[i][j]);
        }
    return 0;
}
