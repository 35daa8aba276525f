// flags: -fcomm-opt
// comm: strips strips=1,force strips=3 strips=5,force foresee strips=7 on,foresee=2,force
// A upc_forall whose iterations come in blocks, and which reads the blocks beside its own: they are fetched for many blocks together, and the rest is read
// in place (runtime/gas/halo.c). What it computes is compared with what was written; between two executions all of it changes.
#include <upc_relaxed.h>
#include "check.h"

enum { N = 1000, ROW = 96, MOST = 64 };
shared [32] double x32[N * THREADS], y32[N * THREADS];
shared [33] int x33[N * THREADS], y33[N * THREADS];
shared [64] struct { char c; double v[2]; } pairs[N * THREADS];
shared [ROW] long rows[3 * THREADS][ROW];
shared [64] double *moved;
shared [*] double whole[N * THREADS];
shared [4] int x4[N * THREADS], y4[N * THREADS];
shared [5] struct { char c[3]; } x5[N * THREADS], y5[N * THREADS];
static int round_number, count;

static double at(int i) { return i * 1.25 + round_number; }
static int in_round(int i) { return i * 3 + round_number; }

static void renew(void) {
    upc_barrier;
    round_number++;
    upc_forall (int i = 0; i < N * THREADS; i++; &x32[i]) x32[i] = at(i);
    upc_forall (int i = 0; i < N * THREADS; i++; &x33[i]) x33[i] = in_round(i);
    upc_forall (int i = 0; i < N * THREADS; i++; &x4[i]) x4[i] = in_round(i);
    upc_forall (int i = 0; i < N * THREADS; i++; &x5[i]) x5[i].c[1] = (char)in_round(i);
    upc_forall (int i = 0; i < N * THREADS; i++; &pairs[i]) pairs[i].v[1] = at(i);
    upc_forall (int i = 0; i < N * THREADS; i++; &whole[i]) whole[i] = at(i);
    upc_forall (int i = 0; i < 3 * THREADS; i++; &rows[i][0])
        for (int j = 0; j < ROW; j++) rows[i][j] = in_round(i * ROW + j);
    upc_forall (int i = 0; i < N * THREADS - 40; i++; &moved[i]) moved[i] = at(i);
    upc_barrier;
}

static void stencils(int from, int behind) {
    int i;
    upc_forall (i = from; i < behind; i++; &y32[i]) y32[i] = x32[i - 1] + x32[i] * 2 + x32[i + 2];
    CHECK_EQ(behind > from ? behind : from, i);
    upc_forall (int i = from; i < behind; i++; &y32[i]) CHECK(y32[i] == at(i - 1) + at(i) * 2 + at(i + 2));
    /* What it writes, it also reads; the variable is used; some iterations do nothing. */
    upc_forall (int i = from; i < behind; i++; &y33[i]) {
        if (i % 7 == 3) continue;
        y33[i] = x33[i - 2];
        y33[i] += i + x33[i + 1];
    }
    upc_forall (int i = from; i < behind; i++; &y33[i])
        if (i % 7 != 3) CHECK_EQ(in_round(i - 2) + i + in_round(i + 1), y33[i]);
    /* Of another layout; of records; behind the affinity's element. */
    double sum = 0, wanted = 0;
    upc_forall (int i = from; i < behind; i++; &x32[i + 1]) sum += x33[i] * pairs[i + 1].v[1], count++;
    for (int i = from; i < behind; i++)
        if (upc_threadof(&x32[i + 1]) == MYTHREAD) wanted += in_round(i) * at(i + 1), count--;
    CHECK(sum == wanted);
    CHECK_EQ(0, count);
    sum = wanted = 0;
    upc_forall (long i = from; i <= behind - 1; i++; whole + i) sum += whole[i + 3] * i - whole[i - 3];
    for (int i = from; i < behind; i++)
        if (upc_threadof(&whole[i]) == MYTHREAD) wanted += at(i + 3) * i - at(i - 3);
    CHECK(sum == wanted);
}

/* Blocks that are shorter than what an iteration reaches, and arrays of which no element is in another block than its own. */
static void short_blocks(int from, int behind) {
    int far = THREADS * 4;
    upc_forall (int i = from; i < behind; i++; &y4[i]) y4[i] = x4[i - 9] + x4[i] + x4[i + 7] - x4[i + 1];
    upc_forall (int i = from; i < behind; i++; &y4[i])
        CHECK_EQ(in_round(i - 9) + in_round(i) + in_round(i + 7) - in_round(i + 1), y4[i]);
    upc_forall (int i = from; i < behind; i++; &y5[i]) y5[i].c[2] = x5[i - 1].c[1] - x5[i + far].c[1], y5[i].c[0] = x5[i].c[1];
    upc_forall (int i = from; i < behind; i++; &y5[i]) {
        CHECK_EQ((char)((char)in_round(i - 1) - (char)in_round(i + far)), y5[i].c[2]);
        CHECK_EQ((char)in_round(i), y5[i].c[0]);
    }
    unsigned sum = 0, wanted = 0;
    upc_barrier;
    upc_forall (int i = from; i < behind; i++; &x4[i + 2]) sum = sum * 3u + x4[i + far] * 5u + y4[i];
    for (int i = from; i < behind; i++)
        if (upc_threadof(&x4[i + 2]) == MYTHREAD) wanted = wanted * 3u + x4[i + far] * 5u + y4[i];
    CHECK_EQ(wanted, sum);
}

/* By a pointer with a phase; along a row; in a function that a loop calls. */
static void others(int n) {
    double sum = 0, wanted = 0;
    upc_forall (int i = 1; i < n; i++; &moved[i]) sum = sum * 0.5 + moved[i - 1] + moved[i + 1];
    for (int i = 1; i < n; i++)
        if (upc_threadof(&moved[i]) == MYTHREAD) wanted = wanted * 0.5 + at(i - 1) + at(i + 1);
    CHECK(sum == wanted);
    for (int r = 0; r < 3 * THREADS; r++) {
        long s = 0, w = 0;
        upc_forall (int j = 1; j < ROW - 1; j++; &rows[r][j]) s = s * 3 + rows[r][j + 1] - rows[(r + 1) % (3 * THREADS)][j];
        for (int j = 1; j < ROW - 1; j++)
            if (upc_threadof(&rows[r][j]) == MYTHREAD) w = w * 3 + in_round(r * ROW + j + 1) - in_round((r + 1) % (3 * THREADS) * ROW + j);
        CHECK_EQ(w, s);
    }
    /* A write of the loop that may reach what it reads. */
    shared [32] double *p = y32, *q = y32 + (n % 2);
    upc_forall (int i = 0; i < n - 40; i++; &p[i]) p[i] = i;
    upc_barrier;
    upc_forall (int i = 0; i < n - 40; i++; &p[i])
        if (i % 32 < 30 && i % 32 > 1) p[i] = q[i] + 1;
    upc_barrier;
    upc_forall (int i = 0; i < n - 80; i++; &y32[i])
        if (i % 32 < 29 && i % 32 > 1) CHECK(n % 2 ? y32[i] == i + 2 : y32[i] == i + 1);
    upc_barrier;
}

int main(void) {
    moved = (shared [64] double *)upc_all_alloc(N, THREADS * sizeof(double)) + 5;
    for (int times = 0; times < 3; times++) {
        renew();
        stencils(3, N * THREADS - 3);
        stencils(37, 41);
        stencils(50, 50);
        stencils(31, 64 * THREADS + 70);
        stencils(64, 64 * THREADS);
        upc_barrier;
        short_blocks(9, 900 * THREADS);
        upc_barrier;
        short_blocks(12, 12 + 4 * THREADS);
        upc_barrier;
        short_blocks(30, 31);
        upc_barrier;
        others(N * THREADS - 45 - times);
    }
    /* Inside another one every thread runs all of it. */
    upc_forall (int k = 0; k < THREADS; k++; k) {
        double sum = 0, wanted = 0;
        upc_forall (int i = 1; i < 200; i++; &y32[i]) sum += x32[i - 1] + x32[i + 1];
        for (int i = 1; i < 200; i++) wanted += at(i - 1) + at(i + 1);
        CHECK(sum == wanted);
    }
    upc_barrier;
    return 0;
}
