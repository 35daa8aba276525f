/* What the compiler would put into a generated program: the static shared object `board` (two long per thread) and
 * the unit's record. For programs in C that test the runtime without the compiler; docs/decisions/0001 has the
 * shapes. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gas.h"
#include "lang/library.h"
#include "lang/prelude.h"

#ifndef PROGRAM_THREADS
#define PROGRAM_THREADS 0
#endif
#ifndef PROGRAM_ABI
#define PROGRAM_ABI fathom_abi
#endif

#ifndef BOARD_BYTES
#define BOARD_BYTES "128"
#endif

__asm__(".pushsection fathom_shared,\"aw\",@nobits\n"
        ".balign 64\n.globl board\nboard: .zero " BOARD_BYTES "\n"
        ".popsection\n");
extern char board[];
/* Word i of thread t's copy; where thread t is near (this thread always is), as memory. */
static inline fathom_ptr board_place(int t, int i) {
    return fathom_static(board) + ((unsigned long)t << FATHOM_SEG_BITS) + (unsigned long)i * sizeof(long);
}
static inline long *board_word(int t, int i) { return fathom_local(board_place(t, i)); }

static void program_init(void) { *board_word(fathom_mythread, 1) = 1000 + fathom_mythread; }
static const struct fathom_unit program_unit = {PROGRAM_ABI, PROGRAM_THREADS, __BASE_FILE__, program_init, 0};
static const struct fathom_unit *const program_here __attribute__((section("fathom_units"), used)) = &program_unit;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: thread %d: not true: %s\n", __FILE__, __LINE__, fathom_mythread, #condition);      \
            _exit(99);                                                                                                 \
        }                                                                                                              \
    } while (0)

static inline int me_is(const char *text) { return fathom_mythread == atoi(text); }
static inline double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
