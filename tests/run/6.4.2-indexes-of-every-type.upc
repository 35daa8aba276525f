// threads: 1 2 3 4
/* 6.4.2p3: any expression of integer type is added: char, _Bool, bit-field, enumeration, unsigned, 64-bit; negative
 * values of signed types and large ones of unsigned types keep their value. */
#include "check.h"

shared [3] int a[100 * THREADS];
shared int c[100 * THREADS];
enum place { FIRST, SECOND, THIRD };

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < 100 * THREADS; i++) a[i] = i, c[i] = -i;
    upc_barrier;
    struct {
        unsigned u : 5;
        signed s : 5;
    } bits = {17, -3};
    signed char sc = -7;
    unsigned char uc = 99;
    short sh = 12;
    unsigned short us = 60;
    unsigned un = 42;
    long lo = -20;
    unsigned long ul = 77;
    long long ll = 3;
    _Bool yes = 1;
    enum place e = THIRD;
    CHECK_EQ(17, a[bits.u]);
    shared [3] int *p = &a[50];
    shared int *q = &c[50];
    CHECK_EQ(47, p[bits.s]);
    CHECK_EQ(43, p[sc]);
    CHECK_EQ(99, a[uc]);
    CHECK_EQ(62, *(p + sh));
    CHECK_EQ(60, a[us]);
    CHECK_EQ(92, p[un]);
    CHECK_EQ(30, p[lo]);
    CHECK_EQ(77, a[ul]);
    CHECK_EQ(53, p[ll]);
    CHECK_EQ(51, p[yes]);
    CHECK_EQ(52, p[e]);
    CHECK_EQ('0', a['0']);
    CHECK_EQ(-17, c[bits.u]);
    CHECK_EQ(-47, q[bits.s]);
    CHECK_EQ(-43, q[sc]);
    CHECK_EQ(-30, q[lo]);
    CHECK_EQ(-77, c[ul]);
    CHECK_EQ(-51, q[yes]);
    CHECK_EQ(50, p[0]);
    CHECK_EQ(49, p[-1]);
    CHECK_EQ(49, *(p - 1u));
    CHECK_EQ(3, 3 [a]);
    CHECK_EQ(20, (&a[30])[-10]);
    CHECK_EQ(5, sc[a + 12]);
    return 0;
}
