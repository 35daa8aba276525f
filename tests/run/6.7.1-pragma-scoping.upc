// threads: 2 4
/* 6.7.1p2-4: a strict pragma in a compound statement makes its plain accesses strict until the statement's end, where the
 * state before it returns. Visible here: the writes of data (plain) and flag (plain, under a pragma) must not be reordered, and the
 * waiting loop on a plain flag under a strict pragma must read memory each time round. */
#include <sched.h>
#include "check.h"

shared int data[THREADS];
shared int flag[THREADS];
shared int back;

static void publish(int to, int value) {
    data[to] = value; /* relaxed: the file's state */
    {
#pragma upc strict
        flag[to] = value;
    }
    data[to] = data[to];
}

#pragma upc strict
static void await(int me, int value) {
    while (flag[me] != value) sched_yield();
}
static int await_then_read(int me, int value) {
    while (1) {
        if (flag[me] == value) break;
        sched_yield();
    }
    {
#pragma upc relaxed
        return data[me];
    }
}
#pragma upc relaxed

int main(void) {
    int next = (MYTHREAD + 1) % THREADS;
    for (int r = 1; r <= 400 / THREADS; r++) {
        publish(next, r);
        if (r % 2) {
            await(MYTHREAD, r);
            CHECK_EQ(r, data[MYTHREAD]);
        } else {
            CHECK_EQ(r, await_then_read(MYTHREAD, r));
        }
        upc_barrier;
    }
    return 0;
}
