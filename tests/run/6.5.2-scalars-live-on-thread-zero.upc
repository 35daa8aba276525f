// threads: 1 2 3 4
/* 6.5.2p12: shared objects of non-array static declarators have affinity to thread zero, whatever their type, block size
 * and storage class. */
#include "check.h"

shared char c;
shared [5] double d;
static shared int i;
extern shared long later;
shared struct big {
    int a[100];
} big;
shared union {
    int i;
    double d;
} u;
shared int *shared p;
shared [] int indefinite;
const shared int constant = 12;

static shared int *local_one(void) {
    static shared int one;
    return &one;
}
static shared int *local_two(void) {
    static shared int one;
    return &one;
}

int main(void) {
    static shared short s;
    extern shared int i_elsewhere;
    CHECK_EQ(0, upc_threadof(&c));
    CHECK_EQ(0, upc_threadof(&d));
    CHECK_EQ(0, upc_threadof(&i));
    CHECK_EQ(0, upc_threadof(&later));
    CHECK_EQ(0, upc_threadof(&big));
    CHECK_EQ(0, upc_threadof(&big.a[99]));
    CHECK_EQ(0, upc_threadof(&u));
    CHECK_EQ(0, upc_threadof(&p));
    CHECK_EQ(0, upc_threadof(&indefinite));
    CHECK_EQ(0, upc_threadof((shared void *)&constant));
    CHECK_EQ(0, upc_threadof(&s));
    CHECK_EQ(0, upc_threadof(local_one()));
    CHECK(local_one() == local_one());
    CHECK(local_one() != local_two());
    CHECK_EQ(0, upc_phaseof(&c) + upc_phaseof(&d) + upc_phaseof(&big));
    CHECK_EQ(12, constant);
    if (MYTHREAD == THREADS - 1) {
        s = 4;
        *local_one() = 1;
        *local_two() = 2;
        later = 99;
        i_elsewhere = 5;
        big.a[99] = 3;
    }
    upc_barrier;
    CHECK_EQ(4, s);
    CHECK_EQ(1, *local_one());
    CHECK_EQ(2, *local_two());
    CHECK_EQ(99, later);
    CHECK_EQ(5, i_elsewhere);
    CHECK_EQ(3, big.a[99]);
    if (MYTHREAD == 0) CHECK_EQ(3, ((struct big *)&big)->a[99]);
    return 0;
}

shared long later;
shared int i_elsewhere;
