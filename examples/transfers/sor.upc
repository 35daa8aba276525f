/* SOR in UPC: the exchange of halos between blocks of a square (sor.h), in the forms of transfers.h.
 *
 *     fathom run -n 4 -O3 examples/transfers/sor.upc [FORM [POINTS [STEPS [rows|columns]]]]
 *
 * FORM is packed, chained, automatic or all. The square has POINTS x POINTS points (256), and is dealt out to the
 * threads by rows, so that a halo is contiguous, or by columns: then the halo's points are a row apart. In each of
 * STEPS steps (200) the threads relax the points of each colour and exchange halos with their neighbours. The values
 * must be the serial program's, to the last bit. Each form prints the time of an exchange, a thread's throughput, and
 * the mechanisms that the runtime chose.
 */
#include <upc_relaxed.h>
#include "transfers.h"
#include "sor.h"

static int points = 256, steps = 200, by_columns;
static struct block block; /* this thread's */
static double *sent;       /* a buffer for two halos */
static int halo, apart;    /* points of a halo, and their distance */

/* Element t is of thread t: its block's values, and room for two packed halos. */
static shared [] double *shared values_on[THREADS];
static shared [] double *shared received_on[THREADS];

/* Of the neighbour on each side: its halo that this thread sends, in its block and in its buffer. */
static shared [] double *halo_there[2], *received_there[2];

/* Of thread t, as every thread can calculate it. */
static struct block block_of(int t) {
    int first = first_of(points, t), count = first_of(points, t + 1) - first;
    if (by_columns) return (struct block){1, first + 1, points, count, count + 2, NULL};
    return (struct block){first + 1, 1, count, points, points + 2, NULL};
}

/* Where thread t's halos begin in its block: side 0 is towards thread t - 1, side 1 towards t + 1. `inside`: the points
 * that it sends; otherwise those that it receives. */
static size_t halo_at(int t, int side, int inside) {
    struct block b = block_of(t);
    int last = by_columns ? b.columns : b.rows, line = side ? last + !inside : inside;
    return by_columns ? (size_t)b.pitch + line : (size_t)line * b.pitch + 1;
}

/* The points between two of a halo, of thread t. */
static int apart_on(int t) { return by_columns ? block_of(t).pitch : 1; }

static int neighbour(int side) { return MYTHREAD + (side ? 1 : -1); }
static int has_neighbour(int side) { return neighbour(side) >= 0 && neighbour(side) < THREADS; }

/* ---- the forms --------------------------------------------------------------------------------------------------- */

/* Halo `side` of this thread becomes halo 1 - side of that neighbour. */
static bupc_handle_t send_halo(int form, int side) {
    const double *from = block.value + halo_at(MYTHREAD, side, 1);
    if (form == PACKED) {
        double *to = sent + side * halo;
        for (int k = 0; k < halo; k++) to[k] = from[k * apart];
        return bupc_memput_async(received_there[side], to, halo * sizeof(double));
    }
    return bupc_memput_fstrided_async(halo_there[side], sizeof(double), apart_on(neighbour(side)) * sizeof(double),
                                      halo, from, sizeof(double), apart * sizeof(double), halo);
}

static void send_data(int form) {
    bupc_handle_t sending[2] = {BUPC_COMPLETE_HANDLE, BUPC_COMPLETE_HANDLE};
    for (int side = 0; side < 2; side++)
        if (has_neighbour(side)) sending[side] = send_halo(form, side);
    for (int side = 0; side < 2; side++) bupc_waitsync(sending[side]);
}

static void receive_data(int form) {
    for (int side = 0; side < 2 && form == PACKED; side++) {
        if (!has_neighbour(side)) continue;
        const double *from = (double *)received_on[MYTHREAD] + side * halo;
        double *to = block.value + halo_at(MYTHREAD, side, 0);
        for (int k = 0; k < halo; k++) to[k * apart] = from[k];
    }
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

static void make_blocks(void) {
    block = block_of(MYTHREAD);
    halo = by_columns ? block.rows : block.columns;
    apart = apart_on(MYTHREAD);
    values_on[MYTHREAD] = upc_alloc(block_points(&block) * sizeof(double));
    received_on[MYTHREAD] = upc_alloc(2 * halo * sizeof(double));
    block.value = (double *)values_on[MYTHREAD];
    sent = room(2 * halo, sizeof(double));
    upc_barrier;
    for (int side = 0; side < 2; side++) {
        int there = neighbour(side);
        if (!has_neighbour(side)) continue;
        halo_there[side] = values_on[there] + halo_at(there, 1 - side, 0);
        received_there[side] = received_on[there] + (1 - side) * halo;
    }
}

static void run(int form, struct times *times) {
    double omega = best_omega(points);
    set_block(&block, points);
    for (int half = 0; half < 2 * steps; half++) {
        relax(&block, half % 2, omega);
        exchange(form, times);
    }
}

/* Called by one thread. */
static int same(const struct block *whole) {
    int good = 1;
    for (int t = 0; t < THREADS; t++) {
        struct block b = block_of(t);
        b.value = room(block_points(&b), sizeof(double));
        upc_memget(b.value, values_on[t], block_points(&b) * sizeof(double));
        good = good && same_points(&b, whole);
        free(b.value);
    }
    return good;
}

static const char *read_arguments(int argc, char **argv) {
    const char *wanted = argc > 1 ? argv[1] : "all", *cut = argc > 4 ? argv[4] : "rows";
    if (argc > 2) points = number(argv[2]);
    if (argc > 3) steps = number(argv[3]);
    by_columns = strcmp(cut, "columns") == 0;
    int good = argc <= 5 && is_form(wanted) && steps > 0 && (by_columns || strcmp(cut, "rows") == 0);
    return good && points >= THREADS && points <= 1 << 14 ? wanted : NULL;
}

int main(int argc, char **argv) {
    const char *wanted = read_arguments(argc, argv);
    if (!wanted) {
        if (MYTHREAD == 0)
            fprintf(stderr, "sor: its arguments are [packed|chained|automatic|all [POINTS [STEPS [rows|columns]]]], "
                            "with POINTS from the number of threads to 16384\n");
        return 2;
    }
    make_blocks();
    struct times times = room_for_times(2 * steps);
    double bytes = halo * sizeof(double), all = (has_neighbour(0) + has_neighbour(1)) * bytes;
    struct block whole = {0};

    if (MYTHREAD == 0) {
        printf("SOR in UPC: %d x %d points by %s, %d threads, %d steps\n", points, points,
               by_columns ? "columns" : "rows", THREADS, steps);
        whole = serial(points, steps);
    }
    print_amount(all, bytes);
    char pattern[40];
    snprintf(pattern, sizeof pattern, "(%d,%d)", apart, apart);
    int wrong = 0;
    for (int form = 0; form < FORMS; form++) {
        if (!is_wanted(wanted, form)) continue;
        run(form, &times);
        print_times(form, &times, all, pattern);
        if (MYTHREAD == 0 && !same(&whole)) {
            printf("%s: WRONG values\n", form_name[form]);
            wrong++;
        }
        upc_barrier;
    }
    if (MYTHREAD == 0) {
        printf("the values are %sthe serial program's, bit by bit\n", wrong ? "NOT " : "");
        if (wrong) upc_global_exit(1);
    }
    return 0;
}
