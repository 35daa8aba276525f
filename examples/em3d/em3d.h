/* EM3D, what em3d.sc and em3d.upc share, in plain C: the graph, the computation on local data, and the serial program
 * whose result they must have.
 *
 * E nodes and H nodes stand for the electric and the magnetic field on an irregular grid. An edge leads from a node to
 * a neighbour of the other kind and has a weight. In a half step every E node becomes the weighted sum of its
 * neighbours' values; in the other half step every H node does. The graph is synthetic: each processor has `nodes`
 * nodes of each kind, each node has `degree` edges, and about `percent` of 100 edges lead to another processor: any, or one
 * of `others` whose numbers are nearest. (In Olden's EM3D, which comes from the first Split-C program, they lead to two. The
 * fewer there are, the more edges of a processor lead to one and the same node.) An edge is a function of the seed and of its place: every processor can compute any part of the graph without communication.
 */
#ifndef EM3D_H
#define EM3D_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { E, H }; /* the kinds of nodes; of one kind, the other is 1 - kind */

struct settings {
    const char *version;
    int nodes, degree, percent, steps, seed, others;
};

/* [VERSION [NODES [DEGREE [PERCENT [STEPS [SEED [OTHERS]]]]]]]; false if they make no sense. */
static inline int read_settings(struct settings *s, int argc, char **argv) {
    *s = (struct settings){"all", 500, 20, 20, 100, 1, 0};
    int *numbers[] = {&s->nodes, &s->degree, &s->percent, &s->steps, &s->seed, &s->others};
    if (argc > 1) s->version = argv[1];
    for (int i = 2; i < argc; i++) {
        char *end;
        if (i > 7) return 0;
        *numbers[i - 2] = (int)strtol(argv[i], &end, 10);
        if (*end) return 0;
    }
    return s->nodes > 0 && s->degree > 0 && s->percent >= 0 && s->percent <= 100 && s->steps > 0 && s->others >= 0;
}

/* VERSION is one version, several with commas between them, or all. */
static inline int is_wanted(const struct settings *s, const char *version) {
    size_t length = strlen(version);
    for (const char *v = s->version; v; v = strchr(v, ',')) {
        v += *v == ',';
        if (!strncmp(v, version, length) && (v[length] == ',' || !v[length])) return 1;
    }
    return !strcmp(s->version, "all");
}

static inline void *room(size_t count, size_t bytes) {
    void *p = malloc(count * bytes + 1);
    if (!p) {
        fprintf(stderr, "no memory for %zu objects of %zu bytes\n", count, bytes);
        exit(1);
    }
    return p;
}

/* ---- the graph --------------------------------------------------------------------------------------------------- */

/* A random number that is a function of `at` (the finalizer of SplitMix64). */
static inline uint64_t scramble(uint64_t at) {
    at += 0x9e3779b97f4a7c15;
    at = (at ^ at >> 30) * 0xbf58476d1ce4e5b9;
    at = (at ^ at >> 27) * 0x94d049bb133111eb;
    return at ^ at >> 31;
}
static inline double fraction(uint64_t random) { return (double)(random >> 11) * 0x1p-53; }

static inline uint64_t random_of(const struct settings *s, int kind, int proc, int node) {
    return scramble(scramble(scramble((uint64_t)s->seed * 2 + kind) + proc) + node);
}
/* A node's value at the start. */
static inline double first_value(const struct settings *s, int kind, int proc, int node) {
    return fraction(random_of(s, kind, proc, node));
}

struct edge {
    int proc, node; /* the neighbour */
    double weight;
};

/* Edge k of a node. The weights' mean square is 1 / degree: values neither grow nor vanish in thousands of steps. */
static inline struct edge edge_of(const struct settings *s, int procs, int kind, int proc, int node, int k) {
    uint64_t where = scramble(random_of(s, kind, proc, node) + 1 + k), whom = scramble(where);
    struct edge e = {proc, (int)(whom % s->nodes), (2 * fraction(scramble(whom)) - 1) * sqrt(3.0 / s->degree)};
    if (procs > 1 && (int)(where % 100) < s->percent) {
        int others = s->others > 0 && s->others < procs ? s->others : procs - 1, which = (int)((where >> 32) % others);
        int away = s->others > 0 ? (which % 2 ? procs - 1 - which / 2 : which / 2 + 1) : which + 1;
        e.proc = (proc + away) % procs;
    }
    return e;
}

/* ---- a processor's part of it ------------------------------------------------------------------------------------ */

/* The nodes of one kind on a processor, their edges, and its ghosts: copies of the other processors' nodes of this kind
 * to which it has edges, each once however many edges there are. */
struct part {
    double *value;   /* of the nodes, then of the ghosts; the programs allocate it */
    double *weight;  /* of the edges, node by node */
    int *neighbour;  /* of the edges: an index in the `value` of the other kind */
    int *ghost_node; /* of the ghosts: the original's number on its processor */
    int *first;      /* the originals of ghosts first[p] to first[p + 1] - 1 are on processor p, in order of numbers */
    int ghosts;
};

static inline int by_number(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The edges of `mine`, and the ghosts of `other`, the part of the other kind. Node n of processor p has the number
 * p * nodes + n here. Time and memory depend on the edges and not on the number of nodes that there are: of thousands
 * of processors each has few of the others' nodes. */
static inline void make_edges(struct part *mine, struct part *other, const struct settings *s, int procs, int me,
                              int kind) {
    int edges = s->nodes * s->degree, remote = 0, ghosts = 0;
    int *found = room(edges, sizeof *found); /* other processors' nodes to which edges lead */
    mine->weight = room(edges, sizeof *mine->weight);
    mine->neighbour = room(edges, sizeof *mine->neighbour);
    for (int i = 0; i < edges; i++) {
        struct edge e = edge_of(s, procs, kind, me, i / s->degree, i % s->degree);
        mine->weight[i] = e.weight;
        mine->neighbour[i] = e.proc * s->nodes + e.node;
        if (e.proc != me) found[remote++] = mine->neighbour[i];
    }
    qsort(found, remote, sizeof *found, by_number);
    for (int i = 0; i < remote; i++)
        if (i == 0 || found[i] != found[i - 1]) found[ghosts++] = found[i];

    other->ghost_node = room(ghosts, sizeof *other->ghost_node);
    other->first = room(procs + 1, sizeof *other->first);
    other->ghosts = ghosts;
    for (int p = 0, g = 0; p <= procs; p++) {
        other->first[p] = g;
        for (; g < ghosts && found[g] / s->nodes == p; g++) other->ghost_node[g] = found[g] % s->nodes;
    }
    for (int i = 0; i < edges; i++) {
        int *n = &mine->neighbour[i];
        if (*n / s->nodes == me)
            *n %= s->nodes;
        else
            *n = s->nodes + (int)((int *)bsearch(n, found, ghosts, sizeof *found, by_number) - found);
    }
    free(found);
}
/* The ghosts in the order in which processor `me` fills them: the next processor's come first, and so on round, so that
 * not all processors ask the same one. */
static inline int nth_ghost(const struct part *part, int i, int me) {
    int g = part->first[me] + i;
    return g < part->ghosts ? g : g - part->ghosts;
}
static inline void make_parts(struct part part[2], const struct settings *s, int procs, int me) {
    make_edges(&part[E], &part[H], s, procs, me, E);
    make_edges(&part[H], &part[E], s, procs, me, H);
}

/* ---- the computation --------------------------------------------------------------------------------------------- */

/* The values of `mine` from those of `other`, its ghosts included. */
static inline void compute(const struct part *mine, const struct part *other, const struct settings *s) {
    const double *w = mine->weight, *from = other->value;
    const int *n = mine->neighbour;
    for (int i = 0; i < s->nodes; i++, w += s->degree, n += s->degree) {
        double sum = 0;
        for (int k = 0; k < s->degree; k++) sum += w[k] * from[n[k]];
        mine->value[i] = sum;
    }
}

/* The same, four nodes at a time. An addition must wait for the one before it in the same sum, whose order is kept; the
 * four sums wait for their additions side by side. */
static inline void compute_unrolled(const struct part *mine, const struct part *other, const struct settings *s) {
    const double *w = mine->weight, *from = other->value;
    const int *n = mine->neighbour;
    int degree = s->degree, i = 0;
    for (; i + 4 <= s->nodes; i += 4, w += 4 * degree, n += 4 * degree) {
        double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
        for (int k = 0; k < degree; k++) {
            sum0 += w[k] * from[n[k]];
            sum1 += w[k + degree] * from[n[k + degree]];
            sum2 += w[k + 2 * degree] * from[n[k + 2 * degree]];
            sum3 += w[k + 3 * degree] * from[n[k + 3 * degree]];
        }
        mine->value[i] = sum0;
        mine->value[i + 1] = sum1;
        mine->value[i + 2] = sum2;
        mine->value[i + 3] = sum3;
    }
    for (; i < s->nodes; i++, w += degree, n += degree) {
        double sum = 0;
        for (int k = 0; k < degree; k++) sum += w[k] * from[n[k]];
        mine->value[i] = sum;
    }
}

/* The values of all nodes after all steps, by a program that knows nothing of parts: node n of processor p is element
 * p * nodes + n. The sums have the order of the edges, as everywhere, so that each bit must be the same. */
static inline void serial(double *value[2], const struct settings *s, int procs) {
    for (int kind = E; kind <= H; kind++) {
        value[kind] = room((size_t)procs * s->nodes, sizeof(double));
        for (int p = 0; p < procs; p++)
            for (int n = 0; n < s->nodes; n++) value[kind][p * s->nodes + n] = first_value(s, kind, p, n);
    }
    for (int half = 0; half < 2 * s->steps; half++) {
        int kind = half % 2;
        for (int p = 0; p < procs; p++)
            for (int n = 0; n < s->nodes; n++) {
                double sum = 0;
                for (int k = 0; k < s->degree; k++) {
                    struct edge e = edge_of(s, procs, kind, p, n, k);
                    sum += e.weight * value[1 - kind][e.proc * s->nodes + e.node];
                }
                value[kind][p * s->nodes + n] = sum;
            }
    }
}

/* ---- what is said ------------------------------------------------------------------------------------------------ */

static inline void print_settings(const char *language, const struct part part[2], const struct settings *s,
                                  int procs) {
    int edges = 2 * s->nodes * s->degree, remote = 0;
    for (int kind = E; kind <= H; kind++)
        for (int i = 0; i < s->nodes * s->degree; i++) remote += part[kind].neighbour[i] >= s->nodes;
    printf("EM3D in %s: %d processors, %d E and %d H nodes on each, degree %d, seed %d, %d steps\n", language, procs,
           s->nodes, s->nodes, s->degree, s->seed, s->steps);
    printf("processor 0: %d of %d edges are remote (%.1f %%) and lead to %d nodes\n", remote, edges,
           100.0 * remote / edges, part[E].ghosts + part[H].ghosts);
}
/* A processor's time for one of its edges. */
static inline double ns_per_edge(double seconds, const struct settings *s) {
    return seconds * 1e9 / (2.0 * s->nodes * s->degree * s->steps);
}

#endif
