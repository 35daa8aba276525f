/* Connected components in Split-C: which points of a grid are connected, where a share of the edges is missing?
 *
 *     fathom run -n 4 -O3 examples/connect/connect.sc [ROWS [COLUMNS [PERCENT [REPETITIONS [SEED]]]]]
 *
 * Every processor has ROWS rows (100) of COLUMNS points (100), below those of the processor before it. Of the edges
 * between neighbouring points PERCENT are there (60), at random. A point's label becomes the least number of a point that
 * is connected with it.
 *
 * A processor first finds the components of its own rows. Then, round after round, it reads the labels that the points
 * beyond its first and its last row have, an edge at a time, and its components take the least; until no label of any
 * processor changes. A component that winds through many processors takes as many rounds.
 *
 * The labels must be those of a serial program, for each point.
 */
#include <limits.h>
#include <split-c/split-c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    int rows, columns, percent, repetitions, seed;
};
static struct settings settings;

static void *room(size_t count, size_t bytes) {
    void *p = malloc(count * bytes + 1);
    if (!p) {
        fprintf(stderr, "processor %d: no memory for %zu objects of %zu bytes\n", MYPROC, count, bytes);
        splitc_exit(1);
    }
    return p;
}

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

/* A random number that is a function of `at` (the finalizer of SplitMix64). */
static uint64_t scramble(uint64_t at) {
    at += 0x9e3779b97f4a7c15;
    at = (at ^ at >> 30) * 0xbf58476d1ce4e5b9;
    at = (at ^ at >> 27) * 0x94d049bb133111eb;
    return at ^ at >> 31;
}

/* Is point n, counted over all processors, connected with the next one of its row (0), or of its column (1)? */
static int has_edge(int n, int direction) {
    uint64_t seed = scramble((uint64_t)settings.seed);
    return scramble(seed + 2 * (uint64_t)n + direction) % 100 < (uint64_t)settings.percent;
}

/* ---- components of rows that are in one place -------------------------------------------------------------------- */

/* parent[i] is a point of the same component with a lower number, or i itself. */
static int root(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}
static void connect(int *parent, int i, int k) {
    int a = root(parent, i), b = root(parent, k);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* The components of `rows` rows, of which the first begins with point `first` of the grid. */
static void find_components(int *parent, int first, int rows) {
    int columns = settings.columns;
    for (int i = 0; i < rows * columns; i++) parent[i] = i;
    for (int i = 0; i < rows * columns; i++) {
        if ((i + 1) % columns && has_edge(first + i, 0)) connect(parent, i, i + 1);
        if (i + columns < rows * columns && has_edge(first + i, 1)) connect(parent, i, i + columns);
    }
    for (int i = 0; i < rows * columns; i++) parent[i] = root(parent, i);
}

/* ---- all processors together ------------------------------------------------------------------------------------- */

/* The edges to a neighbouring processor: where the label of the point there is, and which component is here. */
struct border {
    int count, *component;
    int *global *label;
};

/* The labels of the first and of the last row of each processor, where its neighbours read them. */
static int *global labels_of[2][PROCS]::;
enum { FIRST, LAST };

static void find_border(struct border *border, int *parent, int side) {
    int columns = settings.columns, points = settings.rows * columns, first = MYPROC * points;
    int other = side == FIRST ? MYPROC - 1 : MYPROC + 1;
    *border = (struct border){0, room(columns, sizeof(int)), room(columns, sizeof(int *global))};
    if (other < 0 || other == PROCS) return;
    int *global there = labels_of[1 - side][other];
    for (int c = 0; c < columns; c++) {
        int here = side == FIRST ? c : points - columns + c;
        if (!has_edge(side == FIRST ? first - columns + c : first + here, 1)) continue;
        border->component[border->count] = parent[here];
        border->label[border->count++] = there + c;
    }
}

/* The label of each component is that of its lowest point, label[parent[i]]. Returns the rounds. */
static int find_labels(int *label, int *parent, int *rows[2]) {
    int columns = settings.columns, points = settings.rows * columns, rounds = 0, changed = 1;
    struct border border[2];
    for (int i = 0; i < points; i++) label[i] = MYPROC * points + i;
    for (int side = FIRST; side <= LAST; side++) find_border(&border[side], parent, side);
    while (changed) {
        for (int c = 0; c < columns; c++) {
            rows[FIRST][c] = label[parent[c]];
            rows[LAST][c] = label[parent[points - columns + c]];
        }
        barrier(); /* all labels are there */
        int mine = 0;
        for (int side = FIRST; side <= LAST; side++)
            for (int e = 0; e < border[side].count; e++) {
                int theirs = *border[side].label[e], *own = &label[border[side].component[e]];
                if (theirs < *own) *own = theirs, mine = 1;
            }
        changed = all_reduce_to_all_add(mine); /* and all have been read */
        rounds++;
    }
    for (int i = 0; i < points; i++) label[i] = label[parent[i]];
    for (int side = FIRST; side <= LAST; side++) {
        free(border[side].component);
        free(border[side].label);
    }
    return rounds;
}

/* Called by one processor: are the labels on all of them those of the serial program? */
static int is_right(int *global *labels, int *components) {
    int points = settings.rows * settings.columns, all = points * PROCS, good = 1;
    int *expected = room(all, sizeof(int)), *label = room(points, sizeof(int));
    find_components(expected, 0, settings.rows * PROCS);
    *components = 0;
    for (int i = 0; i < all; i++) *components += expected[i] == i;
    for (int p = 0; p < PROCS; p++) {
        bulk_read(label, (void *global)labels[p], points * sizeof(int));
        good = good && memcmp(label, expected + p * points, points * sizeof(int)) == 0;
    }
    free(label);
    free(expected);
    return good;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static int *global label_of[PROCS]::;

/* A positive number; 0 if the text is none. */
static int number(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    return *text && !*end && value > 0 && value <= INT_MAX ? (int)value : 0;
}

static int read_settings(int argc, char **argv) {
    int value[] = {100, 100, 60, 1, 1};
    for (int i = 1; i < argc && i <= 5; i++) value[i - 1] = number(argv[i]);
    settings = (struct settings){value[0], value[1], value[2], value[3], value[4]};
    long all = (long)value[0] * value[1];
    return argc <= 6 && value[0] && value[1] && value[2] && value[2] <= 100 && value[3] && value[4] &&
           all <= INT_MAX / PROCS;
}

int splitc_main(int argc, char **argv) {
    if (!read_settings(argc, argv)) {
        on_one fprintf(stderr, "connect: its arguments are [ROWS [COLUMNS [PERCENT [REPETITIONS [SEED]]]]], numbers "
                               "from 1; PERCENT is at most 100, and all points are fewer than 2^31\n");
        return 2;
    }
    int points = settings.rows * settings.columns, rounds = 0, wrong = 0, components = 0;
    int *label = room(points, sizeof(int)), *parent = room(points, sizeof(int));
    int *rows[2] = {room(settings.columns, sizeof(int)), room(settings.columns, sizeof(int))};
    for (int side = FIRST; side <= LAST; side++) labels_of[side][MYPROC] = (int *global)rows[side];
    label_of[MYPROC] = (int *global)label;
    barrier();

    double start = get_seconds();
    for (int r = 0; r < settings.repetitions; r++) {
        find_components(parent, MYPROC * points, settings.rows);
        rounds = find_labels(label, parent, rows);
    }
    barrier();
    double ns = (get_seconds() - start) * 1e9 / settings.repetitions;

    on_one {
        int *global *labels = room(PROCS, sizeof *labels);
        for (int p = 0; p < PROCS; p++) labels[p] = label_of[p];
        wrong = !is_right(labels, &components);
        free(labels);
        printf("connected components in Split-C: %d rows of %d points on each of %d processors, %d %% of the edges, "
               "seed %d\n",
               settings.rows, settings.columns, PROCS, settings.percent, settings.seed);
        printf("%d components in %d rounds\ntime: %.0f ns\n", components, rounds, ns);
        printf("the labels are %sthe serial program's\n", wrong ? "NOT " : "");
    }
    wrong = all_bcast(wrong);
    return wrong != 0;
}
