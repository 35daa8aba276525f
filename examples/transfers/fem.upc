/* FEM in UPC: the exchange of boundary nodes between the parts of an irregular mesh (fem.h), in the forms of
 * transfers.h.
 *
 *     fathom run -n 4 -O3 examples/transfers/fem.upc [FORM [STEPS [MESH]]]
 *
 * FORM is packed, chained, automatic or all. MESH is a file that mesh.py has written with Gmsh and METIS (valley.mesh,
 * beside this file: 2488 nodes in 64 parts, which is also the greatest number of threads). In each of STEPS steps (500)
 * a thread computes its nodes' next values, and sends those that are ghosts of other threads: indexed reads, indexed
 * writes. The values must be the serial program's, to the last bit. Each form prints the time of an exchange, a
 * thread's throughput, and the mechanisms that the runtime chose.
 */
#include <upc_relaxed.h>
#include "transfers.h"
#include "fem.h"

static struct mesh mesh;
static int steps = 500;
static struct rows rows; /* this thread's */
static int places;
static double dt_squared;
static double *value[2]; /* by place; 0: the step after next replaces them */
static int newest;       /* the values that are sent */

/* Element t is of thread t: its values, and room for its packed ghosts. */
static shared [] double *shared value_on[2][THREADS];
static shared [] double *shared received_on[THREADS];

/* What this thread sends, sorted by thread: places here, and in each of the two values the addresses here and there.
 * Thread t gets those from first_sent[t] to first_sent[t + 1]. */
static int *sent_place, *first_sent;
static const void **sent_from[2];
static shared void **sent_to[2];

/* The packed form: the values for all threads, and where those for thread t go. */
static double *packed;
static shared [] double **packed_to;
static int ghosts, *ghost_place; /* in the order in which they are packed */

/* ---- the forms --------------------------------------------------------------------------------------------------- */

static void send_packed(void) {
    bupc_handle_t *sending = room(THREADS, sizeof *sending);
    const double *from = value[newest];
    for (int k = 1; k < THREADS; k++) {
        int t = (MYTHREAD + k) % THREADS, first = first_sent[t], end = first_sent[t + 1];
        for (int i = first; i < end; i++) packed[i] = from[sent_place[i]];
        sending[k] = bupc_memput_async(packed_to[t], packed + first, (end - first) * sizeof(double));
    }
    for (int k = 1; k < THREADS; k++) bupc_waitsync(sending[k]);
    free(sending);
}

static void send_data(int form) {
    size_t count = first_sent[THREADS];
    if (form == PACKED)
        send_packed();
    else
        bupc_memput_ilist(count, sent_to[newest], sizeof(double), count, sent_from[newest], sizeof(double));
}

static void receive_data(int form) {
    const double *from = (const double *)received_on[MYTHREAD];
    for (int i = 0; i < ghosts && form == PACKED; i++) value[newest][ghost_place[i]] = from[i];
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

/* Thread 0 reads the file; the others get its text. Ends the job if there is no mesh in it. */
static void read_file(const char *path) {
    static shared size_t shared_bytes;
    static shared [] char *shared shared_text;
    size_t bytes = 0;
    if (MYTHREAD == 0) {
        FILE *file = fopen(path, "rb");
        if (!file) {
            fprintf(stderr, "fem: the mesh '%s' cannot be read\n", path);
            upc_global_exit(1);
        }
        fseek(file, 0, SEEK_END);
        bytes = ftell(file);
        rewind(file);
        shared_text = upc_alloc(bytes + 1);
        char *text = (char *)shared_text;
        text[fread(text, 1, bytes, file)] = 0;
        fclose(file);
        shared_bytes = bytes;
    }
    upc_barrier;
    char *text = room(shared_bytes, 1);
    upc_memget(text, shared_text, shared_bytes + 1);
    int good = read_mesh(&mesh, text);
    free(text);
    upc_barrier;
    if (MYTHREAD == 0) {
        if (!good)
            fprintf(stderr, "fem: '%s' is not a mesh that mesh.py has written\n", path);
        else if (THREADS > mesh.parts)
            fprintf(stderr, "fem: the mesh '%s' has %d parts, too few for %d threads\n", path, mesh.parts, THREADS);
        if (!good || THREADS > mesh.parts) upc_global_exit(1);
        upc_free(shared_text);
    }
    upc_barrier;
}

/* Lists what this thread sends; `mine` are the places of nodes here. */
static void list_sent(const int *mine) {
    int *there = room(mesh.nodes, sizeof *there), count = 0;
    size_t most = (size_t)rows.count * (THREADS - 1);
    sent_place = room(most, sizeof *sent_place);
    first_sent = room(THREADS + 1, sizeof *first_sent);
    packed_to = room(THREADS, sizeof *packed_to);
    for (int v = 0; v < 2; v++) {
        sent_from[v] = room(most, sizeof *sent_from[v]);
        sent_to[v] = room(most, sizeof *sent_to[v]);
    }
    for (int t = 0; t < THREADS; t++) {
        shared [] double *values[2] = {value_on[0][t], value_on[1][t]};
        int before = 0; /* ghosts that t gets from threads with lower numbers */
        first_sent[t] = count;
        if (t == MYTHREAD) continue;
        find_places(&mesh, THREADS, t, there);
        for (int n = 0; n < mesh.nodes; n++) {
            int from = owner(&mesh, THREADS, n);
            if (there[n] < 0 || from == t) continue;
            before += from < MYTHREAD;
            if (from != MYTHREAD) continue;
            for (int v = 0; v < 2; v++) {
                sent_from[v][count] = value[v] + mine[n];
                sent_to[v][count] = values[v] + there[n];
            }
            sent_place[count++] = mine[n];
        }
        packed_to[t] = received_on[t] + before;
    }
    first_sent[THREADS] = count;
    packed = room(count, sizeof *packed);
    free(there);
}

/* Also lists the ghosts, sorted by the thread that sends them, and then as that thread packs them. */
static void make_part(int *place) {
    places = find_places(&mesh, THREADS, MYTHREAD, place);
    rows = make_rows(&mesh, THREADS, MYTHREAD, place);
    ghost_place = room(places, sizeof *ghost_place);
    for (int t = 0; t < THREADS; t++)
        for (int n = 0; n < mesh.nodes && t != MYTHREAD; n++)
            if (place[n] >= 0 && owner(&mesh, THREADS, n) == t) ghost_place[ghosts++] = place[n];
    for (int v = 0; v < 2; v++) {
        value_on[v][MYTHREAD] = upc_alloc((places + 1) * sizeof(double));
        value[v] = (double *)value_on[v][MYTHREAD];
    }
    received_on[MYTHREAD] = upc_alloc((ghosts + 1) * sizeof(double));
    upc_barrier;
    list_sent(place);
    dt_squared = 1 / greatest(eigenvalue_bound(&rows));
}

static void run(int form, const int *place, struct times *times) {
    for (int n = 0; n < mesh.nodes; n++)
        if (place[n] >= 0) value[0][place[n]] = value[1][place[n]] = first_value(mesh.at[n]);
    for (int s = 0; s < steps; s++) {
        newest = s % 2;
        take_step(&rows, value[newest], value[1 - newest], dt_squared);
        exchange(form, times);
    }
}

/* Called by one thread: are the nodes' values on their threads those of the serial program? */
static int same(const double *right) {
    int *place = room(mesh.nodes, sizeof *place), good = 1;
    for (int t = 0; t < THREADS; t++) {
        int count = find_places(&mesh, THREADS, t, place);
        double *theirs = room(count, sizeof *theirs);
        upc_memget(theirs, value_on[newest][t], count * sizeof *theirs);
        for (int n = 0; n < mesh.nodes; n++)
            if (owner(&mesh, THREADS, n) == t) good = good && memcmp(&theirs[place[n]], &right[n], sizeof *right) == 0;
        free(theirs);
    }
    free(place);
    return good;
}

/* The default is beside this file. */
static const char *default_mesh(void) {
    static char path[4096];
    const char *slash = strrchr(__FILE__, '/');
    snprintf(path, sizeof path, "%.*svalley.mesh", slash ? (int)(slash - __FILE__) + 1 : 0, __FILE__);
    return path;
}

int main(int argc, char **argv) {
    const char *wanted = argc > 1 ? argv[1] : "all";
    if (argc > 2) steps = number(argv[2]);
    if (argc > 4 || !is_form(wanted) || steps <= 0) {
        if (MYTHREAD == 0)
            fprintf(stderr, "fem: its arguments are [packed|chained|automatic|all [STEPS [MESH]]]\n");
        return 2;
    }
    read_file(argc > 3 ? argv[3] : default_mesh());
    int *place = room(mesh.nodes, sizeof *place);
    make_part(place);
    struct times times = room_for_times(steps);
    double bytes = first_sent[THREADS] * sizeof(double), block = 0, *right = NULL;
    for (int t = 0; t < THREADS; t++) {
        double there = (first_sent[t + 1] - first_sent[t]) * sizeof(double);
        if (there > block) block = there;
    }
    if (MYTHREAD == 0) {
        printf("FEM in UPC: %d nodes, %d elements, %d threads, %d steps\n", mesh.nodes, mesh.elements, THREADS, steps);
        right = serial(&mesh, steps);
        if (!is_a_wave(&mesh, right)) {
            printf("the serial program's values are WRONG: they have grown\n");
            upc_global_exit(1);
        }
    }
    print_amount(bytes, block);
    int wrong = 0;
    for (int form = 0; form < FORMS; form++) {
        if (!is_wanted(wanted, form)) continue;
        run(form, place, &times);
        print_times(form, &times, bytes, "(w,w)");
        if (MYTHREAD == 0 && !same(right)) {
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
