// threads: 1 3
// Compound literals whose types mention pointers-to-shared, with and without a phase (C17 6.5.2.5).
#include "check.h"

shared [5] int a[50 * THREADS];
shared int c[20 * THREADS];
struct row {
    shared [5] int *p;
    shared int *q;
    int n;
};

static int second(shared [5] int *const *p) { return p[1][2]; }
static int both(struct row r) { return r.p[1] * 100 + r.q[r.n]; }
static int by_address(shared [5] int **p) { return **p; }

int main(void) {
    upc_forall(int i = 0; i < 50 * THREADS; i++; &a[i]) a[i] = i;
    upc_forall(int i = 0; i < 20 * THREADS; i++; &c[i]) c[i] = i;
    upc_barrier;
    int k = 7;
    CHECK_EQ(k + 16, ((shared [5] int *[]){&a[10], &a[k + 13]})[1][3]);
    CHECK_EQ(9, second((shared [5] int *[2]){&a[1], &a[k]}));
    CHECK_EQ(2, second((shared [5] int *[3]){[1] = a}));
    CHECK_EQ(507, both((struct row){&a[4], &c[k], 0}));
    CHECK_EQ(509, both((struct row){.n = 2, .q = &c[7], .p = a + 4}));
    CHECK_EQ(6, (shared [5] int *){&a[6]}[0]);
    CHECK_EQ(6, *(shared [5] int *){a + 6});
    CHECK_EQ(8, by_address(&(shared [5] int *){&a[k + 1]}));
    CHECK_EQ(12, *(shared int *){c + 12});
    CHECK_EQ(5, ((shared int *[]){&c[1], &c[2], &c[3]})[2][2]);
    CHECK_EQ(3, (int)(sizeof((shared int *[]){&c[1], &c[2], &c[3]}) / sizeof(shared int *)));
    CHECK((shared [5] int *){0} == NULL && (shared int *){NULL} == NULL && ((shared [5] int *[2]){0})[1] == NULL);
    shared [5] int *kept = (shared [5] int *){&a[3]};
    CHECK_EQ(3, upc_phaseof(kept));
    for (int i = 0; i < 3; i++) CHECK_EQ(i, ((shared [5] int *[]){a, a + i})[1][0]);
    return 0;
}
