// threads: 1 2 4
/* 6.4.3p4: a UPC program with files of plain C: local pointers to shared data go into C functions, C objects are private to each
 * thread, and C may call back. */
#include "../../check.h"

double dot(const double *x, const double *y, int n);
extern int calls;
void each(int n, void (*f)(int, void *), void *arg);
struct pair {
    int a, b;
};
struct pair swap(struct pair p);

shared [100] double x[100 * THREADS], y[100 * THREADS];
shared double partial[THREADS];
shared struct pair pairs[THREADS];
shared [10] int seen[10 * THREADS];

static void visit(int i, void *arg) { seen[10 * *(int *)arg + i] = i + 1; }

int main(void) {
    upc_forall (int i = 0; i < 100 * THREADS; i++; &x[i]) x[i] = i, y[i] = 2;
    partial[MYTHREAD] = dot((double *)&x[100 * MYTHREAD], (double *)&y[100 * MYTHREAD], 100);
    CHECK_EQ(1, calls);
    for (int i = 0; i < MYTHREAD; i++) dot(NULL, NULL, 0);
    CHECK_EQ(1 + MYTHREAD, calls);
    pairs[MYTHREAD] = swap((struct pair){MYTHREAD, 9});
    upc_barrier;
    double sum = 0;
    for (int t = 0; t < THREADS; t++) {
        sum += partial[t];
        struct pair p = swap(pairs[t]);
        CHECK(p.a == t && p.b == 9 && pairs[t].a == 9);
    }
    CHECK(sum == 100.0 * THREADS * (100.0 * THREADS - 1));
    int next = (MYTHREAD + 1) % THREADS;
    each(10, visit, &next);
    upc_barrier;
    for (int i = 0; i < 10 * THREADS; i++) CHECK_EQ(i % 10 + 1, seen[i]);
    return 0;
}
