/* The transposition of a 2D FFT in UPC, in the forms of transfers.h.
 *
 *     fathom run -n 4 -O3 examples/transfers/transpose.upc [FORM [SIZE [REPETITIONS]]]
 *
 * FORM is packed, chained, automatic or all. SIZE x SIZE complex numbers (1024; a power of two) are dealt out to the
 * threads by rows. A transform is one of the rows, a transposition, and one of the new rows; the result is transposed.
 * The inverse does the same and gives the input back. Both are done REPETITIONS times (5). In a transposition each
 * thread sends each other thread a patch of its rows. The packed form packs pieces of rows, and the receiver writes
 * their elements to places a row apart; the strided call reads elements a row apart and writes pieces of rows. Rows
 * have four elements more than the matrix has columns, because strides of large powers of two reach only a few sets of
 * a cache.
 *
 * The result is checked: some elements against the sum that defines them, all by Parseval's theorem and by the inverse.
 * With -DFFTW and -lfftw3 it is also compared with FFTW's. Each form prints the time of a transposition, without the
 * patch that stays on its thread, a thread's throughput, and the mechanisms that the runtime chose.
 */
#include <upc_relaxed.h>
#include "transfers.h"
#include "transpose.h"
#ifdef FFTW
#include <fftw3.h>
#endif

enum { PAD = 4 };
static int size = 1024, repetitions = 5;
static int first, rows; /* this thread's */
static size_t pitch;    /* elements from a row to the next */
static struct cell *roots;

/* Element t is of thread t: its rows of two matrices, and room for the packed patches of all threads. */
static shared [] struct cell *shared matrix_on[2][THREADS];
static shared [] struct cell *shared received_on[THREADS];

/* The same of all threads, known without communication; this thread's own rows; a buffer for its patches. */
static shared [] struct cell **matrix_of[2], **received_of;
static struct cell *matrix[2], *received, *sent;

static int first_row(int t) { return first_of(size, t); }
static int rows_of(int t) { return first_row(t + 1) - first_row(t); }

/* ---- the forms: matrix 0 is transposed to matrix 1 --------------------------------------------------------------- */

/* To thread t: this thread's rows of t's columns. In t's buffer each thread has a place of its own. */
static bupc_handle_t send_patch(int form, int t) {
    const struct cell *from = matrix[0] + first_row(t);
    size_t columns = rows_of(t);
    if (form == PACKED) {
        struct cell *to = sent + (size_t)first_row(t) * rows;
        for (int i = 0; i < rows; i++) memcpy(to + i * columns, from + i * pitch, columns * sizeof *to);
        return bupc_memput_async(received_of[t] + first * columns, to, rows * columns * sizeof *to);
    }
    size_t there[] = {pitch * sizeof *from, sizeof *from}, here[] = {sizeof *from, pitch * sizeof *from};
    size_t count[] = {sizeof *from, columns, rows};
    return bupc_memput_strided_async(matrix_of[1][t] + first, there, from, here, count, 2);
}

static void send_data(int form) {
    bupc_handle_t *sending = room(THREADS, sizeof *sending);
    for (int k = 1; k < THREADS; k++) sending[k] = send_patch(form, (MYTHREAD + k) % THREADS);
    for (int k = 1; k < THREADS; k++) bupc_waitsync(sending[k]);
    free(sending);
}

/* A patch, whose elements are read in order. */
static void put_patch(const struct cell *from, size_t apart, int first_column, int columns) {
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < rows; j++) matrix[1][j * pitch + first_column + i] = from[i * apart + j];
}

static void receive_data(int form) {
    for (int k = 1; k < THREADS && form == PACKED; k++) {
        int t = (MYTHREAD + k) % THREADS;
        put_patch(received + (size_t)first_row(t) * rows, rows, first_row(t), rows_of(t));
    }
}

/* ---- the transform ----------------------------------------------------------------------------------------------- */

static void transform_rows(const struct cell *m, int is_inverse) {
    for (int i = 0; i < rows; i++) fft((struct cell *)m + i * pitch, size, roots, is_inverse);
}

/* Of matrix 0, to matrix 1, transposed. */
static void transform(int form, int is_inverse, struct times *times) {
    transform_rows(matrix[0], is_inverse);
    put_patch(matrix[0] + first, pitch, first, rows);
    exchange(form, times);
    upc_barrier;
    transform_rows(matrix[1], is_inverse);
}

static void exchange_matrices(void) {
    struct cell *mine = matrix[0];
    shared [] struct cell **all = matrix_of[0];
    matrix[0] = matrix[1];
    matrix_of[0] = matrix_of[1];
    matrix[1] = mine;
    matrix_of[1] = all;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static double total(double mine) {
    static shared double on[THREADS];
    double sum = 0;
    on[MYTHREAD] = mine;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) sum += on[t];
    upc_barrier;
    return sum;
}

/* The result's element (row, column) from the definition. */
static struct cell by_definition(int row, int column) {
    struct cell sum = {0, 0};
    for (int i = first; i < first + rows; i++)
        for (int j = 0; j < size; j++)
            sum = plus(sum, times(input_at(i, j), roots[((int64_t)i * row + (int64_t)j * column) % size]));
    return (struct cell){total(sum.re), total(sum.im)};
}

/* Thread 0 compares all of the result, and the others wait. Returns the greatest difference. */
static double difference_from_fftw(void) {
    double most = 0;
#ifdef FFTW
    if (MYTHREAD == 0) {
        fftw_complex *all = room((size_t)size * size, sizeof *all);
        struct cell *row = room(size, sizeof *row);
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) {
                struct cell in = input_at(i, j);
                all[(size_t)i * size + j][0] = in.re;
                all[(size_t)i * size + j][1] = in.im;
            }
        fftw_plan plan = fftw_plan_dft_2d(size, size, all, all, FFTW_FORWARD, FFTW_ESTIMATE);
        fftw_execute(plan);
        fftw_destroy_plan(plan);
        for (int t = 0; t < THREADS; t++)
            for (int j = first_row(t); j < first_row(t + 1); j++) {
                upc_memget(row, matrix_of[1][t] + (j - first_row(t)) * pitch, size * sizeof *row);
                for (int i = 0; i < size; i++) {
                    const double *theirs = all[(size_t)i * size + j];
                    double far = sqrt(square(minus(row[i], (struct cell){theirs[0], theirs[1]})));
                    if (!(far <= most)) most = far;
                }
            }
        free(row);
        free(all);
    }
    upc_barrier;
#endif
    return greatest(most);
}

/* Errors are relative to the typical element of a result, whose square is the sum of the input's squares. Each is at
 * most a few times the rounding error of an operation. */
static int result_is_right(double input_squares) {
    double typical = sqrt(input_squares), squares = 0, worst = 0;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < size; i++) squares += square(matrix[1][j * pitch + i]);
    double parseval = total(squares) / input_squares / size / size - 1;
    static const int places[][2] = {{0, 0}, {1, 0}, {0, 1}, {3, 5}, {-1, -2}, {-7, 6}};
    for (unsigned k = 0; k < sizeof places / sizeof *places; k++) {
        int row = places[k][0] & (size - 1), column = places[k][1] & (size - 1);
        struct cell right = by_definition(row, column);
        if (column < first || column >= first + rows) continue;
        double far = sqrt(square(minus(matrix[1][(column - first) * pitch + row], right)));
        if (!(far <= worst)) worst = far;
    }
    worst = greatest(worst) / typical;
    double fftw = difference_from_fftw() / typical;
    int good = fabs(parseval) < 1e-13 && worst < 1e-12 && fftw < 1e-14 * log2(size);
    if (!good && MYTHREAD == 0)
        printf("WRONG result: Parseval's sum differs by %g, elements by %g, FFTW's by %g\n", parseval, worst, fftw);
    return good;
}

/* Is the input in matrix 1? */
static int input_is_back(void) {
    double most = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < size; j++) {
            struct cell x = matrix[1][i * pitch + j], scaled = {x.re / size / size, x.im / size / size};
            double far = sqrt(square(minus(scaled, input_at(first + i, j))));
            if (!(far <= most)) most = far;
        }
    most = greatest(most);
    int good = most < 1e-14 * log2(size);
    if (!good && MYTHREAD == 0) printf("WRONG: the inverse differs from the input by %g\n", most);
    return good;
}

/* ---- before and after -------------------------------------------------------------------------------------------- */

static void make_matrices(void) {
    first = first_row(MYTHREAD);
    rows = rows_of(MYTHREAD);
    pitch = size + PAD;
    roots = make_roots(size);
    size_t bytes = (size_t)rows * size * sizeof(struct cell);
    sent = room(bytes, 1);
    received_on[MYTHREAD] = upc_alloc(bytes);
    received = (struct cell *)received_on[MYTHREAD];
    received_of = room(THREADS, sizeof *received_of);
    for (int m = 0; m < 2; m++) {
        matrix_on[m][MYTHREAD] = upc_alloc(rows * pitch * sizeof(struct cell));
        matrix[m] = (struct cell *)matrix_on[m][MYTHREAD];
        matrix_of[m] = room(THREADS, sizeof *matrix_of[m]);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        received_of[t] = received_on[t];
        for (int m = 0; m < 2; m++) matrix_of[m][t] = matrix_on[m][t];
    }
}

/* Returns the sum of the input's squares, of all threads. */
static double set_input(void) {
    double squares = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < size; j++) {
            struct cell x = matrix[0][i * pitch + j] = input_at(first + i, j);
            squares += square(x);
        }
    return total(squares);
}

static int run(int form, struct times *times) {
    int good = 1;
    for (int k = 0; k < repetitions; k++) {
        double squares = set_input();
        transform(form, 0, times);
        if (k == 0) good = result_is_right(squares) && good;
        exchange_matrices();
        transform(form, 1, times);
        good = input_is_back() && good;
    }
    return good;
}

static const char *read_arguments(int argc, char **argv) {
    const char *wanted = argc > 1 ? argv[1] : "all";
    if (argc > 2) size = number(argv[2]);
    if (argc > 3) repetitions = number(argv[3]);
    int good = argc <= 4 && is_form(wanted) && repetitions > 0;
    return good && size >= THREADS && size <= 1 << 14 && (size & (size - 1)) == 0 ? wanted : NULL;
}

int main(int argc, char **argv) {
    const char *wanted = read_arguments(argc, argv);
    if (!wanted) {
        if (MYTHREAD == 0)
            fprintf(stderr, "transpose: its arguments are [packed|chained|automatic|all [SIZE [REPETITIONS]]], with "
                            "SIZE a power of two from the number of threads to 16384\n");
        return 2;
    }
    make_matrices();
    struct times times = room_for_times(2 * repetitions);
    double bytes = (double)rows * (size - rows) * sizeof(struct cell), patch = 0;
    for (int t = 0; t < THREADS; t++) {
        double there = (double)rows * rows_of(t) * sizeof(struct cell);
        if (t != MYTHREAD && there > patch) patch = there;
    }
    if (MYTHREAD == 0)
        printf("FFT in UPC: %d x %d complex numbers, %d threads, %d repetitions\n", size, size, THREADS, repetitions);
    print_amount(bytes, patch);
    char by_row[30], by_column[30];
    snprintf(by_row, sizeof by_row, "(1,%zu)", pitch * 2);
    snprintf(by_column, sizeof by_column, "(%zu,1)", pitch * 2);
    int wrong = 0;
    for (int form = 0; form < FORMS; form++) {
        if (!is_wanted(wanted, form)) continue;
        wrong += !run(form, &times);
        print_times(form, &times, bytes, form == PACKED ? by_row : by_column);
    }
    if (MYTHREAD == 0) {
#ifdef FFTW
        const char *peer = ", and FFTW's";
#else
        const char *peer = "";
#endif
        printf("the transforms are %s%s\n", wrong ? "WRONG" : "right", wrong ? "" : peer);
        if (wrong) upc_global_exit(1);
    }
    return 0;
}
