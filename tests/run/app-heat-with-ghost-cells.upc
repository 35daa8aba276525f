// threads: 1 2 3 4 8
/* A rod of integers that relax: each thread writes its ends into the neighbours' ghost cells between upc_notify and
 * upc_wait, and works on its inner cells meanwhile. The same rod in private memory must agree in every step. */
#include "check.h"

#define CELLS 10
#define STEPS 25

typedef struct {
    int left, right; /* what lies beyond the ends */
    int cell[CELLS];
} piece;
shared piece rod[2][THREADS];

static int relax(int a, int b, int c) { return (a + 2 * b + c + 1) / 4 + (b & 1); }

int main(void) {
    int whole[2][CELLS * THREADS + 2], now = 0;
    memset(whole, 0, sizeof whole);
    for (int i = 0; i < CELLS * THREADS; i++) whole[0][i + 1] = i * i % 1000;
    for (int i = 0; i < CELLS; i++) rod[0][MYTHREAD].cell[i] = whole[0][MYTHREAD * CELLS + i + 1];
    upc_barrier;

    for (int step = 0; step < STEPS; step++, now = !now) {
        piece *old = (piece *)&rod[now][MYTHREAD], *new = (piece *)&rod[!now][MYTHREAD];
        if (MYTHREAD > 0) rod[now][MYTHREAD - 1].right = old->cell[0];
        if (MYTHREAD < THREADS - 1) rod[now][MYTHREAD + 1].left = old->cell[CELLS - 1];
        upc_notify step;
        for (int i = 1; i < CELLS - 1; i++) new->cell[i] = relax(old->cell[i - 1], old->cell[i], old->cell[i + 1]);
        for (int i = 1; i <= CELLS * THREADS; i++)
            whole[!now][i] = relax(whole[now][i - 1], whole[now][i], whole[now][i + 1]);
        upc_wait step;
        new->cell[0] = relax(old->left, old->cell[0], old->cell[1]);
        new->cell[CELLS - 1] = relax(old->cell[CELLS - 2], old->cell[CELLS - 1], old->right);
        for (int i = 0; i < CELLS; i++) CHECK_EQ(whole[!now][MYTHREAD * CELLS + i + 1], new->cell[i]);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < CELLS; i++) CHECK_EQ(whole[now][t * CELLS + i + 1], rod[now][t].cell[i]);
    return 0;
}
