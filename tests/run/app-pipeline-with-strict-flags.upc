// threads: 1 2 3 4 8
/* A pipeline: each thread takes numbers from the one before it, changes them and hands them on, through rings of slots
 * guarded by strict counters alone. With the counters relaxed, the data could be seen before they are written. */
#include <sched.h>

#include "check.h"
#pragma upc relaxed

#define SLOTS 3
#define ITEMS 1500
#define WORDS 5

typedef struct { int word[WORDS]; } item;
shared [SLOTS] item ring[SLOTS * THREADS]; /* of the thread that reads it */
strict shared int written[THREADS];
shared int read_[THREADS]; /* made strict where it is used */

static void put(int to, const item *it) {
    int n = written[to];
    strict shared int *consumed = (strict shared int *)&read_[to];
    while (n - *consumed >= SLOTS) sched_yield();
    for (int w = 0; w < WORDS; w++) ring[to * SLOTS + n % SLOTS].word[w] = it->word[w];
    written[to] = n + 1;
}

static void take(item *it) {
    int n = read_[MYTHREAD];
    while (written[MYTHREAD] == n) sched_yield();
    *it = ring[MYTHREAD * SLOTS + n % SLOTS];
    {
#pragma upc strict
        read_[MYTHREAD] = n + 1;
    }
}

int main(void) {
    item it;
    for (int i = 0; i < ITEMS; i++) {
        if (MYTHREAD == 0)
            for (int w = 0; w < WORDS; w++) it.word[w] = i + w;
        else {
            take(&it);
            for (int w = 0; w < WORDS; w++) it.word[w] = it.word[w] * 3 + MYTHREAD;
        }
        if (MYTHREAD < THREADS - 1) put(MYTHREAD + 1, &it);
        else
            for (int w = 0; w < WORDS; w++) {
                unsigned expected = i + w;
                for (int t = 1; t < THREADS; t++) expected = expected * 3 + t;
                CHECK_EQ((int)expected, it.word[w]);
            }
    }
    return 0;
}
