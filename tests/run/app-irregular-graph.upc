// threads: 1 2 3 4 8
/* A bipartite graph as in EM3D: E nodes take their values from H nodes and the other way round, through pointers to
 * shared memory kept in private arrays; most edges stay at home, some cross. Checked against the same graph in private
 * memory. */
#include "check.h"

#define NODES 40 /* of each kind, on each thread */
#define DEGREE 5
#define STEPS 6

typedef struct {
    long value;
    int weight[DEGREE];
} graph_node;

shared [NODES] graph_node e[NODES * THREADS], h[NODES * THREADS];

/* Neighbour k of node i; the same for both kinds. */
static int neighbour(int i, int k) {
    unsigned x = (unsigned)i * 2654435761u + (unsigned)k * 40503u;
    int home = i / NODES;
    if (x % 10 < 8) return home * NODES + (int)(x >> 8) % NODES;
    return (int)((x >> 4) % (unsigned)(NODES * THREADS));
}

static void step_shared(shared [NODES] graph_node *to, shared [] long **edge) {
    int i;
    upc_forall (i = 0; i < NODES * THREADS; i++; &to[i]) {
        int mine = i % NODES;
        for (int k = 0; k < DEGREE; k++) to[i].value -= to[i].weight[k] * *edge[mine * DEGREE + k] % 1000;
    }
    upc_barrier;
}

static void step_private(long *to, const long *from) {
    for (int i = 0; i < NODES * THREADS; i++)
        for (int k = 0; k < DEGREE; k++) to[i] -= (i + k) % 7 * from[neighbour(i, k)] % 1000;
}

int main(void) {
    shared [] long **to_h = malloc(NODES * DEGREE * sizeof *to_h), **to_e = malloc(NODES * DEGREE * sizeof *to_e);
    long *pe = malloc(NODES * THREADS * sizeof *pe), *ph = malloc(NODES * THREADS * sizeof *ph);
    int i;
    upc_forall (i = 0; i < NODES * THREADS; i++; &e[i]) {
        e[i].value = i;
        h[i].value = 3 * i + 1;
        for (int k = 0; k < DEGREE; k++) {
            e[i].weight[k] = h[i].weight[k] = (i + k) % 7;
            to_h[i % NODES * DEGREE + k] = &h[neighbour(i, k)].value;
            to_e[i % NODES * DEGREE + k] = &e[neighbour(i, k)].value;
        }
    }
    for (i = 0; i < NODES * THREADS; i++) {
        pe[i] = i;
        ph[i] = 3 * i + 1;
    }
    upc_barrier;

    for (int s = 0; s < STEPS; s++) {
        step_shared(e, to_h);
        step_private(pe, ph);
        step_shared(h, to_e);
        step_private(ph, pe);
    }
    for (i = 0; i < NODES * THREADS; i++) {
        CHECK_EQ(pe[i], e[i].value);
        CHECK_EQ(ph[i], h[i].value);
    }
    free(to_h);
    free(to_e);
    free(pe);
    free(ph);
    return 0;
}
