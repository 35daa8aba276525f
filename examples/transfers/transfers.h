/* What sor.upc, transpose.upc and fem.upc share: the forms in which a program can send data that does not lie side by
 * side, and their times.
 *
 * packed     The program copies the data into a buffer, sends that as one block, and the receiver copies it to its
 *            places.
 * chained    A strided or indexed call, with the mechanisms that move every element by itself, straight to its place: a
 *            plain loop where memory is shared, the conduit's own operation for each element elsewhere.
 * automatic  The same call; the runtime chooses the mechanism by its tuning table (docs/tuning.md).
 *
 * The terms are those of T. Stricker and T. Gross, "Optimizing memory system performance for communication in parallel
 * computers" (ISCA 1995), which measures the same three programs. `fathom model` has its model (docs/models.md).
 */
#ifndef TRANSFERS_H
#define TRANSFERS_H

#include <bupc_extensions.h>
#include <gas_tuning.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_nb.h>
#include <upc_tick.h>
#ifdef BIND
#include <sched.h>
#include <unistd.h>
#endif

enum { PACKED, CHAINED, AUTOMATIC, FORMS };
static const char *const form_name[FORMS] = {"packed", "chained", "automatic"};

/* What `wanted` names: a form, or "all". */
static inline int is_wanted(const char *wanted, int form) {
    return strcmp(wanted, "all") == 0 || strcmp(wanted, form_name[form]) == 0;
}
static inline int is_form(const char *wanted) {
    for (int form = 0; form < FORMS; form++)
        if (is_wanted(wanted, form)) return 1;
    return 0;
}

/* Makes the strided and indexed calls of this thread move data as the form says. */
static inline void use_form(int form) {
    static const char *const each[] = {
        "gather: loop",      "scatter: loop",    "strided: loop",        "transpose: loop",
        "put-indexed: loop", "put-pieces: each", "put-together: direct",
    };
    gas_tune_reset();
    for (size_t i = 0; form == CHAINED && i < sizeof each / sizeof *each; i++) {
        const char *error = gas_tune(each[i]);
        if (!error) continue;
        fprintf(stderr, "'%s': %s\n", each[i], error);
        exit(1);
    }
}

/* ---- an exchange ------------------------------------------------------------------------------------------------- */

/* The program's: sends all that the other threads get from this one, complete when it returns. */
static void send_data(int form);
/* After all threads have sent: copies what came in this thread's buffer to its places. */
static void receive_data(int form);

/* The times of exchanges, in microseconds. */
struct times {
    int n;
    double *transfer; /* of sending and receiving: without the barriers */
    double *whole;
};
/* The choices that the runtime made in the first exchange, such as "transpose: tiles, put-pieces: pack". */
static char ways[200];

static void note_way(const struct gas_choice *choice) {
    char way[60];
    size_t have = strlen(ways);
    snprintf(way, sizeof way, "%s: %s", choice->decision, choice->mechanism);
    if (!strstr(ways, way)) snprintf(ways + have, sizeof ways - have, "%s%s", have ? ", " : "", way);
}

static inline double us_between(upc_tick_t from, upc_tick_t to) { return 1e-3 * upc_ticks_to_ns(to - from); }

/* With -DBIND -D_GNU_SOURCE, for measurements: thread t stays on processor t. */
static void choose_processor(void) {
#ifdef BIND
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(MYTHREAD % sysconf(_SC_NPROCESSORS_ONLN), &one);
    sched_setaffinity(0, sizeof one, &one);
#endif
}

/* What it costs to ask for the time. */
static inline double us_of_clock(void) {
    double least = 1;
    for (int i = 0; i < 100; i++) {
        upc_tick_t from = upc_ticks_now();
        double us = us_between(from, upc_ticks_now());
        if (us < least) least = us;
    }
    return least;
}

/* All threads: their data for the others is ready. */
static void exchange(int form, struct times *t) {
    static double clock_us = -1;
    if (clock_us < 0) {
        choose_processor();
        clock_us = us_of_clock();
    }
    if (t->n == 0) {
        use_form(form);
        ways[0] = 0;
        gas_tell(note_way);
    }
    upc_barrier;
    upc_tick_t begun = upc_ticks_now();
    send_data(form);
    upc_fence; /* stores to memory of others have left this processor */
    upc_tick_t sent = upc_ticks_now();
    upc_barrier;
    upc_tick_t all_sent = upc_ticks_now();
    receive_data(form);
    upc_fence;
    upc_tick_t ended = upc_ticks_now();
    gas_tell(NULL);
    t->transfer[t->n] = us_between(begun, sent) + us_between(all_sent, ended) - 2 * clock_us;
    t->whole[t->n++] = us_between(begun, ended);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static inline void *room(size_t count, size_t bytes) {
    void *p = malloc(count * bytes + 1);
    if (!p) {
        fprintf(stderr, "no memory for %zu objects of %zu bytes\n", count, bytes);
        exit(1);
    }
    return p;
}
static inline struct times room_for_times(int n) {
    return (struct times){0, room(n, sizeof(double)), room(n, sizeof(double))};
}

/* The first of thread t's share of n rows, columns or elements, which are dealt out in blocks as equal as possible. */
static inline int first_of(int n, int t) { return (int)((long long)n * t / THREADS); }

/* The number that a program's argument is; -1 if it is not one. */
static inline int number(const char *text) {
    char *end;
    long n = strtol(text, &end, 10);
    return *text && !*end && n >= 0 && n < 1 << 30 ? (int)n : -1;
}

static int order_of_times(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *times, int n) {
    qsort(times, n, sizeof *times, order_of_times);
    return n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
}

/* The most that any thread has; called by all. */
static double greatest(double mine) {
    static shared double on[THREADS];
    on[MYTHREAD] = mine;
    upc_barrier;
    double most = on[0];
    for (int t = 1; t < THREADS; t++)
        if (on[t] > most) most = on[t];
    upc_barrier;
    return most;
}

/* ---- output: all threads call these, and thread 0 prints --------------------------------------------------------- */

/* `bytes` is what this thread sends in an exchange, and `block` what one other thread gets of it. */
static void print_amount(double bytes, double block) {
    bytes = greatest(bytes);
    block = greatest(block);
    if (MYTHREAD == 0) printf("a thread sends %.0f bytes in an exchange, %.0f to another thread\n", bytes, block);
}

/* The slowest thread's median times, and its throughput; bytes as for print_amount. The pattern is that of the words
 * that a sender reads, and of those that are written at the receiver, as in `fathom model`: 1, a stride, or w
 * (indexed). */
static void print_times(int form, struct times *t, double bytes, const char *pattern) {
    double us = greatest(median(t->transfer, t->n)), whole = greatest(median(t->whole, t->n));
    bytes = greatest(bytes);
    if (MYTHREAD == 0)
        printf("%-9s %-9s %10.3f us %9.1f MB/s, with the barrier %10.3f us%s%s\n", form_name[form], pattern, us,
               us > 0 ? bytes / us : 0, whole, *ways ? "   " : "", ways);
    t->n = 0;
}

#endif
