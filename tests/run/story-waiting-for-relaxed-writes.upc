// threads: 1 3 5
// flags: -O2
/* Loops that wait for a relaxed write of another thread and do nothing that could change it, as a tutorial has them. Nothing in the language says that
 * they go on, but nobody expects that a compiler reads what they wait for once and for all. */
#include "check.h"
#include <upc_relaxed.h>

shared int flag, turn[THREADS], more[THREADS];
struct place {
    int x, ready;
};
shared struct place places[THREADS];
enum { MANY = 40 };
shared [MANY] int ready[MANY * THREADS], data[MANY * THREADS];

static void go_on(shared int *p, int value) {
    upc_fence;
    *p = value;
    upc_fence;
}

static int half(long x) { return (int)(x / 2 % 7); }

int main(void) {
    int next = (MYTHREAD + 1) % THREADS;
    shared int *mine = &more[MYTHREAD];
    if (MYTHREAD == THREADS - 1) go_on(&flag, 1);
    while (!flag)
        ;
    while (flag != 1) {
    }
    do
        ;
    while (flag == 0);
    for (; flag == 0;)
        ;

    /* One after the other. */
    if (MYTHREAD == 0) go_on(&turn[0], 1);
    while (turn[MYTHREAD] == 0) continue;
    CHECK_EQ(1, turn[MYTHREAD]);
    if (next) go_on(&turn[next], 1);

    go_on(&more[next], 5);
    while (*mine != 5) {
        ;
    }
    CHECK_EQ(5, *mine);

    places[next].x = MYTHREAD;
    upc_fence;
    places[next].ready = 1;
    upc_fence;
    while (places[MYTHREAD].x < 0 || !places[MYTHREAD].ready) {
        {
        }
    }
    CHECK_EQ((MYTHREAD + THREADS - 1) % THREADS, places[MYTHREAD].x);
    upc_barrier;

    /* Who counts its turns, or may give up, waits, too. */
    long turns = 0, most = 1l << 60;
    int twice = 0;
    go_on(&turn[next], 9);
    while (turn[MYTHREAD] != 9) {
        turns++;
        twice = turns > 1;
    }
    go_on(&more[next], 9);
    for (turns = 0; *mine != 9; turns++)
        if (turns == most) break;
    for (turns = 0; *mine != 9 && turns < most; turns++) twice += half(turns) == 5;
    CHECK(twice >= 0 && turns < most);
    upc_barrier;

    go_on(&turn[next], 11);
    while (1) {
        if (turn[MYTHREAD] == 11) break;
        turns++;
    }
    go_on(&more[next], 11);
    for (;;)
        if (*mine == 11) {
            turns++;
            break;
        }
    upc_barrier;

    /* By way of a variable. */
    int seen, double_seen, copy;
    go_on(&turn[next], 13);
    while ((seen = turn[MYTHREAD]) != 13)
        ;
    go_on(&more[next], 13);
    do {
        seen = *mine;
        double_seen = 2 * seen;
        turns++;
    } while (double_seen != 26);
    upc_barrier;
    go_on(&turn[next], 15);
    for (;;) {
        int now = turn[MYTHREAD];
        copy = now;
        if (copy == 15) break;
    }
    CHECK_EQ(15, copy);
    upc_barrier;

    /* A loop that waits in each iteration fetches nothing ahead. */
    int from = (MYTHREAD + THREADS - 1) % THREADS;
    shared [MANY] int *is_ready = ready + from * MANY, *there = data + from * MANY;
    long sum = 0;
    for (int i = 0; i < MANY; i++) {
        data[MYTHREAD * MANY + i] = i;
        go_on((shared int *)&ready[MYTHREAD * MANY + i], 1);
    }
    for (int i = 0; i < MANY; i++) {
        while (!is_ready[i])
            ;
        sum += there[i];
    }
    CHECK_EQ(MANY * (MANY - 1) / 2, sum);
    upc_barrier;

    /* Loops that do something are none of these. */
    static shared [] int list[8];
    if (MYTHREAD == 0)
        for (int i = 0; i < 8; i++) list[i] = 8 - i;
    upc_barrier;
    int at = 0;
    while (list[at++] > 3)
        ;
    CHECK_EQ(6, at);
    for (at = 0; list[at] != 1; at++)
        ;
    CHECK_EQ(7, at);
    int last = 9, found = 0;
    while (last > 2) last = list[found++];
    CHECK_EQ(7, found);
    return 0;
}
