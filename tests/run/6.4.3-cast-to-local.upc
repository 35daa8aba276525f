// threads: 1 2 3 4 7 8
/* 6.4.3p4, p6: a pointer-to-shared cast to a pointer-to-local on the thread of the object: both reach the same bytes. */
#include "check.h"

struct node {
    int key;
    double weight;
    struct {
        short lo, hi;
    } inner;
};
shared int c[5 * THREADS];
shared [4] struct node b[8 * THREADS];
shared [*] char s[9 * THREADS];
shared int scalar;

static int sum(const int *p, int n) {
    int r = 0;
    while (n-- > 0) r += *p++;
    return r;
}

int main(void) {
    int *mine = (int *)&c[MYTHREAD];
    for (int i = 0; i < 5; i++) mine[i] = 10 * MYTHREAD + i;
    CHECK_EQ(50 * MYTHREAD + 10, sum((int *)&c[MYTHREAD], 5));
    CHECK_EQ(50 * MYTHREAD + 10, sum((const int *)(c + MYTHREAD), 5));
    for (int i = 0; i < 5; i++) CHECK_EQ(10 * MYTHREAD + i, c[i * THREADS + MYTHREAD]);
    upc_barrier;
    for (int i = 0; i < 5 * THREADS; i++) CHECK_EQ(10 * (i % THREADS) + i / THREADS, c[i]);

    struct node *n = (struct node *)&b[4 * MYTHREAD];
    n->key = 3;
    n[3].weight = 1.5;
    ((struct node *)&b[4 * MYTHREAD + 1])->inner.hi = -2;
    CHECK_EQ(3, b[4 * MYTHREAD].key);
    CHECK(b[4 * MYTHREAD + 3].weight == 1.5);
    CHECK_EQ(-2, b[4 * MYTHREAD + 1].inner.hi);
    CHECK_EQ(-2, *(short *)&b[4 * MYTHREAD + 1].inner.hi);
    CHECK((char *)&b[4 * MYTHREAD].weight - (char *)n == offsetof(struct node, weight));

    memset((void *)&s[9 * MYTHREAD], 'a' + MYTHREAD, 9);
    upc_barrier;
    for (int i = 0; i < 9 * THREADS; i++) CHECK_EQ('a' + i / 9, s[i]);
    if (MYTHREAD == 0) {
        int *p = (int *)&scalar;
        *p = 5;
        CHECK_EQ(5, scalar);
        scalar += 2;
        CHECK_EQ(7, *p);
        CHECK((void *)&scalar == (void *)p);
        uintptr_t word = (uintptr_t)(void *)&scalar;
        CHECK((int *)word == p);
    }
    shared void *v = &c[MYTHREAD];
    CHECK((int *)v == mine);
    CHECK(*(int *)v == 10 * MYTHREAD);
    upc_barrier;
    CHECK_EQ(7, scalar);
    return 0;
}
