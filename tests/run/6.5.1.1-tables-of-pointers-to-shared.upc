// threads: 1 2 3 4
/* 6.5.1.1 p13, C11 6.5.2.1: in `table[i][j]` where `table[i]` is a pointer, the second subscript counts from where that
 * pointer points, not from the table's row i: loops over j, shared or not, must leave the table alone. */
#include <upc.h>
#include "check.h"

#define N 300

shared [] int *shared table[THREADS]; /* shared pointers to shared */
shared [] int *own[16];             /* private pointers to shared */
shared int *shared [] cyclic[2];
shared [4] int *shared [] four[2];
shared [4] int blocks[2][4 * N * THREADS];
shared int rows[2][N * THREADS];

static int expected(int i, int j) { return 1000 * i + 3 * j + 1; }

int main(void) {
    shared [] int *shared *start = &table[0];
    int i, j;
    table[MYTHREAD] = (shared [] int *)upc_alloc(N * sizeof(int));
    if (MYTHREAD == 0) {
        for (i = 0; i < 2; i++) cyclic[i] = &rows[1 - i][0], four[i] = &blocks[1 - i][0];
    }
    upc_barrier;
    for (i = 0; i < THREADS; i++) own[i] = table[i];
    shared [] int *const first = table[0];

    /* The affinity is the index. */
    for (i = 0; i < THREADS; i++) {
        upc_forall (j = 0; j < N; j++; j + 1) table[i][j] = expected(i, j);
    }
    upc_barrier;
    CHECK(table[0] == first);
    for (i = 0; i < THREADS; i++) {
        CHECK_EQ(i, upc_threadof(table[i]));
        for (j = 0; j < N; j++) CHECK_EQ(expected(i, j), table[i][j]);
        for (j = 0; j < N; j++) CHECK_EQ(expected(i, j), own[i][j]);
        for (j = 0; j < N; j++) CHECK_EQ(expected(i, j), start[i][j]);
    }
    upc_barrier;

    /* The affinity is the element's, by private pointers and by shared ones. */
    for (i = 0; i < THREADS; i++) {
        int mine = 0;
        upc_forall (j = 0; j < N; j++; &table[i][j]) table[i][j] += 5, mine++;
        CHECK_EQ(i == MYTHREAD ? N : 0, mine);
        upc_forall (j = 0; j < N; j++; &own[i][j]) own[i][j] += 6;
        upc_forall (j = 0; j < N; j++; &table[i][0]) start[i][j] += 7;
    }
    upc_barrier;
    for (i = 0; i < THREADS; i++) {
        for (j = 0; j < N; j++) CHECK_EQ(expected(i, j) + 18, own[i][j]);
    }

    /* Pointers with a block size. */
    for (i = 0; i < 2; i++) {
        int mine = 0;
        upc_forall (j = 0; j < N * THREADS; j++; &cyclic[i][j]) cyclic[i][j] = expected(i, j), mine++;
        CHECK_EQ(N, mine);
        upc_forall (j = 0; j < 4 * N * THREADS; j++; &four[i][j]) four[i][j] = expected(i, j), mine++;
        CHECK_EQ(5 * N, mine);
    }
    upc_barrier;
    for (i = 0; i < 2; i++) {
        for (j = 0; j < N * THREADS; j++) CHECK_EQ(expected(1 - i, j), rows[i][j]);
        for (j = 0; j < 4 * N * THREADS; j++) CHECK_EQ(expected(1 - i, j), blocks[i][j]);
    }

    /* A loop over one element of a pointer in the table: the pointer may change meanwhile. */
    int sum = 0;
    i = MYTHREAD;
    for (j = 0; j < 4; j++) {
        sum += table[i][2] - own[i][j + 2];
        table[i] = table[i] + 1;
    }
    CHECK_EQ(0, sum);
    CHECK(table[i] == own[i] + 4);
    return 0;
}
