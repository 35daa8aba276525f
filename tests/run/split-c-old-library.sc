// threads: 1 2 3 4 5 8
/* docs/split-c.md, library: what old programs call beside the rest: all_gather, all_concat, loops over the own part of
 * a spread array, atomic operations. */
#include "check-split-c.h"
#include <split-c/control.h>
#include <split-c/atomic.h>

#define ROWS 5
#define COLUMNS 7

int one[3 * PROCS]::, two[ROWS][COLUMNS]::, total;

int splitc_main(int argc, char **argv) {
    int *mine = malloc(PROCS * sizeof *mine), i, j, k;
    double *reals = malloc(PROCS * sizeof *reals);

    for (k = 0; k < PROCS; k++) mine[k] = -1, reals[k] = -1;
    mine[0] = 100 + MYPROC, reals[0] = MYPROC + 0.5;
    all_gather(mine);
    all_gather_d(reals);
    for (k = 0; k < PROCS; k++) {
        if (MYPROC == 0) {
            CHECK_EQ(100 + k, mine[k]);
            CHECK(reals[k] == k + 0.5);
        } else {
            CHECK_EQ(k == 0 ? 100 + MYPROC : -1, mine[k]);
        }
    }
    mine[0] = 7 * MYPROC, reals[0] = MYPROC * 0.25;
    all_concat(mine);
    all_concat_d(reals);
    for (k = 0; k < PROCS; k++) {
        CHECK_EQ(7 * k, mine[k]);
        CHECK(reals[k] == k * 0.25);
    }

    k = 0;
    for_my_1d(i, 3 * PROCS) {
        CHECK_EQ(MYPROC, toproc(&one[i]));
        k++;
    }
    CHECK_EQ(3, k);
    k = 0;
    for_my_2d(i, j, ROWS, COLUMNS) {
        CHECK_EQ(MYPROC, toproc(&two[i][j]));
        k++;
    }
    CHECK_EQ(ROWS * COLUMNS, all_reduce_to_all_add(k));

    for (k = 0; k < 200; k++) fetch_and_add(toglobal(0, &total), 3);
    barrier();
    if (MYPROC == 0) CHECK_EQ(600 * PROCS, total);
    barrier();
    total = 0;
    barrier();
    /* Only one processor finds 0. */
    CHECK_EQ(1, all_reduce_to_all_add(test_and_set(toglobal(PROCS - 1, &total)) == 0));
    CHECK_EQ(1, all_reduce_to_all_add(exchange(toglobal(PROCS - 1, &total), 0) != 0));
    CHECK_EQ(1, all_reduce_to_all_add(cmp_and_swap(toglobal(PROCS - 1, &total), 0, 5 + MYPROC) == 0));
    on_proc(PROCS - 1) CHECK(total >= 5 && total < 5 + PROCS);
    return 0;
}
