// threads: 1 3
// flags: -O2 -flto
/* -flto makes one piece of code of several files. Their static shared objects of one name stay apart. */
#include "../../check.h"

static shared int own[THREADS];
shared int common[THREADS];
int next(int add);
int own_of_other(int thread);

int main(void) {
    static shared int calls;
    static shared [1 << 20] char large[(1 << 25) * THREADS];

    own[MYTHREAD] = MYTHREAD;
    common[MYTHREAD] = 10 * MYTHREAD;
    if (MYTHREAD == 0) calls = 5;
    large[MYTHREAD] = 1;
    upc_barrier;
    CHECK_EQ(0, next(0));
    upc_barrier;
    CHECK_EQ(THREADS - 1, own[THREADS - 1]);
    CHECK_EQ(100 + THREADS - 1, own_of_other(THREADS - 1));
    CHECK_EQ(5, calls);
    upc_barrier;
    if (MYTHREAD == 0) {
        CHECK_EQ(7, next(7));
        CHECK_EQ(10, next(3));
        CHECK_EQ(5, calls);
    }
    return 0;
}
