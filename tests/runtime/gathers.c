/* Loops that gather, as generated code runs them (lang/strip.h), against the same loop one element at a time:
 *
 *     for (i = 0; i < n; i++) to[i] = first byte of table[index[i]];
 *
 * or with every third iteration left out, where `to` is private memory that may be the index, this thread's part of the table, or shared elements that may be in the table. Relaxed
 * writes to the table come before the loop, and are still held back.
 *
 *     gathers LOOPS SEED
 *
 * Each thread has a table of its own on all threads, which nobody else touches. */
#include <stdbool.h>

#include "program.h"
#include "fathom_constant.h"
#include "lang/kept.h"
#include "lang/library.h"
#include "lang/random.h"
#include "lang/strip.h"

extern unsigned long fathom_gathered;                          /* gas/gather.c */
extern unsigned long fathom_lists_reused, fathom_tables_whole; /* gas/kept.c */
static long certain, widened;                                  /* whole tables */

enum { PART = 8192, MOST_THREADS = 8, SHORT = 150, LONG = 15000, MEMORY = 4 * LONG, INDICES = 256 };

static uint64_t seed;
static size_t below(size_t n) { return (size_t)fathom_random_below(&seed, n); }

static unsigned char mirror[MOST_THREADS][PART]; /* what the table on each thread should hold */
static int memory[MEMORY], expected[MEMORY];     /* indices, and what the loop writes */
static size_t skew, skew_of_some;                /* of the table, at any byte; and of every fifth element */
static fathom_ptr part(int on) { return board_place(on, 0) + (unsigned long)(fathom_mythread * PART); }

static void same(const void *a, const void *b, size_t n, const char *what, long loop) {
    if (memcmp(a, b, n) == 0) return;
    fprintf(stderr, "thread %d: loop %ld: %s: wrong\n", fathom_mythread, loop, what);
    _exit(99);
}

/* Element k of the table, in turn on each thread. */
static size_t place(int k, size_t size) {
    return skew + (k % 5 ? 0 : skew_of_some) + (size_t)(k / fathom_threads) * size;
}
static fathom_ptr element(int k, size_t size) { return part(k % fathom_threads) + place(k, size); }

static void some_writes(void) {
    for (size_t k = below(20); k > 0; k--) {
        int on = (int)below((size_t)fathom_threads);
        size_t at = below(300) * 8;
        unsigned char data[8];
        for (int i = 0; i < 8; i++) data[i] = (unsigned char)fathom_random(&seed);
        memcpy(&mirror[on][at], data, sizeof data);
        fathom_memput_relaxed(part(on) + at, data, sizeof data);
    }
}

static void loop(long number) {
    static const size_t sizes[] = {1, 2, 4, 8, 8, 16, 24};
    size_t size = sizes[below(sizeof sizes / sizeof *sizes)];
    /* Of a long one, elements of one thread travel in several messages. */
    bool is_long = fathom_gathers_from < LONG && below(30) == 0;
    long most = is_long ? LONG : SHORT, n = 1 + (long)below((size_t)most);
    skew = below(4) ? 0 : below(8);
    skew_of_some = below(4) ? 0 : below(8);
    for (int i = 0; i < MEMORY; i++) memory[i] = expected[i] = (int)below(INDICES);
    some_writes();
    size_t from = below((size_t)most), to = below((size_t)(4 * most - most));
    bool knows_table = below(2), leaves_out = below(2);
    enum { PRIVATE, OWN, ALL, BLOCK };
    /* What is written: private memory; this thread's part of the table; shared elements, on the thread `owner`, or in turn on each. */
    size_t kind = is_long ? PRIVATE : below(4);
    int owner = (int)below((size_t)fathom_threads);
    size_t first = below(2) ? below(400) : PART / 4 - 1 - SHORT; /* elements of 4 bytes */
    int *own = (int *)fathom_local(part(fathom_mythread)) + first;

    struct fathom_strip s;
    fathom_strip_begin(&s, n);
    unsigned long behind = (INDICES / (unsigned long)fathom_threads + 1) * size + 8;
    fathom_strip_gather(&s, part(0) + skew, knows_table ? behind : 0, 1, size);
    fathom_strip_source(&s, memory + from, n * (long)sizeof *memory);
    fathom_ptr shared = part(kind == BLOCK ? owner : 0) + first * 4;
    if (kind == PRIVATE)
        fathom_strip_stores(&s, memory + to, n * (long)sizeof *memory);
    else if (kind == OWN)
        fathom_strip_stores(&s, own, n * (long)sizeof *own);
    else
        fathom_strip_writes(&s, shared, 0, 0, kind == ALL, 4, 0);
    bool opens = n >= fathom_gathers_from && fathom_strip_open(&s);

    const unsigned char *landed = NULL;
    for (long i = 0, run = 0, end = 0; i < n; i++) {
        if (opens && i == end) {
            run = (long)fathom_strip_next(&s, (unsigned long)(n - i));
            fathom_ptr *places = fathom_gather_places(0, (unsigned long)run);
            for (long k = 0; k < run; k++)
                places[k] = leaves_out && (i + k) % 3 == 0 ? 0 : element(memory[from + (size_t)(i + k)], size);
            fathom_gather_fetch(&s, 0, 1, (unsigned long)run);
            landed = s.gather[0].at;
            end = i + run;
        }
        if (leaves_out && i % 3 == 0) continue;
        unsigned char got[24];
        int index = memory[from + (size_t)i];
        if (opens)
            memcpy(got, landed + (size_t)(i - end + run) * size, size);
        else
            fathom_memget(got, element(index, size), size);
        /* The loop as C has it. */
        int k = expected[from + (size_t)i];
        const unsigned char *right = &mirror[k % fathom_threads][place(k, size)];
        same(got, right, size, "an element that was gathered", number);
        int value = right[0];
        unsigned long at = first * 4 + (unsigned long)i * 4;
        switch (kind) {
        case PRIVATE: memory[to + (size_t)i] = expected[to + (size_t)i] = value; break;
        case OWN:
            own[i] = value;
            memcpy(&mirror[fathom_mythread][at], &value, sizeof value);
            break;
        case ALL:
        case BLOCK: {
            int on = kind == BLOCK ? owner : (int)(i % fathom_threads);
            if (kind == ALL) at = first * 4 + (unsigned long)(i / fathom_threads) * 4;
            memcpy(&mirror[on][at], &value, sizeof value);
            fathom_memput_relaxed(part(on) + at, &value, sizeof value);
        }
        }
    }
    same(memory, expected, sizeof memory, "what the loop has written", number);
}

enum { ROWS = 80, LONGEST = 12 };

/* Row j's indices are list[start[j]] to list[start[j] + count[j] - 1], and the same in the wide list. What lies between rows is no index. */
static int start[ROWS], count[ROWS], list[ROWS * (LONGEST + 1)];
static long wide_list[ROWS * (LONGEST + 1)];

/* The rows follow each other in memory, or each comes before the last one, or there is something between them. */
static void make_rows(long rows, size_t longest, size_t outside, size_t low, size_t range) {
    size_t order = below(3);
    int at = order == 1 ? ROWS * LONGEST : 0;
    for (int e = 0; e < ROWS * (LONGEST + 1); e++) wide_list[e] = list[e] = -100000;
    for (long j = 0; j < rows; j++) {
        count[j] = (int)below(longest);
        if (order == 1) at -= count[j];
        start[j] = at;
        for (int e = at; e < at + count[j]; e++)
            wide_list[e] = list[e] = below(100) < outside ? (int)below(INDICES) : (int)(low + below(range));
        if (order != 1) at += count[j] + (order == 2);
    }
}

/* Looks at the indices of the iterations from `i` on, up to the one that is returned; 0 if one is no part of the table. */
static unsigned long looked(struct fathom_kept *k, const struct fathom_own *own, unsigned long i, unsigned long n,
                            int bytes) {
    unsigned long to = i;
    for (; to < n && fathom_kept_looks(k) && (to == i || below(20)); to++) {
        int from = start[own->at[to]];
        unsigned long reads = (unsigned long)count[own->at[to]];
        if (reads) fathom_kept_look(k, bytes == 8 ? (void *)&wide_list[from] : &list[from], reads, bytes);
    }
    return fathom_kept_looked(k) ? to : 0;
}

/* Rows of such reads, by a list or of the table as a whole; several times, in some of which they have become others. If they are promised to be constant,
 * that is told, or has another key. Of a whole table each read is tested, or indices are looked at before. */
static void listed(long number) {
    static const size_t sizes[] = {2, 4, 8, 24};
    size_t size = sizes[below(sizeof sizes / sizeof *sizes)];
    long rows = 1 + (long)below(ROWS);
    bool is_promised = below(4), is_told = below(2), leaves_out = below(2);
    skew = below(4) ? 0 : below(8);
    skew_of_some = below(4) ? 0 : below(8);
    size_t low = below(2) ? 0 : INDICES / 4, range = below(2) ? INDICES - low : INDICES / 4;
    long phase = skew_of_some || below(3) == 0 ? -1 : 0;
    bool looks = !leaves_out && below(3);
    int bytes = below(2) ? 8 : below(2) ? 4 : -4;
    for (int times = 0; times < 8; times++) {
        if (times != 1 && times < 6 && !(is_promised && times > 2)) {
            size_t longest = times == 4 ? 2 : LONGEST, outside = below(3) ? 0 : below(2) ? 2 : 100; /* of a hundred */
            make_rows(rows, longest, outside, low, range);
            if (times == 2 && is_told) fathom_constant_changed();
        }
        some_writes();
        struct fathom_strip s;
        fathom_strip_begin(&s, rows);
        fathom_strip_gather(&s, part(0) + skew, 0, 1, size);
        if (rows < fathom_gathers_from || !fathom_strip_open(&s)) continue;
        struct fathom_kept k;
        unsigned long key[] = {0, (unsigned long)rows, (unsigned long)number, is_promised && times >= 2 && !is_told};
        fathom_kept_begin(&k, &s, 77, __FILE__, __LINE__, phase, key, is_promised ? 4 : 0);
        struct fathom_own own = {0, rows, 0, 0, NULL};
        long seen = 0;
        for (unsigned long n; (n = fathom_kept_next(&k, &s, &own)) != 0;) {
            if (!k.is_known)
                for (unsigned long i = 0; i < n && fathom_kept_more(&k, i); i++) {
                    int from = start[own.at[i]], reads = count[own.at[i]];
                    if (k.is_whole) {
                        for (int e = 0; e < reads; e++) k.reads += !(leaves_out && e % 3 == 0);
                        continue;
                    }
                    fathom_ptr *places = fathom_kept_places(&k, (unsigned long)reads);
                    for (int e = 0; e < reads; e++)
                        places[e] = leaves_out && e % 3 == 0 ? 0 : element(list[from + e], size);
                    fathom_kept_add(&k, (unsigned long)reads);
                }
            n = fathom_kept_fetch(&k, &s, &own, n);
            CHECK(!k.is_whole || k.many == 1 || (uintptr_t)k.at % 64 == 0);
            unsigned long i = 0, end = k.is_whole && looks ? 0 : n;
            CHECK(!k.is_certain || (k.is_whole && is_promised));
            for (; i < n && !(k.is_whole && k.stops); i++, seen++) {
                if (i == end) {
                    certain += k.is_certain;
                    end = k.is_certain ? n : looked(&k, &own, i, n, bytes);
                    widened += !end && !k.stops;
                    if (!end) break;
                }
                CHECK(own.at[i] == seen);
                unsigned long read = k.is_whole ? 0 : k.first[i];
                for (int from = start[seen], e = from; e < from + count[seen]; e++, read++) {
                    if (leaves_out && (e - from) % 3 == 0) continue;
                    const void *got = (const char *)k.at + (k.is_whole ? 0 : k.element[read]) * size;
                    if (k.is_whole && looks) {
                        CHECK((unsigned long)(list[e] - k.low) < k.many);
                        got = (const char *)k.zero + list[e] * (long)size;
                    } else if (k.is_whole) {
                        got = fathom_kept_element(&k, k.at, (unsigned long)(list[e] - k.low), k.many, size);
                    }
                    same(got, &mirror[list[e] % fathom_threads][place(list[e], size)], size, "an element of a list",
                         number);
                }
            }
            if (i < n) own.next = own.at[i];
        }
        CHECK(seen == rows);
    }
}

/* Reads that are not made count for nothing: where as many are made as before, the table is fetched whole; where hardly any are, it is not. */
static void left_out(void) {
    enum { N = INDICES };
    for (int times = 0; times < 4; times++) {
        struct fathom_strip s;
        fathom_strip_begin(&s, 8);
        fathom_strip_gather(&s, part(0), 0, 1, 4);
        if (fathom_gathers_from > 8 || !fathom_strip_open(&s)) return;
        struct fathom_kept k;
        fathom_kept_begin(&k, &s, 78, __FILE__, __LINE__, 0, (const unsigned long[]){0, 8, 0}, 0);
        struct fathom_own own = {0, 8, 0, 0, NULL};
        unsigned long whole = fathom_tables_whole;
        for (unsigned long n; (n = fathom_kept_next(&k, &s, &own)) != 0;) {
            for (unsigned long i = 0; i < n && fathom_kept_more(&k, i); i++) {
                fathom_ptr *places = fathom_kept_places(&k, N);
                for (int e = 0; e < N; e++) {
                    bool is_made = times < 2 ? e % 8 == 0 : e == 0;
                    k.reads += k.is_whole && is_made;
                    places[e] = is_made ? element((e + (int)own.at[i]) % N, 4) : 0;
                }
                if (!k.is_whole) fathom_kept_add(&k, N);
            }
            n = fathom_kept_fetch(&k, &s, &own, n);
        }
        CHECK(fathom_tables_whole - whole == (unsigned long)times % 2);
    }
}

/* A loop that has many iterations does not compute the places of all at once. */
static void long_loop(void) {
    long n = 10000000, most = 131072;
    struct fathom_strip s;
    fathom_strip_begin(&s, n);
    fathom_strip_gather(&s, part(0), 0, 1, 8);
    if (!fathom_strip_open(&s)) return;
    for (long run, left = n; left > 0; left -= run) {
        run = (long)fathom_strip_next(&s, (unsigned long)left);
        CHECK(run <= most);
    }
}

int main(int argc, char **argv) {
    int loops = argc > 1 ? atoi(argv[1]) : 1;
    seed = (uint64_t)(argc > 2 ? atoi(argv[2]) : 0) * MOST_THREADS + (uint64_t)fathom_mythread;
    CHECK(fathom_threads <= MOST_THREADS);
    memset(board_word(fathom_mythread, 0), 0, MOST_THREADS * PART);
    gas_barrier();
    for (int i = 0; i < loops; i++) {
        loop(i);
        if (below(3) == 0) listed(i);
        if (below(8) == 0) fathom_fence();
    }
    /* Where threads are far, loops did gather. */
    const char *wanted = getenv("FATHOM_COMM");
    if (wanted && !strstr(wanted, "kept")) left_out();
    if (fathom_threads > 1 && wanted && strstr(wanted, "gathers")) {
        CHECK(fathom_gathered > 0);
        CHECK(strstr(wanted, "kept") || loops < 100 || (fathom_lists_reused > 0 && fathom_tables_whole > 0));
        CHECK(strstr(wanted, "kept") || loops < 300 || (certain > 0 && widened > 0));
    }
    long_loop();
    gas_barrier();
    if (fathom_mythread == 0) puts("good");
    return 0;
}
