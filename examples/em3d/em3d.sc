/* EM3D in Split-C: an electromagnetic field on an irregular grid (em3d.h), in six versions.
 *
 *     fathom run -n 4 -O3 examples/em3d/em3d.sc [VERSION [NODES [DEGREE [PERCENT [STEPS [SEED [OTHERS]]]]]]]
 *
 * VERSION is simple, bundle, unroll, get, put, bulk, several of them (get,put) or all: from the program that one would
 * write first to the one that communicates least often. NODES of each kind are on each processor (500), of DEGREE edges
 * (20), PERCENT of which lead to other processors (20), to OTHERS of these (all). The versions must have the serial
 * program's result, to the last bit; each prints an edge's time on a processor, communication and barriers included.
 */
#include <split-c/split-c.h>
#include "em3d.h"

static struct settings settings;
static struct part part[2]; /* what this processor has, of each kind */

/* Where the values of each kind begin on each processor: element [kind][p] lies on processor p. */
static double *global values_on[2][PROCS]::;

/* The neighbours of the own nodes, edge by edge; the originals of the own ghosts. */
static double *global *neighbour[2], *global *original[2];

/* The values that one processor sends to another: those of `count` nodes, to ghosts that lie side by side. */
struct order {
    int count;
    int *global nodes;
    double *global ghosts;
};
/* The order of processor p at processor q is element (kind * PROCS + p) * PROCS + q, which lies on q. */
static struct order *spread orders;

/* The orders that other processors have given to this one, with copies of their lists of nodes. */
struct delivery {
    int count, *nodes;
    double *global ghosts, *buffer;
};
static struct delivery *delivery[2];

/* ---- the versions: each is a half step, the update of one kind of nodes from the other --------------------------- */

/* Every edge reads its neighbour, wherever that is, as often as there are edges to it. */
static void simple(int kind) {
    const double *w = part[kind].weight;
    double *global *from = neighbour[kind];
    int degree = settings.degree;
    for (int i = 0; i < settings.nodes; i++, w += degree, from += degree) {
        double sum = 0;
        for (int k = 0; k < degree; k++) sum += w[k] * *from[k];
        part[kind].value[i] = sum;
    }
    barrier();
}

/* Each remote value is read once, into its ghost. */
static void read_ghosts(int kind) {
    double *ghost = part[kind].value + settings.nodes;
    for (int i = 0; i < part[kind].ghosts; i++) {
        int g = nth_ghost(&part[kind], i, MYPROC);
        ghost[g] = *original[kind][g];
    }
}
static void bundle(int kind) {
    read_ghosts(1 - kind);
    compute(&part[kind], &part[1 - kind], &settings);
    barrier();
}

/* The same with a faster loop, which the following versions have, too. */
static void unroll(int kind) {
    read_ghosts(1 - kind);
    compute_unrolled(&part[kind], &part[1 - kind], &settings);
    barrier();
}

/* All reads are under way at once. */
static void get(int kind) {
    const struct part *from = &part[1 - kind];
    double *ghost = from->value + settings.nodes;
    for (int i = 0; i < from->ghosts; i++) {
        int g = nth_ghost(from, i, MYPROC);
        ghost[g] := *original[1 - kind][g];
    }
    sync();
    compute_unrolled(&part[kind], from, &settings);
    barrier();
}

/* The processor that has the values sends them: nobody has to ask. */
static void put(int kind) {
    const struct part *from = &part[1 - kind];
    for (int i = 1; i < PROCS; i++) {
        const struct delivery *d = &delivery[1 - kind][(MYPROC + i) % PROCS];
        for (int k = 0; k < d->count; k++) d->ghosts[k] := from->value[d->nodes[k]];
    }
    sync();
    barrier();
    compute_unrolled(&part[kind], from, &settings);
}

/* All values for one processor travel together. */
static void bulk(int kind) {
    const struct part *from = &part[1 - kind];
    for (int i = 1; i < PROCS; i++) {
        const struct delivery *d = &delivery[1 - kind][(MYPROC + i) % PROCS];
        for (int k = 0; k < d->count; k++) d->buffer[k] = from->value[d->nodes[k]];
        bulk_put(d->ghosts, d->buffer, d->count * sizeof(double));
    }
    sync();
    barrier();
    compute_unrolled(&part[kind], from, &settings);
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

/* Finds the neighbours and the originals on other processors. */
static void connect_parts(void) {
    for (int kind = E; kind <= H; kind++) {
        part[kind].value = room(settings.nodes + part[kind].ghosts, sizeof(double));
        values_on[kind][MYPROC] = (double *global)part[kind].value;
    }
    barrier();

    for (int kind = E; kind <= H; kind++) {
        const struct part *mine = &part[kind];
        original[kind] = room(mine->ghosts, sizeof *original[kind]);
        for (int p = 0; p < PROCS; p++) {
            if (mine->first[p] == mine->first[p + 1]) continue;
            double *global there = values_on[kind][p];
            for (int g = mine->first[p]; g < mine->first[p + 1]; g++) original[kind][g] = there + mine->ghost_node[g];
        }
    }
    for (int kind = E; kind <= H; kind++) {
        int edges = settings.nodes * settings.degree;
        neighbour[kind] = room(edges, sizeof *neighbour[kind]);
        for (int i = 0; i < edges; i++) {
            int n = part[kind].neighbour[i];
            neighbour[kind][i] = n < settings.nodes ? (double *global)(part[1 - kind].value + n)
                                                    : original[1 - kind][n - settings.nodes];
        }
    }
}

/* Gives orders to the other processors, and takes theirs: each has one from each other, even if it is empty. */
static void exchange_orders(void) {
    orders = all_spread_malloc(2 * PROCS * PROCS, sizeof(struct order));
    barrier();
    for (int kind = E; kind <= H; kind++) {
        const struct part *mine = &part[kind];
        for (int p = 0; p < PROCS; p++) {
            int first = mine->first[p], count = mine->first[p + 1] - first;
            orders[(kind * PROCS + MYPROC) * PROCS + p] =
                (struct order){count, (int *global)(mine->ghost_node + first),
                               (double *global)(mine->value + settings.nodes + first)};
        }
    }
    barrier();

    for (int kind = E; kind <= H; kind++) {
        delivery[kind] = room(PROCS, sizeof *delivery[kind]);
        for (int p = 0; p < PROCS; p++) {
            struct order o = orders[(kind * PROCS + p) * PROCS + MYPROC];
            struct delivery *d = &delivery[kind][p];
            *d = (struct delivery){o.count, room(o.count, sizeof(int)), o.ghosts, room(o.count, sizeof(double))};
            bulk_read(d->nodes, o.nodes, o.count * sizeof(int));
        }
    }
}

static void set_values(void) {
    for (int kind = E; kind <= H; kind++) {
        for (int n = 0; n < settings.nodes; n++) part[kind].value[n] = first_value(&settings, kind, MYPROC, n);
        for (int g = 0; g < part[kind].ghosts; g++) part[kind].value[settings.nodes + g] = NAN;
    }
    barrier();
}

/* Called by one processor: are the values on all of them those of the serial program? */
static int same(double *expected[2]) {
    size_t bytes = settings.nodes * sizeof(double);
    double *value = room(settings.nodes, sizeof(double));
    int good = 1;
    for (int kind = E; kind <= H; kind++)
        for (int p = 0; p < PROCS; p++) {
            bulk_read(value, values_on[kind][p], bytes);
            good = good && memcmp(value, expected[kind] + p * settings.nodes, bytes) == 0;
        }
    free(value);
    return good;
}

static const struct {
    const char *name;
    void (*half_step)(int kind);
} versions[] = {{"simple", simple}, {"bundle", bundle}, {"unroll", unroll}, {"get", get}, {"put", put}, {"bulk", bulk}};

int splitc_main(int argc, char **argv) {
    double *expected[2];
    int ran = 0, wrong = 0;
    if (read_settings(&settings, argc, argv)) {
        make_parts(part, &settings, PROCS, MYPROC);
        connect_parts();
        if (is_wanted(&settings, "put") || is_wanted(&settings, "bulk")) exchange_orders();
        on_one {
            print_settings("Split-C", part, &settings, PROCS);
            serial(expected, &settings, PROCS);
        }
        for (int v = 0; v < 6; v++) {
            if (!is_wanted(&settings, versions[v].name)) continue;
            set_values();
            double start = get_seconds();
            for (int half = 0; half < 2 * settings.steps; half++) versions[v].half_step(half % 2);
            barrier();
            double seconds = get_seconds() - start;
            ran++;
            on_one {
                int good = same(expected);
                wrong += !good;
                printf("%-7s %10.3f ns an edge%s\n", versions[v].name, ns_per_edge(seconds, &settings),
                       good ? "" : ", WRONG");
            }
            barrier();
        }
    }
    if (!ran) {
        on_one fprintf(stderr, "em3d: its arguments are [simple|bundle|unroll|get|put|bulk|all "
                               "[NODES [DEGREE [PERCENT [STEPS [SEED [OTHERS]]]]]]]\n");
        return 2;
    }
    wrong = all_bcast_i(wrong);
    on_one printf("the values are %sthe serial program's, bit by bit\n", wrong ? "NOT " : "");
    return wrong != 0;
}
