/* A table of each thread's own, with a part of PART bytes on every thread, and what it should hold. This thread writes to its table when it likes; the others change it
 * between barriers alone. */
#ifndef MIRROR_H
#define MIRROR_H

#include "program.h"
#include "lang/random.h"

enum { MOST_THREADS = 8 };

static uint64_t seed, common; /* of this thread; the same on all */
static size_t below(size_t n) { return (size_t)fathom_random_below(&seed, n); }

static unsigned char mirror[MOST_THREADS][PART]; /* what the table on each thread should hold */
static fathom_ptr part(int on) { return board_place(on, 0) + (unsigned long)(fathom_mythread * PART); }

/* Each thread changes the parts of all tables that are on it, as their owners know. */
static unsigned char others_write(int owner, int on, long offset, uint64_t round) {
    return (unsigned char)(round * 31 + (uint64_t)owner * 7 + (uint64_t)on * 5 + (uint64_t)offset % 251);
}
static void all_write(uint64_t round) {
    fathom_fence();
    gas_barrier();
    for (int owner = 0; owner < fathom_threads; owner++) {
        unsigned char *mine = fathom_local(board_place(fathom_mythread, 0) + (unsigned long)(owner * PART));
        for (long k = (long)(round % 3); k < PART; k += 3) mine[k] = others_write(owner, fathom_mythread, k, round);
    }
    for (int on = 0; on < fathom_threads; on++)
        for (long k = (long)(round % 3); k < PART; k += 3) mirror[on][k] = others_write(fathom_mythread, on, k, round);
    gas_barrier();
}

/* Of the program's number `run`. */
static void mirror_start(int run) {
    common = (uint64_t)run;
    seed = common * MOST_THREADS + (uint64_t)fathom_mythread + 77;
    CHECK(fathom_threads <= MOST_THREADS);
    memset(board_word(fathom_mythread, 0), 0, (size_t)MOST_THREADS * PART);
    gas_barrier();
}

#endif
