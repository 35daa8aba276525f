// comm: outbox=8192,lines outbox=128 outbox=2048,lines on off
// threads: 1 2 3 4
// upc_memput writes as if by relaxed accesses (B.3.2.1): what it writes may come late, but not behind later accesses of the same thread to
// the same bytes, and its source may change at once.
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include <string.h>
#include "check.h"

enum { LONG = 20000 };
shared [LONG] unsigned char bytes[LONG * THREADS];
shared [100] long words[100 * THREADS];
shared long count[THREADS];
strict shared int turn[THREADS];

static unsigned seed = 12345;
static unsigned dice(unsigned n) { return (seed = seed * 1103515245u + 12345u) / 65536 % n; }
static int next(int t) { return (t + 1) % THREADS; }

/* Puts of all lengths at any place, mixed with other accesses; a copy of what should be there is kept. */
static void mixed(int other) {
    static unsigned char there[LONG], from[LONG], back[LONG];
    shared [] unsigned char *to = (shared [] unsigned char *)&bytes[other * (long)LONG];
    for (int round = 0; round < 3000; round++) {
        static const unsigned longest[] = {9, 70, 600, 5000, LONG};
        unsigned at = dice(LONG), n = dice(longest[dice(round % 50 ? 3 : 5)]);
        if (at + n > LONG) n = LONG - at;
        switch (dice(8)) {
        default:
            for (unsigned i = 0; i < n; i++) from[i] = there[at + i] = (unsigned char)dice(256);
            upc_memput(to + at, from, n);
            memset(from, 0, n);
            break;
        case 4: /* a part behind the other */
            for (unsigned i = 0; i < n; i++) there[at + i] = (unsigned char)(i + round);
            for (unsigned i = 0, part; i < n; i += part) {
                part = 1 + dice(n - i);
                upc_memput(to + at + i, there + at + i, part);
            }
            break;
        case 5: /* also what has just been put, from its middle on */
            upc_memput(to + at, memset(there + at, round & 255, n), n);
            if (n) CHECK(to[at + n / 2] == (round & 255));
            upc_memget(back, to + at, n);
            CHECK(memcmp(back, there + at, n) == 0);
            break;
        case 6:
            to[at] = there[at] = (unsigned char)dice(256);
            for (unsigned i = 0; i < 4; i++, at = dice(LONG)) CHECK(to[at] == there[at]);
            break;
        case 7:
            if (round % 16) break;
            upc_memset(to + at, round & 255, n);
            memset(there + at, round & 255, n);
        }
        if (round % 500 == 0) upc_fence;
    }
    upc_memget(back, to, LONG);
    CHECK(memcmp(back, there, LONG) == 0);
}

static void beside_atomics(int other) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET | UPC_SET, 0);
    long from[50], old = 0, one = 1;
    for (int i = 0; i < 50; i++) from[i] = 1000 + i;
    upc_memput(&words[other * 100 + 20], from, sizeof from);
    upc_atomic_relaxed(domain, &old, UPC_ADD, &words[other * 100 + 22], &one, NULL);
    CHECK(old == 1002);
    upc_atomic_relaxed(domain, NULL, UPC_ADD, &words[other * 100 + 69], &one, NULL);
    CHECK(words[other * 100 + 69] == 1050 && words[other * 100 + 22] == 1003);
    upc_memput(&words[other * 100 + 20], from, sizeof from);
    CHECK(words[other * 100 + 69] == 1049);
    upc_barrier;
    upc_all_atomicdomain_free(domain);
}

/* What has been put is there when a strict write has been seen. */
static void before_strict(int other) {
    long from[100];
    for (int round = 1; round <= 20; round++) {
        for (int i = 0; i < 100; i++) from[i] = round * 1000 + i;
        upc_memput(&words[other * 100], from, (size_t)(5 * round) * sizeof *from);
        memset(from, 0, sizeof from);
        turn[other] = round;
        while (turn[MYTHREAD] != round) {}
        for (int i = 0; i < 5 * round; i++) CHECK(words[MYTHREAD * 100 + i] == round * 1000 + i);
        upc_barrier;
    }
}

/* To all threads, and from all. */
static void to_all(void) {
    for (int t = 0; t < THREADS; t++) {
        long mine[3] = {MYTHREAD, MYTHREAD + 1, MYTHREAD + 2};
        if (3 * THREADS <= 100) upc_memput(&words[t * 100 + 3 * MYTHREAD], mine, sizeof mine);
    }
    upc_barrier;
    for (int t = 0; t < THREADS && 3 * THREADS <= 100; t++)
        for (int i = 0; i < 3; i++) CHECK(words[MYTHREAD * 100 + 3 * t + i] == t + i);
    upc_barrier;
}

int main(void) {
    seed += MYTHREAD;
    upc_barrier;
    mixed(next(MYTHREAD));
    upc_barrier;
    beside_atomics(next(MYTHREAD));
    upc_barrier;
    before_strict(next(MYTHREAD));
    to_all();
    if (MYTHREAD == 0) printf("done\n");
    return 0;
}
