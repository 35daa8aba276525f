// threads: 1 2 3
/* C 6.3.1.2, 6.5.2.4 on shared lvalues: _Bool stays 0 or 1 through every operator; enumerations behave as integers. */
#include "check.h"

enum colour { RED, GREEN = 5, BLUE };
shared _Bool flag[THREADS];
shared enum colour paint[THREADS];
strict shared _Bool sflag[THREADS];

int main(void) {
    int n = (MYTHREAD + 1) % THREADS;
    flag[n] = 256;
    CHECK_EQ(1, flag[n]);
    flag[n] = 0;
    CHECK_EQ(1, (flag[n] = 0.25));
    CHECK_EQ(1, flag[n]++);
    CHECK_EQ(1, flag[n]);
    CHECK_EQ(1, flag[n]--);
    CHECK_EQ(0, flag[n]);
    CHECK_EQ(0, flag[n]--); /* 0 - 1 is not 0, so it becomes 1 */
    CHECK_EQ(1, ++flag[n]);
    CHECK_EQ(1, (flag[n] += 255));
    CHECK_EQ(0, (flag[n] -= 1));
    CHECK_EQ(1, (flag[n] |= 6));
    CHECK_EQ(0, (flag[n] &= 2));
    CHECK_EQ(1, (flag[n] ^= 1));
    flag[n] = &flag[n] != NULL;
    CHECK(flag[n]);
    sflag[n] = 8;
    CHECK_EQ(1, sflag[n]);
    CHECK_EQ(1, sflag[n]--);
    CHECK_EQ(0, sflag[n]);
    paint[n] = BLUE;
    CHECK_EQ(6, paint[n]--);
    CHECK_EQ(GREEN, paint[n]);
    paint[n] += 1;
    CHECK_EQ(BLUE, paint[n]);
    switch (paint[n]) {
    case BLUE:
        break;
    default:
        CHECK(!"the switch went astray");
    }
    return 0;
}
