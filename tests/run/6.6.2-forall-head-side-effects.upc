// threads: 1 2 3 4 7 8
/* 6.6.2p10 and example 2: every thread evaluates the first clause once, the second n + 1 times, the third n times, the
 * fourth once for each iteration, in this order; the body runs n times over all threads; the final value is n everywhere. */
#include "check.h"

static char trace[4000];
static int at;
static int foo1_calls, foo2_calls, foo3_calls, aff_calls;
shared int foo4_calls[10 * THREADS];
shared int target[10 * THREADS];

static void foo1(void) { foo1_calls++, trace[at++] = '1'; }
static void foo2(void) { foo2_calls++, trace[at++] = '2'; }
static void foo3(void) { foo3_calls++, trace[at++] = '3'; }
static int affinity(int i) {
    aff_calls++, trace[at++] = 'a';
    return i;
}
static shared int *place(int i) {
    aff_calls++, trace[at++] = 'a';
    return &target[i];
}
static void foo4(int i) {
    foo4_calls[i]++;
    trace[at++] = '4';
}

static void expect(int n, int mine, const char *unit) {
    CHECK_EQ(1, foo1_calls);
    CHECK_EQ(n + 1, foo2_calls);
    CHECK_EQ(n, foo3_calls);
    CHECK_EQ(n, aff_calls);
    const char *p = trace;
    trace[at] = 0;
    CHECK(*p++ == '1');
    int bodies = 0;
    for (int i = 0; i < n; i++) {
        CHECK(*p++ == '2');
        CHECK(*p++ == 'a');
        if (*p == '4') p++, bodies++;
        CHECK(*p++ == '3');
    }
    CHECK(*p++ == '2' && *p == 0);
    CHECK_EQ(mine, bodies);
    at = foo1_calls = foo2_calls = foo3_calls = aff_calls = 0;
    (void)unit;
}

int main(void) {
    int i, n = 10 * THREADS;
    upc_forall ((foo1(), i = 0); (foo2(), i < n); (foo3(), i++); affinity(i)) {
        foo4(i);
    }
    CHECK_EQ(n, i);
    expect(n, 10, "integer");
    upc_barrier;
    for (int k = 0; k < n; k++) CHECK_EQ(1, foo4_calls[k]);
    upc_barrier;

    upc_forall ((foo1(), i = 0); (foo2(), i < n); (foo3(), i++); place(i)) foo4(i);
    CHECK_EQ(n, i);
    expect(n, 10, "pointer");
    upc_barrier;
    for (int k = 0; k < n; k++) CHECK_EQ(2, foo4_calls[k]);
    upc_barrier;

    upc_forall ((foo1(), i = 0); (foo2(), i < 10); (foo3(), i++); i) foo4(i);
    CHECK_EQ(10, i);
    CHECK_EQ(1, foo1_calls);
    CHECK_EQ(11, foo2_calls);
    CHECK_EQ(10, foo3_calls);
    upc_barrier;

    /* The fourth clause has its side effects on the threads that skip the body, too. */
    int evaluated = 0;
    upc_forall (i = 0; i < n; i++; (evaluated++, i)) continue;
    CHECK_EQ(n, evaluated);
    evaluated = 0;
    upc_forall (i = 0; i < n; i++; &target[(evaluated += 2, i)]) continue;
    CHECK_EQ(2 * n, evaluated);
    int j = 0;
    upc_forall (i = 0; i < n; i++; j++) continue;
    CHECK_EQ(n, j);
    shared int *p = target;
    upc_forall (i = 0; i < n; i++; p++) CHECK_EQ(i % THREADS, MYTHREAD);
    CHECK(p == target + n);
    return 0;
}
