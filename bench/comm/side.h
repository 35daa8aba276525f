/* What every program of bench/comm needs: the batches, the clock, and the line of result.
 *
 * A side is one program on two processes: ours, or a peer's. It gives a barrier, a way to agree on a number, and a list
 * of rows; each row is a piece of work done n times. Entries of the list with the same row belong together (ours and
 * plain C in the same two processes, say) and take turns, batch by batch, so that what disturbs the computer for
 * longer than one batch disturbs all of them. Programs that cannot share processes take turns whole: the driver starts
 * one after the other, many times, and compares neighbours.
 *
 * Usage: PROGRAM BATCHES BATCH_US [ROW...], where a ROW is the name of a row, or the beginning of some and a `*`. A
 * line of result has fields parted by tabs, times in nanoseconds for one operation, as process 0's clock has them:
 *     comm  side  row  bytes-of-one-operation  median  lowest  highest
 */
#ifndef SIDE_H
#define SIDE_H

#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Process 0 works while the other waits in its library's barrier, or both work. */
enum side_who { SIDE_FIRST, SIDE_BOTH };

struct side_row {
    const char *row, *side;
    void (*work)(long n);
    enum side_who who;
    size_t bytes;                                /* moved by one operation; 0 where only time counts */
    void (*prepare)(const struct side_row *row); /* by both processes, before the row's batches; may be null */
    int (*check)(void); /* by both, after the last: is what the work left behind right? may be null */
    size_t pieces;      /* that the bytes of a strided or indexed transfer are in */
};

struct side {
    int me;
    void (*barrier)(void);
    long (*agree)(long mine); /* process 0's number, in both */
    int unbound;              /* processes run where the system puts them */
};

/* Keeps the compiler from moving accesses to memory across this point. */
#define SIDE_KEEP() __asm__ volatile("" ::: "memory")
/* A value that the compiler knows nothing about. */
static inline size_t side_opaque(size_t n) {
    __asm__ volatile("" : "+r"(n));
    return n;
}

/* Process k on the k-th of the processors it was given: the same on all sides. */
static inline void side_pin(int me) {
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all)) return;
    /* A launcher may have bound each process already: the choice is among all processors then. */
    if (CPU_COUNT(&all) < 2)
        for (int c = 0; c < CPU_SETSIZE; c++) CPU_SET(c, &all);
    for (int c = 0, k = 0; c < CPU_SETSIZE; c++) {
        if (!CPU_ISSET(c, &all) || k++ != me) continue;
        CPU_ZERO(&one);
        CPU_SET(c, &one);
        sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

static inline double side_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static inline double side_batch(const struct side *s, const struct side_row *row, long n) {
    s->barrier();
    double start = side_now();
    if (s->me == 0 || row->who == SIDE_BOTH) row->work(n);
    double ns = side_now() - start;
    s->barrier();
    return ns;
}

static inline int side_ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many operations make a batch of about batch_ns: by the fastest of three, because one may have been disturbed. */
static inline long side_calibrate(const struct side *s, const struct side_row *row, double batch_ns) {
    for (long n = 1;;) {
        double ns = side_batch(s, row, n);
        for (int i = 0; i < 2; i++) {
            double again = side_batch(s, row, n);
            if (again < ns) ns = again;
        }
        int enough = ns >= batch_ns / 4;
        long next = s->agree(enough ? -1 - (long)((double)n * batch_ns / ns) : 4 * n);
        if (next < 0) return -next;
        n = next;
    }
}

/* Rows list[0 .. count) are one row on several sides. */
static inline void side_measure(const struct side *s, const struct side_row *list, int count, int batches,
                                double batch_ns) {
    enum { MAX_COUNT = 4, MAX_BATCHES = 1001 };
    static _Thread_local double ns[MAX_COUNT][MAX_BATCHES]; /* participants of bench/queues may be threads */
    long n[MAX_COUNT];
    int single = 0; /* an operation takes longer than a batch should: fewer of them will do */
    if (batches > MAX_BATCHES) batches = MAX_BATCHES;
    for (int i = 0; i < count; i++) {
        if (list[i].prepare) list[i].prepare(&list[i]);
        s->barrier();
        n[i] = side_calibrate(s, &list[i], batch_ns);
        single |= n[i] < 2;
    }
    if (single && batches > 7) batches = 7;
    for (int b = 0; b < batches; b++)
        for (int k = 0; k < count; k++) {
            int i = b % 2 ? count - 1 - k : k;
            if (list[i].prepare && count > 1) list[i].prepare(&list[i]);
            ns[i][b] = side_batch(s, &list[i], n[i]) / (double)n[i];
        }
    for (int i = 0; i < count; i++) {
        if (list[i].check && !list[i].check()) {
            fprintf(stderr, "%s: %s: process %d finds a wrong result\n", list[i].side, list[i].row, s->me);
            exit(1);
        }
        if (s->me != 0) continue;
        qsort(ns[i], (size_t)batches, sizeof ns[i][0], side_ascending);
        printf("comm\t%s\t%s\t%zu\t%.3f\t%.3f\t%.3f\n", list[i].side, list[i].row, list[i].bytes, ns[i][batches / 2],
               ns[i][0], ns[i][batches - 1]);
        fflush(stdout);
    }
}

static inline int side_wanted(const char *row, int argc, char **argv) {
    for (int i = 3; i < argc; i++) {
        size_t n = strlen(argv[i]);
        if (n && argv[i][n - 1] == '*' ? strncmp(row, argv[i], n - 1) == 0 : strcmp(row, argv[i]) == 0) return 1;
    }
    return argc < 4;
}

static inline void side_main(const struct side *s, const struct side_row *list, int count, int argc, char **argv) {
    int batches = argc > 1 ? atoi(argv[1]) : 15;
    double batch_ns = 1e3 * (argc > 2 ? atof(argv[2]) : 1000);
    if (!s->unbound) side_pin(s->me);
    for (int i = 0, j; i < count; i = j) {
        for (j = i + 1; j < count && strcmp(list[j].row, list[i].row) == 0; j++) {}
        if (side_wanted(list[i].row, argc, argv)) side_measure(s, &list[i], j - i, batches, batch_ns);
    }
}

/* ---- what all sides move --------------------------------------------------------------------------------------- */

enum {
    SIDE_WORDS = 512,     /* 8-byte accesses walk through as many words */
    SIDE_PIECES = 2048,   /* strided and indexed: as many pieces at most, in every other place of the far side */
    SIDE_FLOOD = 512,     /* bytes of payload of the flood of medium messages */
    SIDE_STREAM = 16,     /* transfers under way at a time */
    SIDE_BULK = 64 << 20, /* the longest transfer */
    /* Where things are in the shared memory of each process, and how much of that there is. */
    SIDE_AT_WORDS = 0,
    SIDE_AT_COUNTER = 16 << 10,
    SIDE_AT_PIECES = 64 << 10,
    SIDE_AT_BULK = 1 << 20,
    SIDE_HEAP = SIDE_AT_BULK + SIDE_BULK
};

/* Sizes of the rows of one transfer after the other, and of many under way: the same for all libraries that have both.
 * `row` makes a row of a size. (shmem.c has fewer.) */
#define SIDE_BULK_ROWS(row)                                                                                            \
    row(8), row(64), row(512), row(1024), row(8192), row(65536), row(524288), row(4194304), row(67108864)
#define SIDE_STREAM_ROWS(row) row(8), row(512), row(8192), row(65536), row(524288), row(4194304)

/* The offset of the word that the i-th access goes to. */
static inline size_t side_word(long i) { return (size_t)i % SIDE_WORDS * 8; }

/* The words of the far process before it is written to, and what gets find; puts of 0, 1, 2... leave others. */
static inline uint64_t side_first_word(uint64_t i) { return 3 * (i % SIDE_WORDS) + 1; }
static inline void side_fill_words(uint64_t *words) {
    for (uint64_t i = 0; i < SIDE_WORDS; i++) words[i] = side_first_word(i);
}
/* What n gets, from the first word on, add up to. */
static inline uint64_t side_sum_of_words(long n) {
    uint64_t rounds = (uint64_t)n / SIDE_WORDS, rest = (uint64_t)n % SIDE_WORDS, all = SIDE_WORDS;
    return rounds * (3 * all * (all - 1) / 2 + all) + 3 * rest * (rest - 1) / 2 + rest;
}
static inline int side_check_words(const uint64_t *words) {
    for (uint64_t i = 0; i < SIDE_WORDS; i++)
        if (words[i] % SIDE_WORDS != i && (i == 0 || words[i] != side_first_word(i))) return 0;
    return 1;
}

/* The places of n indexed pieces, shuffled, the same everywhere. */
static inline void side_shuffle(size_t *place, size_t n) {
    uint64_t x = 88172645463325252u;
    for (size_t i = 0; i < n; i++) place[i] = i;
    for (size_t i = n; i-- > 1;) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        size_t j = x % (i + 1), t = place[i];
        place[i] = place[j];
        place[j] = t;
    }
}
/* n pieces whose first word says which they are; piece i is at place[i] (or i) times stride. */
static inline void side_fill_pieces(char *at, const size_t *place, size_t n, size_t stride) {
    for (size_t i = 0; i < n; i++) {
        uint64_t mark = 7 * i + n;
        memcpy(at + (place ? place[i] : i) * stride, &mark, 8);
    }
}
static inline int side_check_pieces(const char *at, const size_t *place, size_t n, size_t stride) {
    for (size_t i = 0; i < n; i++) {
        uint64_t mark;
        memcpy(&mark, at + (place ? place[i] : i) * stride, 8);
        if (mark != 7 * i + n) return 0;
    }
    return 1;
}
static inline void side_fill_bulk(char *at) {
    for (size_t i = 0; i < SIDE_BULK; i++) at[i] = (char)(i * 13 >> 3);
}
static inline int side_check_bulk(const char *at, size_t bytes) {
    return at[bytes / 2] == (char)(bytes / 2 * 13 >> 3) && at[bytes - 1] == (char)((bytes - 1) * 13 >> 3);
}

#endif
