// flags: -fcomm-opt
// comm: strips strips,foresee strips=3,foresee strips=5,force,foresee on on,force
// A upc_forall over rows, in which a loop reads the rows beside its own: those of other threads are fetched before the first row (runtime/gas/halo_rows.c). What it
// computes is compared with what was written; between two executions all of it changes, and within one, what the loop itself writes.
#include <upc_relaxed.h>
#include "check.h"

#define ROWS (6 * THREADS)
enum { WIDE = 40 };
shared [3 * WIDE] double from[6 * THREADS][WIDE], to[6 * THREADS][WIDE];
shared [WIDE] int cyclic[6 * THREADS][WIDE], found[6 * THREADS][WIDE];
shared [2 * WIDE] struct { int n; double v; } cells[6 * THREADS][WIDE];
static int round_number, zero;
enum { MOST = 6 * 64 };
static double sums[MOST], all;

static double at(int i, int j) { return i * 100 + j * 0.5 + round_number; }

static void renew(void) {
    upc_barrier;
    round_number++;
    upc_forall (int i = 0; i < ROWS; i++; &from[i][0])
        for (int j = 0; j < WIDE; j++) from[i][j] = at(i, j);
    upc_forall (int i = 0; i < ROWS; i++; i)
        for (int j = 0; j < WIDE; j++) cyclic[i][j] = (int)at(i, j);
    upc_forall (int i = 0; i < ROWS; i++; &cells[i][0])
        for (int j = 0; j < WIDE; j++) cells[i][j].v = at(i, j);
    upc_barrier;
}

static void stencils(int low, int high, int shift) {
    int i;
    upc_forall (i = low; i < high; i++; &to[i][0])
        for (int j = 1; j < WIDE - 1; j++) to[i][j] = from[i - 1][j] + from[i + 1][j] - from[i][j - 1] * from[i][j + 1];
    CHECK_EQ(high > low ? high : low, i);
    upc_forall (int i = low; i < high; i++; &to[i][0])
        for (int j = 1; j < WIDE - 1; j++) CHECK(to[i][j] == at(i - 1, j) + at(i + 1, j) - at(i, j - 1) * at(i, j + 1));
    /* Bounds and columns by variables; two loops in the body; one of them under a condition. */
    int n = WIDE - shift;
    upc_forall (int i = low; i < high; i++; i) {
        sums[i] = 0;
        for (int j = 0; j < n; j++) sums[i] += cyclic[i + 1][j + shift] * 3 + cyclic[i - 1][j];
        if (i % 2)
            for (int j = 0; j <= n - 1; j++) found[i][j] = cyclic[i - 1][j] + (int)cells[i + 1][j].v;
    }
    upc_forall (int i = low; i < high; i++; i) {
        for (int j = 0; j < n; j++) sums[i] -= (int)at(i + 1, j + shift) * 3 + (int)at(i - 1, j);
        CHECK(sums[i] == 0);
        if (i % 2)
            for (int j = 0; j < n; j++) CHECK_EQ((int)at(i - 1, j) + (int)at(i + 1, j), found[i][j]);
    }
    /* A bound that only some rows may compute. */
    upc_forall (int i = low; i < high; i++; &from[i][0]) {
        sums[i] = 0;
        if (zero)
            for (int j = 0; j < WIDE / zero; j++) sums[i] += from[i + 1][j];
        int last = i % 30 + 4;
        for (int j = 0; j < last; j++) sums[i] += from[i + 1][j];
        for (int j = 4; j < 30; j++) sums[i] += from[i - 1][j];
    }
    upc_forall (int i = low; i < high; i++; &from[i][0]) {
        for (int j = 0; j < i % 30 + 4; j++) sums[i] -= at(i + 1, j);
        for (int j = 4; j < 30; j++) sums[i] -= at(i - 1, j);
        CHECK(sums[i] == 0);
    }
}

/* Each row writes to the next one, which another thread may have, and the same thread reads it afterwards. */
static void written(void) {
    upc_barrier;
    upc_forall (int i = 2; i < ROWS - 1; i++; &from[i][0]) {
        sums[i] = 0;
        if (i % 3 == 2) {
            from[i + 1][7] = -i;
            for (int j = 4; j < 20; j++) sums[i] += from[i + 1][j];
        }
    }
    upc_forall (int i = 2; i < ROWS - 1; i++; &from[i][0])
        if (i % 3 == 2) {
            for (int j = 4; j < 20; j++) sums[i] -= j == 7 ? -i : at(i + 1, j);
            CHECK(sums[i] == 0);
        }
    upc_barrier;
}

int main(void) {
    CHECK(ROWS <= MOST);
    for (int times = 0; times < 3; times++) {
        renew();
        stencils(1, ROWS - 1, times);
        stencils(2, 5, 1);
        stencils(ROWS - 2, ROWS - 1, 2);
        stencils(4, 4, 0);
        written();
        /* What others have written meanwhile. */
        for (int phase = 0; phase < 3; phase++) {
            renew();
            upc_forall (int i = 1; i < ROWS - 1; i++; &from[i][0]) {
                for (int j = 0; j < WIDE; j++) all += from[i - 1][j] + from[i + 1][j];
                for (int j = 0; j < WIDE; j++) all -= at(i - 1, j) + at(i + 1, j);
            }
            CHECK(all == 0);
        }
    }
    upc_barrier;
    return 0;
}
