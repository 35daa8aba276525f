// threads: 1 2 3 4 8
/* 6.6.2p9: nesting is dynamic: a upc_forall in a function called from the body of another is controlled by it; called
 * from elsewhere, the same statement controls itself. Also through pointers to functions, recursion and continue loops. */
#include "forall.h"

shared [3] int a[9 * THREADS];

static int inner(int n) {
    int executed = 0;
    upc_forall (int i = 0; i < n; i++; i) executed++;
    return executed;
}
static int inner_by_address(int n) {
    int executed = 0;
    upc_forall (int i = 0; i < n; i++; &a[i]) {
        a[i]++;
        executed++;
    }
    return executed;
}
static int through(int (*f)(int), int n) { return f(n); }
static int early(int n) {
    if (n < 0) return -1;
    int r = inner(n);
    if (r == n) return r;
    return r;
}
static int deep(int level) {
    int r = 0;
    if (level == 0) return 1;
    upc_forall (int i = 0; i < 2 * THREADS; i++; i) r += deep(level - 1);
    return r;
}
static long share(long n) { return n / THREADS + (MYTHREAD < n % THREADS); }

int main(void) {
    int n = 9 * THREADS;
    CHECK_EQ(9, inner(n));
    CHECK_EQ(9, inner_by_address(n));
    CHECK_EQ(share(11), inner(11));
    upc_barrier;
    upc_forall (int i = 0; i < n; i++; i) {
        CHECK_EQ(n, inner(n));
        CHECK_EQ(n, through(inner, n));
        CHECK_EQ(n, early(n));
        CHECK_EQ(-1, early(-1));
    }
    CHECK_EQ(9, through(inner, n));
    upc_forall (int i = 0; i < 3; i++; continue) CHECK_EQ(9, inner(n));
    upc_forall (int i = 0; i < 3; i++;) CHECK_EQ(9, early(n));
    upc_forall (int i = 0; i < 3; i++; continue)
        upc_forall (int j = 0; j < n; j++; &a[j]) CHECK_EQ(n, inner(n));
    /* Only the outermost of the recursion divides. */
    CHECK_EQ(2 * 2 * THREADS * 2 * THREADS, deep(3));
    CHECK_EQ(9, inner(n));
    upc_barrier;
    /* One thread works alone in the body; the others, outside, divide nothing. */
    long total = 0;
    upc_forall (int i = 0; i < 1; i++; 0) total += inner(n);
    CHECK_EQ(MYTHREAD == 0 ? n : 0, total);
    return 0;
}
