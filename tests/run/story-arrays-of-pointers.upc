// threads: 1 2 3 4
/* Pointers in every combination: private to shared, shared to shared, shared to private (of its own thread), arrays of them,
 * pointers to pointers, tables of rows; 6.5.1.1 examples 2 and 3. */
#include "check.h"

shared [4] int data[8 * THREADS];
shared [4] int *private_to_shared[8];
shared [4] int *shared shared_to_shared[8 * THREADS];
int *shared shared_to_private[THREADS];
shared [4] int *shared *shared chain[THREADS];
shared [] double *shared rows[THREADS];
shared int *shared [2] blocked_pointers[2 * THREADS]; /* the array's elements are the pointers: blocks of two */
shared int scalars[THREADS];
struct table {
    int n;
    shared [] double *shared *row;
    shared [4] int *cell[2];
};
shared struct table tables[THREADS];

int main(void) {
    int me = MYTHREAD, next = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < 8; i++) private_to_shared[i] = &data[i + me];
    for (int i = me; i < 8 * THREADS; i += THREADS) shared_to_shared[i] = &data[8 * THREADS - 1 - i];
    static int mine = 3;
    mine += me;
    shared_to_private[me] = &mine;
    rows[me] = (shared [] double *)upc_alloc(10 * sizeof(double));
    for (int k = 0; k < 10; k++) rows[me][k] = me + k / 10.0;
    blocked_pointers[2 * me] = &scalars[me];
    blocked_pointers[2 * me + 1] = &scalars[next];
    upc_barrier;
    for (int i = 0; i < 8; i++) {
        CHECK_EQ((i + me) % 4, upc_phaseof(private_to_shared[i]));
        if (me == 0) *private_to_shared[i] = 100 + i;
    }
    upc_barrier;
    for (int i = 0; i < 8; i++) CHECK_EQ(100 + i, data[i]);
    upc_barrier;
    for (int i = 0; i < 8 * THREADS; i++) {
        CHECK(shared_to_shared[i] == &data[8 * THREADS - 1 - i]);
        CHECK_EQ((8 * THREADS - 1 - i) % 4, upc_phaseof(shared_to_shared[i]));
        CHECK_EQ(i % THREADS, upc_threadof(&shared_to_shared[i]));
        if (i % THREADS == me) *shared_to_shared[i] = i;
    }
    upc_barrier;
    for (int i = 0; i < 8 * THREADS; i++) {
        CHECK_EQ(8 * THREADS - 1 - i, data[i]);
        CHECK_EQ(i, *shared_to_shared[i]);
        CHECK_EQ(i, shared_to_shared[i][0]);
        if (i > 0) CHECK_EQ(i - 1, shared_to_shared[i][1]);
    }
    CHECK_EQ(3 + me, *shared_to_private[me]);
    *shared_to_private[me] += 1;
    CHECK_EQ(4 + me, mine);
    CHECK(shared_to_private[me] == &mine);
    chain[me] = &shared_to_shared[next];
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        int i = (t + 1) % THREADS;
        CHECK(*chain[t] == shared_to_shared[i]);
        CHECK_EQ(i, **chain[t]);
        CHECK((*chain[t]) + 1 == &data[8 * THREADS - i]);
        for (int k = 0; k < 10; k++) CHECK(rows[t][k] == t + k / 10.0);
        CHECK_EQ(t, upc_threadof(rows[t]));
        CHECK_EQ(t, upc_threadof(&blocked_pointers[2 * t]));
        CHECK_EQ(t, upc_threadof(&blocked_pointers[2 * t + 1]));
        CHECK_EQ(t, upc_threadof(blocked_pointers[2 * t]));
        CHECK_EQ(i, upc_threadof(blocked_pointers[2 * t + 1]));
    }
    upc_barrier;
    /* Pointers to the pointers, their arithmetic and their update in place. */
    shared [4] int *shared *pp = shared_to_shared;
    for (int i = 0; i < 8 * THREADS; i++, pp++) CHECK(*pp == shared_to_shared[i]);
    upc_barrier;
    pp = &shared_to_shared[me];
    (*pp)--;
    CHECK_EQ(me + 1, **pp);
    ++*pp;
    *pp -= 2;
    *pp += 2;
    CHECK_EQ(me, **pp);
    tables[next].n = 1;
    tables[next].row = rows;
    tables[next].cell[0] = &data[5];
    tables[next].cell[1] = tables[next].cell[0] + 2;
    upc_barrier;
    CHECK(tables[me].row[next][3] == next + 0.3);
    CHECK_EQ(1, upc_phaseof(tables[me].cell[0]));
    CHECK_EQ(3, upc_phaseof(tables[me].cell[1]));
    CHECK_EQ(2, tables[me].cell[1] - tables[me].cell[0]);
    CHECK_EQ(data[7], *tables[me].cell[1]);
    CHECK_EQ(data[6], tables[me].cell[1][-1]);
    upc_barrier;
    tables[next].cell[1]++;
    CHECK(tables[next].cell[1] == &data[8]);
    CHECK_EQ(0, upc_phaseof(tables[next].cell[1]));
    return 0;
}
