/* 6.7.1p1, p4: the pragmas in all places where they may stand; no macro replacement happens in them; other pragmas
 * stay as they are. What they do to orders is the subject of litmus-pragma*.upc. */
#include "check.h"

#define strict_mode strict
#define upc_pragma upc
#pragma upc strict
#pragma upc relaxed
#pragma GCC diagnostic push
#pragma upc    strict
  #  pragma   upc relaxed
_Pragma("GCC diagnostic pop")

shared int x;

static int nested(void) {
#pragma upc strict
    int r;
    x = 1;
    {
#pragma upc relaxed
        shared int *p = &x;
        *p += 1;
        {
#pragma upc strict
            *p += 1;
        }
        r = *p;
    }
    x += 10;
    return r;
}

#pragma upc strict
static int after(void) { return x; }

static void empty(void) {
#pragma upc relaxed
}
#pragma upc relaxed

int main(void) {
    if (MYTHREAD == 0) {
        CHECK_EQ(3, nested());
        CHECK_EQ(13, after());
    }
    for (int i = 0; i < 2; i++) {
#pragma upc strict
        CHECK(x >= 0);
    }
    if (THREADS) {
#pragma upc relaxed
        CHECK(&x != 0);
    }
    int v = ({
#pragma upc strict
        upc_threadof(&x);
    });
    CHECK_EQ(0, v);
    (void)empty;
    return 0;
}
#pragma upc strict
