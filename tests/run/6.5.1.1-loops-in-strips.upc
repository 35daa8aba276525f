// flags: -fcomm-opt
// comm: strips strips=1,force strips=3,force strips=64,force strips,outbox lines outbox,lines,strips
// Relaxed reads of a counting loop may be made ahead, together (UPC 1.3, B): the result is that of the plain loop.
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include "check.h"

#define N 120
#define A (N * THREADS)

struct pair {
    int key;
    short low[3];
    double value;
};

shared double cyclic[A];
shared [7] int sevens[7 * 20 * THREADS];
shared [N] long blocks[A];
shared [] double *flat;
shared [3] struct pair pairs[N * THREADS];
shared [N] double grid[THREADS][N];
shared [5] int other[5 * 40 * THREADS];
shared [N] long target[A];
shared long total;

static double value(int i) { return 1.0 / (i + 1); }

static void fill(void) {
    int i;
    for (i = MYTHREAD; i < A; i += THREADS) cyclic[i] = value(i);
    upc_forall (i = 0; i < 140 * THREADS; i++; &sevens[i]) sevens[i] = 3 * i + 1;
    upc_forall (i = 0; i < A; i++; &blocks[i]) blocks[i] = 7L * i - 5;
    upc_forall (i = 0; i < A; i++; &pairs[i]) {
        pairs[i].key = i;
        pairs[i].low[1] = (short)(i % 1000);
        pairs[i].value = value(i + 1);
    }
    upc_forall (i = 0; i < 200 * THREADS; i++; &other[i]) other[i] = -i;
    for (i = 0; i < N; i++) grid[MYTHREAD][i] = MYTHREAD * 1000 + i;
    flat = upc_all_alloc(1, A * sizeof(double));
    if (MYTHREAD == 0)
        for (i = 0; i < A; i++) flat[i] = i + 0.5;
    upc_barrier;
}

static void sums(void) {
    double s = 0, expected = 0;
    long n = 0, wanted = 0;
    int i;
    for (i = 0; i < A; i++) s += cyclic[i];
    for (int k = 0; k < A; k++) expected += value(k);
    CHECK(s == expected && i == A);
    for (i = 1; i <= A - 2; i++) n += blocks[i + 1] - blocks[i - 1];
    CHECK(n == 14L * (A - 2));
    for (i = 0, n = 0; i < 140 * THREADS; i++) n += sevens[i];
    for (i = 0; i < 140 * THREADS; i++) wanted += 3 * i + 1;
    CHECK(n == wanted);
    s = 0;
    for (unsigned u = 0; u < (unsigned)A; u++) s += flat[u];
    CHECK(s == 0.5 * A * A);
    s = n = 0;
    for (i = 0; i < A; ++i) s += pairs[i].value, n += pairs[i].key - pairs[i].low[1];
    for (i = 0, expected = wanted = 0; i < A; i++) expected += value(i + 1), wanted += i - i % 1000;
    CHECK(s == expected && n == wanted);
    for (int t = 0; t < THREADS; t++) {
        s = 0;
        for (int j = 0; j < N; j++) s += grid[t][j];
        CHECK(s == 1000.0 * t * N + N * (N - 1) / 2);
    }
    /* Ranges that are empty, or of one element. */
    s = 0;
    for (i = 5; i < 5; i++) s += cyclic[i];
    for (i = 9; i < 3; i++) s += cyclic[i];
    CHECK(s == 0 && i == 9);
    for (i = A - 1; i < A; i++) s += cyclic[i];
    CHECK(s == value(A - 1));
}

/* A pointer that the loop does not change, with any phase; and null, which the loop does not follow. */
static void pointers(void) {
    for (int from = 0; from < 17; from++) {
        shared [7] int *p = &sevens[from];
        shared double *q = &cyclic[from];
        int n = 0, wanted = 0;
        double s = 0, expected = 0;
        for (int i = -from; i < 60 - from; i++) n += p[i] + p[i + 1];
        for (int i = 0; i < 60; i++) wanted += 3 * i + 1 + 3 * (i + 1) + 1;
        CHECK(n == wanted);
        for (int i = 0; i < 60; i++) s += q[i] - q[i + 2];
        for (int i = from; i < 60 + from; i++) expected += value(i) - value(i + 2);
        CHECK(s == expected);
    }
    shared [] double *nothing = NULL;
    double s = 0;
    for (int i = 0; i < 50; i++)
        if (nothing) s += nothing[i];
    CHECK(s == 0);
}

/* What the loop does not change is added to its variable; the inner loop of a nest runs along rows of one array. */
static void shifts(void) {
    int w = 10;
    for (int from = 0; from < 17; from += 4) {
        shared [7] int *p = &sevens[2];
        double s = 0, expected = 0;
        int n = 0, wanted = 0;
        for (int i = 0; i < 60; i++) s += cyclic[from + i] - cyclic[i + from + 2];
        for (int i = from; i < 60 + from; i++) expected += value(i) - value(i + 2);
        CHECK(s == expected);
        for (long i = 20; i < 60; i++) n += p[i - from] + p[from + i - 2 * from] - sevens[i];
        for (int i = 20; i < 60; i++) wanted += 2 * (3 * (i + 2 - from) + 1) - (3 * i + 1);
        CHECK(n == wanted);
    }
    for (int row = 0; row < 6; row++) {
        int n = 0;
        for (int j = 0; j < w; j++) n += other[row * w + j];
        CHECK(n == -(10 * row * w + 45));
    }
    /* Behind the array's end by what is added, and not read. */
    double s = 0;
    for (int i = 0; i < 50; i++)
        if (i + A < 40) s += cyclic[A + i];
    CHECK(s == 0);
}

/* A counter starts anew behind its largest value, and its first value is of its own type. */
static void narrow_counters(void) {
    int limit = 300, start = -250, turns = 0;
    long n = 0, wanted = 0;
    for (unsigned char c = 0; c < limit; c++) {
        if (++turns == 700) break;
        if (c < 100) n += blocks[c];
    }
    for (int i = 0; i < 699; i++)
        if (i % 256 < 100) wanted += 7L * (i % 256) - 5;
    CHECK(n == wanted);
    n = wanted = 0;
    for (unsigned char c = start; c < 100; c++) n += blocks[c];
    for (int i = 6; i < 100; i++) wanted += 7L * i - 5;
    CHECK(n == wanted);
}

/* Loops that are left early, and accesses under conditions: what they do not reach may lie outside of the array. */
static int find(int key) {
    for (int i = 0; i < A; i++)
        if (pairs[i].key == key) return i;
    return -1;
}

static void exits(void) {
    int i, n = 0;
    CHECK(find(0) == 0 && find(A - 1) == A - 1 && find(A / 2) == A / 2 && find(A) == -1);
    for (i = 0; i < 1000000; i++) {
        if (i == 10) continue;
        if (i == A - 3) break;
        n += other[i % 1] == 0 ? 1 : 0;
        if (cyclic[i] < 0) return;
    }
    CHECK(i == A - 3 && n == A - 4);
    double s = 0, expected = 0;
    for (i = 0; i < A; i++) {
        if (i > 0) s += cyclic[i - 1];
        s += i < A - 1 ? cyclic[i + 1] : 0.25;
    }
    for (i = 0; i < A; i++) {
        if (i > 0) expected += value(i - 1);
        expected += i < A - 1 ? value(i + 1) : 0.25;
    }
    CHECK(s == expected);
    for (unsigned char c = 0; c < 100; c++) n += cyclic[c] == value(c);
    CHECK(n == A - 4 + 100);
}

/* The loop writes elsewhere: private memory, own elements, another array. */
static void copies(void) {
    double here[A], *there = malloc(A * sizeof *there), *walk = there;
    for (int i = 0; i < A; i++) here[i] = cyclic[i];
    for (int i = 0; i < A; i++) *walk++ = flat[i];
    for (int i = 0; i < A; i++) CHECK(here[i] == value(i) && there[i] == i + 0.5);
    for (int i = 0; i < A; i++) there[A - 1 - i] = cyclic[i];
    for (int i = 0; i < A; i++) CHECK(there[A - 1 - i] == value(i));
    upc_barrier;
    for (int i = MYTHREAD * N; i < (MYTHREAD + 1) * N; i++) target[i] = sevens[i] + other[i];
    upc_barrier;
    for (int i = 0; i < A; i++) CHECK(target[i] == 2 * i + 1);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        for (int i = 0; i < A; i++) target[i] = blocks[i];
    upc_barrier;
    for (int i = 0; i < A; i++) CHECK(target[i] == 7L * i - 5);
    upc_barrier;
    free(there);
}

/* The loop writes what it reads later: through a pointer-to-local to own elements, through pointers-to-shared, and by
 * the array's name. Each must see what it has written (UPC 1.3, B: same location, program order). */
static void feedback(void) {
    if (MYTHREAD == 0) {
        double *own = (double *)flat;
        for (int i = 0; i < N - 1; i++) own[i + 1] = flat[i] + 1;
        for (int i = 0; i < N; i++) CHECK(flat[i] == 0.5 + i);
        for (int i = 0; i < N - 1; i++) *(own + i + 1) = flat[i] + 2;
        for (int i = 0; i < N; i++) CHECK(flat[i] == 0.5 + 2 * i);
        shared [] double *alias = flat;
        for (int i = 0; i < N - 1; i++) alias[i + 1] = flat[i] + 1;
        for (int i = 0; i < N; i++) CHECK(alias[i] == 0.5 + i);
        for (int i = 0; i < N - 1; i++) flat[i + 1] = flat[i] + 3;
        for (int i = 0; i < N; i++) CHECK(flat[i] == 0.5 + 3 * i);
        /* Apart: the second half from the first. */
        for (int i = 0; i < N / 2; i++) alias[i + N / 2] = flat[i];
        for (int i = 0; i < N / 2; i++) CHECK(flat[i + N / 2] == 0.5 + 3 * i);
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        shared [7] int *p = &sevens[0], *q = &sevens[3];
        for (int i = 0; i < 100; i++) q[i] = p[i] + 1;
        for (int i = 0; i < 100; i++) CHECK(sevens[i + 3] == sevens[i] + 1);
        for (int i = 0; i < 100; i++) sevens[i + 1] = p[i] + 2;
        for (int i = 0; i < 100; i++) CHECK(sevens[i] == 1 + 2 * i);
        int *mine = (int *)&sevens[7 * MYTHREAD];
        for (int i = 0; i < 6; i++) mine[i + 1] = sevens[7 * (THREADS - 1)] + p[i + 7 * MYTHREAD];
    }
    upc_barrier;
    for (int i = 0; i < 10; i++) {
        if (MYTHREAD == i % THREADS) total += cyclic[i] > 0;
        upc_barrier;
    }
    CHECK(total == 10);
    upc_barrier;
}

/* What this thread has written before the loop, and what others have before a barrier. */
static void rounds(void) {
    for (int round = 0; round < 5; round++) {
        int from = (MYTHREAD + 1) % THREADS * N;
        for (int i = 0; i < N; i++) blocks[from + i] = 100L * round + i;
        long n = 0;
        for (int i = 0; i < N; i++) n += blocks[from + i];
        CHECK(n == 100L * round * N + N * (N - 1) / 2);
        upc_barrier;
        n = 0;
        for (int i = 0; i < A; i++) n += blocks[i];
        CHECK(n == THREADS * (100L * round * N + N * (N - 1) / 2));
        upc_barrier;
    }
}

/* By pointers to rows, whatever the block size, and from the middle of a block. */
static void rows(void) {
    static shared [60] long planes[2 * THREADS][3][20];
    static shared [7] long odd[4 * THREADS][2][10];
    shared [60] long(*p)[3][20] = planes;
    shared [7] long(*q)[2][10] = odd;
    if (MYTHREAD == 0) {
        for (int z = 0; z < 2 * THREADS; z++)
            for (int y = 0; y < 3; y++)
                for (int x = 0; x < 20; x++) planes[z][y][x] = 10000L * z + 100 * y + x;
        for (int z = 0; z < 4 * THREADS; z++)
            for (int y = 0; y < 2; y++)
                for (int x = 0; x < 10; x++) odd[z][y][x] = 10000L * z + 100 * y + x;
    }
    upc_barrier;
    for (int z = 0; z < 2 * THREADS; z++)
        for (int y = 0; y < 3; y++) {
            long n = 0, shifted = 0;
            for (int x = 0; x < 20; x++) n += p[z][y][x] * (x + 1);
            for (int x = 0; x < 10; x++) shifted += p[z][2 - y][x + z % 4 + 1];
            CHECK(n == 210 * (10000L * z + 100 * y) + 2660);
            CHECK(shifted == 10 * (10000L * z + 100 * (2 - y) + z % 4 + 1) + 45);
        }
    for (q = odd; q < odd + 4 * THREADS; q++)
        for (int z = 0; z < 4 * THREADS - (q - odd); z++)
            for (int y = 0; y < 2; y++) {
                long n = 0;
                for (int x = 0; x < 10; x++) n += q[z][y][x] * (x + 1);
                CHECK(n == 55 * (10000L * (z + (q - odd)) + 100 * y) + 330);
            }
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        for (int z = 0; z < 2 * THREADS; z++)
            for (int x = 1; x < 20; x++) p[z][0][x] = p[z][0][x - 1] + planes[z][2][x];
    upc_barrier;
    for (int z = 0; z < 2 * THREADS; z++) {
        long n = 10000L * z;
        for (int x = 1; x < 20; x++) n += 10000L * z + 200 + x;
        CHECK(p[z][0][19] == n);
    }
    upc_barrier;
}

int main(void) {
    fill();
    sums();
    pointers();
    shifts();
    narrow_counters();
    exits();
    copies();
    feedback();
    rounds();
    rows();
    return 0;
}
