// flags: -fcomm-opt
// comm: together on off together,lines,outbox=256
// threads: 1 2 3 4
// Calls of upc_memget that follow each other are begun before the first one has ended (B.3.2.1: relaxed reads of unspecified order). What a
// program could tell it by: memory that one call writes and another one reads or writes.
#include <upc_relaxed.h>
#include <stddef.h>
#include <string.h>
#include "check.h"

enum { B = 40, LONG = 3000 };
typedef shared [] int *part;
shared [B] int numbers[B * THREADS];
shared part directory[THREADS];
shared [LONG] char text[LONG * THREADS];
shared size_t counts[THREADS];
shared part found[THREADS];

static part parts[64];
static int *copies[64];
static int all[64 * B];
static int n = B, first, last = -1;
static struct {
    int *to;
    part of[64];
    size_t bytes;
} table;

static int is_of(const int *copy, int t, int count) {
    for (int i = 0; i < count; i++)
        if (copy[i] != t * 1000 + i) return 0;
    return 1;
}

static int next(int t) { return (t + 1) % THREADS; }

static void in_loops(void) {
    for (int t = 0; t < THREADS; t++) upc_memget(all + t * B, &numbers[t * B], n * sizeof(int));
    for (int t = 0; t < THREADS; t++) CHECK(is_of(all + t * B, t, B));
    memset(all, 0, sizeof all);
    for (int i = 1, peer; i < THREADS; i++) {
        peer = (MYTHREAD + i) % THREADS;
        if (peer == 1) continue;
        upc_memget(copies[peer], parts[peer], sizeof(int) * (size_t)n);
    }
    int t = 0;
    while (t < THREADS) {
        if (t == 2) break;
        upc_memget(&all[t * B], directory[t], B * sizeof *all);
        t++;
    }
    for (t = 0; t < THREADS; t++) CHECK(is_of(all + t * B, t, t < 2 || t != MYTHREAD ? B : 0));
    memset(all, 0, sizeof all);
    t = 0;
    do
        for (int k = 0; k < 2; k++) upc_memget(table.to + t * B + k * (B / 2), table.of[t] + k * (B / 2), table.bytes / 2);
    while (++t < THREADS);
    for (t = 0; t < THREADS; t++) CHECK(is_of(all + t * B, t, B));
}

/* Two calls, and what lies between them; the values are used at once. */
static void in_sequences(void) {
    int left[B], right[B], other = next(MYTHREAD), third = next(other);
    upc_memget(left, &numbers[other * B], sizeof left);
    upc_memget(right, &numbers[third * B], sizeof right);
    CHECK(is_of(left, other, B) && is_of(right, third, B));
    memset(left, 0, sizeof left);
    if (THREADS > 1) upc_memget(left, parts[0], sizeof left);
    else
        upc_memget(left, parts[THREADS - 1], sizeof left);
    int at = THREADS - 1;
    const size_t bytes = sizeof right;
    upc_memget(right, parts[at], bytes);
    CHECK(is_of(left, 0, B) && is_of(right, THREADS - 1, B));
}

/* Both write the same memory, or parts of it: the later one is seen. */
static void into_the_same(void) {
    int copy[2 * B] = {0}, a = next(MYTHREAD), b = next(a);
    upc_memget(copy, &numbers[a * B], B * sizeof(int));
    upc_memget(copy + B / 2, &numbers[b * B], B * sizeof(int));
    CHECK(is_of(copy, a, B / 2) && is_of(copy + B / 2, b, B));
    for (int t = THREADS; t-- > 0;) upc_memget(copy, &numbers[t * B], B * sizeof(int));
    CHECK(is_of(copy, 0, B));
}

/* What later calls read, earlier ones have written: the number of bytes, pointers, subscripts, a bound. */
static void into_what_is_read(void) {
    size_t bytes = 0;
    int copy[B] = {0}, other = next(MYTHREAD);
    upc_memget(&bytes, &counts[other], sizeof bytes);
    upc_memget(copy, &numbers[other * B], bytes);
    CHECK(bytes == (size_t)(other % B) * sizeof(int) && is_of(copy, other, other % B));

    part p = NULL;
    for (int t = 0; t < THREADS; t++) {
        upc_memget(&p, &directory[t], sizeof p);
        upc_memget(all + t * B, p, B * sizeof(int));
    }
    for (int t = 0; t < THREADS; t++) CHECK(is_of(all + t * B, t, B));

    memset(parts, 0, sizeof parts);
    for (int t = 0; t < THREADS; t++) upc_memget(&parts[t], &directory[t], sizeof(part));
    part *by = parts;
    memset(by, 0, sizeof parts);
    memset(all, 0, sizeof all);
    for (int i = 0, t = 1 % THREADS; i < THREADS; i++, t = (t + 1) % THREADS) {
        upc_memget(by + t, &directory[t], sizeof *by);
        upc_memget(copies[t], by[t], B * sizeof(int));
    }
    for (int t = 0; t < THREADS; t++) CHECK(is_of(all + t * B, t, B));

    /* The bound of the loop. */
    last = 1000;
    int turns = 0;
    for (int i = 0; i < last && i < 5; i++) {
        upc_memget(&last, &numbers[other * B], sizeof last);
        turns = i + 1;
    }
    CHECK(last == other * 1000 && turns == (last < 5 ? 1 : 5));

    /* A member of a structure that it also goes through. */
    struct chain {
        struct chain *link;
        part of;
    } chain = {&chain, NULL}, *at = &chain;
    upc_memget(&chain.of, &directory[other], sizeof chain.of);
    upc_memget(all, at->link->of, B * sizeof(int));
    CHECK(is_of(all, other, B));
}

/* What arguments are computed from is not looked at while it is being written: it would be zero here. */
static void into_divisors(void) {
    int d = 0, *to = &d, *into = all, other = next(MYTHREAD);
    part p = parts[other];
    upc_memget(to, &numbers[other * B + 3], sizeof d);
    upc_memget(into + 100000 / *to % 2, p + 100000 % *to % 3, sizeof(int) * (size_t)(1 + 100000 / *to % 3));
    int divisor = other * 1000 + 3;
    CHECK(d == divisor && all[100000 / divisor % 2] == other * 1000 + 100000 % divisor % 3);
}

/* A variable whose address hides in a selection. */
static void into_selected(void) {
    int x = 0, *p = &_Generic(0, int : x), other = next(MYTHREAD);
    memset(all, 0, sizeof all);
    upc_memget(p, &numbers[other * B + 3], sizeof x);
    upc_memget(all, &numbers[other * B], (size_t)(x % 10) * sizeof x);
    CHECK(is_of(all, other, 3) && all[3] == 0);
}

/* This thread's part of shared memory is written by its address, and read as shared. */
static void into_shared_memory(void) {
    part *mine = (part *)&directory[MYTHREAD], kept = *mine;
    int other = next(MYTHREAD);
    upc_barrier;
    *mine = NULL;
    upc_barrier;
    upc_memget(mine, &directory[MYTHREAD], sizeof *mine);
    upc_barrier;
    *mine = kept;
    upc_barrier;
    upc_memget((part *)&found[MYTHREAD], &directory[other], sizeof(part));
    upc_memget(all, *(part *)&found[MYTHREAD], B * sizeof(int));
    CHECK(is_of(all, other, B));
    int third = next(other);
    upc_memget((part *)&found[MYTHREAD], &directory[third], sizeof(part));
    upc_memget(all, found[MYTHREAD], B * sizeof(int));
    CHECK(is_of(all, third, B));
    int *own = (int *)&numbers[MYTHREAD * B];
    upc_barrier;
    upc_memget(own, &numbers[other * B + 5], sizeof(int));
    upc_memget(all, &numbers[MYTHREAD * B], B * sizeof(int)); /* what has just been written, too */
    CHECK(all[0] == other * 1000 + 5 && all[1] == MYTHREAD * 1000 + 1);
    upc_barrier;
    own[0] = MYTHREAD * 1000;
    upc_barrier;
}

/* More calls than are under way at once, long ones, and none. */
static void many(void) {
    static int one[300];
    static char big[LONG * 4];
    int other = next(MYTHREAD);
    for (int k = 0; k < 300; k++) upc_memget(&one[k], &numbers[other * B + k % B], sizeof(int));
    for (int k = 0; k < 300; k++) CHECK(one[k] == next(MYTHREAD) * 1000 + k % B);
    for (int t = 0; t < THREADS && t < 4; t++) upc_memget(big + t * LONG, &text[t * (long)LONG], LONG);
    for (int t = 0; t < THREADS && t < 4; t++)
        for (int i = 0; i < LONG; i++) CHECK(big[t * LONG + i] == (char)(t + i));
    part none = NULL;
    for (int t = 0; t < THREADS; t++) upc_memget(one, none, t * 0);
    upc_memget(one, &numbers[0], first);
    upc_memget(one + 1, &numbers[0], first);
    CHECK(one[0] == next(MYTHREAD) * 1000 && one[1] == next(MYTHREAD) * 1000 + 1 % B);
}

/* A write of this thread that comes first, and one that comes after. */
static void beside_writes(void) {
    int other = next(MYTHREAD), a = 0, b = 0;
    upc_barrier;
    numbers[other * B + 7] = -5;
    upc_memget(&a, &numbers[other * B + 7], sizeof a);
    upc_memget(&b, &numbers[other * B + 8], sizeof b);
    numbers[other * B + 8] = -6;
    numbers[other * B + 7] = other * 1000 + 7;
    CHECK(a == -5 && b == other * 1000 + 8);
    upc_barrier;
    numbers[other * B + 8] = other * 1000 + 8;
    upc_barrier;
}

int main(void) {
    for (int i = 0; i < B; i++) numbers[MYTHREAD * B + i] = MYTHREAD * 1000 + i;
    for (int i = 0; i < LONG; i++) text[MYTHREAD * (long)LONG + i] = (char)(MYTHREAD + i);
    directory[MYTHREAD] = (part)&numbers[MYTHREAD * B];
    counts[MYTHREAD] = (size_t)(MYTHREAD % B) * sizeof(int);
    upc_barrier;
    table.to = all;
    table.bytes = B * sizeof(int);
    for (int t = 0; t < THREADS; t++) {
        parts[t] = table.of[t] = (part)&numbers[t * B];
        copies[t] = all + t * B;
    }
    in_loops();
    in_sequences();
    into_the_same();
    into_what_is_read();
    for (int t = 0; t < THREADS; t++) parts[t] = (part)&numbers[t * B];
    into_divisors();
    into_selected();
    into_shared_memory();
    many();
    beside_writes();
    upc_barrier;
    if (MYTHREAD == 0) printf("done\n");
    return 0;
}
