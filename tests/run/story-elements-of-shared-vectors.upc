// Subscripts of vectors (an extension of gcc and clang) that are shared, or members of shared records.
#include "check.h"

typedef int v4 __attribute__((vector_size(16)));
typedef double v2 __attribute__((vector_size(16)));
struct holder {
    int k;
    v4 v;
    v4 more[2];
};

shared v4 each[3 * THREADS], one;
shared [2] v2 doubles[4 * THREADS];
strict shared v4 flags[THREADS];
shared struct holder holders[THREADS];

int main(void) {
    int next = (MYTHREAD + 1) % THREADS, k = 2;
    upc_forall (int i = 0; i < 3 * THREADS; i++; &each[i])
        for (int j = 0; j < 4; j++) each[i][j] = 10 * i + j;
    for (int j = 0; j < 4; j++) doubles[2 * next + j % 2][j / 2] = 0.5 * next + j;
    flags[next][3] = next + 1;
    holders[next].v[k] = next;
    holders[next].more[1][k + 1] = 7 * next;
    if (MYTHREAD == 0) one[1] = 5;
    upc_barrier;

    int sum = 0;
    for (int i = 0; i < 3 * THREADS; i++) sum += each[i][i % 4];
    int expected = 0;
    for (int i = 0; i < 3 * THREADS; i++) expected += 10 * i + i % 4;
    CHECK_EQ(expected, sum);
    for (int j = 0; j < 4; j++) CHECK(doubles[2 * MYTHREAD + j % 2][j / 2] == 0.5 * MYTHREAD + j);
    CHECK_EQ(next + 1, flags[next][3]);
    CHECK(holders[next].v[2] == next && holders[next].more[k - 1][3] == 7 * next && one[1] == 5);
    shared [] v4 *p = (shared [] v4 *)&each[next];
    CHECK_EQ(10 * next + 3, (*p)[3]);
    CHECK_EQ(10 * next + 1, p[0][k - 1]);
    CHECK(upc_blocksizeof(each[0][1]) == 0 && sizeof each[0][1] == sizeof(int));
    upc_barrier;

    each[next][2] += 100;
    each[next][1]++;
    each[next][0] |= 1 << 20;
    CHECK_EQ(10 * next + 102, each[next][2]);
    CHECK_EQ(10 * next + 2, each[next][1]);
    v4 whole = each[next];
    CHECK_EQ((10 * next) | 1 << 20, whole[0]);
    return 0;
}
