/* 6.4.3 p2, 6.5.1.1 p13: a pointer-to-shared that is assigned, passed or returned as one with another block size keeps
 * the object that it points to, its phase becomes zero, and it counts in the new block size. The front end warns.
 * Pointers of different block sizes are equal if they point to the same object, whatever their phases. */
#include "check.h"

shared [3] int blocked[3 * 4 * THREADS];
shared int cyclic[12 * THREADS];
struct row { int head; int cells[4]; };
shared struct row rows[THREADS];

shared [3] int *in_threes = &blocked[2];
shared int *in_ones;
shared [2] int *from_the_start = &blocked[2];
static int seen;

static void sum_of_own_part(shared [] int *p, int n) {
    seen = 0;
    for (int i = 0; i < n; i++) seen += p[i];
}

static shared int *first_in_ones(void) { return &blocked[1]; }

int main(void) {
    upc_forall (int i = 0; i < 12 * THREADS; i++; &blocked[i]) blocked[i] = i;
    upc_forall (int i = 0; i < 12 * THREADS; i++; &cyclic[i]) cyclic[i] = i;
    for (int i = 0; i < 4; i++) rows[MYTHREAD].cells[i] = 10 * MYTHREAD + i;
    upc_barrier;

    /* With phase and without, both ways. */
    in_ones = in_threes;
    CHECK_EQ(2, *in_ones);
    CHECK_EQ(0, upc_phaseof(in_ones));
    CHECK(in_ones == in_threes && !(in_threes != in_ones));
    in_threes = &cyclic[MYTHREAD];
    CHECK_EQ(MYTHREAD, *in_threes);
    CHECK_EQ(0, upc_phaseof(in_threes));
    CHECK_EQ(MYTHREAD, upc_threadof(in_threes + 2));
    CHECK_EQ((MYTHREAD + 1) % THREADS, upc_threadof(in_threes + 3));

    CHECK_EQ(2, *from_the_start);
    CHECK_EQ(0, upc_phaseof(from_the_start));

    /* Arguments, results, initialisers, members. */
    sum_of_own_part(&cyclic[MYTHREAD], 12);
    CHECK_EQ(12 * MYTHREAD + 66 * THREADS, seen);
    CHECK_EQ(1, *first_in_ones());
    shared [2] int *in_twos = &blocked[3 * (THREADS - 1) + 1];
    CHECK_EQ(3 * (THREADS - 1) + 1, *in_twos);
    shared int *member = &rows[THREADS - 1].cells[2];
    CHECK_EQ(10 * (THREADS - 1) + 2, *member);
    in_ones = MYTHREAD ? 0 : member;
    CHECK((in_ones == rows[THREADS - 1].cells + 2) == !MYTHREAD);

    /* Neither phases nor threads decide: the object does. */
    CHECK(&blocked[1] == (shared [] int *)&blocked[1]);
    CHECK(&blocked[1] != &cyclic[1]);
    CHECK(THREADS == 1 || &cyclic[0] != (shared [2] int *)&cyclic[1]);
    return 0;
}
