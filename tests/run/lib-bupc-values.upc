// threads: 1 2 3 4 7
/* <bupc_collectivev.h>: collectives on values, of scalar and structure types. */
#include "check.h"
#include <bupc_collectivev.h>

static shared int cells[THREADS];

struct big {
    int number;
    char text[300];
};

int main(void) {
    int mine = MYTHREAD + 1;
    CHECK_EQ(THREADS * (THREADS + 1) / 2, bupc_allv_reduce_all(int, mine, UPC_ADD));
    int at_root = bupc_allv_reduce(int, mine, THREADS - 1, UPC_MAX);
    if (MYTHREAD == THREADS - 1) CHECK_EQ(THREADS, at_root);
    CHECK_EQ((MYTHREAD + 1) * (MYTHREAD + 2) / 2, bupc_allv_prefix_reduce(int, mine, UPC_ADD));
    double d = 0.5 * MYTHREAD;
    CHECK(bupc_allv_reduce_all(double, d, UPC_MAX) == 0.5 * (THREADS - 1));
    int64_t wide = 1ll << (MYTHREAD + 33);
    CHECK(bupc_allv_reduce_all(int64_t, wide, UPC_OR) == ((1ll << THREADS) - 1) << 33);
    unsigned char c = (unsigned char)(MYTHREAD ? 1 : 0);
    CHECK_EQ(0, bupc_allv_reduce_all(unsigned char, c, UPC_LOGAND));
    long double ld = 2;
    CHECK(bupc_allv_reduce_all(long double, ld, UPC_MULT) == (long double)(1 << THREADS));
    /* A result within a value. */
    CHECK_EQ(THREADS * THREADS, bupc_allv_reduce_all(int, bupc_allv_reduce_all(int, 1, UPC_ADD), UPC_ADD));

    for (int root = 0; root < THREADS; root++) {
        struct big b = {MYTHREAD * 3, "from "};
        b.text[5] = (char)('0' + MYTHREAD);
        struct big got = bupc_allv_broadcast(struct big, b, root);
        CHECK_EQ(root * 3, got.number);
        CHECK(got.text[4] == ' ' && got.text[5] == '0' + root);

        long *all = MYTHREAD == root ? malloc((size_t)THREADS * sizeof(long)) : NULL, v = 100l + MYTHREAD;
        long *gathered = bupc_allv_gather(long, v, root, all);
        if (MYTHREAD == root) {
            CHECK(gathered == all);
            for (int t = 0; t < THREADS; t++) CHECK_EQ(100 + t, all[t]);
            for (int t = 0; t < THREADS; t++) all[t] = t * t + root;
        }
        CHECK_EQ(MYTHREAD * MYTHREAD + root, bupc_allv_scatter(long, root, all));
        free(all);
        CHECK_EQ((MYTHREAD + THREADS - root) % THREADS, bupc_allv_permute(int, MYTHREAD, (MYTHREAD + root) % THREADS));
    }
    short *each = malloc((size_t)THREADS * sizeof(short)), s = (short)(7 * MYTHREAD);
    CHECK(bupc_allv_gather_all(short, s, MYTHREAD % 2 ? NULL : each) == (MYTHREAD % 2 ? NULL : each));
    if (MYTHREAD % 2 == 0)
        for (int t = 0; t < THREADS; t++) CHECK_EQ(7 * t, each[t]);
    free(each);
    /* Types that are written with a star. */
    shared int *cell = &cells[MYTHREAD];
    shared int *first = bupc_allv_broadcast(shared int *, cell, 0);
    CHECK(first == &cells[0]);
    CHECK(bupc_allv_permute(shared int *, cell, (MYTHREAD + 1) % THREADS) == &cells[(MYTHREAD + THREADS - 1) % THREADS]);
    shared int **cell_of = malloc((size_t)THREADS * sizeof *cell_of);
    bupc_allv_gather_all(shared int *, cell, cell_of);
    for (int t = 0; t < THREADS; t++) CHECK(cell_of[t] == &cells[t]);
    CHECK(bupc_allv_scatter(shared int *, 0, cell_of) == cell);
    const char *const name = "name";
    CHECK(bupc_allv_permute(const char *, name, MYTHREAD) == name);
    free(cell_of);
    return 0;
}
