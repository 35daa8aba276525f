// threads: 1 2 3 4 5
/* docs/split-c.md, library: on_one and on_proc, collectives, functions on other processors, old C. */
#include "check-split-c.h"
#include <split-c/control.h>
#include <split-c/com.h>
#include <unistd.h>

int calls, total;
double sums[4];

void add(int *where, int value) {
    calls++;
    *where += value;
}
void scale(double *where, int n, int factor) {
    while (n-- > 0) where[n] *= factor;
}

int old_style(a, b)
    int a;
    int *global b;
{
    return a + *b;
}

splitc_main(argc, argv)
    int argc;
    char **argv;
{
    int log = 0, ones = 0, k;
    while (1 << log < PROCS) log++;
    CHECK_EQ(1 << log == PROCS ? log : -1, PROCSLOG < 0 ? -1 : PROCSLOG);

    on_one ones++;
    CHECK_EQ(MYPROC == 0, ones);
    on_proc(PROCS - 1) {
        ones += 2;
        ones += 2;
    }
    CHECK_EQ((MYPROC == 0) + 4 * (MYPROC == PROCS - 1), ones);
    if (MYPROC >= 0)
        on_one ones = 100;
    else
        ones = 200;
    CHECK(ones != 200);

    CHECK_EQ(PROCS * (PROCS - 1) / 2, all_reduce_to_all_add(MYPROC));
    CHECK_EQ(PROCS - 1, all_reduce_to_all_max(MYPROC));
    CHECK_EQ(-PROCS + 1, all_reduce_to_all_min(-MYPROC));
    CHECK(all_reduce_to_all_dadd(0.5) == PROCS * 0.5);
    CHECK(all_reduce_to_all_dmax(MYPROC * 1.5) == (PROCS - 1) * 1.5);
    CHECK(all_reduce_to_all_dmin(MYPROC + 0.25) == 0.25);
    k = all_reduce_to_one_add(2);
    if (MYPROC == 0) CHECK_EQ(2 * PROCS, k);
    CHECK_EQ((MYPROC + 1) * (MYPROC + 2) / 2, all_scan_add(MYPROC + 1));
    CHECK_EQ(17, all_bcast(MYPROC + 17));
    CHECK(all_bcast_d(MYPROC + 0.5) == 0.5);

    /* On processor 0, one call after the other. */
    for (k = 0; k < 100; k++) atomic(add, toglobal(0, &total), k);
    barrier();
    while (MYPROC == 0 && calls < 100 * PROCS) splitc_poll();
    if (MYPROC == 0) CHECK_EQ(4950 * PROCS, total);
    for (k = 0; k < 4; k++) sums[k] = k + 1;
    barrier();
    atomic(scale, toglobal((MYPROC + 1) % PROCS, sums), 4, 10);
    while (sums[0] != 10) splitc_poll();
    CHECK(sums[3] == 40);

    total = 30 + MYPROC;
    barrier();
    CHECK_EQ(31 + (MYPROC + 1) % PROCS, old_style(1, toglobal((MYPROC + 1) % PROCS, &total)));
    CHECK(get_seconds() > 0);
    barrier();
    if (MYPROC == PROCS - 1) {
        printf("%d processors\n", PROCS);
    }
}
