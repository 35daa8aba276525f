/* Collectives of any number of processes, the same rows for both programs that include this: together.c (UPC's and gas.h's, in turn
 * in the same processes) and together_mpi.c. A row is one function and one size, `bytes` to each member; the roots take turns,
 * so that nobody runs ahead. All come back when the caller's own part is done (UPC's MYSYNC, MPI's rule). Each row fills what
 * it sends before its batches and checks what it has received after them.
 */
#ifndef TOGETHER_H
#define TOGETHER_H

#include "../comm/side.h"

enum { TOGETHER_MOST = 64, TOGETHER_LONGEST = 65536 };

/* The sizes of the rows; `row` makes one function's rows of a size. */
#define TOGETHER_SIZES(row, function)                                                                                  \
    row(function, 8), row(function, 64), row(function, 512), row(function, 4096), row(function, 65536)

static int me, count;
static size_t size;
static char *source, *target; /* of this process; room for one block of each member */

/* The byte that block `b` of process p's source is full of. */
static inline unsigned char together_byte(int p, int b) { return (unsigned char)(37 * p + b + 1); }

static inline void together_fill(const struct side_row *row) {
    size = row->bytes;
    for (int b = 0; b < count; b++) memset(source + (size_t)b * size, together_byte(me, b), size);
    memset(target, 0, (size_t)count * size);
}

static inline int together_is(int block, unsigned char byte) {
    const char *at = target + (size_t)block * size;
    return (unsigned char)at[0] == byte && (unsigned char)at[size - 1] == byte;
}
/* The last root was any; a block of one of them is there. */
static inline int together_from_a_root(int of_block) {
    for (int root = 0; root < count; root++)
        if (together_is(0, together_byte(root, of_block))) return 1;
    return 0;
}
static int broadcast_check(void) { return together_from_a_root(0); }
static int scatter_check(void) { return together_from_a_root(me); }
/* Of a process that was a root. */
static int gather_check(void) {
    if (!*target) return 1;
    for (int p = 0; p < count; p++)
        if (!together_is(p, together_byte(p, 0))) return 0;
    return 1;
}
static int gather_all_check(void) { return *target && gather_check(); }
static int exchange_check(void) {
    for (int p = 0; p < count; p++)
        if (!together_is(p, together_byte(p, me))) return 0;
    return 1;
}

/* A reduction of one long of each; a scan, too. */
static inline void together_fill_one(const struct side_row *row) {
    (void)row;
    *(int64_t *)source = me + 1;
    *(int64_t *)target = 0;
}
static int reduce_check(void) {
    int64_t sum = *(int64_t *)target;
    return !sum || sum == (int64_t)count * (count + 1) / 2;
}
static int scan_check(void) { return *(int64_t *)target == (int64_t)(me + 1) * (me + 2) / 2; }

#endif
