/* Arrays with one block on each processor, and others: every index, of narrow and of wide types, and what lies behind the
 * last block. The address of an element whose index is known when the program runs comes from a shorter calculation
 * where there is one row of blocks, or where the index has 32 bits. */
#include "check-split-c.h"

struct pair {
    char tag;
    double values[2];
};
int one[PROCS]::;
double rows[PROCS]::[3][2];
struct pair pairs[PROCS]::;
long more[5 * PROCS]::;
long any[17]::;

static long count;
static int at_most(int n) { return count++ % n; }

splitc_main() {
    on_one {
        for (long i = 0; i < PROCS; i++) {
            one[i] = 7 * i;
            pairs[i].tag = 'a' + i % 26, pairs[i].values[1] = i;
            for (short r = 0; r < 3; r++)
                for (signed char c = 0; c < 2; c++) rows[i][r][c] = 100 * i + 10 * r + c;
        }
        for (int i = 0; i < 5 * PROCS; i++) more[i] = i;
        for (unsigned i = 0; i < 17; i++) any[i] = -(long)i;
    }
    barrier();
    for (int k = 0; k < 4 * PROCS; k++) {
        int i = at_most(PROCS);
        long w = i;
        unsigned char narrow = i;
        CHECK_EQ(7 * i, one[i]);
        CHECK_EQ(7 * i, one[w]);
        CHECK_EQ(7 * i, *(one + narrow));
        CHECK(pairs[i].tag == 'a' + i % 26 && pairs[w].values[1] == i);
        CHECK(rows[i][2][1] == 100 * i + 21 && *rows[w][1] == 100 * i + 10);
        CHECK_EQ(i, toproc(&one[i]));
        CHECK_EQ(i, toproc(&pairs[narrow]));
        CHECK_EQ(i, toproc((double *global)&rows[i][1][0]));
        CHECK(tolocal(one[w]) == tolocal(one[0]));
    }
    for (int i = 0; i < 5 * PROCS; i++) {
        unsigned u = i;
        CHECK_EQ(i, more[i]);
        CHECK_EQ(i, more[u]);
        CHECK_EQ(i, more[(long)i]);
        CHECK_EQ(i % PROCS, toproc(&more[i]));
        CHECK(tolocal(more[i]) == tolocal(more[0]) + i / PROCS);
    }
    for (int i = 0; i < 17; i++) CHECK_EQ(-i, any[i]);
    /* Behind the last block: on processor 0 again. */
    int all = PROCS, sum = 0;
    for (int *spread p = one; p != one + all; p++) sum += *p;
    CHECK_EQ(7 * all * (all - 1) / 2, sum);
    CHECK(toproc(&one[all]) == 0 && tolocal(one[all]) == tolocal(one[0]) + 1);
    CHECK(toproc((double *global)&rows[all][0][0]) == 0);
    CHECK(tolocal(rows[all]) == tolocal(rows[0]) + 3);
    barrier();
    return 0;
}
