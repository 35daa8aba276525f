// threads: 1 2 3 4 7 8
/* 5.1.2.1p1: each thread calls main, once, with the program's arguments (its own copy of them). */
#include "check.h"

shared int entered[THREADS];
shared int name_length[THREADS];

int main(int argc, char **argv) {
    entered[MYTHREAD]++;
    CHECK(argc >= 1);
    CHECK(argv[argc] == NULL);
    name_length[MYTHREAD] = (int)strlen(argv[0]);
    int length = name_length[MYTHREAD];
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        CHECK_EQ(1, entered[t]);
        CHECK_EQ(length, name_length[t]);
    }
    upc_barrier;
    /* The strings are private: one thread may write them and no other sees it. */
    if (length > 0) argv[0][0] = (char)('A' + MYTHREAD);
    upc_barrier;
    if (length > 0) CHECK_EQ('A' + MYTHREAD, argv[0][0]);
    return 0;
}
