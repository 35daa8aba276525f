// threads: 1 2 4
/* Shared lvalues in every place where C takes a value or an lvalue: subscripts of subscripts, conditions, operands with and without
 * short-circuit, both sides of commas, callee's arguments, return, casts, sizeof, initialisers, loop clauses, case expressions of private type. */
#include "check.h"

shared [2] int a[8 * THREADS];
shared int idx[8 * THREADS];
shared double d[THREADS];
shared int zero, one = 1;
shared char flag[THREADS];
shared struct s {
    int n;
    int list[4];
} rec[THREADS];
static int calls;
static int touch(int v) { return calls++, v; }
static int from_return(int i) { return a[idx[i]]; }
static double widen(double x, long y, char c) { return x + y + c; }
static void nothing(void) {}

int main(void) {
    int n = 8 * THREADS;
    if (MYTHREAD == 0)
        for (int i = 0; i < n; i++) a[i] = 10 * i, idx[i] = n - 1 - i;
    d[MYTHREAD] = MYTHREAD + 0.5;
    flag[MYTHREAD] = MYTHREAD % 2;
    rec[MYTHREAD].n = 2;
    for (int k = 0; k < 4; k++) rec[MYTHREAD].list[k] = k;
    upc_barrier;
    int t = THREADS - 1;
    CHECK_EQ(10 * (n - 4), a[idx[3]]);
    CHECK_EQ(30, a[idx[idx[3]]]);
    CHECK_EQ(10 * (n - 1), from_return(0));
    CHECK(widen(a[1], d[t], flag[0]) == 10 + t);
    CHECK_EQ(2, rec[t].list[rec[t].list[rec[t].n]]);
    int priv[] = {5, 6, 7, 8};
    CHECK_EQ(6, priv[one]);
    CHECK_EQ(8, *(priv + rec[t].n + one));
    if (zero) CHECK(0);
    if (!one) CHECK(0);
    CHECK_EQ(0, zero && touch(1));
    CHECK_EQ(1, one || touch(1));
    CHECK_EQ(0, calls);
    CHECK_EQ(1, one && touch(1));
    CHECK_EQ(0, zero || touch(0));
    CHECK_EQ(2, calls);
    CHECK_EQ(20, (one ? a[2] : touch(3)));
    CHECK_EQ(3, (zero ? a[2] : touch(3)));
    CHECK(&(*(one ? &a[2] : &a[3])) == &a[2]);
    CHECK_EQ(30, (a[1], a[2], a[3]));
    CHECK_EQ(-10, -a[1]);
    CHECK_EQ(~10, ~a[1]);
    CHECK_EQ(10, +a[1]);
    CHECK_EQ(1, !zero);
    CHECK_EQ(10, (char)a[1]);
    CHECK_EQ(t, (int)d[t]);
    CHECK((float)d[t] == t + 0.5f);
    CHECK((_Bool)d[t]);
    (void)a[1];
    a[1];
    one ? nothing() : (void)a[0];
    CHECK_EQ(4, sizeof(a[touch(1)]));
    CHECK_EQ(3, calls);
    int r = 0;
    for (int i = zero; i < a[1]; i += one) r++;
    CHECK_EQ(10, r);
    while (r > rec[t].n) r--;
    CHECK_EQ(2, r);
    do r++;
    while (r < a[1]);
    CHECK_EQ(10, r);
    switch (a[1] + one) {
    case 11: r = rec[t].list[3]; break;
    default: r = -1;
    }
    CHECK_EQ(3, r);
    int init = a[2], list[] = {a[3], a[idx[0]], one}, *p = &list[one];
    CHECK_EQ(20 + 30 + 10 * (n - 1), init + list[0] + *p);
    static int counter[3];
    counter[one] += a[1];
    counter[one + one] -= a[1] << one;
    CHECK_EQ(-10, counter[0] + counter[1] + counter[2]);
    r = a[3] - a[2] * one + a[4] / a[1] % 3 - (a[1] > zero) + (a[1] == a[1]) + (a[2] & 4) + (a[2] | one) + (a[1] ^ 3);
    CHECK_EQ(30 - 20 + 1 - 1 + 1 + 4 + 21 + 9, r);
    upc_barrier;
    /* The order of a sequence: stores to shared and private objects stay where sequence points put them. */
    a[2 * MYTHREAD] = 1, r = a[2 * MYTHREAD], a[2 * MYTHREAD] = 2, r = r * 10 + a[2 * MYTHREAD];
    CHECK_EQ(12, r);
    idx[MYTHREAD] = (a[2 * MYTHREAD] = 5) + 1;
    CHECK_EQ(6, idx[MYTHREAD]);
    a[2 * MYTHREAD] = rec[MYTHREAD].n = idx[MYTHREAD] = (int)(d[MYTHREAD] = 7.9);
    CHECK(a[2 * MYTHREAD] == 7 && rec[MYTHREAD].n == 7 && d[MYTHREAD] == 7.9);
    unsigned char narrow = (flag[MYTHREAD] = 300);
    CHECK_EQ(44, narrow);
    CHECK_EQ(44, flag[MYTHREAD]);
    upc_barrier;
    return 0;
}
