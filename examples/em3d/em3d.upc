/* EM3D in UPC: an electromagnetic field on an irregular grid (em3d.h), in six versions, as em3d.sc has them in Split-C.
 *
 *     fathom run -n 4 -O3 examples/em3d/em3d.upc [VERSION [NODES [DEGREE [PERCENT [STEPS [SEED [OTHERS]]]]]]]
 *
 * VERSION is simple, bundle, unroll, get, put, bulk, several of them (get,put) or all: from the program that one would
 * write first to the one that communicates least often. NODES of each kind are on each thread (500), of DEGREE edges
 * (20), PERCENT of which lead to other threads (20). The versions must have the serial program's result, to the last
 * bit; each prints the time that a thread needs for one of its edges, communication and barriers included.
 */
#include <upc_relaxed.h>
#include <upc_nb.h>
#include <upc_tick.h>
#include "em3d.h"

static struct settings settings;
static struct part part[2]; /* what this thread has, of each kind */

/* Where the values of each kind begin on each thread: element [kind][t] has affinity to thread t. */
static shared [] double *shared values_on[2][THREADS];

/* The neighbours of the own nodes, edge by edge; the originals of the own ghosts. */
static shared [] double **neighbour[2], **original[2];

/* The values that one thread sends to another: those of `count` nodes, to ghosts that lie side by side. */
struct order {
    int count;
    shared [] int *nodes;
    shared [] double *ghosts;
};
/* The order of thread p at thread q is element (kind * THREADS + p) * THREADS + q, which has affinity to q. */
static shared struct order *orders;

/* The orders that other threads have given to this one, with copies of their lists of nodes. */
struct delivery {
    int count, *nodes;
    shared [] double *ghosts;
    double *buffer;
};
static struct delivery *delivery[2];

/* ---- the versions: each is a half step, the update of one kind of nodes from the other --------------------------- */

/* Every edge reads its neighbour, wherever that is, as often as there are edges to it. */
static void simple(int kind) {
    const double *w = part[kind].weight;
    shared [] double **from = neighbour[kind];
    int degree = settings.degree;
    for (int i = 0; i < settings.nodes; i++, w += degree, from += degree) {
        double sum = 0;
        for (int k = 0; k < degree; k++) sum += w[k] * *from[k];
        part[kind].value[i] = sum;
    }
    upc_barrier;
}

/* Each remote value is read once, into its ghost. */
static void read_ghosts(int kind) {
    double *ghost = part[kind].value + settings.nodes;
    for (int i = 0; i < part[kind].ghosts; i++) {
        int g = nth_ghost(&part[kind], i, MYTHREAD);
        ghost[g] = *original[kind][g];
    }
}
static void bundle(int kind) {
    read_ghosts(1 - kind);
    compute(&part[kind], &part[1 - kind], &settings);
    upc_barrier;
}

/* The same with a faster loop, which the following versions have, too. */
static void unroll(int kind) {
    read_ghosts(1 - kind);
    compute_unrolled(&part[kind], &part[1 - kind], &settings);
    upc_barrier;
}

/* All reads are under way at once. */
static void get(int kind) {
    const struct part *from = &part[1 - kind];
    double *ghost = from->value + settings.nodes;
    for (int i = 0; i < from->ghosts; i++) {
        int g = nth_ghost(from, i, MYTHREAD);
        upc_memget_nbi(&ghost[g], original[1 - kind][g], sizeof(double));
    }
    upc_synci();
    compute_unrolled(&part[kind], from, &settings);
    upc_barrier;
}

/* The thread that has the values sends them: nobody has to ask. Relaxed writes are complete after the barrier. */
static void put(int kind) {
    const struct part *from = &part[1 - kind];
    for (int i = 1; i < THREADS; i++) {
        const struct delivery *d = &delivery[1 - kind][(MYTHREAD + i) % THREADS];
        for (int k = 0; k < d->count; k++) d->ghosts[k] = from->value[d->nodes[k]];
    }
    upc_barrier;
    compute_unrolled(&part[kind], from, &settings);
}

/* All values for one thread travel together. */
static void bulk(int kind) {
    const struct part *from = &part[1 - kind];
    for (int i = 1; i < THREADS; i++) {
        const struct delivery *d = &delivery[1 - kind][(MYTHREAD + i) % THREADS];
        for (int k = 0; k < d->count; k++) d->buffer[k] = from->value[d->nodes[k]];
        upc_memput_nbi(d->ghosts, d->buffer, d->count * sizeof(double));
    }
    upc_synci();
    upc_barrier;
    compute_unrolled(&part[kind], from, &settings);
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

/* Finds the neighbours and the originals on other threads. */
static void connect_parts(void) {
    for (int kind = E; kind <= H; kind++) {
        shared [] double *values = upc_alloc((settings.nodes + part[kind].ghosts) * sizeof(double));
        part[kind].value = (double *)values;
        values_on[kind][MYTHREAD] = values;
    }
    upc_barrier;

    for (int kind = E; kind <= H; kind++) {
        const struct part *mine = &part[kind];
        original[kind] = room(mine->ghosts, sizeof *original[kind]);
        for (int p = 0; p < THREADS; p++) {
            if (mine->first[p] == mine->first[p + 1]) continue;
            shared [] double *there = values_on[kind][p];
            for (int g = mine->first[p]; g < mine->first[p + 1]; g++) original[kind][g] = there + mine->ghost_node[g];
        }
    }
    for (int kind = E; kind <= H; kind++) {
        int edges = settings.nodes * settings.degree;
        neighbour[kind] = room(edges, sizeof *neighbour[kind]);
        for (int i = 0; i < edges; i++) {
            int n = part[kind].neighbour[i];
            neighbour[kind][i] = n < settings.nodes ? values_on[1 - kind][MYTHREAD] + n
                                                    : original[1 - kind][n - settings.nodes];
        }
    }
}

/* Gives orders to the other threads, and takes theirs: each has one from each other thread, even if it is empty. */
static void exchange_orders(void) {
    orders = upc_all_alloc(2 * THREADS * THREADS, sizeof(struct order));
    for (int kind = E; kind <= H; kind++) {
        const struct part *mine = &part[kind];
        shared [] int *nodes = upc_alloc((mine->ghosts + 1) * sizeof(int));
        upc_memput(nodes, mine->ghost_node, mine->ghosts * sizeof(int));
        for (int p = 0; p < THREADS; p++) {
            int first = mine->first[p], count = mine->first[p + 1] - first;
            orders[(kind * THREADS + MYTHREAD) * THREADS + p] =
                (struct order){count, nodes + first, values_on[kind][MYTHREAD] + settings.nodes + first};
        }
    }
    upc_barrier;

    for (int kind = E; kind <= H; kind++) {
        delivery[kind] = room(THREADS, sizeof *delivery[kind]);
        for (int p = 0; p < THREADS; p++) {
            struct order o = orders[(kind * THREADS + p) * THREADS + MYTHREAD];
            struct delivery *d = &delivery[kind][p];
            *d = (struct delivery){o.count, room(o.count, sizeof(int)), o.ghosts, room(o.count, sizeof(double))};
            upc_memget(d->nodes, o.nodes, o.count * sizeof(int));
        }
    }
}

static void set_values(void) {
    for (int kind = E; kind <= H; kind++) {
        for (int n = 0; n < settings.nodes; n++) part[kind].value[n] = first_value(&settings, kind, MYTHREAD, n);
        for (int g = 0; g < part[kind].ghosts; g++) part[kind].value[settings.nodes + g] = NAN;
    }
    upc_barrier;
}

/* Called by one thread: are the values on all of them those of the serial program? */
static int same(double *expected[2]) {
    size_t bytes = settings.nodes * sizeof(double);
    double *value = room(settings.nodes, sizeof(double));
    int good = 1;
    for (int kind = E; kind <= H; kind++)
        for (int p = 0; p < THREADS; p++) {
            upc_memget(value, values_on[kind][p], bytes);
            good = good && memcmp(value, expected[kind] + p * settings.nodes, bytes) == 0;
        }
    free(value);
    return good;
}

static const struct {
    const char *name;
    void (*half_step)(int kind);
} versions[] = {{"simple", simple}, {"bundle", bundle}, {"unroll", unroll}, {"get", get}, {"put", put}, {"bulk", bulk}};

int main(int argc, char **argv) {
    double *expected[2];
    int ran = 0, wrong = 0;
    if (read_settings(&settings, argc, argv)) {
        make_parts(part, &settings, THREADS, MYTHREAD);
        connect_parts();
        if (is_wanted(&settings, "put") || is_wanted(&settings, "bulk")) exchange_orders();
        if (MYTHREAD == 0) {
            print_settings("UPC", part, &settings, THREADS);
            serial(expected, &settings, THREADS);
        }
        for (int v = 0; v < 6; v++) {
            if (!is_wanted(&settings, versions[v].name)) continue;
            set_values();
            upc_tick_t start = upc_ticks_now();
            for (int half = 0; half < 2 * settings.steps; half++) versions[v].half_step(half % 2);
            upc_barrier;
            double seconds = 1e-9 * upc_ticks_to_ns(upc_ticks_now() - start);
            ran++;
            if (MYTHREAD == 0) {
                int good = same(expected);
                wrong += !good;
                printf("%-7s %10.3f ns an edge%s\n", versions[v].name, ns_per_edge(seconds, &settings),
                       good ? "" : ", WRONG");
            }
            upc_barrier;
        }
    }
    if (!ran) {
        if (MYTHREAD == 0)
            fprintf(stderr, "em3d: its arguments are [simple|bundle|unroll|get|put|bulk|all "
                            "[NODES [DEGREE [PERCENT [STEPS [SEED [OTHERS]]]]]]]\n");
        return 2;
    }
    if (MYTHREAD == 0) {
        printf("the values are %sthe serial program's, bit by bit\n", wrong ? "NOT " : "");
        if (wrong) upc_global_exit(1);
    }
    return 0;
}
