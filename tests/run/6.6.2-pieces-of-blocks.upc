// Blocks that are cut into pieces, within which every view's elements stay in one block: loops that begin and end
// anywhere, neighbours far and near on both sides, elements of several sizes, rows, all kinds of loop variables; bodies
// that call and are called; loops that are not controlling. Every result is compared with one computed from the index.
#include "check.h"

enum { B = 1024, BLOCKS = 3 };
struct wide {
    long key;
    char rest[16];
};
shared[B] int a[BLOCKS * B * THREADS], b[BLOCKS * B * THREADS];
shared[B] char small[BLOCKS * B * THREADS];
shared[B] struct wide wide[BLOCKS * B * THREADS];
shared[B * 4] int from_rows[BLOCKS * B * THREADS][4], to_rows[BLOCKS * B * THREADS][4];
strict shared[B] int strictly[BLOCKS * B * THREADS];
static shared[B] double own[BLOCKS * B * THREADS];

static long n;
static unsigned long seed = 12345;

static long random_below(long limit) {
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return (long)((seed >> 33) % (unsigned long)limit);
}

static void fresh(void) {
    upc_barrier;
    for (long i = 0; i < n; i++)
        if (upc_threadof(&a[i]) == MYTHREAD) a[i] = -1;
    upc_barrier;
}

// Own elements of a that are not f(i) in the range, or not -1 outside of it.
#define WRONG(from, to, f) \
    ({ \
        long wrong = 0; \
        upc_barrier; \
        for (long i = 0; i < n; i++) \
            if (upc_threadof(&a[i]) == MYTHREAD) wrong += a[i] != (i >= (from) && i < (to) ? (int)(f) : -1); \
        upc_barrier; \
        wrong; \
    })

static void near_and_far(long from, long to) {
    upc_forall (long i = from; i < to; i++; &a[i]) a[i] = b[i - 256] + b[i - 3] + b[i] + 2 * b[i + 7] + b[i + 256];
}
// The affinity is not the loop variable's own element, and neighbours lie on both sides of it.
static void shifted(int from, int to) {
    int i;
    upc_forall (i = from; i <= to; i++; &a[i + 5]) a[i + 5] = small[i + 4] + (int)wide[i + 6].key + b[i + 5];
}
static void rows(unsigned from, unsigned to) {
    upc_forall (unsigned i = from; i < to; i++; &to_rows[i][0])
        for (int j = 0; j < 4; j++) to_rows[i][j] = from_rows[i - 1][j] + from_rows[i + 1][3 - j];
}
// An element before the array or after it is not touched.
static void guarded(void) {
    upc_forall (short i = 0; i < n; i++; &a[i]) {
        a[i] = 0;
        if (i > 0) a[i] += b[i - 1];
        if (i == n - 1) continue;
        a[i] += b[i + 1];
    }
}
static long sum(long from, long to) {
    long sum = 0;
    upc_forall (long i = from; i < to; i++; &b[i]) sum += b[i - 1] - b[i + 1];
    return sum;
}
static int three(int x) { return 3 * x; }
static void calling(long from, long to) {
    upc_forall (long i = from; i < to; i++; &a[i]) a[i] = three(b[i]) + three(b[i - 1]);
}
// Reached from a controlling loop, it runs every iteration.
static long counted(long from, long to) {
    long k = 0;
    upc_forall (long i = from; i < to; i++; &own[i]) k += b[i] == i && b[i + 1] == i + 1;
    return k;
}
static long inside(long from, long to) {
    long wrong = 0;
    upc_forall (long i = from; i < to; i++; &own[i]) wrong += counted(i - 1, i + 9) != 10;
    return wrong;
}
static void ordered(long from, long to) {
    upc_forall (long i = from; i < to; i++; &b[i]) strictly[i] = b[i], a[i] = strictly[i];
}

int main(void) {
    n = BLOCKS * B * THREADS;
    for (long i = 0; i < n; i++)
        if (upc_threadof(&b[i]) == MYTHREAD) {
            b[i] = (int)i;
            small[i] = (char)(i % 100);
            wide[i].key = 3 * i;
            for (int j = 0; j < 4; j++) from_rows[i][j] = 10 * (int)i + j, to_rows[i][j] = -1;
        }
    upc_barrier;
    for (int k = 0; k < 7; k++) {
        long from = 256 + random_below(n - 600), to = from + random_below(n - 256 - from);
        if (k == 0) from = 256, to = n - 256;
        if (k == 1) from = B, to = B + 1;
        if (k == 2) from = B, to = B;
        if (k == 3) from = B - 1, to = B - 3;
        fresh();
        near_and_far(from, to);
        CHECK(WRONG(from, to, 6 * i + 11) == 0);
        fresh();
        shifted((int)from, (int)to);
        CHECK(WRONG(from + 5, to + 6, (i - 1) % 100 + 4 * i + 3) == 0);
        fresh();
        calling(from, to);
        CHECK(WRONG(from, to, 6 * i - 3) == 0);
        fresh();
        ordered(from, to);
        CHECK(WRONG(from, to, i) == 0);

        rows((unsigned)from, (unsigned)to);
        upc_barrier;
        long wrong = 0;
        for (long i = 0; i < n; i++)
            for (int j = 0; j < 4 && upc_threadof(&to_rows[i][0]) == MYTHREAD; j++)
                wrong += to_rows[i][j] != (i >= from && i < to ? (int)(20 * i + 3) : -1);
        CHECK(wrong == 0);
        upc_barrier;
        for (long i = 0; i < n; i++)
            if (upc_threadof(&to_rows[i][0]) == MYTHREAD)
                for (int j = 0; j < 4; j++) to_rows[i][j] = -1;
        upc_barrier;

        own[MYTHREAD * B] = (double)sum(from, to);
        upc_barrier;
        double all = 0;
        for (int t = 0; t < THREADS; t++) all += own[t * B];
        CHECK(all == (to > from ? -2.0 * (double)(to - from) : 0));
        upc_barrier;
    }
    fresh();
    guarded();
    CHECK(WRONG(0, n, i == 0 ? 1 : i == n - 1 ? n - 2 : 2 * i) == 0);
    CHECK(inside(B - 40, B + 40) == 0);

    // Not controlling: every thread runs all iterations, in their order, and the variable ends where it would in C.
    upc_forall (int t = 0; t < THREADS; t++; t) {
        CHECK(counted(B / 2, B * 3 / 2) == B);
        CHECK(sum(B / 2, B * 3 / 2) == -2 * B);
    }
    int i;
    upc_forall (i = 3; i < n - 3; i++; &b[i]) CHECK(b[i + 1] == i + 1);
    CHECK(i == n - 3);
    upc_forall (i = 30; i < 3; i++; &b[i]) CHECK(0);
    CHECK(i == 30);
    return 0;
}
