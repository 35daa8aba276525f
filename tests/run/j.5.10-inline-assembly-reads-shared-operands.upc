/* C11 J.5.10: of an input that may stand in a register, inline assembly gets the value, wherever the object lies. An
 * input in memory is a near object. */
#include "check.h"

shared int word[THREADS];
shared [] struct pair { char c; short s[2]; } pairs[2];
shared int *shared place[THREADS];

#ifdef __aarch64__
#define MOVE "mov %w0, %w1"
#else
#define MOVE "mov %1, %0"
#endif

static int copied(shared int *p) {
    int x;
    __asm__(MOVE : "=r"(x) : "r"(*p));
    return x;
}

int main(void) {
    int next = (MYTHREAD + 1) % THREADS, x, y = 1, calls = 0;
    word[MYTHREAD] = 10 + MYTHREAD;
    place[MYTHREAD] = &word[MYTHREAD];
    if (MYTHREAD == THREADS - 1) pairs[1].s[1] = -7;
    upc_barrier;
    CHECK_EQ(10 + next, copied(&word[next]));
    CHECK_EQ(10 + next, copied(place[next]));
    __asm__("" : "=r"(x) : "0"(word[next]));
    CHECK_EQ(10 + next, x);
    __asm__("" : "=r"(x), "+r"(y) : [from] "0"(word[(calls++, next)]), "ri"(3) : "memory");
    CHECK_EQ(10 + next, x);
    CHECK_EQ(1, calls);
    __asm__("" : "=r"(x) : "0"((int)pairs[1].s[1]), "g"(pairs[1].c), "r"(pairs[1].s[1]));
    CHECK_EQ(-7, x);
    __asm__("" : : "r"(&word[next]), "m"(y));
    return 0;
}
