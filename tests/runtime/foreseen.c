/* Loops that run again and again, as generated code has them (lang/strip.h), and read elsewhere each time or the same: what is fetched for their
 * next runs (gas/foreseen.c) is used only while it is what is there.
 *
 *     for (run) for (j = 0; j < n; j++) … table[first + run * by + j * stride] …
 *
 * Before some runs, or in them, this thread writes what it will read; after a barrier, others have written it.
 *
 *     foreseen NESTS SEED
 *
 * Each thread has a table of its own on all threads. Others change it between barriers alone. */
#include <stdbool.h>

extern unsigned long fathom_foreseen, fathom_foreseen_bytes; /* gas/foreseen.c */

static unsigned long nests; /* loops whose rows were fetched for many iterations */

enum { PART = 8192, RUNS = 24, LONGEST = 70, SLOTS = 4 };
#include "mirror.h"
#include "lang/strip.h"

/* A table: elements of `size` bytes, `block` on a thread and then on the next one; 0: all on thread `on`. */
struct table {
    int on;
    long block, size, elements;
};

static void place(const struct table *t, long e, int *on, long *offset) {
    if (!t->block) {
        *on = t->on, *offset = e * t->size;
        return;
    }
    long b = e / t->block;
    *on = (int)(b % fathom_threads);
    *offset = (b / fathom_threads * t->block + e % t->block) * t->size;
}
static fathom_ptr word(const struct table *t, long e) {
    int on;
    long offset;
    place(t, e, &on, &offset);
    return part(on) + (unsigned long)offset;
}
static const unsigned char *expected(const struct table *t, long e) {
    int on;
    long offset;
    place(t, e, &on, &offset);
    return &mirror[on][offset];
}

static void write_element(const struct table *t, long e) {
    if (e < 0 || e >= t->elements) return;
    int on;
    long offset;
    place(t, e, &on, &offset);
    uint64_t value = fathom_random(&seed);
    memcpy(&mirror[on][offset], &value, (size_t)t->size);
    fathom_memput_relaxed(word(t, e), &value, (size_t)t->size);
}

static _Noreturn void wrong(const char *what, long nest, int run, long j) {
    fprintf(stderr, "thread %d: nest %ld, run %d, iteration %ld of %s: wrong\n", fathom_mythread, nest, run, j, what);
    _exit(99);
}

/* What a nest does. */
struct nest {
    struct table table;
    long number, n, first, by, stride;
    long by_half;  /* what the second half of the places moves more than the first, each time */
    bool leaves;   /* some runs early */
    size_t writes; /* one in so many runs, or 0 */
    int longer;    /* every fifth run than the one before */
    /* Loops in strips: further places beside that of each iteration, perhaps on another thread, and how many elements behind each are read, too. */
    int slots, on[SLOTS];
    long apart[SLOTS], extra[SLOTS];
};

static long element(const struct nest *x, int run, long j) {
    return x->first + run * x->by + j * x->stride + (j > x->n / 2 ? run * x->by_half : 0);
}
static long trips(const struct nest *x, int run) { return x->n + run / 5 * x->longer; }

/* Where the next runs read, or not far from it. */
static void sometimes_write(const struct nest *x, int run, long before) {
    if (x->writes && below(x->writes) == 0) write_element(&x->table, element(x, run + 1, 0) + (long)below(40) - before);
}

static void check_element(const struct nest *x, int run, long j, long e, const struct table *t, const char *at) {
    unsigned char value[8];
    if (e < 0 || e >= t->elements) return; /* fetched, and not used */
    if (at)
        memcpy(value, at, (size_t)t->size);
    else
        fathom_memget(value, word(t, e), (size_t)t->size);
    if (memcmp(value, expected(t, e), (size_t)t->size) != 0) wrong("strips", x->number, run, j);
}

/* One run, which reads elements that follow each other. */
static void in_strips(const struct nest *x, int run) {
    long n = trips(x, run);
    struct fathom_strip s;
    struct table t[SLOTS];
    fathom_strip_begin(&s, n);
    for (int i = 0; i < x->slots; i++) {
        t[i] = x->table;
        t[i].on = x->on[i];
        fathom_strip_range(&s, part(t[i].block ? 0 : t[i].on), 0, element(x, run, 0) + x->apart[i],
                           (unsigned long)t[i].block, (unsigned long)t[i].size, x->extra[i]);
    }
    bool opens = n >= fathom_strips_from && fathom_strip_open(&s);
    for (long j = 0, from = 0, end = 0; j < n; j++) {
        if (opens && j == end) {
            from = j;
            end = j + (long)fathom_strip_next(&s, (unsigned long)(n - j));
            CHECK(end > j && end <= n);
        }
        for (int i = 0; i < x->slots; i++)
            for (long more = 0; more <= x->extra[i]; more++) {
                const char *at = opens ? (const char *)s.slot[i].at + (j - from + more) * t[i].size : NULL;
                check_element(x, run, j, element(x, run, j) + x->apart[i] + more, &t[i], at);
            }
        if (j == n / 2 && x->number >= 0 && below(6) == 0) /* what was asked for comes */
            for (int k = 0; k < 200; k++) gas_poll();
        /* What this run does not read any more. */
        if (j == n / 2 && x->slots == 1 && x->by > n + x->extra[0]) sometimes_write(x, run, 0);
        if (x->leaves && j == n / 3) break;
    }
}

/* All runs as one loop around them, which also writes some elements if nothing of what it reads is among them. */
static void in_nest(const struct nest *x) {
    struct fathom_strip s, first, next;
    struct fathom_nest rows;
    struct table t[SLOTS];
    fathom_strip_begin(&first, x->n);
    fathom_strip_begin(&next, x->n);
    for (int i = 0; i < x->slots; i++) {
        t[i] = x->table;
        t[i].on = x->on[i];
        for (int run = 0; run < 2; run++)
            fathom_strip_range(run ? &next : &first, part(t[i].block ? 0 : t[i].on), 0,
                               element(x, run, 0) + x->apart[i], (unsigned long)t[i].block, (unsigned long)t[i].size,
                               x->extra[i]);
    }
    fathom_strip_begin(&s, RUNS);
    fathom_nest_begin(&rows, &s, &first, &next);
    long written = -1;
    if (below(2)) {
        written = (long)below((size_t)(x->table.elements - RUNS));
        fathom_strip_writes(&s, part(x->table.block ? 0 : x->table.on), 0, written, (unsigned long)x->table.block,
                            (unsigned long)x->table.size, 0);
    }
    if (x->n < fathom_strips_from || !fathom_strip_open(&s) || !fathom_nest_open(&rows)) return;
    nests++;
    for (int run = 0; run < RUNS;) {
        long n = fathom_nest_next(&rows);
        CHECK(n > 0 && run + n <= RUNS);
        for (long k = 0; k < n; k++, run++) {
            for (int i = 0; i < x->slots; i++)
                for (long e = 0; e < x->n + x->extra[i]; e++)
                    check_element(x, run, e, element(x, run, e) + x->apart[i], &t[i],
                                  (const char *)rows.row[k][i] + e * t[i].size);
            if (written >= 0) write_element(&x->table, written + run);
        }
        if (x->leaves && run > RUNS / 2) return;
    }
}

/* One run that gathers. */
static void by_places(const struct nest *x, int run, bool leaves_out) {
    long n = trips(x, run);
    const struct table *t = &x->table;
    struct fathom_strip s;
    fathom_strip_begin(&s, n);
    fathom_strip_gather(&s, part(t->block ? 0 : t->on), (unsigned long)(t->block ? PART : 0), (unsigned long)t->block,
                        (unsigned long)t->size);
    bool opens = n >= fathom_gathers_from && fathom_strip_open(&s);
    const char *at = NULL;
    for (long j = 0, from = 0, end = 0; j < n; j++) {
        if (opens && j == end) {
            long k = n - j < s.step ? n - j : s.step;
            fathom_ptr *places = fathom_gather_places(0, (unsigned long)k);
            for (long i = 0; i < k; i++)
                places[i] = leaves_out && (j + i) % 3 == 1 ? 0 : word(t, element(x, run, j + i));
            fathom_gather_fetch(&s, 0, 1, (unsigned long)k);
            at = s.gather[0].at;
            from = j, end = j + k;
        }
        if (leaves_out && j % 3 == 1) continue;
        unsigned char value[8];
        if (opens)
            memcpy(value, at + (j - from) * t->size, (size_t)t->size);
        else
            fathom_memget(value, word(t, element(x, run, j)), (size_t)t->size);
        if (memcmp(value, expected(t, element(x, run, j)), (size_t)t->size) != 0) wrong("places", x->number, run, j);
    }
}

static void nest(long number) {
    bool gathers = below(2), leaves_out = gathers && below(4) == 0;
    static const long sizes[] = {8, 8, 4, 1};
    struct nest x = {.number = number, .leaves = !gathers && below(5) == 0, .writes = below(3) ? 0 : 1 + below(4)};
    x.table.on = (int)below((size_t)fathom_threads);
    x.table.block = below(3) == 0 ? 0 : (long[]){1, 2, 7, 64, 300}[below(5)];
    x.table.size = sizes[below(4)];
    x.table.elements = x.table.block ? PART / x.table.size / x.table.block * x.table.block : PART / x.table.size;
    x.n = 1 + (long)below(LONGEST);
    x.stride = gathers && below(2) ? 1 + (long)below(9) : 1;
    x.longer = (long[]){0, 0, 1, 3}[below(4)];
    x.slots = below(2) ? 1 : 1 + (int)below(SLOTS);
    /* The last run's elements are in the table. */
    long reach = (x.n + RUNS / 5 * x.longer) * x.stride, room = x.table.elements - reach;
    if (gathers && below(4) == 0 && room > 4 * RUNS) x.by_half = 1, room -= RUNS;
    static const long steps[] = {0, 1, 1, 2, 10};
    x.by = steps[below(5)];
    if (below(3) == 0) x.by = x.n * x.stride + (long)below(6);
    if (x.by > room / (RUNS + 1)) x.by = room / (RUNS + 1);
    if (x.by < 0) x.by = 0;
    CHECK(room > 0);
    x.first = (long)below((size_t)(room - RUNS * x.by > 0 ? room - RUNS * x.by : 1));
    if (below(4) == 0) x.first += RUNS * x.by, x.by = -x.by;
    for (int i = 0; i < x.slots; i++) {
        x.on[i] = i && below(4) == 0 ? (int)below((size_t)fathom_threads) : x.table.on;
        x.extra[i] = (long)below(3);
        if (i) x.apart[i] = ((long)below(7) - 3) * x.by + (long)below(5) - 2;
    }
    uint64_t barriers = fathom_random(&common); /* before these runs */
    if (fathom_random_below(&common, 2)) barriers = 0;
    long turn = (long)below(RUNS * 2); /* where it begins to move in another way */
    for (int times = fathom_random_below(&common, 2) ? 1 : 2; times > 0;
         times--) { /* it begins anew elsewhere, and moves on as before */
        for (int run = 0; run < RUNS; run++) {
            if (barriers >> run & 1 && run % 3 == 2) all_write(fathom_random(&common));
            if (run == turn && x.first + run * x.by > 0) x.first--;
            sometimes_write(&x, run, 5);
            if (below(30) == 0) fathom_fence();
            if (gathers)
                by_places(&x, run, leaves_out);
            else
                in_strips(&x, run);
        }
        x.by_half = 0;
        if (x.stride == 1) in_nest(&x);
        if (x.stride == 1 && x.leaves) { /* while what was begun is on its way, others are asked */
            struct nest y = x;
            y.leaves = false;
            y.first++;
            for (int i = 0; i < y.slots; i++) y.on[i] = (x.on[i] + 1) % fathom_threads;
            in_nest(&y);
        }
        long least = x.by < 0 ? -RUNS * x.by : 0, most = room - (x.by > 0 ? RUNS * x.by : 0);
        if (most > least) x.first = least + (long)below((size_t)(most - least));
    }
}

/* A nest that reads each row by three slots: a row is fetched once for the runs of a box; and when the nest runs again, one box has all runs behind the first. */
static void rows(void) {
    enum { ROW = 32, ROWS = PART / 8 / ROW, HALF = ROWS / 2 };
    struct nest x = {.number = -1, .n = ROW / 4, .by = ROW, .stride = 1, .slots = 3, .apart = {-ROW, 0, ROW}};
    x.table = (struct table){.on = (fathom_mythread + 1) % fathom_threads, .size = 8, .elements = PART / 8};
    for (int i = 0; i < 3; i++) x.on[i] = x.table.on;
    all_write(fathom_random(&common));
    for (int again = 0; again < 3; again++) {
        unsigned long found = fathom_foreseen, bytes = fathom_foreseen_bytes;
        x.first = again == 1 ? 3 * ROW : ROW;
        for (int run = 0; run < HALF - 1; run++) in_strips(&x, run);
        found = fathom_foreseen - found;
        bytes = (fathom_foreseen_bytes - bytes) / 8 / (unsigned long)x.n;
        if (again == 0)
            CHECK(found == HALF - 4 && bytes <= 2 + 4 + 8 + 16 + 4 * 2); /* boxes of so many runs */
        else
            CHECK(found == HALF - 2 && bytes == HALF - 2 + 2);
    }
}

int main(int argc, char **argv) {
    int many = argc > 1 ? atoi(argv[1]) : 1;
    mirror_start(argc > 2 ? atoi(argv[2]) : 0);
    const char *wanted = getenv("FATHOM_COMM");
    /* Where the progress thread leaves alone what has been fetched; elsewhere it may come before all that was foreseen is used. */
    bool stays = fathom_threads > 1 && wanted && strstr(wanted, "lines=64");
    if (stays && strcmp(wanted, "foresee,lines=64") == 0) rows();
    for (int i = 0; i < many; i++) nest(i);
    if (stays) CHECK(fathom_foreseen > 0);
    if (fathom_threads > 1 && wanted && strstr(wanted, "foresee=")) CHECK(many < 60 || nests > 0);
    gas_barrier();
    if (fathom_mythread == 0) puts("good");
    return 0;
}
